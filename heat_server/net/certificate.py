"""The certificate of the game port: the operator's, or one of the server's own that is made once and kept."""

from __future__ import annotations

import contextlib
import os
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from heat_core.files import shown_path
from heat_core.wire.fingerprint import fingerprint_of
from heat_server.config import ServerConfig
from heat_server.default_paths import default_certificate

_OWN_DAYS: Final = 20 * 365
"""Nobody renews it: clients know it by its fingerprint, and its end would only lock them out."""

_MOST_BYTES: Final = 1024 * 1024


class BadCertificate(Exception):
    """The port cannot speak TLS; the message says why in one line."""


class Certificate(NamedTuple):
    """What the port speaks TLS with.

    Attributes:
        context: For connections of clients.
        fingerprint: See `heat_core.wire.fingerprint`.
        is_own: Whether no authority has signed it, so that invitations show the fingerprint.
    """

    context: ssl.SSLContext
    fingerprint: str
    is_own: bool


def certificate_of(config: ServerConfig) -> Certificate | None:
    """Read the certificate that the settings name, or make the server's own; None: the port speaks no TLS.

    Raises:
        BadCertificate: It cannot be used.
    """
    if not config.tls and config.tls_certificate is None:
        if config.tls_key is not None:
            raise BadCertificate("tls-key needs tls-cert: the certificate of this key")
        return None
    path = config.tls_certificate or default_certificate()
    if config.tls:
        _make_once(path)
    try:
        text = _read(path)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION
        context.num_tickets = 0  # clients stay for hours: resuming a session saves less than it costs
        # The answer in place of a password: a server may start where nobody can type one.
        context.load_cert_chain(path, config.tls_key, lambda: "")
    except ssl.SSLError as error:
        named = shown_path(config.tls_key or path)
        fault = (error.reason or "it cannot be used").replace("_", " ").lower()
        raise BadCertificate(
            f"{named}: no certificate with its key, both as PEM and without a password ({fault})"
        ) from None
    except OSError as error:
        named = shown_path(error.filename or config.tls_key or path)
        raise BadCertificate(f"{named}: {error.strerror or error}") from None
    return Certificate(context, fingerprint_of(_first_of(text, path)), config.tls)


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8", "replace")


def _first_of(text: str, path: Path) -> bytes:
    """Give the first certificate of a PEM file in DER: the server's own, before those of authorities."""
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    try:
        start = text.index(begin)
        return ssl.PEM_cert_to_DER_cert(text[start : text.index(end, start) + len(end)])
    except ValueError:
        raise BadCertificate(f"{shown_path(path)}: it has no certificate as PEM") from None


def _make_once(path: Path) -> None:
    """Make a certificate and its key in one file, unless the file exists; only this user can read it then.

    Raises:
        BadCertificate: It cannot be written.
    """
    if path.exists():
        with contextlib.suppress(OSError):  # another user's: reading it will say so
            path.chmod(0o600)
        return
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "wb") as file:
            file.write(_own_certificate())
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):  # another server has just made it
            os.link(fresh, path)
    except OSError as error:
        raise BadCertificate(f"{shown_path(path)}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink()


def _own_certificate() -> bytes:
    """Make a key and a certificate that it signs itself, as PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "heat-server")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # the clock of a client may be behind
        .not_valid_after(now + timedelta(days=_OWN_DAYS))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("heat-server")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ) + certificate.public_bytes(serialization.Encoding.PEM)
