"""An echo client: it sends back every message of the server. Exits with status 0 after a clean close."""

import asyncio
import ssl
import sys
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.client import connect

url = sys.argv[1]
protocols = parse_qs(urlsplit(url).query).get("protocols", [""])[0]
options = {"max_size": 16 << 20, "subprotocols": protocols.split(",") if protocols else None, "proxy": None}
if url.startswith("wss:"):
    options["ssl"] = ssl._create_unverified_context()


async def main():
    async with connect(url, **options) as connection:
        async for message in connection:
            await connection.send(message)


try:
    asyncio.run(main())
except Exception as error:
    sys.exit(f"error: {error}")
