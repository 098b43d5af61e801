"""One process per state folder, held by a lock that the kernel frees when the process ends."""

import fcntl
import os
from pathlib import Path

from dbt.adapters.databricks_embedded.errors import SessionError


class StateLock:
    """Holds `<state_dir>/lock` until `release`, or until this process dies."""

    def __init__(self, state_dir: Path) -> None:
        self._fd = os.open(state_dir / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._fd, 32, 0).decode().strip() or "unknown"
            os.close(self._fd)
            raise SessionError(
                f"The folder {state_dir} is in use by process {holder}: "
                "wait until it ends, or set another state_dir in the profile."
            ) from None
        os.ftruncate(self._fd, 0)
        os.pwrite(self._fd, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        os.ftruncate(self._fd, 0)
        os.close(self._fd)
