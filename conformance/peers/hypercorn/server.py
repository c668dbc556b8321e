"""An echo server. It selects the first offered sub-protocol among chat, echo and superchat."""

import asyncio
import sys

from hypercorn.asyncio import serve
from hypercorn.config import Config

KNOWN = ("chat", "echo", "superchat")


async def echo(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            event = await receive()
            await send({"type": event["type"] + ".complete"})
            if event["type"] == "lifespan.shutdown":
                return
    if scope["type"] != "websocket":
        headers = [(b"content-length", b"0")]
        if scope["http_version"] == "1.1":
            headers += [(b"connection", b"upgrade"), (b"upgrade", b"websocket")]
        await send({"type": "http.response.start", "status": 426 if len(headers) > 1 else 404, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    await receive()
    chosen = next((name for name in scope["subprotocols"] if name in KNOWN), None)
    await send({"type": "websocket.accept", "subprotocol": chosen})
    while True:
        event = await receive()
        if event["type"] == "websocket.disconnect":
            return
        await send({"type": "websocket.send", "text": event.get("text"), "bytes": event.get("bytes")})


config = Config()
config.bind = [f"127.0.0.1:{sys.argv[1]}"]
config.loglevel = "CRITICAL"
config.websocket_max_message_size = 16 << 20
if len(sys.argv) > 2:
    config.certfile, config.keyfile = sys.argv[2], sys.argv[3]
    # HTTP/3 at the same port, where aioquic is installed.
    config.quic_bind = config.bind
asyncio.run(serve(echo, config))
