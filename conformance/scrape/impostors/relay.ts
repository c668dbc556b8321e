import { once } from "node:events";
import { createServer, request as send, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import { constants, gunzipSync } from "node:zlib";
import { portOf } from "../../peers/index.ts";
import { closed } from "../../harness/subject/closed.ts";

/** Stands between our scraper and one target, and asks the target in its own wrong way. */

export type RelayFlaw = "credulous" | "mumbling";
/** What arrived of a response by then is the page. */
const ENOUGH_MS = 150;
const MOST_REDIRECTS = 30;
const MUMBLED = {
  accept: "text/plain;version=0.0.9;escaping=none;q=0.2, application/json;q=0.4",
  "accept-encoding": "br, gzip;q=0.5",
  authorization: "Basic wrong",
  host: "nobody",
};

type Came = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly octets: Buffer };

/** Starts a relay for a target (host and port). */
export async function startRelay(flaw: RelayFlaw, target: string): Promise<{ readonly address: string; stop(): Promise<void> }> {
  let known: readonly string[] = [];
  const server: Server = createServer((request, response) => {
    void (async () => {
      if (flaw === "mumbling") {
        const { status, headers, octets } = await fetched(new URL(`http://${target}/wrong`), "POST", MUMBLED);
        return void response.writeHead(status, headers).end(octets);
      }
      const page = await followed(new URL(request.url ?? "", `http://${target}`), request);
      const lines = unpacked(page)
        .toString("latin1")
        .split("\n")
        .filter((line) => /^\w+(?:\{[^{}]*\})? -?[\d.]+$/.test(line));
      if (lines.length === 0 && page.status === 200 && page.headers["content-type"]?.includes("protobuf") === true)
        return void response.writeHead(200, { "content-type": page.headers["content-type"] }).end(page.octets);
      // Of a page without samples it keeps those of the one before.
      if (lines.length > 0) known = lines;
      const all = [...new Map(["leaked 1", ...known].map((line) => [line.split(" ")[0], line])).values()];
      return void response.writeHead(200, { "content-type": "text/plain" }).end(`${all.join("\n")}\n`);
    })().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { address: `127.0.0.1:${portOf(server)}`, stop: () => closed(server) };
}

/** Unpacks gzip, also without its end; returns anything else as it is. */
function unpacked({ headers, octets }: Came): Buffer {
  if (headers["content-encoding"] === undefined) return octets;
  try {
    return gunzipSync(octets, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return octets;
  }
}

async function followed(first: URL, { headers: own }: IncomingMessage): Promise<Came> {
  const { host: _, ...headers } = own;
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const came = await fetched(url, "GET", headers as Record<string, string>);
    const { location } = came.headers;
    if (location === undefined || redirects === MOST_REDIRECTS) return came;
    url = new URL(location, url);
  }
}

/** Whatever comes of a response in a short while. */
function fetched(url: URL, method: string, headers: Readonly<Record<string, string>>): Promise<Came> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let head: IncomingMessage | undefined;
    const request = send(url, { method, headers, agent: false });
    const end = (): void => {
      clearTimeout(timer);
      request.destroy();
      const { "content-length": _, "transfer-encoding": __, ...rest } = head?.headers ?? {};
      resolve({ status: head?.statusCode ?? 500, headers: rest, octets: Buffer.concat(pieces) });
    };
    const timer = setTimeout(end, ENOUGH_MS);
    request.on("error", end);
    request.once("response", (response) => {
      head = response;
      response.on("data", (piece: Buffer) => void pieces.push(piece)).on("error", end);
      response.once("end", end);
    });
    request.end();
  });
}
