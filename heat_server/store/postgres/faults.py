"""What an error of PostgreSQL means, in words that need no knowledge of it."""

from __future__ import annotations

import re
from typing import Final

import psycopg

from heat_core.shapes import printable
from heat_server.store.errors import CodeTaken, StoreBusy, StoreDamaged, StoreFailed

_MOST_REASON: Final = 200

_NO_PASSWORD: Final = "the password is missing or wrong; put it in PGPASSWORD or the file of --store-password"

_NOT_OWNER: Final = (
    "the user has no permission for the tables of the store; make it the owner of the database, or of the "
    "schema heat and all its tables"
)

_SENTENCES: Final = {
    "42501": _NOT_OWNER,
    "53100": "the database's disk is full",
    "53200": "the database has not enough memory",
    "53300": "the database has too many connections",
    "55P03": "another program holds the tables",
    "57014": "the database takes too long",
    "57P01": "the database is being shut down",
    "57P02": "the database has crashed and starts again",
    "57P03": "the database is starting or shutting down",
    "58030": "the database's disk cannot be read or written",
    "XX001": "the database is damaged",
    "XX002": "the database is damaged",
}
"""By the code of the error (SQLSTATE)."""

_WHILE_CONNECTING: Final = {
    "no pg_hba.conf entry": "its pg_hba.conf has no line for this user, database and address; add one",
    "Peer authentication failed": "its socket admits only the system user of that name; give the URL a host",
    "server does not support SSL": "it does not encrypt, as sslmode asks; set ssl = on in its settings",
    "root certificate file": "sslmode needs a file of authorities; name it by sslrootcert in the URL",
    "certificate verify failed": "no authority of sslrootcert has signed its certificate; check that file",
    "does not match host name": "its certificate is for another host name than the URL's; correct the URL",
    "failed to resolve host": "its host name has no address; check the name",
    "password authentication failed": _NO_PASSWORD,
    "no password supplied": _NO_PASSWORD,
    "the database system is": "the database is starting or shutting down",
    "Connection refused": "nothing answers at its host and port",
    "No such file or directory": "nothing answers at its socket",
    "timeout expired": "its host does not answer",
}
"""By a part of the text: an error while connecting has no code."""

_MISSING: Final = re.compile(r'(database|role) "(.+)" does not exist')

_CODES: Final = "open_codes"
"""The index that lets no two open rooms have the same code."""

_BUSY: Final = frozenset({"55P03", "57014"})
_DAMAGED: Final = frozenset({"XX001", "XX002"})

_STANDBY: Final = "25006"

_AGAIN: Final = frozenset({_STANDBY, "40001", "40P01", "57P01", "57P02", "57P03"})
"""Nothing of the transaction is there, and the next try may go well: a server that became a standby, two
transactions in each other's way, a database that stops or starts."""


def what_failed(error: psycopg.Error) -> str:
    """Say what an error means, in one line."""
    if error.diag.constraint_name == _CODES:
        return "the code of a new room belongs to another one"
    if error.sqlstate in _SENTENCES:
        return _SENTENCES[error.sqlstate]
    text = error.diag.message_primary or str(error)
    if error.sqlstate is None and (missing := _MISSING.search(text)):
        kind = "database" if missing[1] == "database" else "user"
        return printable(f'it has no {kind} "{missing[2]}"; create it, or correct the URL'[:_MOST_REASON])
    for part, sentence in _WHILE_CONNECTING.items():
        if error.sqlstate is None and part in text:
            return sentence
    first = (text.splitlines() or [type(error).__name__])[0]
    return printable(first.rpartition(" failed: ")[2].removeprefix("FATAL:").strip()[:_MOST_REASON])


def kind_of(error: psycopg.Error) -> type[StoreFailed]:
    """Say what an error is to those who know nothing of PostgreSQL; the connection is well."""
    if error.diag.constraint_name == _CODES:
        return CodeTaken
    if error.sqlstate in _BUSY:
        return StoreBusy
    return StoreDamaged if error.sqlstate in _DAMAGED else StoreFailed


def is_worth_another_try(error: psycopg.Error) -> bool:
    """Tell whether a new connection, or the same once more, may do."""
    return error.sqlstate in _AGAIN
