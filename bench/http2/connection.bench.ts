import { field, instant, type Field } from "../../reference/core/index.ts";
import { Connection, type Event } from "../../reference/http2/index.ts";

/**
 * The cost of the state machine without sockets: feeds the recorded octets of a client to a new server in reads of 32 requests, and answers
 * each with a small body. `node bench/http2/connection.bench.ts [rounds]`; add `--cpu-prof` for a profile.
 */

const T0 = instant(0);
const BATCH = 32;
const BATCHES = 2_000;
const REQUESTS = BATCH * BATCHES;

const BARE: readonly Field[] = [
  field(":method", "GET"),
  field(":path", "/"),
  field(":scheme", "http"),
  field(":authority", "127.0.0.1:8080"),
  field("user-agent", "h2load nghttp2/1.52.0"),
];
/** The fields of a browser; the path changes with each request. */
const BROWSER: readonly Field[] = [
  field(":method", "GET"),
  field(":authority", "www.example.com"),
  field(":scheme", "https"),
  field(":path", "/"),
  field("sec-ch-ua", '"Chromium";v="140", "Not=A?Brand";v="24"'),
  field("sec-ch-ua-mobile", "?0"),
  field("user-agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"),
  field("sec-ch-ua-platform", '"Linux"'),
  field("accept", "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"),
  field("sec-fetch-site", "same-origin"),
  field("sec-fetch-mode", "no-cors"),
  field("sec-fetch-dest", "image"),
  field("referer", "https://www.example.com/some/page.html"),
  field("accept-encoding", "gzip, deflate, br, zstd"),
  field("accept-language", "en-GB,en;q=0.9"),
  field("cookie", "session=0123456789abcdef0123456789abcdef; theme=dark"),
  field("priority", "i"),
];
const CONTENT = new TextEncoder().encode("Hello, world\n");
const RESPONSE: readonly Field[] = [field("content-type", "text/plain"), field("content-length", String(CONTENT.length))];

type Recording = { readonly name: string; readonly greeting: Uint8Array; readonly reads: readonly Uint8Array[] };

const joined = (pieces: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));

/** Records the octets of a client, connected to a server so that streams end and new ones can open. */
function record(name: string, fieldsOf: (nth: number) => readonly Field[]): Recording {
  const client = new Connection({ side: "client" }, T0);
  const server = new Connection({ side: "server" }, T0);
  for (const piece of server.take()) client.receive(piece, T0);
  const greeting = joined(client.take());
  serve(server, server.receive(greeting, T0));
  for (const piece of server.take()) client.receive(piece, T0);
  client.events();
  const reads: Uint8Array[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    for (let nth = 0; nth < BATCH; nth++) client.request(fieldsOf(batch * BATCH + nth), true);
    const bytes = joined(client.take());
    reads.push(bytes);
    serve(server, server.receive(bytes, T0));
    for (const piece of server.take()) {
      for (const event of client.receive(piece, T0)) if (event.is === "data") client.consumed(event.stream, event.bytes.length);
    }
  }
  return { name, greeting, reads };
}

function serve(server: Connection, events: readonly Event[]): number {
  let answered = 0;
  for (const event of events) {
    if (event.is !== "request") continue;
    server.respond(event.stream, 200, RESPONSE, false);
    server.data(event.stream, CONTENT, true);
    answered++;
  }
  return answered;
}

/** Plays a recording to a new server. Returns nanoseconds of CPU time of this thread per request. */
function play({ name, greeting, reads }: Recording): number {
  const server = new Connection({ side: "server" }, T0);
  server.receive(greeting, T0);
  server.take();
  let answered = 0;
  let octets = 0;
  const before = process.threadCpuUsage();
  for (const read of reads) {
    answered += serve(server, server.receive(read, T0));
    for (const piece of server.take()) octets += piece.length;
    server.events();
  }
  const { user, system } = process.threadCpuUsage(before);
  if (answered !== REQUESTS || octets < REQUESTS * CONTENT.length) throw new Error(`${name}: ${answered} answers in ${octets} octets`);
  return ((user + system) * 1_000) / REQUESTS;
}

/** One upload in frames of 16 KB, consumed as it arrives. Returns nanoseconds per kilobyte. */
function upload(): number {
  const SIZE = 1_024 * 1_048_576;
  const frame = new Uint8Array(9 + 16_384);
  frame.set([0, 0x40, 0, 0, 0, 0, 0, 0, 1]);
  const read = joined([frame, frame, frame, frame]);
  const client = new Connection({ side: "client" }, T0);
  const server = new Connection({ side: "server" }, T0);
  for (const piece of server.take()) client.receive(piece, T0);
  client.request([field(":method", "POST"), ...BARE.slice(1)], false);
  server.receive(joined(client.take()), T0);
  server.take();
  const before = process.threadCpuUsage();
  let got = 0;
  while (got < SIZE) {
    for (const event of server.receive(read, T0)) {
      if (event.is !== "data") throw new Error(event.is);
      got += event.bytes.length;
      server.consumed(event.stream, event.bytes.length);
    }
    server.take();
  }
  const { user, system } = process.threadCpuUsage(before);
  return ((user + system) * 1_000 * 1_024) / got;
}

const rounds = Number(process.argv[2] ?? 15);
const recordings = [
  record("h2load", () => BARE),
  record("browser", (nth) => BROWSER.map((line) => (line.name === ":path" ? field(":path", `/image/${nth % 97}.png`) : line))),
];
const best = (samples: readonly number[]): string => {
  const sorted = Float64Array.from(samples).sort();
  return `${sorted.at(0)?.toFixed(0)} best, ${sorted.at(sorted.length / 2)?.toFixed(0)} median`;
};
for (const recording of recordings) {
  const samples = Array.from({ length: rounds }, () => play(recording));
  console.log(`${recording.name}: ns per request: ${best(samples)}`);
}
console.log(`upload: ns per KB: ${best(Array.from({ length: rounds }, upload))}`);
