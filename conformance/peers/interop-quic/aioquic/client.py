"""Downloads URLs into a folder with aioquic as a scenario wants it, and exits with status 0 if all are complete."""

import asyncio
import os
import ssl
import sys
from urllib.parse import urlsplit

from aioquic.asyncio import QuicConnectionProtocol, connect
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, StreamReset
from aioquic.quic.packet import QuicProtocolVersion
from aioquic.tls import CipherSuite

SCENARIO, DOWNLOADS, URLS = sys.argv[1], sys.argv[2], sys.argv[3:]


class Client(QuicConnectionProtocol):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.http = H3Connection(self._quic)
        self.open = {}

    def ask(self, url):
        stream = self._quic.get_next_available_stream_id()
        done = asyncio.get_running_loop().create_future()
        self.open[stream] = (open(os.path.join(DOWNLOADS, os.path.basename(url.path)), "wb"), done)
        head = [(b":method", b"GET"), (b":scheme", b"https"), (b":authority", url.netloc.encode()), (b":path", url.path.encode())]
        self.http.send_headers(stream, head, end_stream=True)
        self.transmit()
        return done

    def quic_event_received(self, event):
        if isinstance(event, StreamReset) and event.stream_id in self.open:
            self.fail(event.stream_id, f"reset with {event.error_code:#x}")
        if isinstance(event, ConnectionTerminated):
            for stream in list(self.open):
                self.fail(stream, f"connection closed with {event.error_code:#x} {event.reason_phrase}")
        for one in self.http.handle_event(event):
            if one.stream_id not in self.open:
                continue
            file, done = self.open[one.stream_id]
            if isinstance(one, HeadersReceived) and dict(one.headers).get(b":status", b"200") != b"200":
                self.fail(one.stream_id, "status %s" % dict(one.headers)[b":status"])
                continue
            if isinstance(one, DataReceived):
                file.write(one.data)
            if getattr(one, "stream_ended", False):
                file.close()
                del self.open[one.stream_id]
                done.set_result(None)

    def fail(self, stream, words):
        _, done = self.open.pop(stream)
        done.done() or done.set_exception(ConnectionError(words))


def configuration():
    made = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=True, server_name="localhost")
    made.verify_mode = ssl.CERT_NONE
    if SCENARIO == "transfer":
        made.max_data, made.max_stream_data = 131_072, 65_536
    if SCENARIO == "chacha20":
        made.cipher_suites = [CipherSuite.CHACHA20_POLY1305_SHA256]
    if SCENARIO == "v2":
        made.original_version = QuicProtocolVersion.VERSION_1
        made.supported_versions = [QuicProtocolVersion.VERSION_2, QuicProtocolVersion.VERSION_1]
    return made


async def download(urls, ticket=None, tickets=None):
    made = configuration()
    made.session_ticket = ticket
    first = urlsplit(urls[0])
    handler = None if tickets is None else tickets.append
    async with connect(first.hostname, first.port, configuration=made, create_protocol=Client, session_ticket_handler=handler,
                       wait_connected=SCENARIO != "zerortt" or ticket is None) as client:
        if SCENARIO == "keyupdate":
            client.request_key_update()
        await asyncio.gather(*[client.ask(urlsplit(url)) for url in urls])


async def run():
    if SCENARIO in ("resumption", "zerortt"):
        tickets = []
        await download(URLS[:1], tickets=tickets)
        if not tickets:
            raise ConnectionError("no session ticket came")
        await download(URLS[1:], ticket=tickets[-1])
    elif SCENARIO in ("handshakeloss", "handshakecorruption"):
        for url in URLS:
            await download([url])
    else:
        await download(URLS)


try:
    asyncio.run(run())
except (OSError, asyncio.TimeoutError) as error:
    sys.exit(f"{type(error).__name__}: {error}")
