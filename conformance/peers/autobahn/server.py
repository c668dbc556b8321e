"""An echo server with the sub-protocols chat, echo and superchat. It compresses messages if the client offers compression."""

import asyncio
import sys

from autobahn.asyncio.websocket import WebSocketServerFactory, WebSocketServerProtocol
from autobahn.websocket.compress import PerMessageDeflateOffer, PerMessageDeflateOfferAccept


class Echo(WebSocketServerProtocol):
    def onMessage(self, payload, isBinary):
        self.sendMessage(payload, isBinary)


def accept(offers):
    return next((PerMessageDeflateOfferAccept(offer) for offer in offers if isinstance(offer, PerMessageDeflateOffer)), None)


async def main():
    factory = WebSocketServerFactory(protocols=["chat", "echo", "superchat"])
    factory.protocol = Echo
    factory.setProtocolOptions(perMessageCompressionAccept=accept, maxMessagePayloadSize=16 << 20, failByDrop=False)
    server = await asyncio.get_running_loop().create_server(factory, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()


asyncio.run(main())
