"""An echo server with the sub-protocols chat, echo and superchat. It compresses messages if the client offers compression."""

import asyncio
import ssl
import sys

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

port, *files = sys.argv[1:]
context = None
if files:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)


async def echo(connection):
    try:
        async for message in connection:
            await connection.send(message)
    except ConnectionClosed:
        pass


async def main():
    options = {"ssl": context, "max_size": 16 << 20}
    async with serve(echo, "127.0.0.1", int(port), subprotocols=["chat", "echo", "superchat"], select_subprotocol=choose, **options):
        await asyncio.get_running_loop().create_future()


def choose(connection, offered):
    return next((name for name in offered if name in ("chat", "echo", "superchat")), None)


asyncio.run(main())
