"""A page at /, and the content of the request at /echo, by h11 over plain sockets, as its documentation shows it."""

import socket
import sys
import threading
from email.utils import formatdate
from urllib.parse import urlsplit

import h11

PAGE = b"<!doctype html><title>Touchstone</title><p>Touchstone looks at this answer.\n"
METHODS = (b"GET", b"HEAD", b"POST", b"OPTIONS")


def read(connection, peer):
    while True:
        event = connection.next_event()
        if event is not h11.NEED_DATA:
            return event
        if connection.they_are_waiting_for_100_continue:
            peer.sendall(connection.send(h11.InformationalResponse(status_code=100, headers=[])))
        try:
            connection.receive_data(peer.recv(65536))
        except ConnectionError:
            connection.receive_data(b"")


def answer(connection, peer, status, content, more=(), method=b"GET"):
    headers = [("date", formatdate(usegmt=True)), ("content-type", "text/html"), ("content-length", str(len(content))), *more]
    octets = connection.send(h11.Response(status_code=status, headers=headers)) or b""
    if method != b"HEAD":
        octets += connection.send(h11.Data(data=content)) or b""
    octets += connection.send(h11.EndOfMessage()) or b""
    peer.sendall(octets)


def respond(connection, peer, request):
    content = b""
    while True:
        event = read(connection, peer)
        if isinstance(event, h11.Data):
            content += bytes(event.data)
        else:
            break
    target = request.target.split(b"?")[0]
    url = urlsplit(b"" if target.startswith(b"/") else target)
    path = url.path or (b"/" if url.scheme else target)
    # h11 hands over the target as it came: an application that reads a URI in it rejects one without a host (rfc9110#4.2.1).
    if url.scheme in (b"http", b"https") and not url.netloc:
        answer(connection, peer, 400, b"")
    elif path not in (b"/", b"/echo"):
        answer(connection, peer, 404, b"not found\n", method=request.method)
    elif request.method not in METHODS:
        answer(connection, peer, 405, b"", [("allow", "GET, HEAD, POST, OPTIONS")])
    else:
        answer(connection, peer, 200, content if path == b"/echo" else PAGE, method=request.method)


def serve(peer):
    connection = h11.Connection(h11.SERVER)
    try:
        while True:
            event = read(connection, peer)
            if isinstance(event, h11.Request):
                respond(connection, peer, event)
            if isinstance(event, h11.ConnectionClosed) or connection.our_state in (h11.MUST_CLOSE, h11.CLOSED):
                break
            connection.start_next_cycle()
    except h11.RemoteProtocolError as error:
        if connection.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer(connection, peer, error.error_status_hint, b"", [("connection", "close")])
    finally:
        peer.shutdown(socket.SHUT_WR)
        peer.settimeout(2)
        while peer.recv(65536):
            pass
        peer.close()


def guarded(peer):
    try:
        serve(peer)
    except OSError:
        peer.close()


with socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=256) as listener:
    while True:
        accepted, _ = listener.accept()
        threading.Thread(target=guarded, args=(accepted,), daemon=True).start()
