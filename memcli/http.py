"""Send a web request for any module: one request within limits of time and size.

A name is resolved once, here, and the connection goes to the very address that was checked, so a name that changes its
address a moment later leads nowhere else. A redirect must lead to the public web on every hop.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from threading import Thread, Timer
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from memcli import __version__
from memcli.message import Message
from memcli.text.clean import one_line

if TYPE_CHECKING:
    import ssl

    import httpx  # takes a tenth of a second to load, so it is imported on demand

_SHARED = ipaddress.ip_network("64:ff9b:1::/48")  # NAT64 of the local network, which may lead anywhere
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GLOBAL = ipaddress.ip_network("2000::/3")  # the public range of IPv6; all else is local, special or unused


class HttpError(Exception):
    """Say why there is no answer, in words that follow the server's name: "example.org fell silent"."""


class TimedOut(HttpError):
    """Report an answer that did not come in time. A second try may be quicker."""


class UnacceptableAnswer(HttpError):
    """Report an answer that is too long or compressed. A second try would bring the same."""


class HttpLimits(NamedTuple):
    seconds: float  # seconds for the whole request
    silence: float  # seconds without a single byte
    connect: float  # until a machine that does not answer is given up, in seconds
    largest: int  # bytes of an answer


class Call:
    """Send one request. Use it in a `with`: inside it `status`, `headers` and the answer can be read.

    A redirect is followed `hops` times at most; with 0 it is an answer like any other.
    """

    def __init__(
        self,
        url: str,
        limits: HttpLimits,
        headers: Mapping[str, str] = {},
        *,
        body: str | None = None,
        hops: int = 0,
        packing: str = "identity",
    ) -> None:
        self.url, self.limits, self._body, self._hops, self._packing = url, limits, body, hops, packing
        self._headers = {"user-agent": f"mem/{__version__}", "accept-encoding": packing, **headers}
        self._addresses: dict[tuple[str, int], list[str]] = {}  # of each name, resolved once
        self._streams: list[Any] = []  # connections, for `end`
        self._client: httpx.Client | None = None
        self._response: Any = None
        self._timer = Timer(limits.seconds, self._expire)
        self._timer.daemon = True
        self._until = 0.0
        self._expired = False

    def __enter__(self) -> Call:
        self._until = time.monotonic() + self.limits.seconds
        self._timer.start()
        try:
            self._open()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._client is not None:
            self._client.close()

    @property
    def status(self) -> int:
        return int(self._response.status_code)

    @property
    def headers(self) -> Mapping[str, str]:
        return self._response.headers  # type: ignore[no-any-return]

    @property
    def kind(self) -> str:
        """Return the media type of the answer: `text/html`."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        return self._response.charset_encoding or ""

    def pieces(self) -> Iterator[bytes]:
        """Yield the answer as it comes. Raise UnacceptableAnswer if it is too large or oddly compressed."""
        packing = one_line(self.headers.get("content-encoding", "").strip().lower(), 60)
        if packing not in ("", "identity", self._packing):
            raise UnacceptableAnswer(Message("is packed as {kind}, which was not asked for", kind=packing))
        size, pieces = 0, self._response.iter_bytes()
        while (piece := self._tried(lambda: next(pieces, None))) is not None:
            size += len(piece)
            if size > self.limits.largest:
                raise UnacceptableAnswer(Message("has more than {n} MB", n=f"{self.limits.largest / 2**20:.3g}"))
            self._check_time()
            yield piece
        self._check_time()  # a connection that was cut looks like one that has ended

    def read_body(self) -> bytes:
        return b"".join(self.pieces())

    def end(self) -> None:
        """Cut the connection, from any thread."""
        for stream in list(self._streams):
            with suppress(OSError):
                socket.socket.shutdown(stream.get_extra_info("socket"), socket.SHUT_RDWR)

    # -- the way there -----------------------------------------------------------------------------------------------

    def _open(self) -> None:
        import httpx

        url = self._tried(lambda: httpx.URL(self.url))
        named = _place(url)
        for hop in range(self._hops + 1):
            self._response = self._send(url, self._checked(url, named if hop else None))
            where = self._response.headers.get("location")
            if not self._hops or not where or not self._response.has_redirect_location:
                self.url = str(url)
                return
            url = self._tried(lambda url=url, where=where: url.join(where))  # type: ignore[misc]
        raise HttpError(Message("sends on more than {n} times", n=self._hops))

    def _checked(self, url: httpx.URL, named: tuple[str, int] | None) -> list[str]:
        """Return the addresses that a URL leads to.

        The host in the first URL, `named`, may be anywhere, since the user may ask for a machine in the local network.
        Raise HttpError when a redirect leads into the local network or to another port of that host.
        """
        place = _place(url)
        if place not in self._addresses:
            self._addresses[place] = self._resolved(*place)
        addresses = self._addresses[place]
        if named and place != named and (place[0], named[1], place[1]) != (named[0], 80, 443):
            if url.userinfo:
                raise HttpError("sends on to an address with a password in it")
            if not addresses or not all(map(is_public, addresses)):
                there = f"{place[0]}:{place[1]}"
                raise HttpError(Message("sends on to {place}, which is not an address of the public web", place=there))
        return addresses

    def _resolved(self, host: str, port: int) -> list[str]:
        """Return the addresses of a name, asked for on another thread, since the system may take minutes."""
        found: list[Any] = []

        def ask() -> None:
            with suppress(OSError, UnicodeError):
                found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))

        asking = Thread(target=ask, name=f"resolving {host}", daemon=True)
        asking.start()
        asking.join(self.limits.connect)
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))

    def _send(self, url: httpx.URL, addresses: list[str]) -> httpx.Response:
        """Send the request to the first address that can be reached. A proxy resolves the name itself."""
        import httpx

        proxied = _proxied(url)
        if not addresses and not proxied:
            why = Message("there is no {place}", place=one_line(url.host, 100))
            raise HttpError(Message("can't be reached: {WHY}", WHY=why))
        if self._client is not None:
            self._client.close()
        timeout = httpx.Timeout(self.limits.silence, connect=min(self.limits.connect, self.limits.silence))
        self._client = self._tried(lambda: httpx.Client(timeout=timeout, trust_env=proxied, verify=_certificates()))
        assert self._client is not None
        headers = {**self._headers, "host": url.netloc.decode("ascii")}
        extensions = {"trace": self._note, "sni_hostname": url.raw_host.decode("ascii")}
        method = "GET" if self._body is None else "POST"
        for left, address in enumerate(addresses or [url.host], 1 - len(addresses)):
            target = url if proxied else url.copy_with(host=address.partition("%")[0])
            request = self._client.build_request(
                method, target, headers=headers, content=self._body, extensions=extensions
            )
            try:
                return self._client.send(request, stream=True)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                if left >= 0 or proxied or self._expired:
                    raise self._why(error) from None
            except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
                raise self._why(error) from None
        raise AssertionError("the last address has answered or failed")

    # -- limits ------------------------------------------------------------------------------------------------------

    def _note(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember a connection as soon as there is one."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._streams.append(info["return_value"])

    def _expire(self) -> None:
        self._expired = True
        self.end()

    def _check_time(self) -> None:
        self._expired = self._expired or time.monotonic() > self._until
        if self._expired:
            raise self._why(TimeoutError())

    def _tried(self, action: Any) -> Any:
        import httpx

        try:
            return action()
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, ValueError) as error:
            raise self._why(error) from None

    def _why(self, error: Exception) -> HttpError:
        import httpx

        if self._expired:
            return TimedOut(Message("took longer than {n} s", n=f"{self.limits.seconds:.3g}"))
        if isinstance(error, httpx.TimeoutException):
            return TimedOut("could not be reached" if isinstance(error, httpx.ConnectTimeout) else "fell silent")
        if isinstance(error, httpx.ConnectError) and "refused" in str(error):
            return HttpError("could not be reached")
        why = re.sub(r"^\[Errno -?\d+\] ", "", one_line(str(error), 200))
        return HttpError(Message("can't be fetched: {WHY}", WHY=why or type(error).__name__))


def is_public(address: str) -> bool:
    """Return whether an address, and any address inside it, lies in the public web.

    IPv6 has several ways to wrap an IPv4 address, and each of them can lead into this machine or its network.
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not ip.is_multicast and not ip.is_reserved
    if ip.ipv4_mapped:
        return is_public(str(ip.ipv4_mapped))
    if ip in _NAT64:
        return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    if ip in _SHARED or ip not in _GLOBAL:
        return False
    if ip.sixtofour:
        return is_public(str(ip.sixtofour))
    if ip.teredo:
        return all(is_public(str(inner)) for inner in ip.teredo)
    isatap = (int(ip) >> 32) & 0xFDFFFFFF == 0x00005EFE  # an address of a private network behind `0:5efe`
    return ip.is_global and (not isatap or is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))))


def is_local(url: str) -> bool:
    """Return whether an address names this machine, which needs no proxy and no encryption."""
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or bool(re.fullmatch(r"127(\.\d+){3}", host))


def _place(url: httpx.URL) -> tuple[str, int]:
    """Return the host and port of a URL. Raise HttpError when it is not a web address."""
    if url.scheme not in ("http", "https") or not url.host:
        raise HttpError("is not an address of the web: http:// or https://")
    return url.raw_host.decode("ascii").lower().rstrip("."), url.port or {"http": 80, "https": 443}[url.scheme]


def _proxied(url: httpx.URL) -> bool:
    from urllib.request import getproxies, proxy_bypass

    known = getproxies()
    named = known.get(url.scheme) or known.get("all")
    return bool(named) and not is_local(str(url)) and not proxy_bypass(f"{url.host}:{_place(url)[1]}")


@cache
def _certificates() -> ssl.SSLContext:
    """Return the TLS settings with the trusted certificates, including those of the environment."""
    import httpx

    return httpx.create_ssl_context()
