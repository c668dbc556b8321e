"""A page at /, and the content of the request at /echo."""

import sys

from aiohttp import web

PAGE = "<!doctype html><title>Touchstone</title><p>Touchstone looks at this answer.\n"


async def page(request):
    await request.read()
    return web.Response(text=PAGE, content_type="text/html")


async def echo(request):
    return web.Response(body=await request.read())


app = web.Application(client_max_size=64 << 20)
app.add_routes([web.get("/", page), web.post("/", page), web.options("/", page), web.post("/echo", echo)])
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None)
