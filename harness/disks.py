"""Folders that can't be written, and disks that are full."""

import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

FORBIDDEN = ("must be superuser", "permission denied")
"""What `mount` prints without permission. Tests use `failing_disk` then."""


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """A disk of a size."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0777", "tmpfs", str(folder)]
    done = subprocess.run(mount, check=False, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if any(sign in done.stderr for sign in FORBIDDEN):
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Run as another user for a while if this is root, who may write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    for closed in (place for place in (folder, *folder.parents) if not place.stat().st_mode & stat.S_IXOTH):
        closed.chmod(0o755)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
