"""The server's own certificate for https. It is stored, so that a browser warns only once for each address."""

from __future__ import annotations

import hashlib
import ipaddress
import ssl
from collections.abc import Collection
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from vision.atomic_file import write_atomically
from webui.errors import WebError

VALIDITY = timedelta(days=820)
"""The life of a certificate. Apple's browsers accept none that is valid for more than 825 days."""
_RENEWAL = timedelta(days=14)
"""The time before its end at which a certificate is made anew. [by eye]"""
_MAX_HOSTS = 60
"""Names and addresses in a certificate. Those of the oldest networks are dropped first. [by eye]"""


_CERTIFICATE = "certificate.crt"


def tls_context(folder: Path, hosts: Collection[str]) -> tuple[ssl.SSLContext, str, bool]:
    """Return a TLS context, the certificate's SHA-256 fingerprint, and whether the certificate was made just now.

    The certificate is for `hosts`, names and addresses. A new one is made when it expires, is not yet valid or lacks
    one of them. The new one is also for the earlier hosts, so that a browser at home still knows it after an evening
    elsewhere.

    :raises WebError: in one line, if the certificate can't be used.
    """
    crt, key = folder / _CERTIFICATE, folder / "certificate.key"
    try:
        before, is_valid = _read(crt) if crt.is_file() else ([], False)
        make = not is_valid or not set(hosts) <= set(before)
        if make:
            _make(crt, key, [*dict.fromkeys([*hosts, *before])][:_MAX_HOSTS])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(crt, key)
        digits = hashlib.sha256(ssl.PEM_cert_to_DER_cert(crt.read_text("ascii"))).hexdigest().upper()
        return context, ":".join(digits[at : at + 2] for at in range(0, len(digits), 2)), make
    except (OSError, ValueError) as error:
        raise _unusable(crt, error) from None


def is_valid(folder: Path) -> bool | None:
    """Return whether the certificate is valid for some time yet, None if there is none. Raises WebError as above."""
    crt = folder / _CERTIFICATE
    try:
        return _read(crt)[1] if crt.is_file() else None
    except (OSError, ValueError) as error:
        raise _unusable(crt, error) from None


def _unusable(crt: Path, error: Exception) -> WebError:
    return WebError(f"The certificate {crt} cannot be used ({error}): delete it, or leave out --https.")


def _read(crt: Path) -> tuple[list[str], bool]:
    """Return the names and addresses that a certificate is for, and whether it is valid for some time yet."""
    certificate = x509.load_pem_x509_certificate(crt.read_bytes())
    now = datetime.now(timezone.utc)
    is_valid = certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc - _RENEWAL
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return [], is_valid
    return [str(each.value) for each in names], is_valid


def _make(crt: Path, key: Path, hosts: Collection[str]) -> None:
    secret = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Upscore")])
    now = datetime.now(timezone.utc)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # a phone's clock may be behind
        .not_valid_after(now - timedelta(days=1) + VALIDITY)
        .add_extension(x509.SubjectAlternativeName([_general_name(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(secret, hashes.SHA256())
    )
    private = secret.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_atomically(key, private, mode=0o600)
    write_atomically(crt, certificate.public_bytes(serialization.Encoding.PEM), mode=0o600)


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
