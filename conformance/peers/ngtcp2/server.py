"""Starts the example server of ngtcp2, and again when it aborts, so that one abort is not held against all that comes after it.
It also listens on TCP at the same port: a connection there shows that it has started."""

import signal
import socket
import subprocess
import sys

port, key, cert, root = sys.argv[1:5]
command = ["gtlsserver", "-q", "-d", root, "127.0.0.1", port, key, cert]
with socket.socket() as ready:
    ready.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server = subprocess.Popen(command)
    ready.bind(("127.0.0.1", int(port)))
    ready.listen()
    while server.wait() == -signal.SIGABRT:
        print("gtlsserver aborted", file=sys.stderr, flush=True)
        server = subprocess.Popen(command)
    sys.exit(server.returncode)
