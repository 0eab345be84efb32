"""How others reach the server: its public addresses, the proxies that are believed, and the link that invites somebody.

What a request says about itself (`Host`, `X-Forwarded-For`) is written by whoever sends it. Only a proxy that was named
when the server was started is believed; links and cookies go by the public address that was named then.
"""

import socket
from collections.abc import Collection
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from renege.server.http.settings import Settings

FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")
NO_PACKET_GOES = ("192.0.2.1", 9)  # an address for documentation: asked only which way it would be reached


# -- what is named when the server starts; `ValueError` says what is wrong


def parse_origin(text: str) -> str:
    """A public address, as a browser writes it in `Origin`."""
    wrong = f"--origin {text} is no address of a page: write it as https://cards.example.org"
    try:
        parts = urlsplit(text.strip())
        name, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(wrong) from None
    if parts.scheme not in ("http", "https") or not name or any(letter.isspace() for letter in name):
        raise ValueError(wrong)
    if parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(f"--origin {text} has more than a name and a port: the page is at the top of its address")
    if not _is_name(name):
        raise ValueError(wrong)
    usual = {"http": 80, "https": 443}[parts.scheme]
    shown = f"[{name}]" if ":" in name else name
    return f"{parts.scheme}://{shown}" + ("" if port in (None, usual) else f":{port}")


def _is_name(name: str) -> bool:
    """Could that be the name of a machine, or its address?"""
    try:
        ip_address(name)
    except ValueError:
        try:
            letters = name.encode("idna").decode("ascii")
        except UnicodeError:
            return False
        return all(part and part.replace("-", "").replace("_", "").isalnum() for part in letters.split("."))
    return True


def parse_proxy(text: str) -> str:
    """The address of a proxy, or a network of them."""
    try:
        found = ip_network(text.strip(), strict=False)
    except ValueError:
        raise ValueError(f"--proxy {text} is no address: write it as 127.0.0.1 or 10.0.0.0/24") from None
    if found.prefixlen == 0:
        raise ValueError(f"--proxy {text} would believe everybody: name the address of your proxy alone")
    return str(found)


def check_host(host: str) -> None:
    """Refuse an address to listen on that this machine does not have."""
    try:
        socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise ValueError(f"--host {host} is no address of this machine: write 127.0.0.1, 0.0.0.0 or ::") from None


# -- what is believed of a request


class Forwarded:
    """Takes the address of the client from a proxy that is believed, and from nobody else."""

    def __init__(self, app: ASGIApp, proxies: Collection[str]) -> None:
        self.app = app
        self.proxies = tuple(map(ip_network, proxies))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.proxies and scope["type"] in ("http", "websocket") and scope.get("client"):
            peer, _ = scope["client"]
            if is_among(peer, self.proxies):
                self._believe(scope, peer)
        await self.app(scope, receive, send)

    def _believe(self, scope: Scope, peer: str) -> None:
        headers = Headers(scope=scope)
        hops = [hop.strip() for line in headers.getlist("x-forwarded-for") for hop in line.split(",")]
        client = peer
        for hop in reversed(hops):  # what stands further to the left was written by whoever stands to its right
            client = _bare(hop) or client
            if not is_among(client, self.proxies) or not _bare(hop):
                break
        scope["client"] = (client, 0)
        said = headers.get("x-forwarded-proto", "").strip()
        if said in ("http", "https"):
            secure = said == "https"
            scope["scheme"] = said if scope["type"] == "http" else ("wss" if secure else "ws")


def is_among(address: str, networks: Collection[IPv4Network | IPv6Network]) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return any(found in network for network in networks)


def _bare(hop: str) -> str:
    """An address without its port; empty where there is none."""
    name = hop[1:].partition("]")[0] if hop.startswith("[") else hop
    name = name.partition(":")[0] if name.count(":") == 1 else name
    try:
        return str(ip_address(name))
    except ValueError:
        return ""


def is_at_home(request: HTTPConnection) -> bool:
    """Does the request come from this machine, without a proxy in between that might hide where it is from?"""
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    return _is_loopback(request.client.host) and _is_loopback(urlsplit(f"//{request.headers.get('host', '')}").hostname)


def _is_loopback(name: str | None) -> bool:
    if name is None or name == "localhost":
        return name is not None
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


# -- where others find it


def public_address(settings: Settings, request: HTTPConnection) -> str:
    """The address under which whoever is invited opens the page."""
    host = request.headers.get("host", "")
    if settings.origins:
        return next((origin for origin in settings.origins if urlsplit(origin).netloc == host), settings.origins[0])
    scheme = "https" if request.url.scheme in ("https", "wss") else "http"
    if settings.is_local or not _is_loopback(urlsplit(f"//{host}").hostname):
        return f"{scheme}://{host}"
    port = urlsplit(f"//{host}").port
    return f"{scheme}://{outward_address(settings.host)}" + (f":{port}" if port else "")


def outward_address(host: str) -> str:
    """The address by which other machines of the network reach one that listens on a host."""
    if host not in ("0.0.0.0", "::", ""):
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(NO_PACKET_GOES)
            found = str(probe.getsockname()[0])
        except OSError:  # no network at all
            return socket.gethostname()
    return socket.gethostname() if ip_address(found).is_loopback else found
