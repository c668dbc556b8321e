"""Gets URLs one after another with http.client over one connection, and prints their contents; exits with status 0 if all responses are complete."""

import argparse
import http.client
import ssl
import sys
from urllib.parse import urlsplit

parser = argparse.ArgumentParser()
parser.add_argument("--head", action="store_true")
parser.add_argument("--post")
parser.add_argument("urls", nargs="+")
arguments = parser.parse_args()
method = "HEAD" if arguments.head else "GET" if arguments.post is None else "POST"


def connect(url):
    if url.scheme == "http":
        return http.client.HTTPConnection(url.hostname, url.port, timeout=10)
    return http.client.HTTPSConnection(url.hostname, url.port, timeout=10, context=ssl._create_unverified_context())


try:
    connection = None
    for text in arguments.urls:
        url = urlsplit(text)
        connection = connection or connect(url)
        target = (url.path or "/") + (f"?{url.query}" if url.query else "")
        headers = {} if arguments.post is None else {"content-type": "text/plain"}
        connection.request(method, target, body=arguments.post, headers=headers)
        response = connection.getresponse()
        sys.stdout.buffer.write(response.read())
except (http.client.HTTPException, OSError, ValueError) as error:
    sys.stdout.flush()
    sys.exit(f"{type(error).__name__}: {error}")
