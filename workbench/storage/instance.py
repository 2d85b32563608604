"""The instance folder: where a server keeps its campaigns, its accounts and its secret.

Everything of one server lives in one folder (`--instance`, else `./instance`): campaign files `NAME.db`, the
file `accounts.db`, and the file `secret_key` that signs sessions.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import secrets
import shlex
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from workbench.core.atomic_files import drafting, name_new
from workbench.core.errors import WorkbenchError

ACCOUNTS_FILE = "accounts.db"
SECRET_FILE = "secret_key"  # nosec B105 # noqa: S105 - the name of the file, not its content
JOBS_FOLDER = "jobs"
TOKEN_FILE = "monitor_token"  # nosec B105 # noqa: S105 - as above
SECRET_BYTES = 32
LITTLE_SPACE = 0.1
"""The part of a disk that should be free; with less a server warns."""

NETWORK_FILE_SYSTEMS = frozenset(
    "nfs nfs4 cifs smb3 smbfs afs 9p ceph lustre glusterfs davfs beegfs "
    "fuse.sshfs fuse.rclone fuse.glusterfs fuse.ceph fuse.s3fs fuse.davfs2".split()
)

SET_ASIDE = re.compile(r"\.before-restore\.[0-9]{8}T[0-9]{6}Z$")
"""How `restoring` names a file that a backup replaced."""

logger = logging.getLogger(__name__)


class InstanceError(WorkbenchError):
    """The instance folder cannot be used as it is; the message says what to do."""


class Space(NamedTuple):
    """What is free on the disk of a folder, and how large that disk is, in bytes; `place` says whose folder it is."""

    place: str
    free: int
    size: int

    @property
    def is_low(self) -> bool:
        """Whether less than 10 % is free."""
        return self.free < LITTLE_SPACE * self.size

    def __str__(self) -> str:
        """The state as a phrase: 3.1 GB of 50.0 GB are free (6 %)."""
        share = 100 * self.free / self.size if self.size else 0.0
        return f"{self.free / 1e9:,.1f} GB of {self.size / 1e9:,.1f} GB are free ({share:.0f} %)"


def space_of(place: str, folder: Path) -> Space | None:
    """The free space on the disk of a folder; None when it cannot be had."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return None
    return Space(place, usage.free, usage.total)


def instance_folder(option: str | Path | None = None) -> Path:
    """The folder named by `--instance`, else `instance` in the working directory; made for its owner when missing.

    Raises InstanceError when there is something else of that name, or the folder cannot be made.
    """
    folder = Path(option) if option is not None else Path("instance")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InstanceError(
            f"{folder}: cannot be the instance folder ({error.strerror}); choose another with --instance"
        ) from error
    return folder


def campaign_path(name: str, instance: Path) -> Path:
    """The path of a campaign's file: `robust` is `robust.db` in the instance folder.

    A name with a suffix or a separator (`robust.db`, `./old/robust.db`) is a path, taken as it is; a number
    is no suffix, so that `web-2.0` is a name. Raises InstanceError for what cannot name a campaign: nothing, a
    folder, or the server's own accounts.
    """
    if not name.strip() or name in {".", ".."} or not name.isprintable():
        raise InstanceError(
            f"{name!r} does not name a campaign; give a name such as robust, or a path such as ./robust.db"
        )
    separators = {os.sep, os.altsep or os.sep, "/"}
    suffix = Path(name).suffix.removeprefix(".")
    is_path = (suffix != "" and not suffix.isdigit()) or any(separator in name for separator in separators)
    path = Path(name) if is_path else instance / f"{name}.db"
    if path.name == ACCOUNTS_FILE:
        raise InstanceError(
            f"{path}: the file of a server's accounts, not a campaign; choose another name "
            "(for backups of the accounts: workbench user backup, workbench user restore)"
        )
    return path


def default_instance() -> Path:
    """The instance folder of a command without `--instance`."""
    return Path(os.environ.get("WORKBENCH_INSTANCE") or "instance")


def command_name(path: Path) -> str:
    """The campaign at `path` as one word of a shell in commands here: its name if that leads to it, else the path."""
    with suppress(InstanceError):
        if campaign_path(path.stem, default_instance()).resolve() == path.resolve():
            return shlex.quote(path.stem)
    return shlex.quote(str(path))


def campaigns_in(instance: Path) -> list[Path]:
    """The paths of an instance folder's campaign files, by name, without files that a backup replaced."""
    if not instance.is_dir():
        return []
    return sorted(filter(_is_on_offer, instance.glob("*.db")), key=lambda path: path.name)


def campaign_in(instance: Path, name: str) -> Path | None:
    """The one of `campaigns_in` that has this name, without a look at the others; None when there is none.

    Nor is there one of a name that no file system takes: too long, or without a spelling in its bytes.
    """
    path = instance / f"{name}.db"
    if path.name != f"{name}.db" or path.parent != instance:
        return None
    try:
        return path if _is_on_offer(path) else None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return None
        raise


def _is_on_offer(path: Path) -> bool:
    return path.is_file() and path.name != ACCOUNTS_FILE and not SET_ASIDE.search(path.stem)


def secret_key(instance: Path) -> bytes:
    """The key that signs this server's sessions: 32 random bytes, made on the first call, mode 0600.

    A key that others may read is closed to them, with a warning in the log. Deleting the file makes
    all users sign in again. Raises InstanceError when the file is damaged or cannot be protected.
    """
    path = instance_folder(instance) / SECRET_FILE
    if not path.exists():
        _make_secret(path, secrets.token_bytes(SECRET_BYTES))
    _protect(path)
    secret = path.read_bytes()
    if len(secret) < SECRET_BYTES:
        raise InstanceError(f"{path}: too short to be a key; delete it, and the next start makes a new one")
    return secret


def monitor_token(instance: Path) -> str:
    """The word by which a monitor proves itself to this server: made on the first call, in a file of mode 0600.

    A new one is made once the file is deleted and the server started again. Raises InstanceError as `secret_key` does.
    """
    path = instance_folder(instance) / TOKEN_FILE
    if not path.exists():
        _make_secret(path, secrets.token_urlsafe(SECRET_BYTES).encode())
    _protect(path)
    token = path.read_text(encoding="ascii", errors="replace").strip()
    if len(token) < SECRET_BYTES:
        raise InstanceError(f"{path}: too short to be a token; delete it, and the next start makes a new one")
    return token


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


def _make_secret(path: Path, content: bytes) -> None:
    """Make a whole key, of which no other process ever sees half; the first of those that start together makes it."""
    with drafting(path, wait=True) as draft:
        if path.exists():
            return
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        with suppress(FileExistsError):
            name_new(draft, path)


def _protect(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name != "posix" or not mode & 0o077:
        return
    try:
        path.chmod(0o600)
    except OSError as error:
        raise InstanceError(
            f"{path}: other users can read it (mode {mode:04o}), and its mode cannot be changed: {error.strerror}"
        ) from error
    logger.warning("%s: other users could read it (mode %04o); it is now 0600", path, mode)
