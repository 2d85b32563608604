"""The second factor of an account: codes of six digits that change with time (TOTP, RFC 6238), and recovery codes.

A code is single-use, valid while it is shown and for 30 seconds before and after. The secret that an app shares
with the server is kept as it is, in the file that is for its owner alone: a key to encrypt it with would lie beside it.
Recovery codes have 120 random bits, of which the file keeps the SHA-256, and each is single-use.
"""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import b32encode
from datetime import datetime

import pyotp

from workbench.core.wording import message_with
from workbench.people.accounts import security_log
from workbench.people.accounts.file import AccountError, Accounts, hash_of
from workbench.people.accounts.people import get_account
from workbench.people.accounts.security_log import log_event, stamp
from workbench.people.accounts.sessions import drop_sessions

STEP = 30
AROUND = 1
"""How many steps a clock may be wrong by."""

RECOVERY_CODES = 8
RECOVERY_BYTES = 15
ISSUER = "Workbench"


def new_secret() -> str:
    """160 random bits, in the letters that apps take."""
    return pyotp.random_base32()


def is_secret(text: str) -> bool:
    """Whether this could be a secret from `new_secret`."""
    return re.fullmatch("[A-Z2-7]{32}", text) is not None


def address_of(secret: str, name: str) -> str:
    """What a QR code says to an app."""
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


def has_second_factor(accounts: Accounts, name: str) -> bool:
    """Whether signing in under this name wants a code."""
    found = accounts.db.execute("SELECT 1 FROM second_factor WHERE name = ?", [name]).fetchone()
    return found is not None


def set_second_factor(accounts: Accounts, name: str, secret: str, code: str) -> list[str]:
    """Use a secret of ours after a right code, else AccountError; the recovery codes, which are kept nowhere."""
    if not is_secret(secret):
        raise AccountError(message_with("this is not a secret that this server made; load the page again"))
    step = _step_of(secret, code, 0, accounts.now)
    if step is None:
        raise AccountError(
            message_with("this code is not right; check the clock of the device, and enter the next code")
        )
    with accounts.write():
        accounts.db.execute(
            "INSERT OR REPLACE INTO second_factor (name, secret, made_at, last_step) VALUES (?, ?, ?, ?)",
            [name, secret, stamp(accounts.now), step],
        )
        log_event(accounts, security_log.SECOND_FACTOR_SET, name)
        return _put_recovery_codes(accounts, name)


def new_recovery_codes(accounts: Accounts, name: str) -> list[str]:
    """Make recovery codes in the place of those that there were; returns them, since they are kept nowhere."""
    with accounts.write():
        log_event(accounts, security_log.RECOVERY_CODES_MADE, name)
        return _put_recovery_codes(accounts, name)


def recovery_codes_left(accounts: Accounts, name: str) -> int:
    """How many recovery codes of an account are still good."""
    (left,) = accounts.db.execute("SELECT count(*) FROM recovery_code WHERE name = ?", [name]).fetchone()
    return int(left)


def use_code(accounts: Accounts, name: str, code: str) -> bool:
    """Whether a code, or a recovery code, is right; a right one is used up."""
    row = accounts.db.execute("SELECT secret, last_step FROM second_factor WHERE name = ?", [name]).fetchone()
    if row is None:
        return False
    step = _step_of(row[0], code, row[1], accounts.now)
    if step is None:
        return _use_recovery_code(accounts, name, code)
    with accounts.write():
        used = accounts.db.execute(
            "UPDATE second_factor SET last_step = ? WHERE name = ? AND last_step < ?", [step, name, step]
        )
        return bool(used.rowcount)


def remove_second_factor(accounts: Accounts, name: str) -> bool:
    """Let an account sign in by its password alone, which ends its sessions; False when it did so before."""
    with accounts.write():
        account = get_account(accounts, name)
        removed = accounts.db.execute("DELETE FROM second_factor WHERE name = ?", [account.name]).rowcount
        accounts.db.execute("DELETE FROM recovery_code WHERE name = ?", [account.name])
        if removed:
            drop_sessions(accounts, account.name)
            log_event(accounts, security_log.SECOND_FACTOR_REMOVED, account.name)
    return bool(removed)


def _step_of(secret: str, code: str, last: int, now: datetime) -> int | None:
    """The step of time whose code this is, later than the last one used."""
    typed, current = "".join(code.split()).encode("utf-8", "replace"), int(now.timestamp()) // STEP
    found = None
    for step in range(current - AROUND, current + AROUND + 1):
        if hmac.compare_digest(pyotp.TOTP(secret).generate_otp(step).encode(), typed) and step > last:
            found = step
    return found


def _put_recovery_codes(accounts: Accounts, name: str) -> list[str]:
    accounts.db.execute("DELETE FROM recovery_code WHERE name = ?", [name])
    made = [b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode().lower() for _ in range(RECOVERY_CODES)]
    for code in made:
        accounts.db.execute("INSERT INTO recovery_code (name, code_hash) VALUES (?, ?)", [name, _hash(code)])
    return ["-".join(code[start : start + 4] for start in range(0, len(code), 4)) for code in made]


def _use_recovery_code(accounts: Accounts, name: str, code: str) -> bool:
    with accounts.write():
        used = accounts.db.execute(
            "DELETE FROM recovery_code WHERE name = ? AND code_hash = ?", [name, _hash(code)]
        ).rowcount
        if used:
            log_event(accounts, security_log.RECOVERY_CODE_USED, name)
    return bool(used)


def _hash(code: str) -> str:
    return hash_of(re.sub(r"[\s-]", "", code).lower())
