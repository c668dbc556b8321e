"""Gets URLs one after another in one session, and prints their contents; exits with status 0 if all responses are complete."""

import argparse
import asyncio
import sys

import aiohttp

parser = argparse.ArgumentParser()
parser.add_argument("--head", action="store_true")
parser.add_argument("--post")
parser.add_argument("urls", nargs="+")
arguments = parser.parse_args()
method = "HEAD" if arguments.head else "GET" if arguments.post is None else "POST"


async def main():
    timeout = aiohttp.ClientTimeout(total=10)
    async with aiohttp.ClientSession(timeout=timeout, connector=aiohttp.TCPConnector(limit=1)) as session:
        for url in arguments.urls:
            async with session.request(method, url, data=arguments.post, allow_redirects=False) as response:
                # aiohttp hands this to its user, who has not asked for it.
                if response.status == 101:
                    raise ValueError("the server switches protocols unasked")
                sys.stdout.buffer.write(await response.read())


try:
    asyncio.run(main())
except (aiohttp.ClientError, asyncio.TimeoutError, ValueError) as error:
    sys.stdout.flush()
    sys.exit(f"{type(error).__name__}: {error}")
