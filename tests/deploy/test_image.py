"""The image is built and run by buildah, which needs no engine; hadolint and a schema look at the files themselves."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from app.config import Settings
from harness.equipment import PATH, find_program
from harness.figures import Tell
from harness.processes import PATIENCE, free_port

ROOT = Path(__file__).parents[2]
BASE = "docker.io/library/debian:trixie-slim"
USER = 10001
ENVIRONMENT = {**os.environ, "PATH": PATH, "BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs"}
ULIMITS = ("--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096")
"""Less than anybody has: buildah would raise them, which not every root may."""

CERTIFICATES = Path("usr/local/share/ca-certificates")


def run(*command: str | Path) -> "subprocess.CompletedProcess[str]":
    """A command, and what it says on both ways."""
    return subprocess.run(
        list(map(str, command)),
        cwd=ROOT,
        env=ENVIRONMENT,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def done(*command: str | Path) -> str:
    """What a command says, which has to succeed."""
    ran = run(*command)
    assert ran.returncode == 0, ran.stdout[-3000:]
    return ran.stdout.strip()


# --- the files -----------------------------------------------------------------------------------------------------


def test_hadolint_finds_nothing() -> None:
    assert done(Path(sys.prefix) / "bin" / "hadolint", "--no-color", "Dockerfile") == ""


def test_the_compose_file_keeps_the_schema() -> None:
    done(
        Path(sys.prefix) / "bin" / "check-jsonschema",
        *("--builtin-schema", "vendor.compose-spec", "docker-compose.yml"),
    )


def test_compose_starts_on_sqlite_and_scales_by_a_profile() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    plain = {name for name, service in services.items() if "profiles" not in service}
    assert plain == {"fogline"}
    assert {name for name in services if name not in plain} == {"app", "password", "postgres", "valkey", "proxy"}
    assert "FOGLINE_DATABASE_URL" not in services["fogline"]["environment"]
    assert services["app"]["deploy"]["replicas"] > 1


@pytest.mark.parametrize("service", ["fogline", "app"])
def test_compose_passes_on_what_a_host_may_want_to_change(service: str) -> None:
    environment = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"][service]["environment"]
    changeable = [name for name in Settings.model_fields if name.endswith(("_days", "_per_address", "_per_seat"))]
    for name in (f"FOGLINE_{field.upper()}" for field in (*changeable, "new_players", "new_rooms")):
        assert environment[name] == f"${{{name}:-}}"


def test_no_container_has_more_than_it_needs() -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    for name, service in services.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["read_only"] is True, name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["pids_limit"] <= 200, name
    assert {name: service["cap_add"] for name, service in services.items() if "cap_add" in service} == {
        "password": ["CHOWN"],
        "proxy": ["NET_BIND_SERVICE"],
    }
    published = {name for name, service in services.items() if "ports" in service}
    assert published == {"fogline", "proxy"}


def test_the_image_is_made_of_what_serves_and_nothing_else() -> None:
    copied = [line.split()[1:-1] for line in (ROOT / "Dockerfile").read_text().splitlines() if line.startswith("COPY")]
    sources = {Path(word).parts[0] for words in copied for word in words if not word.startswith(("-", "/"))}
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert sources == {Path(name).parts[0] for name in kept}


# --- the image -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def image() -> Iterator[str]:
    """The image, built. Where nobody may mount, none can be built, whatever is installed."""
    unshared = run("unshare", "--mount", "true")
    if unshared.returncode != 0:
        pytest.skip(f"the image is not built: {unshared.stdout.strip()}")
    for program in ("buildah", "debootstrap"):
        find_program(program)
    if run("buildah", "images", "--quiet", BASE).returncode != 0:
        make_base()
    done("buildah", "bud", "--pull-never", *ULIMITS, "--tag", "fogline-test", ".")
    yield "localhost/fogline-test"
    done("buildah", "rmi", "fogline-test")


def make_base() -> None:
    """Debian's own image where a registry can be reached, else one of debootstrap."""
    if run("buildah", "pull", BASE).returncode == 0:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "base"
        made = run("debootstrap", "--variant=minbase", "trixie", folder)
        assert made.returncode == 0, made.stdout[-3000:]
        settings = folder / "etc/apt/apt.conf.d/docker-clean"
        settings.write_text(
            'APT::Keep-Downloaded-Packages "false";\nDir::Cache::pkgcache "";\nDir::Cache::srcpkgcache "";\n'
        )
        done("chroot", folder, "apt-get", "clean")
        shutil.copytree("/" / CERTIFICATES, folder / CERTIFICATES, dirs_exist_ok=True)
        container = done("buildah", "from", "scratch")
        done("buildah", "add", "--quiet", container, folder, "/")
        done("buildah", "commit", "--quiet", "--rm", container, BASE)


class Container:
    """The image on its way, with a folder of the host as /data."""

    def __init__(self, image: str, data: Path) -> None:
        self.port = free_port()
        self.name = done("buildah", "from", "--pull-never", *ULIMITS, image)
        # in buildah the image's own volume would hide the folder
        done("buildah", "config", "--volume", "/data-", self.name)
        self._data = data
        self._log = data.with_name("log")
        with self._log.open("wb") as log:
            command = self._command("fogline", "serve")
            self._process = subprocess.Popen(command, env=ENVIRONMENT, stdout=log, stderr=log)

    @property
    def log(self) -> str:
        return self._log.read_text()

    def run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(self._command(*command), env=ENVIRONMENT, check=False, capture_output=True, text=True)

    def _command(self, *command: str) -> list[str]:
        settings = ["--env", f"FOGLINE_PORT={self.port}", "--volume", f"{self._data}:/data"]
        return ["buildah", "run", *settings, self.name, "--", *command]

    def healthy(self) -> bool:
        return self.run("healthy").returncode == 0

    def wait(self, what: str) -> None:
        """Until it is healthy, or says something."""
        until = time.monotonic() + PATIENCE
        while not (what in self.log if what else self.healthy()):
            assert time.monotonic() < until, self.log
            time.sleep(0.5)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)
        done("buildah", "rm", self.name)


@contextlib.contextmanager
def started(image: str, data: Path) -> Iterator[Container]:
    container = Container(image, data)
    try:
        yield container
    finally:
        container.close()


def owned(folder: Path, owner: int) -> Path:
    folder.mkdir(mode=0o755)
    os.chown(folder, owner, owner)
    for parent in folder.parents:
        if parent.stat().st_mode & 0o005 == 0:
            parent.chmod(0o755)  # pytest keeps its folders to itself
    return folder


@pytest.mark.slow
def test_the_image_serves_as_a_plain_user(image: str, tmp_path: Path) -> None:
    with started(image, owned(tmp_path / "data", USER)) as container:
        container.wait("")
        assert (tmp_path / "data" / "fogline.db").stat().st_uid == USER
        assert container.run("id", "-u").stdout.strip() == str(USER)
        checked = container.run("fogline", "check")
        assert checked.stdout.endswith("Everything is fine.\n"), checked
        saved = container.run("fogline", "backup", "/data/saved")
        assert saved.returncode == 0, saved
        assert container.run("touch", "/opt/fogline/app/other").returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["", "fogline.db"])
def test_BUG1407_what_is_roots_is_named_once_and_served_when_mended(image: str, tmp_path: Path, closed: str) -> None:
    data = owned(tmp_path / "data", USER)
    if closed:
        (data / closed).touch()
    os.chown(data / closed, 0, 0)
    with started(image, data) as container:
        container.wait("can't be written")
        assert not container.healthy()
        os.chown(data / closed, USER, USER)
        container.wait("")
        assert container.log.startswith(f"{Path('/data', closed)} can't be written by user {USER}:{USER}. On the host")
        assert container.log.count("can't be written") == 1


@pytest.mark.slow
def test_the_image_adds_little_to_its_base(image: str, tell: Tell) -> None:
    def size(name: str) -> int:
        container = done("buildah", "from", "--pull-never", name)
        folder = done("buildah", "mount", container)
        bytes_used = int(done("du", "--bytes", "--summarize", folder).split()[0])
        done("buildah", "rm", container)
        return bytes_used

    added = (size(image) - size(BASE)) >> 20
    tell(f"the image adds {added} MB to its base")
    assert added < 250
