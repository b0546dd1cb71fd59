"""Folders that can't be written, and disks that are full."""

import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """A disk of a size."""
    if os.geteuid() != 0:
        pytest.skip("a small disk is mounted by root only")
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0777", "tmpfs", str(folder)]
    done = subprocess.run(mount, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"this machine lets nobody mount: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Root may write everywhere: be somebody else for a while, who comes as far as this folder."""
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
