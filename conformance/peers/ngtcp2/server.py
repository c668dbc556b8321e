"""Starts the example server of ngtcp2, and listens on TCP at the same port: that tells whoever waits for the start."""

import socket
import subprocess
import sys

port, key, cert, root = sys.argv[1:5]
server = subprocess.Popen(["gtlsserver", "-q", "-d", root, "127.0.0.1", port, key, cert])
with socket.socket() as ready:
    ready.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    ready.bind(("127.0.0.1", int(port)))
    ready.listen()
    sys.exit(server.wait())
