"""Gets URLs one after another in one session, and prints their contents; exits with status 0 if all responses are complete."""

import argparse
import sys

import requests

parser = argparse.ArgumentParser()
parser.add_argument("--head", action="store_true")
parser.add_argument("--post")
parser.add_argument("urls", nargs="+")
arguments = parser.parse_args()
method = "HEAD" if arguments.head else "GET" if arguments.post is None else "POST"

try:
    with requests.Session() as session:
        session.trust_env = False
        session.verify = False
        for url in arguments.urls:
            response = session.request(method, url, data=arguments.post, allow_redirects=False, timeout=10)
            sys.stdout.buffer.write(response.content)
except (requests.RequestException, OSError, ValueError) as error:
    sys.stdout.flush()
    sys.exit(f"{type(error).__name__}: {error}")
