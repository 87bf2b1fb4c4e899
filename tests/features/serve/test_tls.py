"""`mem serve` with a certificate: who speaks TLS is answered, who does not is not."""

from __future__ import annotations

import datetime
import ipaddress
import re
import socket
import ssl
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("starlette")
pytest.importorskip("cryptography", reason="of the dev extra: a certificate is made with it")

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.conftest import Ran
from tests.features.serve.process import Server, launched, request

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix end it here")


class Certificate(NamedTuple):
    cert: Path
    key: Path


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    """One for 127.0.0.1, signed by itself, for an hour."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.timezone.utc)
    name = x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, "a test")])
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    hour = datetime.timedelta(hours=1)
    built = (
        x509.CertificateBuilder()
        .subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - hour).not_valid_after(now + hour)
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    made = Certificate(tmp_path / "cert.pem", tmp_path / "key.pem")
    made.cert.write_bytes(built.public_bytes(Encoding.PEM))
    made.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return made


def heard(sock: socket.socket, said: bytes) -> bytes:
    with sock:
        sock.sendall(said)
        return b"".join(iter(lambda: sock.recv(65536), b""))


@pytest.mark.slow
def test_memories_are_read_and_written_over_tls(folder: Path, tmp_path: Path, certificate: Certificate) -> None:
    (folder / "mem.yaml").write_text("", encoding="utf-8")
    options = ("--tls-cert", str(certificate.cert), "--tls-key", str(certificate.key), "--workers", "0")
    process, port = launched(folder, tmp_path / "log", *options)
    server, trusting = Server(process, port), ssl.create_default_context(cafile=str(certificate.cert))
    try:

        def ask(method: str, path: str, body: object) -> bytes:
            plain = server.connect()
            return heard(
                trusting.wrap_socket(plain, server_hostname="127.0.0.1"),
                request(method, path, body, Connection="close"),
            )

        written = ask("POST", "/v1/memories", {"text": "The sextant lies in the drawer"})
        read = ask("POST", "/v1/recall", {"query": "where is the sextant", "format": "md"})
        assert written.startswith(b"HTTP/1.1 201 ")
        assert read.startswith(b"HTTP/1.1 200 ") and b"sextant lies in the drawer" in read
        assert re.search(r"serving at https://127\.0\.0\.1:\d+", (tmp_path / "log").read_text("utf-8"))
        in_plain_words = request("POST", "/v1/recall", {"query": "sextant"}, Connection="close")
        try:
            assert b"sextant" not in heard(server.connect(), in_plain_words)
        except ConnectionError:
            pass
        with pytest.raises(ssl.SSLCertVerificationError):
            ssl.create_default_context().wrap_socket(server.connect(), server_hostname="127.0.0.1")
        process.terminate()
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()


def test_a_certificate_without_its_key_is_refused(
    folder: Path, certificate: Certificate, mem: Callable[..., Ran]
) -> None:
    ran = mem("--vault", str(folder), "serve", "--tls-cert", str(certificate.cert))
    assert ran.code == 2 and "--tls-key" in ran.err
