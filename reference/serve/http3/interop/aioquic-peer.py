"""An HTTP/3 server or client of aioquic for the tests of this folder. Its configuration is a JSON object in the only argument.

A server prints its port and echoes content. A client prints one line of JSON for each request, in the order in which they are complete.
"""

import asyncio
import json
import ssl
import sys
import tempfile

from aioquic.asyncio import QuicConnectionProtocol, connect, serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated, StreamReset

CONFIG = json.loads(sys.argv[1])


class Server(QuicConnectionProtocol):
    http = None

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = H3Connection(self._quic)
            self.bodies = {}
            self.early = set()
        if self.http is None:
            return
        for one in self.http.handle_event(event):
            if isinstance(one, HeadersReceived) and one.stream_id not in self.bodies:
                self.bodies[one.stream_id] = [dict(one.headers), b""]
            if isinstance(one, DataReceived):
                self.bodies[one.stream_id][1] += one.data
            if one.stream_ended:
                if not self._quic._handshake_complete:
                    self.early.add(one.stream_id)
                self.answer(one.stream_id)

    def answer(self, stream):
        head, body = self.bodies[stream]
        path = head[b":path"]
        if path == b"/interim":
            self.http.send_headers(stream, [(b":status", b"103"), (b"link", b"<a>")])
        if path.startswith(b"/bytes/"):
            body = b"x" * int(path[7:])
        if path == b"/malformed":
            self.http.send_headers(stream, [(b":status", b"200"), (b"connection", b"close")], end_stream=True)
            self.transmit()
            return
        tls = self._quic.tls
        early = str(stream in self.early).lower().encode()
        resumed = str(tls.session_resumed).lower().encode()
        self.http.send_headers(stream, [(b":status", b"200"), (b"x-method", head[b":method"]), (b"x-early", early), (b"x-resumed", resumed)])
        trailers = path == b"/trailers"
        self.http.send_data(stream, body, end_stream=not trailers)
        if trailers:
            self.http.send_headers(stream, [(b"x-end", b"yes")], end_stream=True)
        self.transmit()


class Client(QuicConnectionProtocol):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.http = H3Connection(self._quic)
        self.answers = {}

    def ask(self, method, path, body):
        stream = self._quic.get_next_available_stream_id()
        answer = {"path": path, "sections": [], "octets": 0, "reset": None}
        self.answers[stream] = (answer, asyncio.get_running_loop().create_future())
        head = [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)]
        head += [("x-padding", "p" * 60)] if body else []
        self.http.send_headers(stream, [(a.encode(), b.encode()) for a, b in head], end_stream=not body)
        if body:
            self.http.send_data(stream, b"y" * body, end_stream=True)
        self.transmit()
        return self.answers[stream][1]

    def quic_event_received(self, event):
        if isinstance(event, StreamReset) and event.stream_id in self.answers:
            answer, done = self.answers[event.stream_id]
            answer["reset"] = event.error_code
            done.done() or done.set_result(answer)
        for one in self.http.handle_event(event):
            answer, done = self.answers[one.stream_id]
            if isinstance(one, HeadersReceived):
                answer["sections"].append([[name.decode(), value.decode()] for name, value in one.headers])
            if isinstance(one, DataReceived):
                answer["octets"] += len(one.data)
                answer["body"] = answer.get("body", "") + one.data[:100].decode(errors="replace")
            if one.stream_ended and not done.done():
                done.set_result(answer)


def file_of(pem):
    file = tempfile.NamedTemporaryFile("w", suffix=".pem", delete=False)
    file.write(pem)
    file.close()
    return file.name


async def run_server():
    tickets = {}
    configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=False)
    configuration.load_cert_chain(file_of(CONFIG["cert"]), file_of(CONFIG["key"]))
    server = await serve("127.0.0.1", 0, configuration=configuration, create_protocol=Server, retry=CONFIG.get("retry", False),
        session_ticket_handler=lambda ticket: tickets.update({ticket.ticket: ticket}), session_ticket_fetcher=lambda label: tickets.pop(label, None))
    print(server._transport.get_extra_info("sockname")[1], flush=True)
    await asyncio.Future()


async def run_client():
    configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=True, server_name="localhost")
    if "cert" in CONFIG:
        configuration.load_verify_locations(file_of(CONFIG["cert"]))
    else:
        configuration.verify_mode = ssl.CERT_NONE
    sessions = []
    # The requests of a second connection, which resumes the first, leave in early data.
    for requests, again in ((CONFIG["requests"], False), (CONFIG.get("again", []), True)):
        if not requests:
            continue
        configuration.session_ticket = sessions.pop() if again else None
        async with connect("127.0.0.1", CONFIG["port"], configuration=configuration, create_protocol=Client,
                           session_ticket_handler=sessions.append, wait_connected=not again) as client:
            for answer in await asyncio.gather(*[client.ask(*request) for request in requests]):
                print(json.dumps(answer), flush=True)


asyncio.run(run_server() if CONFIG["is"] == "server" else run_client())
