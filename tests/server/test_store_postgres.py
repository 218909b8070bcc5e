"""What is special about a store in PostgreSQL: how it is opened, what it refuses, and damage."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
import structlog

from heat_server.__main__ import main
from heat_server.store.address import DatabaseUrl, parse_database_url
from heat_server.store.contract import Store
from heat_server.store.errors import StoreBusy, StoreDamaged, StoreFailed, StoreRefused
from heat_server.store.opening import open_store as open_any
from heat_server.store.postgres import connecting, link, schema, writing
from heat_server.store.postgres.faults import what_failed
from heat_server.store.postgres.store import PostgresStore
from heat_server.store.postgres.watchdog import LOOK_SECONDS
from heat_server.store.writes import AddEvents, CloseMatch, SaveClocks, SaveRoom
from tests.server.postgres import Cluster
from tests.server.stores import WallClock, begun, room


@pytest.fixture
def database(cluster: Cluster) -> str:
    return cluster.new_database()


@pytest.fixture
def url(cluster: Cluster, database: str) -> DatabaseUrl:
    return cluster.url(database)


def opened(url: DatabaseUrl, *, read_only: bool = False) -> Store:
    return PostgresStore.open(url, WallClock(), read_only=read_only)


# --- addresses ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://heat:s3cret@db.example/heat",
        "postgresql://heat:@db.example/heat",
        "POSTGRESQL://heat:s3cret@one,two:5433/heat",
        "postgres://db.example/heat?user=heat&password=s3cret",
        "postgresql://db.example/heat?pass%77ord=s3cret",
        "postgresql://db.example/heat?sslpassword=s3cret",
    ],
)
def test_a_password_in_the_address_is_refused_and_shown_nowhere(text: str) -> None:
    with pytest.raises(ValueError, match="leave it out, and put it in the file that --store-pass") as refused:
        parse_database_url(text)
    assert "s3cret" not in str(refused.value)


def test_an_address_is_shown_without_what_only_libpq_needs() -> None:
    url = parse_database_url("postgresql://heat@one,two:5433/races?sslmode=require&passfile=/x/y")
    assert str(url) == "postgresql://heat@one,two:5433/races"
    with pytest.raises(ValueError, match="%23"):
        parse_database_url("postgresql://db/heat#1")
    with pytest.raises(ValueError, match="not a URL"):
        parse_database_url("postgresql://[db/heat")


# --- opening --------------------------------------------------------------------------------------------


def test_a_database_without_tables_gets_them_and_one_of_today_stays_as_it_is(cluster: Cluster) -> None:
    url = cluster.url(cluster.new_database(template="template0"))
    with pytest.raises(StoreRefused, match="has no store yet; start the server once"):
        opened(url, read_only=True)
    with opened(url) as store:
        store.write(begun("m1"))
    with opened(url) as store, opened(url, read_only=True) as reader:
        assert reader.list_matches(9) == store.list_matches(9) != []
        assert store.saves
        assert store.trouble is None
        with pytest.raises(StoreFailed, match="read-only transaction"):
            reader.write([room("m2")])


def test_a_newer_store_is_refused_and_an_older_one_is_brought_up_to_date(
    cluster: Cluster, database: str, url: DatabaseUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(url) as store:
        store.write(begun("m1"))
    with cluster.connected(database) as connection:
        connection.execute("UPDATE heat.store SET version = %s", (schema.VERSION + 1,))
        for read_only in (False, True):
            with pytest.raises(StoreRefused, match=r"a newer heat-server wrote the store \(version"):
                opened(url, read_only=read_only)
        connection.execute("UPDATE heat.store SET version = %s", (schema.VERSION,))
    more = (
        *schema.MIGRATIONS,
        ("ALTER TABLE matches ADD COLUMN mood TEXT", "CREATE TABLE moods (mood TEXT)"),
    )
    monkeypatch.setattr(schema, "VERSION", len(more))
    with pytest.raises(StoreRefused, match="an older heat-server wrote the store"):
        opened(url, read_only=True)
    monkeypatch.setattr(
        link, "bring_up_to_date", lambda connection: schema.bring_up_to_date(connection, more)
    )
    with opened(url) as store:
        assert [title.match for title in store.open_matches()] == ["m1"]
    with cluster.connected(database) as connection:
        assert connection.execute("SELECT count(*) FROM heat.moods").fetchone() == (0,)
        assert connection.execute("SELECT version FROM heat.store").fetchall() == [(len(more),)]


def test_a_server_waits_longer_than_for_an_answer_while_another_changes_the_tables(
    cluster: Cluster, database: str, url: DatabaseUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "ANSWER_SECONDS", 0.3)
    with cluster.connected(database) as connection, structlog.testing.capture_logs() as lines:
        connection.execute("SELECT pg_advisory_lock(%s)", (schema.MIGRATION_LOCK,))
        unlock = threading.Timer(
            3 * LOOK_SECONDS, lambda: connection.execute("SELECT pg_advisory_unlock_all()")
        )
        unlock.start()
        with opened(url) as store:
            assert store.open_matches() == []
        unlock.join()
    assert "waiting for another server that changes the tables" in [line["event"] for line in lines]


def test_a_migration_that_fails_changes_nothing(
    cluster: Cluster, database: str, url: DatabaseUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = (*schema.MIGRATIONS, ("CREATE TABLE moods (mood TEXT)", "ALTER TABLE nowhere ADD COLUMN x INT"))
    monkeypatch.setattr(
        link, "bring_up_to_date", lambda connection: schema.bring_up_to_date(connection, broken)
    )
    with pytest.raises(StoreRefused, match="nowhere"):
        opened(url)
    monkeypatch.undo()
    with opened(url) as store:
        assert store.open_matches() == []
    with cluster.connected(database) as connection:
        assert connection.execute("SELECT to_regclass('heat.moods')").fetchone() == (None,)


def test_servers_that_start_at_once_make_the_tables_once(cluster: Cluster) -> None:
    url = cluster.url(cluster.new_database(template="template0"))
    faults: list[Exception] = []

    def start() -> None:
        try:
            opened(url).close()
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with opened(url) as store:
        assert store.open_matches() == []


def test_tables_of_other_programs_are_left_alone(cluster: Cluster) -> None:
    database = cluster.new_database(template="template0")
    with cluster.connected(database) as connection:
        connection.execute("CREATE TABLE public.matches (wood TEXT)")
        with opened(cluster.url(database)) as store:
            store.write(begun("m1"))
        assert connection.execute("SELECT * FROM public.matches").fetchall() == []


def test_what_keeps_a_server_from_its_database_is_one_sentence(cluster: Cluster, tmp_path: Path) -> None:
    nowhere = DatabaseUrl(f"postgresql://heat@/heat?host={tmp_path}")
    closed = DatabaseUrl("postgresql://heat@127.0.0.1:1/heat")
    unknown = cluster.url("unknown")
    nobody = DatabaseUrl(cluster.url("postgres").text.replace("heat@", "nobody@"))
    wrong = DatabaseUrl(cluster.url("postgres").text + "&colour=red")
    for url, words in (
        (nowhere, "postgresql://heat@/heat: nothing answers at its socket"),
        (closed, "postgresql://heat@127.0.0.1:1/heat: nothing answers at its host and port"),
        (unknown, 'unknown: it has no database "unknown"; create it'),
        (nobody, 'postgres: it has no user "nobody"; create it'),
        (wrong, 'it is not an address that libpq reads: invalid URI query parameter: "colour"'),
    ):
        with pytest.raises(StoreRefused, match=words) as refused:
            opened(url)
        assert "\n" not in str(refused.value)


def test_a_database_that_cannot_hold_every_name_is_refused(cluster: Cluster) -> None:
    with cluster.connected("postgres") as connection:
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(
        StoreRefused, match="its encoding is LATIN1; create the database with ENCODING 'UTF8'"
    ):
        opened(cluster.url("latin"))


def test_the_password_comes_from_the_first_line_of_its_file(cluster: Cluster, tmp_path: Path) -> None:
    with cluster.asking_for_passwords({"ana": "s3cret word"}):
        database = cluster.new_database(template="template0")
        with cluster.connected(database) as connection:
            connection.execute(f"GRANT CREATE ON DATABASE {database} TO ana")
        url = DatabaseUrl(cluster.url(database).text.replace("heat@", "ana@"))
        file = tmp_path / "password"
        for data, words in (
            (b"wrong\n", "password is missing or wrong"),
            (b"", "has nothing in its first line"),
            (b"\xff", "is not UTF-8 text"),
        ):
            file.write_bytes(data)
            with pytest.raises(StoreRefused, match=words):
                open_any(url, WallClock(), password_file=file)
        with pytest.raises(StoreRefused, match="password: No such file or directory"):
            open_any(url, WallClock(), password_file=tmp_path / "no password")
        file.write_text("s3cret word\nand a remark\n")
        with open_any(url, WallClock(), password_file=file) as store:
            store.write(begun("m1"))
            assert "s3cret" not in store.name


def test_the_commands_take_the_password_file_themselves(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refused(*words: str) -> str:
        command = ["heat-server", *words, "--store-password", str(tmp_path / "password")]
        monkeypatch.setattr(sys, "argv", command)
        with pytest.raises(SystemExit) as exited:
            main()
        assert exited.value.code == 1
        return capfd.readouterr().err

    with cluster.asking_for_passwords({"ben": "s3cret word"}):
        url = cluster.url(cluster.new_database(template="template0")).text.replace("heat@", "ben@")
        for password, wanted in (("wrong", "password is missing or wrong"), ("s3cret word", "no store yet")):
            (tmp_path / "password").write_text(f"{password}\n")
            for words in (["matches"], ["export", "m1"], ["fleet"]):
                assert wanted in refused(*words, "--store", url)
            assert wanted in refused("store", "copy", url, str(tmp_path / "copy"))


def test_without_psycopg_the_refusal_says_how_to_install_it() -> None:
    hidden = "import sys; sys.modules['psycopg'] = None; from heat_server.__main__ import main; main()"
    words = ["--store", "postgresql://heat@localhost/heat", "matches"]
    told = subprocess.run([sys.executable, "-c", hidden, *words], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout) == (1, "")
    assert "needs psycopg; install it with pip install 'heat-tui-race[postgres]'" in told.stderr
    assert len(told.stderr.splitlines()) == 1


REFUSALS = {
    'failed: FATAL:  database "club" does not exist': '"club"; create it, or correct the URL',
    'failed: FATAL:  role "hat" does not exist': 'it has no user "hat"; create it, or correct the URL',
    'failed: FATAL:  no pg_hba.conf entry for host "192.0.2.7"': "pg_hba.conf has no line for",
    'failed: FATAL:  Peer authentication failed for user "heat"': "give the URL a host",
    "failed: server does not support SSL, but SSL was required": "set ssl = on in its settings",
    'failed: root certificate file "/etc/heat/root.crt" does not exist': "name it by sslrootcert",
    "failed: SSL error: certificate verify failed": "no authority of sslrootcert has signed its certificate",
    'failed: server certificate for "db" does not match host name "10.0.0.1"': "is for another host name",
    "failed to resolve host 'db.example': [Errno -2] Name or service not known": "has no address; check",
}


@pytest.mark.parametrize(("text", "sentence"), REFUSALS.items())
def test_what_keeps_a_server_out_of_a_database_is_said_with_what_to_do(text: str, sentence: str) -> None:
    """The texts are those of PostgreSQL 15 and psycopg."""
    assert sentence in what_failed(psycopg.OperationalError(f"connection to server {text}"))


def test_a_schema_of_another_user_is_refused_with_what_to_do(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("word\n")
    with cluster.asking_for_passwords({"cy": "word"}):
        url = DatabaseUrl(cluster.url(cluster.new_database()).text.replace("heat@", "cy@"))
        with pytest.raises(StoreRefused, match="make it the owner of the database, or of the schema heat"):
            open_any(url, WallClock(), password_file=tmp_path / "password")


@pytest.mark.parametrize(
    ("given", "wanted"), [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")]
)
def test_a_commit_waits_for_the_disk_whatever_the_database_is_set_to(
    given: str, wanted: str, cluster: Cluster, database: str, url: DatabaseUrl
) -> None:
    with cluster.connected("postgres") as connection:
        connection.execute(f"ALTER DATABASE {database} SET synchronous_commit = {given}")
    with structlog.testing.capture_logs() as lines, PostgresStore.open(url, WallClock()) as store:
        shown = store._link.read(lambda connection: connection.execute("SHOW synchronous_commit").fetchone())
        assert shown == (wanted,)
    assert [line["event"] for line in lines] == ["database does not wait for its disk"], "fsync is off here"


def test_the_commands_read_a_database_beside_its_server(
    url: DatabaseUrl, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def told(*words: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["heat-server", "--store", url.text, *words])
        with pytest.raises(SystemExit) as exited:
            main()
        return exited.value.code, *capfd.readouterr()

    with opened(url) as store:
        store.write([*begun("m1"), SaveRoom("m2", "KKKKK", "lobby", "gb: ben", b"")])
        capfd.readouterr()  # what opening it logged
        code, output, errors = told("matches")
        assert (code, errors) == (0, "")
        assert [line.split()[:2] for line in output.splitlines()[1:]] == [["m2", "KKKKK"], ["m1", "FHKMR"]]
        code, output, errors = told("export", "m9")
        assert (code, output, errors) == (1, "", f"heat-server: {store.name}: there is no match 'm9'\n")


# --- rows -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM heat.steps WHERE first = 1 AND race = 1",
        "DELETE FROM heat.steps WHERE first = 4 AND race = 1",
        "UPDATE heat.steps SET events = '\\x00' WHERE first = 4 AND race = 1",
        "UPDATE heat.steps SET at_ms = 7 WHERE race = 1",
        "UPDATE heat.races SET drivers = '' WHERE number = 1",
        "UPDATE heat.progress SET last = last - 1 WHERE race = 1",
        "UPDATE heat.matches SET state = '' WHERE number = 1",
        "UPDATE heat.matches SET code = 'KKKKK' WHERE number = 1",
        "UPDATE heat.clocks SET clocks = '' WHERE match = 1",
    ],
)
def test_rows_that_somebody_changed_are_damage(
    statement: str, cluster: Cluster, database: str, url: DatabaseUrl
) -> None:
    with opened(url) as store:
        store.write([*begun("m1"), AddEvents("m1", 0, 4, 1, b"four"), SaveClocks("m1", b"60 s")])
        store.write(begun("m2"))
        store.load("m1")
        with cluster.connected(database) as connection:
            connection.execute(statement.encode())
        with pytest.raises(StoreDamaged, match=r"heat_\d+: the store is damaged: "):
            store.load("m1")
        store.load("m2")
        store.write([CloseMatch("m1", "faulted", "damaged")])  # and can be put aside


def test_who_holds_a_row_for_too_long_fails_one_batch(
    cluster: Cluster, database: str, url: DatabaseUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "LOCK_SECONDS", 0.1)
    with opened(url) as store, cluster.connected(database) as other:
        store.write(begun("m1"))
        with other.transaction():
            other.execute("SELECT * FROM heat.progress FOR UPDATE")
            with pytest.raises(StoreBusy, match="another program holds the tables"):
                store.write([room("m2"), AddEvents("m1", 0, 4, 1, b"four")])
        assert [match.match for match in store.list_matches(9)] == ["m1"]
        store.write([AddEvents("m1", 0, 4, 1, b"four")])


def test_servers_that_delete_at_once_do_not_wait_for_each_other_and_keep_what_fits(
    cluster: Cluster, database: str, url: DatabaseUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "LOCK_SECONDS", 0.1)
    with opened(url) as store, cluster.connected(database) as another:
        another.execute("SET search_path TO heat")
        for match in ("m1", "m2", "m3"):
            store.write([*begun(match), CloseMatch(match, "ended", "over")])
        (size,) = another.execute("SELECT sum(bytes)::bigint / 3 FROM progress").fetchone() or (0,)
        with another.transaction():
            assert writing.may_delete(another)
            assert writing.delete_to_fit(another, 2 * size, 20) == 1
            assert store.prune(0, 2 * size) == store.prune(2_000) == 0
        assert store.prune(0, 2 * size) == 0
        assert [match.match for match in store.list_matches(9)] == ["m3", "m2"]
        assert store.prune(2_000) == 2


def test_large_numbers_fit(url: DatabaseUrl) -> None:
    clock: Callable[[], int] = WallClock(1_700_000_000_000)
    with PostgresStore.open(url, clock) as store:
        store.write(begun("m1"))
        store.write([AddEvents("m1", 0, 4, 32_000, b""), AddEvents("m1", 0, 32_004, 1_000, bytes(70_000))])
        store.write([AddEvents("m1", 0, 33_004, 2**31, b""), AddEvents("m1", 0, 33_004 + 2**31, 1, b"")])
        race = store.load("m1").race
        assert race is not None
        assert len(race.steps) == 5
