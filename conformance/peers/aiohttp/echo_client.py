"""An echo client: it sends back every message of the server. Exits with status 0 after a clean close."""

import asyncio
import sys
from urllib.parse import parse_qs, urlsplit

import aiohttp

url = sys.argv[1]
protocols = parse_qs(urlsplit(url).query).get("protocols", [""])[0]


async def main():
    options = {"max_msg_size": 16 << 20, "compress": 15, "protocols": tuple(protocols.split(",")) if protocols else ()}
    async with aiohttp.ClientSession() as session, session.ws_connect(url, **options) as socket:
        async for message in socket:
            if message.type == aiohttp.WSMsgType.TEXT:
                await socket.send_str(message.data)
            elif message.type == aiohttp.WSMsgType.BINARY:
                await socket.send_bytes(message.data)
        if socket.exception() is not None:
            raise socket.exception()


try:
    asyncio.run(main())
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
