import { createWriteStream } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "../../../../reference/serve/http3/index.ts";

/** Downloads URLs into a folder with our HTTP/3 client as a scenario wants it: `node client.ts SCENARIO DOWNLOADS URL…`. */

const [scenario, downloads, ...urls] = process.argv.slice(2) as [string, string, ...string[]];
/** Connections end when they are idle for so long, so that the next request needs another. */
const KEEP_MS = 50;
/** A handshake may lose most of its datagrams. */
const HANDSHAKE_MS = 20_000;
const KEY_PACKETS = 100;

const client = createClient({
  keepMs: KEEP_MS,
  connectMs: HANDSHAKE_MS,
  tls: { verify: false, ...(scenario === "chacha20" && { ciphers: "TLS_CHACHA20_POLY1305_SHA256" }) },
  http3: {
    earlyData: scenario === "zerortt" ? "safe" : "off",
    quic: {
      handshakeMs: HANDSHAKE_MS,
      ...(scenario === "transfer" && { connectionWindow: 131_072, streamWindow: 65_536 }),
      ...(scenario === "keyupdate" && { keyPackets: KEY_PACKETS }),
    },
  },
});

async function download(url: string): Promise<void> {
  const { status, body } = await client.request(url);
  if (status !== 200) throw new Error(`${url}: ${status}`);
  await pipeline(Readable.from(body), createWriteStream(join(downloads, basename(url))));
}
/** Over one connection, and the next download over another. */
async function together(these: readonly string[]): Promise<void> {
  await Promise.all(these.map(download));
  await pause(20 * KEEP_MS);
}

if (scenario === "resumption" || scenario === "zerortt") {
  await together(urls.slice(0, 1));
  await together(urls.slice(1));
} else if (scenario === "handshakeloss" || scenario === "handshakecorruption") for (const url of urls) await together([url]);
else await together(urls);
await client.close();
