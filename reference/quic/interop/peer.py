"""An echo server or client of aioquic: a JSON object on the command line says which. The last line that it prints is its answer."""
import asyncio
import json
import sys
import tempfile

from aioquic.asyncio import QuicConnectionProtocol, connect, serve
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, StreamDataReceived
from aioquic.quic.packet import QuicProtocolVersion

VERSIONS = {"v1": QuicProtocolVersion.VERSION_1, "v2": QuicProtocolVersion.VERSION_2}


def pattern(count):
    return bytes((at * 31 + (at >> 8)) & 0xFF for at in range(count))


class Echo(QuicConnectionProtocol):
    def quic_event_received(self, event):
        if isinstance(event, StreamDataReceived):
            self._quic.send_stream_data(event.stream_id, event.data, event.end_stream)
            self.transmit()


class Asker(QuicConnectionProtocol):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.got = {}
        self.ended = set()
        self.all = asyncio.Event()
        self.wanted = 0
        self.reason = None

    def quic_event_received(self, event):
        if isinstance(event, StreamDataReceived):
            self.got[event.stream_id] = self.got.get(event.stream_id, b"") + event.data
            if event.end_stream:
                self.ended.add(event.stream_id)
            if len(self.ended) == self.wanted:
                self.all.set()
        elif isinstance(event, ConnectionTerminated):
            self.reason = event.reason_phrase or hex(event.error_code)
            self.all.set()


def configuration(config, is_client):
    versions = [VERSIONS[config["version"]]]
    made = QuicConfiguration(is_client=is_client, alpn_protocols=["echo"], supported_versions=versions, max_datagram_frame_size=65536)
    made.original_version = versions[0]
    if is_client:
        made.server_name = "localhost"
        made.load_verify_locations(cadata=config["pem"].encode())
        return made
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
        file.write(config["pem"])
        file.flush()
        made.load_cert_chain(file.name, file.name)
    return made


async def server(config):
    made = await serve("127.0.0.1", 0, configuration=configuration(config, False), create_protocol=Echo, retry=config["retry"])
    print(made._transport.get_extra_info("sockname")[1], flush=True)
    await asyncio.Future()


async def client(config):
    data = pattern(config["octets"])
    async with connect("127.0.0.1", config["port"], configuration=configuration(config, True), create_protocol=Asker) as asker:
        asker.wanted = config["streams"]
        for at in range(config["streams"]):
            stream = asker._quic.get_next_available_stream_id()
            asker._quic.send_stream_data(stream, data, True)
        asker.transmit()
        if config["update"]:
            await asker.ping()
            asker.request_key_update()
            asker.transmit()
        if config["change_id"]:
            await asker.ping()
            asker.change_connection_id()
            asker.transmit()
        await asyncio.wait_for(asker.all.wait(), 60)
        same = sum(one == data for one in asker.got.values())
        print(json.dumps({"same": same, "version": asker._quic._version, "reason": asker.reason}), flush=True)


config = json.loads(sys.argv[1])
asyncio.run(server(config) if config["is"] == "server" else client(config))
