import { once } from "node:events";
import http2, { type IncomingHttpHeaders, type ServerHttp2Stream, type Settings } from "node:http2";
import { connect, type AddressInfo, type Socket } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { field, Writer, type Field } from "../../reference/core/index.ts";
import { Decoder, Encoder } from "../../reference/hpack/index.ts";

/**
 * Agreement with nghttp2 through `node:http2`: a server on loopback, and a client that sends raw frames with our encoder and decoder.
 * Compares list by list, over a whole connection, what the server decoded from our blocks and what we decoded from its blocks.
 */
const FRAME = { HEADERS: 1, RST_STREAM: 3, SETTINGS: 4, GOAWAY: 7 } as const;
const HEADER_TABLE_SIZE = 1;
const ACK = 1;
const END_STREAM_AND_HEADERS = 5;

type Seen = { readonly request: readonly (readonly [string, string])[]; readonly response: readonly Field[] };

class Client {
  readonly #socket: Socket;
  readonly #encoder = new Encoder();
  readonly #decoder = new Decoder({ maxListSize: 1 << 20 });
  #pending = Buffer.alloc(0);
  #stream = -1;
  #limit: number | undefined;
  #answer: ((outcome: readonly Field[] | Error) => void) | undefined;
  #agreed: (() => void) | undefined;
  /** Resolves when the server has acknowledged our SETTINGS. */
  readonly agreed = new Promise<void>((resolve) => (this.#agreed = resolve));

  constructor(socket: Socket, headerTableSize?: number) {
    this.#socket = socket;
    socket.on("data", (octets: Buffer) => this.#receive(octets));
    socket.on("close", () => this.#answer?.(new Error("the server closed the connection")));
    socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    const writer = new Writer();
    if (headerTableSize !== undefined) writer.u16(HEADER_TABLE_SIZE).u32(headerTableSize);
    this.#limit = headerTableSize;
    this.#frame(FRAME.SETTINGS, 0, 0, writer.take());
  }

  async request(fields: readonly Field[]): Promise<readonly Field[]> {
    const writer = new Writer();
    this.#encoder.encode(fields, writer);
    this.#stream += 2;
    this.#frame(FRAME.HEADERS, END_STREAM_AND_HEADERS, this.#stream, writer.take());
    const outcome = await new Promise<readonly Field[] | Error>((resolve) => (this.#answer = resolve));
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  #frame(type: number, flags: number, stream: number, payload: Uint8Array): void {
    this.#socket.write(new Writer().u24(payload.length).u8(type).u8(flags).u32(stream).bytes(payload).take());
  }

  #receive(octets: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, octets]);
    while (this.#pending.length >= 9) {
      const end = 9 + this.#pending.readUIntBE(0, 3);
      if (this.#pending.length < end) return;
      this.#handle(this.#pending[3] ?? 0, this.#pending[4] ?? 0, this.#pending.subarray(9, end));
      this.#pending = this.#pending.subarray(end);
    }
  }

  #handle(type: number, flags: number, payload: Buffer): void {
    if (type === FRAME.SETTINGS && (flags & ACK) !== 0) {
      if (this.#limit !== undefined) this.#decoder.maxTableSize = this.#limit;
      this.#agreed?.();
    } else if (type === FRAME.SETTINGS) {
      for (let at = 0; at < payload.length; at += 6)
        if (payload.readUInt16BE(at) === HEADER_TABLE_SIZE) this.#encoder.maxTableSize = payload.readUInt32BE(at + 2);
      this.#frame(FRAME.SETTINGS, ACK, 0, new Uint8Array());
    } else if (type === FRAME.HEADERS) {
      const decoded = this.#decoder.decode(payload);
      this.#answer?.(decoded.is === "fields" ? decoded.fields : new Error(JSON.stringify(decoded)));
    } else if (type === FRAME.RST_STREAM || type === FRAME.GOAWAY) {
      this.#answer?.(new Error(`the server sent frame ${type}: ${payload.toString("hex")}`));
    }
  }
}

/** The server answers each request with the given fields and records the request. */
async function exchange(
  lists: readonly { readonly request: readonly Field[]; readonly response: IncomingHttpHeaders }[],
  server: Settings,
  client?: number,
): Promise<Seen[]> {
  const peer = http2.createServer({ settings: server });
  const requests: (readonly [string, string])[][] = [];
  peer.on("stream", (stream: ServerHttp2Stream, _headers: unknown, _flags: unknown, raw: string[]) => {
    requests.push(Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] ?? "", raw[2 * i + 1] ?? ""] as const));
    stream.respond({ ...lists[requests.length - 1]?.response, [http2.sensitiveHeaders]: ["x-secret"] }, { endStream: true });
  });
  peer.listen(0, "127.0.0.1");
  await once(peer, "listening");
  const socket = connect((peer.address() as AddressInfo).port, "127.0.0.1");
  try {
    const ours = new Client(socket, client);
    await ours.agreed;
    const responses: (readonly Field[])[] = [];
    for (const { request } of lists) responses.push(await ours.request(request));
    return responses.map((response, i) => ({ request: requests[i] ?? [], response }));
  } finally {
    socket.destroy();
    peer.close();
  }
}

const characters = (from: string, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...from), { minLength, maxLength, size: "max" }).map((some) => some.join(""));
const token = characters("abcdefghijklmnopqrstuvwxyz0123456789-_.!#$%&'*+^`|~", 1, 24).map((name) => `x-${name}`);
/** Includes octets above 7f: they have the longest Huffman codes. */
const visible = Array.from({ length: 0x100 - 0x21 }, (_, i) => String.fromCharCode(0x21 + i)).filter((one) => one !== "\x7f");
const value = fc.oneof(characters(visible.join(""), 1, 60), characters("0123456789aeiost", 1, 200), fc.constant("again"));
const own = fc.uniqueArray(fc.tuple(token, value), { maxLength: 12, selector: ([name]) => name });
const pair = fc.record({ path: characters("abc/0?=&", 1, 40), request: own, response: own, status: fc.constantFrom(200, 204, 404, 418) });

/** The same lists on each run. */
const sample = (seed: number) =>
  fc.sample(pair, { seed, numRuns: 120 }).map(({ path, request, response, status }, i) => ({
    request: [
      field(":method", "GET"),
      field(":scheme", "http"),
      field(":path", `/${path}`),
      field(":authority", "127.0.0.1"),
      ...request.map(([name, text]) => field(name, text, i % 7 === 0)),
      field("cookie", "short=1"),
    ],
    response: {
      ":status": String(status),
      ...Object.fromEntries(response),
      "x-secret": "hidden",
      server: "touchstone",
    } as IncomingHttpHeaders,
  }));

test.each([
  ["tables of 4,096 octets", {}, undefined],
  ["the server's decoder with a table of 300", { headerTableSize: 300 }, undefined],
  ["the server's decoder without a table", { headerTableSize: 0 }, undefined],
  ["the server's decoder with a table larger than ours", { headerTableSize: 65_536 }, undefined],
  ["our decoder with a table of 200", {}, 200],
  ["our decoder without a table", {}, 0],
  ["our decoder with a table of 65,536", {}, 65_536],
])("agreement with nghttp2: %s", async (_, server: Settings, client) => {
  const lists = sample(7);
  const seen = await exchange(lists, server, client);
  expect(seen.map(({ request }) => request)).toEqual(lists.map(({ request }) => request.map(({ name, value: text }) => [name, text])));
  // The server adds a date field.
  const responses = seen.map(({ response }) =>
    Object.fromEntries(response.filter(({ name }) => name !== "date").map(({ name, value: text }) => [name, text])),
  );
  expect(responses).toEqual(lists.map(({ response }) => response));
  expect(seen.every(({ response }) => response.find(({ name }) => name === "x-secret")?.sensitive === true)).toBe(true);
});
