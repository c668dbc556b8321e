import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { field, type Field } from "../core/index.ts";
import { Connection, type Options } from "./connection.ts";
import type { Event } from "./contract.ts";
import { join, merged, octets, sayEvent, T0 } from "./testing.ts";

/** For any octets: nothing throws, and how they are cut makes no difference. */

const RUNS = 600;

const oneOf = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const line = fc.oneof(
  { weight: 6, arbitrary: oneOf("Host: a", "Accept: */*", "X:y", "x-long: " + "v".repeat(60), "Cookie: a=b") },
  {
    weight: 3,
    arbitrary: oneOf(
      "Content-Length: 3",
      "Content-Length: 0",
      "content-length: 3, 3",
      "Transfer-Encoding: chunked",
      "Transfer-Encoding: gzip, chunked",
      "Connection: close",
      "Connection: keep-alive",
      "Connection: upgrade",
      "Upgrade: h2c, x",
      "Expect: 100-continue",
    ),
  },
  { weight: 1, arbitrary: oneOf("Host : a", " folded", "no colon", ": x", "a\0: b", "a: b\rc", "Host: a b", "x: é", "x[: y", "") },
);
const requestLine = fc.oneof(
  {
    weight: 6,
    arbitrary: oneOf("GET / HTTP/1.1", "POST /abc?d HTTP/1.1", "HEAD /a HTTP/1.1", "GET http://b/c HTTP/1.1", "OPTIONS * HTTP/1.1"),
  },
  { weight: 2, arbitrary: oneOf("GET / HTTP/1.0", "CONNECT a:1 HTTP/1.1", "GET /" + "p".repeat(40) + " HTTP/1.1") },
  {
    weight: 1,
    arbitrary: oneOf("GET /", "GET  / HTTP/1.1", "G\0T / HTTP/1.1", "GET / HTTP/2.0", "get * HTTP/1.1", "", "TOO-LONG-METHOD / HTTP/1.1"),
  },
);
const statusLine = fc.oneof(
  {
    weight: 6,
    arbitrary: oneOf("HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 204 ", "HTTP/1.1 304 Not Modified", "HTTP/1.0 200 OK"),
  },
  { weight: 2, arbitrary: oneOf("HTTP/1.1 100 Continue", "HTTP/1.1 103 Early Hints", "HTTP/1.1 101 Switching Protocols") },
  { weight: 1, arbitrary: oneOf("HTTP/1.1 200", "HTTP/1.1 20 OK", "HTTP/2.0 200 OK", "ICY 200 OK", "HTTP/1.1 099 x") },
);
const end = fc.oneof({ weight: 12, arbitrary: fc.constant("\r\n") }, { weight: 1, arbitrary: oneOf("\n", "\r", "\r\r\n", " \r\n") });
const body = fc.oneof(
  oneOf("", "abc", "0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", "1;a=b\r\nx\r\n0\r\nX: y\r\n\r\n", "\r\n"),
  oneOf(
    "3 \r\nabc\r\n0\r\n\r\n",
    "3\r\nabcd\r\n",
    "g\r\n",
    "10\r\n0123456789abcdef\r\n0\r\nHost: a\r\n\r\n",
    "-1\r\n",
    "ffffffffffffffffff\r\n",
  ),
);
const messageOf = (first: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(first, fc.array(fc.tuple(line, end), { maxLength: 4 }), end, end, body)
    .map(
      ([start, lines, afterStart, afterHead, content]) =>
        start + afterStart + lines.map(([text, eol]) => text + eol).join("") + afterHead + content,
    );
const streamOf = (first: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(messageOf(first), { minLength: 1, maxLength: 4 }).map((all) => all.join(""));
const noise = fc.uint8Array({ maxLength: 60 }).map((bytes) => String.fromCharCode(...bytes));

const lenience = fc.record({
  bareLf: fc.boolean(),
  bareCr: fc.boolean(),
  obsFold: fc.boolean(),
  spaceBeforeColon: fc.boolean(),
  missingHost: fc.boolean(),
  repeatedLength: fc.boolean(),
  lengthAndCoding: fc.boolean(),
  spaceAfterChunkSize: fc.boolean(),
});
/** Strict half of the time, with limits small enough to be reached. */
const options: fc.Arbitrary<Omit<Options, "side">> = fc.record(
  {
    lenient: lenience,
    limits: fc.record({
      pipelined: fc.integer({ min: 1, max: 3 }),
      fieldOctets: fc.integer({ min: 20, max: 120 }),
      targetOctets: fc.integer({ min: 10, max: 60 }),
      methodOctets: fc.constant(8),
      fields: fc.integer({ min: 1, max: 5 }),
      emptyLines: fc.integer({ min: 0, max: 2 }),
      chunkExtensionOctets: fc.integer({ min: 0, max: 8 }),
      tinyChunks: fc.integer({ min: 1, max: 3 }),
      contentOctets: fc.integer({ min: 1, max: 20 }),
      trailerOctets: fc.integer({ min: 2, max: 20 }),
      interims: fc.integer({ min: 0, max: 2 }),
    }),
  },
  { requiredKeys: [] },
);
const cuts = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 8 });

/** The octets in pieces of these lengths, repeated. */
function* pieces(text: string, lengths: readonly number[]): Generator<Uint8Array> {
  const bytes = octets(text);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const next = Math.min(bytes.length, at + lengths[i % lengths.length]!);
    yield bytes.slice(at, next);
    at = next;
  }
}
const OK: Field[] = [field("Content-Length", "2")];
const TWO = octets("ok");

/** Answers every request, and discards all content. */
function serve(c: Connection, events: readonly Event[], out: Uint8Array[]): Event[] {
  const seen: Event[] = [];
  for (let more = events; more.length > 0; more = c.events()) {
    for (const event of more) {
      seen.push(event);
      if (event.is === "data") c.consumed(event.exchange, event.bytes.length);
      if (event.is !== "request") continue;
      const isHead = event.method === "HEAD";
      c.respond(event.exchange, event.method === "CONNECT" ? 404 : 200, OK, isHead);
      if (!isHead) c.data(event.exchange, TWO, true);
    }
  }
  out.push(...c.take());
  return seen;
}

/** All events: without any answer, then with all answers, then after the peer's end. */
function story(side: Options["side"], text: string, given: Omit<Options, "side">, lengths: readonly number[]): unknown {
  const c = new Connection({ side, ...given }, T0);
  if (side === "client") {
    c.request({ method: "GET", target: "/" }, [field("Host", "a"), field("Upgrade", "x"), field("Connection", "upgrade")], true);
    c.take();
  }
  const events: Event[] = [];
  for (const piece of pieces(text, lengths)) events.push(...c.receive(piece, T0));
  const out: Uint8Array[] = [];
  const after = [...serve(c, side === "server" ? events : c.events(), out)].slice(side === "server" ? events.length : 0);
  const last = serve(c, c.ended(T0), out);
  return { events: merged(events).map(sayEvent), after: merged(after).map(sayEvent), last: merged(last).map(sayEvent), out: join(out) };
}
/** The output of a server that answers at once. */
function saidAtOnce(text: string, given: Omit<Options, "side">, lengths: readonly number[]): unknown {
  const c = new Connection({ side: "server", ...given }, T0);
  const out: Uint8Array[] = [];
  const seen: Event[] = [];
  for (const piece of pieces(text, lengths)) seen.push(...serve(c, c.receive(piece, T0), out));
  return { seen: merged(seen.filter(({ is }) => is !== "done")).map(sayEvent), out: join(out) };
}
const WHOLE = [Number.POSITIVE_INFINITY];

describe("any cut of the octets", () => {
  test.each(["server", "client"] as const)("%s: causes the same events and the same output", (side) => {
    const stream = streamOf(side === "server" ? requestLine : statusLine);
    fc.assert(
      fc.property(stream, options, cuts, (text, given, lengths) => {
        const whole = story(side, text, given, WHOLE);
        expect(story(side, text, given, lengths)).toEqual(whole);
        expect(story(side, text, given, [1])).toEqual(whole);
      }),
      { numRuns: RUNS },
    );
  });
  test("server: causes the same output if it answers at once", () => {
    fc.assert(
      fc.property(streamOf(requestLine), options, cuts, (text, given, lengths) => {
        // After CONNECT, Upgrade and early answers, what is dropped depends on when it arrives.
        fc.pre(!/CONNECT|Upgrade|Expect|Transfer|ength: 3|ength: 0/.test(text));
        expect(saidAtOnce(text, given, lengths)).toEqual(saidAtOnce(text, given, WHOLE));
      }),
      { numRuns: RUNS },
    );
  });
  test.each(["server", "client"] as const)("%s: causes the same events for noise", (side) => {
    fc.assert(
      fc.property(
        fc.oneof(noise, fc.tuple(streamOf(side === "server" ? requestLine : statusLine), noise, fc.nat()).map(spoilt)),
        options,
        (text, given) => {
          expect(story(side, text, given, [1])).toEqual(story(side, text, given, WHOLE));
        },
      ),
      { numRuns: RUNS },
    );
  });
});
/** A stream with noise somewhere in it. */
function spoilt([text, dirt, place]: [string, string, number]): string {
  const at = place % (text.length + 1);
  return text.slice(0, at) + dirt + text.slice(at);
}
