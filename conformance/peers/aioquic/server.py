"""An HTTP/3 server of aioquic. It answers GET and HEAD with the files of a folder, and every other request, once it is complete, with its content."""

import asyncio
import os
import sys

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated, StreamReset

PORT, CERT, KEY, ROOT = int(sys.argv[1]), sys.argv[2], sys.argv[3], os.path.realpath(sys.argv[4])


def file_of(path):
    """The content of a file of the folder, or None."""
    wanted = os.path.realpath(os.path.join(ROOT, path.split("?")[0].lstrip("/") or "index.html"))
    if not wanted.startswith(ROOT + os.sep) or not os.path.isfile(wanted):
        return None
    with open(wanted, "rb") as file:
        return file.read()


class Server(QuicConnectionProtocol):
    http = None

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = H3Connection(self._quic)
            self.requests = {}
        if self.http is None:
            return
        if isinstance(event, StreamReset):
            self.requests.pop(event.stream_id, None)
        for one in self.http.handle_event(event):
            if isinstance(one, HeadersReceived) and one.stream_id not in self.requests:
                self.requests[one.stream_id] = (dict(one.headers), bytearray())
            if isinstance(one, DataReceived) and one.stream_id in self.requests:
                self.requests[one.stream_id][1].extend(one.data)
            if getattr(one, "stream_ended", False) and one.stream_id in self.requests:
                self.answer(one.stream_id, *self.requests.pop(one.stream_id))

    def answer(self, stream, head, content):
        method = head.get(b":method", b"").decode()
        is_read = method in ("GET", "HEAD")
        body = file_of(head.get(b":path", b"/").decode(errors="replace")) if is_read else bytes(content)
        status = b"404" if body is None else b"200"
        body = body or b""
        fields = [(b":status", status), (b"server", b"aioquic"), (b"content-length", str(len(body)).encode())]
        is_empty = method == "HEAD" or not body
        self.http.send_headers(stream, fields, end_stream=is_empty)
        if not is_empty:
            self.http.send_data(stream, body, end_stream=True)
        self.transmit()


async def run():
    configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=False)
    configuration.load_cert_chain(CERT, KEY)
    # Each ticket is good for one connection, as in the example server of aioquic.
    tickets = {}
    await serve(
        "127.0.0.1",
        PORT,
        configuration=configuration,
        create_protocol=Server,
        session_ticket_fetcher=lambda label: tickets.pop(label, None),
        session_ticket_handler=lambda ticket: tickets.update({ticket.ticket: ticket}),
    )
    # A connection over TCP tells whoever waits for the start.
    await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", PORT)
    await asyncio.Future()


asyncio.run(run())
