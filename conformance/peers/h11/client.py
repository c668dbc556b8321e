"""Gets URLs one after another by h11 over one connection while it lasts, and prints their contents; exits with status 0 if all responses are complete."""

import argparse
import socket
import sys
from urllib.parse import urlsplit

import h11

parser = argparse.ArgumentParser()
parser.add_argument("--head", action="store_true")
parser.add_argument("--post")
parser.add_argument("urls", nargs="+")
arguments = parser.parse_args()
method = "HEAD" if arguments.head else "GET" if arguments.post is None else "POST"


def ask(connection, peer, url, content, ended):
    headers = [("host", url.netloc.rpartition("@")[2])]
    if arguments.post is not None:
        headers += [("content-length", str(len(content))), ("content-type", "text/plain")]
    target = (url.path or "/") + (f"?{url.query}" if url.query else "")
    octets = connection.send(h11.Request(method=method, target=target, headers=headers))
    octets += connection.send(h11.Data(data=content)) or b""
    peer.sendall(octets + connection.send(h11.EndOfMessage()))
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            octets = peer.recv(65536)
            connection.receive_data(octets)
            if not octets:
                ended.add(connection)
        elif isinstance(event, h11.Data):
            sys.stdout.buffer.write(event.data)
        elif isinstance(event, h11.EndOfMessage):
            return
        elif isinstance(event, h11.ConnectionClosed):
            raise OSError("closed before the response")


try:
    connection, ended = None, set()
    for text in arguments.urls:
        url = urlsplit(text)
        # What has come before the request is no response to it: h11 leaves that to its user.
        if connection is None or connection in ended or connection.our_state is not h11.IDLE or connection.trailing_data[0]:
            connection, peer = h11.Connection(h11.CLIENT), socket.create_connection((url.hostname, url.port), timeout=10)
        ask(connection, peer, url, (arguments.post or "").encode(), ended)
        if connection.our_state is h11.DONE and connection.their_state is h11.DONE:
            connection.start_next_cycle()
except (h11.ProtocolError, OSError) as error:
    sys.stdout.flush()
    sys.exit(f"{type(error).__name__}: {error}")
