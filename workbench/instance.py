"""The instance folder: where a server keeps its campaigns, its accounts and its secret.

Everything of one server lives in one folder (`--instance`, else `./instance`): campaign files `NAME.db`, the
file `accounts.db`, and the file `secret_key` that signs sessions.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import stat
from pathlib import Path

from workbench.errors import WorkbenchError

ACCOUNTS_FILE = "accounts.db"
SECRET_FILE = "secret_key"  # nosec B105 # noqa: S105 - the name of the file, not its content
SECRET_BYTES = 32
NETWORK_FILE_SYSTEMS = frozenset(
    {
        *(
            "nfs",
            "nfs4",
            "cifs",
            "smb3",
            "smbfs",
            "afs",
            "9p",
            "ceph",
            "lustre",
            "glusterfs",
            "davfs",
            "beegfs",
        ),
        *("fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs", "fuse.davfs2"),
    }
)

SET_ASIDE = re.compile(r"\.before-(?:m[0-9]{3}_\w+|restore)\.[0-9]{8}T[0-9]{6}Z$")
"""How `campaign.connection` names the copy of an older campaign, and `restoring` a file that a backup replaced."""

logger = logging.getLogger(__name__)


class InstanceError(WorkbenchError):
    """The instance folder cannot be used as it is; the message says what to do."""


def instance_folder(option: str | Path | None = None) -> Path:
    """The folder named by `--instance`, else `instance` in the working directory; made for its owner when missing.

    Raises InstanceError when there is something else of that name, or the folder cannot be made.
    """
    folder = Path(option) if option is not None else Path("instance")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = (
            f"{folder}: cannot be the instance folder ({error.strerror}); choose another with --instance"
        )
        raise InstanceError(message) from error
    return folder


def campaign_path(name: str, instance: Path) -> Path:
    """The file a campaign's name stands for: `robust` is `robust.db` in the instance folder.

    A name with a suffix or a separator (`robust.db`, `./old/robust.db`) is a path, taken as it is; a number
    is no suffix, so that `web-2.0` is a name. Raises InstanceError for what cannot name a campaign: nothing, a
    folder, or the server's own accounts.
    """
    if not name.strip() or name in {".", ".."} or not name.isprintable():
        message = (
            f"{name!r} does not name a campaign; give a name such as robust, or a path such as ./robust.db"
        )
        raise InstanceError(message)
    separators = {os.sep, os.altsep or os.sep, "/"}
    suffix = Path(name).suffix.removeprefix(".")
    is_path = (suffix != "" and not suffix.isdigit()) or any(separator in name for separator in separators)
    path = Path(name) if is_path else instance / f"{name}.db"
    if path.name == ACCOUNTS_FILE:
        message = (
            f"{path}: the file of a server's accounts, not a campaign; choose another name "
            "(for backups of the accounts: workbench user backup, workbench user restore)"
        )
        raise InstanceError(message)
    return path


def campaigns_in(instance: Path) -> list[Path]:
    """The campaign files of an instance folder, by name; they are listed, not opened.

    What was set aside is left out: the copies that were put beside older campaigns before they were brought up to date
    (opening one would bring it up to date too, and put another copy beside it), and files that a backup replaced.
    """
    if not instance.is_dir():
        return []
    return sorted(filter(_is_on_offer, instance.glob("*.db")), key=lambda path: path.name)


def campaign_in(instance: Path, name: str) -> Path | None:
    """The one of `campaigns_in` that has this name, without a look at the others; None when there is none."""
    path = instance / f"{name}.db"
    return path if path.name == f"{name}.db" and path.parent == instance and _is_on_offer(path) else None


def _is_on_offer(path: Path) -> bool:
    return path.is_file() and path.name != ACCOUNTS_FILE and not SET_ASIDE.search(path.stem)


def secret_key(instance: Path) -> bytes:
    """The key that signs this server's sessions: 32 random bytes, made on the first call, mode 0600.

    A key that others may read is closed to them, with a warning in the log. Whoever deletes the file makes
    everybody sign in again. Raises InstanceError when the file is damaged or cannot be protected.
    """
    path = instance_folder(instance) / SECRET_FILE
    if not path.exists():
        _make_secret(path)
    _protect(path)
    secret = path.read_bytes()
    if len(secret) < SECRET_BYTES:
        message = f"{path}: too short to be a key; delete it, and the next start makes a new one"
        raise InstanceError(message)
    return secret


def network_file_system(path: Path, *, mounts: Path = Path("/proc/mounts")) -> str | None:
    """The type of the network file system that holds `path` ("nfs4"), or None on a local disk.

    SQLite's locks and its shared memory cannot be relied on there. `mounts` is Linux's table; elsewhere the
    answer is None.
    """
    try:
        table = mounts.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
    wanted = path.resolve()
    best, found = -1, ""
    for line in table.splitlines():
        _, folder, kind, *_ = [*line.split(" "), "", "", ""]
        point = Path(_unescape(folder))
        if folder and wanted.is_relative_to(point) and len(point.parts) >= best:
            best, found = len(point.parts), kind
    return found if found in NETWORK_FILE_SYSTEMS else None


def _unescape(field: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(code, character)
    return field


def _make_secret(path: Path) -> None:
    """Write a whole key beside `path`, then give it its name: no other process ever sees half a key."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        _name_once(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _name_once(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    except OSError:  # a file system without hard links
        if not path.exists():
            draft.rename(path)


def _protect(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name != "posix" or not mode & 0o077:
        return
    try:
        path.chmod(0o600)
    except OSError as error:
        message = (
            f"{path}: other users can read it (mode {mode:04o}), and it cannot be closed: {error.strerror}"
        )
        raise InstanceError(message) from error
    logger.warning("%s: other users could read it (mode %04o); it is now 0600", path, mode)
