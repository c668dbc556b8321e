"""An HTTP/3 server of aioquic that serves the files of a folder as a scenario wants it."""

import asyncio
import os
import sys

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated
from aioquic.quic.packet import QuicProtocolVersion

SCENARIO, PORT, CERT, KEY, ROOT = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5]


class Server(QuicConnectionProtocol):
    http = None

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = H3Connection(self._quic)
        if self.http is None:
            return
        for one in self.http.handle_event(event):
            if isinstance(one, HeadersReceived):
                self.answer(one.stream_id, dict(one.headers).get(b":path", b"/").decode())

    def answer(self, stream, path):
        file = os.path.join(ROOT, os.path.basename(path))
        if not os.path.isfile(file):
            self.http.send_headers(stream, [(b":status", b"404")], end_stream=True)
        else:
            with open(file, "rb") as content:
                body = content.read()
            self.http.send_headers(stream, [(b":status", b"200"), (b"content-length", str(len(body)).encode())])
            self.http.send_data(stream, body, end_stream=True)
        self.transmit()


async def run():
    configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=False)
    configuration.load_cert_chain(CERT, KEY)
    if SCENARIO == "v2":
        configuration.supported_versions = [QuicProtocolVersion.VERSION_2, QuicProtocolVersion.VERSION_1]
    tickets = {}
    await serve("127.0.0.1", PORT, configuration=configuration, create_protocol=Server, retry=SCENARIO == "retry",
                session_ticket_handler=lambda ticket: tickets.update({ticket.ticket: ticket}), session_ticket_fetcher=lambda label: tickets.pop(label, None))
    await asyncio.Future()


asyncio.run(run())
