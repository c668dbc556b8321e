"""An echo server with the sub-protocols chat, echo and superchat. It compresses messages if the client offers compression."""

import sys

from aiohttp import WSMsgType, web


async def echo(request):
    socket = web.WebSocketResponse(protocols=("chat", "echo", "superchat"), max_msg_size=16 << 20)
    await socket.prepare(request)
    async for message in socket:
        if message.type == WSMsgType.TEXT:
            await socket.send_str(message.data)
        elif message.type == WSMsgType.BINARY:
            await socket.send_bytes(message.data)
    return socket


app = web.Application()
app.add_routes([web.get("/{path:.*}", echo)])
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None)
