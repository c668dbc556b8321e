"""An echo client: it sends back every message of the server. Exits with status 0 after a clean close."""

import asyncio
import sys
from urllib.parse import parse_qs, urlsplit

from autobahn.asyncio.websocket import WebSocketClientFactory, WebSocketClientProtocol
from autobahn.websocket.compress import PerMessageDeflateOffer, PerMessageDeflateResponse, PerMessageDeflateResponseAccept

url = sys.argv[1]
protocols = parse_qs(urlsplit(url).query).get("protocols", [""])[0]


class Echo(WebSocketClientProtocol):
    def onMessage(self, payload, isBinary):
        self.sendMessage(payload, isBinary)

    def onClose(self, wasClean, code, reason):
        if not ended.done():
            ended.set_result(None if wasClean else f"error: {reason}")


def accept(response):
    if isinstance(response, PerMessageDeflateResponse):
        return PerMessageDeflateResponseAccept(response)


async def main():
    global ended
    loop = asyncio.get_running_loop()
    ended = loop.create_future()
    factory = WebSocketClientFactory(url, protocols=protocols.split(",") if protocols else None)
    factory.protocol = Echo
    factory.setProtocolOptions(
        perMessageCompressionOffers=[PerMessageDeflateOffer()],
        perMessageCompressionAccept=accept,
        maxMessagePayloadSize=16 << 20,
        failByDrop=False,
    )
    parts = urlsplit(url)
    await loop.create_connection(factory, parts.hostname, parts.port)
    return await ended


sys.exit(asyncio.run(main()))
