"""Gets URLs one after another with aioquic over one connection, and prints their contents; exits with status 0 if all responses are complete."""

import argparse
import asyncio
import ssl
import sys
from urllib.parse import urlsplit

from aioquic.asyncio import QuicConnectionProtocol, connect
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, StreamReset

parser = argparse.ArgumentParser()
parser.add_argument("--head", action="store_true")
parser.add_argument("--post")
parser.add_argument("--ca", help="the file of the authority that it trusts; without it no certificate is verified")
parser.add_argument("urls", nargs="+")
arguments = parser.parse_args()
METHOD = b"HEAD" if arguments.head else b"GET" if arguments.post is None else b"POST"
TIMEOUT = 10


class Client(QuicConnectionProtocol):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.http = H3Connection(self._quic)
        self.open = {}

    def ask(self, url):
        stream = self._quic.get_next_available_stream_id()
        done = asyncio.get_running_loop().create_future()
        self.open[stream] = (bytearray(), done)
        target = (url.path or "/") + (f"?{url.query}" if url.query else "")
        head = [(b":method", METHOD), (b":scheme", b"https"), (b":authority", url.netloc.encode()), (b":path", target.encode())]
        content = None if arguments.post is None else arguments.post.encode()
        self.http.send_headers(stream, head, end_stream=content is None)
        if content is not None:
            self.http.send_data(stream, content, end_stream=True)
        self.transmit()
        return done

    def quic_event_received(self, event):
        if isinstance(event, StreamReset) and event.stream_id in self.open:
            self.fail(self.open.pop(event.stream_id)[1], f"reset with {event.error_code:#x}")
        if isinstance(event, ConnectionTerminated):
            for _, done in self.open.values():
                self.fail(done, f"connection closed with {event.error_code:#x} {event.reason_phrase}")
            self.open.clear()
        for one in self.http.handle_event(event):
            if one.stream_id not in self.open:
                continue
            content, done = self.open[one.stream_id]
            if isinstance(one, DataReceived):
                content.extend(one.data)
            if getattr(one, "stream_ended", False):
                del self.open[one.stream_id]
                done.done() or done.set_result(bytes(content))

    @staticmethod
    def fail(done, words):
        done.done() or done.set_exception(ConnectionError(words))


async def run():
    first = urlsplit(arguments.urls[0])
    configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=True, server_name=first.hostname)
    if arguments.ca is None:
        configuration.verify_mode = ssl.CERT_NONE
    else:
        configuration.load_verify_locations(arguments.ca)
    async with connect(first.hostname, first.port, configuration=configuration, create_protocol=Client) as client:
        for text in arguments.urls:
            sys.stdout.buffer.write(await asyncio.wait_for(client.ask(urlsplit(text)), TIMEOUT))


try:
    asyncio.run(run())
except (OSError, asyncio.TimeoutError) as error:
    sys.stdout.flush()
    sys.exit(f"{type(error).__name__}: {error}")
