import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { serve } from "../../../../reference/serve/http3/index.ts";

/** Our HTTP/3 server of the files of a folder, as a scenario wants it: `node server.ts SCENARIO PORT CERT KEY ROOT`. */

const [scenario, port, cert, key, root] = process.argv.slice(2) as [string, string, string, string, string];

/** A handshake may lose most of its datagrams. */
const HANDSHAKE_MS = 20_000;

await serve(
  async ({ path }) => {
    try {
      return { status: 200, body: await readFile(join(root, basename(path))) };
    } catch {
      return { status: 404 };
    }
  },
  {
    port: Number(port),
    tls: { cert: await readFile(cert, "utf8"), key: await readFile(key, "utf8") },
    http3: {
      retry: scenario === "retry" ? "always" : "busy",
      earlyData: scenario === "zerortt" ? "safe" : "off",
      quic: { handshakeMs: HANDSHAKE_MS },
    },
  },
);
