"""WebSockets over HTTP/3 (RFC 9220) with the HTTP/3 of aioquic and the WebSocket of wsproto.

websocket.py server PORT CERT KEY    sends every message back; prints its port once it listens
websocket.py client URL              sends messages of several sizes, compares what comes back, closes, and prints what it has seen as JSON
"""

import asyncio
import json
import ssl
import sys
from urllib.parse import urlsplit

from aioquic.asyncio import QuicConnectionProtocol, connect, serve
from aioquic.h3.connection import H3_ALPN, ErrorCode, H3Connection, Setting
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated, StreamReset
from wsproto.connection import Connection, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Message, Ping, TextMessage
from wsproto.extensions import PerMessageDeflate

MESSAGES = ["", "é", "x" * 70_000, b"", bytes(range(125)), bytes(126), bytes(range(256)) * 1_200]
TIMEOUT = 20


class Joined:
    """A WebSocket on a stream; messages that came in parts are joined."""

    def __init__(self, http, stream, side, extensions):
        self.http, self.stream = http, stream
        self.wire = Connection(side, extensions)
        self.parts = []

    def send(self, *events):
        for event in events:
            self.http.send_data(self.stream, self.wire.send(event), end_stream=False)

    def receive(self, data):
        """Messages and Close frames; Pings are answered."""
        # The end of the stream may come alone, after the closing handshake.
        if not data:
            return
        self.wire.receive_data(data)
        for event in self.wire.events():
            if isinstance(event, Ping):
                self.send(event.response())
            elif isinstance(event, CloseConnection):
                yield event
            elif isinstance(event, Message):
                self.parts.append(event.data)
                if event.message_finished:
                    empty = b"" if isinstance(event, BytesMessage) else ""
                    yield empty.join(self.parts)
                    self.parts = []


def message(data):
    return BytesMessage(data=bytes(data)) if isinstance(data, (bytes, bytearray)) else TextMessage(data=data)


class Server(QuicConnectionProtocol):
    http = None

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http, self.open = H3Connection(self._quic), {}
        if self.http is None:
            return
        if isinstance(event, StreamReset):
            self.open.pop(event.stream_id, None)
        for one in self.http.handle_event(event):
            if isinstance(one, HeadersReceived):
                self.begin(one.stream_id, dict(one.headers))
            elif isinstance(one, DataReceived) and one.stream_id in self.open:
                self.data(one.stream_id, one)
        self.transmit()

    def begin(self, stream, head):
        if head.get(b":method") != b"CONNECT" or head.get(b":protocol") != b"websocket":
            return self.http.send_headers(stream, [(b":status", b"501")], end_stream=True)
        answer, extensions = [(b":status", b"200")], []
        protocols = head.get(b"sec-websocket-protocol", b"").decode().split(",")
        if "chat" in [one.strip() for one in protocols]:
            answer.append((b"sec-websocket-protocol", b"chat"))
        offer = head.get(b"sec-websocket-extensions", b"").decode()
        if offer.startswith("permessage-deflate"):
            deflate = PerMessageDeflate()
            agreed = deflate.accept(offer.split(",")[0])
            extensions = [deflate]
            answer.append((b"sec-websocket-extensions", b"permessage-deflate" if agreed is True or not agreed else f"permessage-deflate; {agreed}".encode()))
        self.http.send_headers(stream, answer)
        self.open[stream] = Joined(self.http, stream, ConnectionType.SERVER, extensions)

    def data(self, stream, one):
        socket = self.open[stream]
        for got in socket.receive(one.data):
            if isinstance(got, CloseConnection):
                socket.send(got.response())
                self.http.send_data(stream, b"", end_stream=True)
                del self.open[stream]
                return
            socket.send(message(got))
        if one.stream_ended:
            self.http.send_data(stream, b"", end_stream=True)
            self.open.pop(stream, None)


class Client(QuicConnectionProtocol):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.http = H3Connection(self._quic)
        self.settings, self.answered, self.ended = (asyncio.get_running_loop().create_future() for _ in range(3))
        self.came, self.socket, self.code = asyncio.Queue(), None, None

    def ask(self, url):
        self.stream = self._quic.get_next_available_stream_id()
        self.deflate = PerMessageDeflate()
        head = [(":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "https"), (":authority", url.netloc), (":path", url.path or "/"),
                ("sec-websocket-version", "13"), ("sec-websocket-protocol", "other, chat"),
                ("sec-websocket-extensions", f"permessage-deflate; {self.deflate.offer()}")]
        self.http.send_headers(self.stream, [(name.encode(), value.encode()) for name, value in head])
        self.transmit()
        return self.answered

    def opened(self, head):
        agreed = head.get("sec-websocket-extensions")
        if agreed is not None:
            self.deflate.finalize(agreed)
        self.socket = Joined(self.http, self.stream, ConnectionType.CLIENT, [] if agreed is None else [self.deflate])

    def quic_event_received(self, event):
        if isinstance(event, StreamReset) and not self.ended.done():
            self.ended.set_result(f"reset with {event.error_code:#x}")
        for one in self.http.handle_event(event):
            if isinstance(one, HeadersReceived) and not self.answered.done():
                head = {name.decode(): value.decode() for name, value in one.headers}
                if head[":status"] == "200":
                    self.opened(head)
                self.answered.set_result(head)
            if isinstance(one, DataReceived) and self.socket is not None:
                for got in self.socket.receive(one.data):
                    if isinstance(got, CloseConnection):
                        self.code = got.code
                    else:
                        self.came.put_nowait(got)
            if getattr(one, "stream_ended", False) and not self.ended.done():
                self.ended.set_result("in order")
        if self.http.received_settings is not None and not self.settings.done():
            self.settings.set_result(self.http.received_settings)
        self.transmit()

    async def talk(self, url):
        announced = (await self.settings).get(Setting.ENABLE_CONNECT_PROTOCOL)
        head = await self.ask(url)
        equal = True
        for one in MESSAGES:
            self.socket.send(message(one))
            self.transmit()
            equal = equal and await self.came.get() == one
        self.socket.send(CloseConnection(code=4000, reason="enough"))
        self.transmit()
        ended = await self.ended
        self.http.send_data(self.stream, b"", end_stream=True)
        self.transmit()
        return {"announced": announced, "status": head[":status"], "protocol": head.get("sec-websocket-protocol"),
                "deflate": "sec-websocket-extensions" in head, "equal": equal, "code": self.code, "ended": ended}


async def run_server(port, cert, key):
    configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=False)
    configuration.load_cert_chain(cert, key)
    server = await serve("127.0.0.1", port, configuration=configuration, create_protocol=Server)
    print(server._transport.get_extra_info("sockname")[1], flush=True)
    await asyncio.Future()


async def run_client(url):
    configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=True, server_name=url.hostname, verify_mode=ssl.CERT_NONE)
    async with connect(url.hostname, url.port, configuration=configuration, create_protocol=Client) as client:
        print(json.dumps(await asyncio.wait_for(client.talk(url), TIMEOUT)))
        client.close(error_code=ErrorCode.H3_NO_ERROR)


if sys.argv[1] == "server":
    asyncio.run(run_server(int(sys.argv[2]), sys.argv[3], sys.argv[4]))
else:
    asyncio.run(run_client(urlsplit(sys.argv[2])))
