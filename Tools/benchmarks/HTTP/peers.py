"""Peers of http-bench: peers.py aiohttp|httpx URL REQUESTS CONCURRENCY prints one line of the same figures."""

import asyncio
import resource
import sys
import time


def processor():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def measure(name, get, requests, concurrency):
    await get()
    start, before = time.perf_counter(), processor()

    async def worker(place):
        count = 0
        for _ in range(place, requests, concurrency):
            count += len(await get())
        return count

    size = sum(await asyncio.gather(*[worker(place) for place in range(concurrency)]))
    seconds, cost = time.perf_counter() - start, processor() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    figures = [name, concurrency, int(requests / seconds), int(size / seconds / 1e6), int(cost / requests * 1e6), peak]
    print("\t".join(map(str, figures)))


async def with_aiohttp(url, requests, concurrency):
    import aiohttp

    connector = aiohttp.TCPConnector(limit=max(8, concurrency))
    async with aiohttp.ClientSession(connector=connector) as session:

        async def get():
            async with session.get(url) as response:
                return await response.read()

        await measure("aiohttp", get, requests, concurrency)


async def with_httpx(url, requests, concurrency):
    import httpx

    limits = httpx.Limits(max_connections=max(8, concurrency))
    async with httpx.AsyncClient(limits=limits, timeout=120) as client:

        async def get():
            return (await client.get(url)).content

        await measure("httpx", get, requests, concurrency)


name, url, requests, concurrency = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
asyncio.run({"aiohttp": with_aiohttp, "httpx": with_httpx}[name](url, requests, concurrency))
