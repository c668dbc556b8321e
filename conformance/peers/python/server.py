"""Static files on http.server, set to HTTP/1.1; /echo returns the content of the request."""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path != "/echo":
            return super().do_GET()
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self):
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        answer = content if self.path == "/echo" else b""
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


port, root = sys.argv[1:3]
ThreadingHTTPServer(("127.0.0.1", int(port)), partial(Handler, directory=root)).serve_forever()
