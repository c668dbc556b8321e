import fc from "fast-check";
import { expect, test } from "vitest";
import { field, instant, Misuse } from "../core/index.ts";
import { Connection } from "./connection.ts";
import type { Event, ExchangeId } from "./contract.ts";
import { head, octets, sayEvent, T0 } from "./testing.ts";

/** Whatever the owner of a server does: a wrong action throws `Misuse`, and the output is a sequence of complete responses. */

const messages = [
  head("GET /a HTTP/1.1", "Host: a"),
  head("HEAD / HTTP/1.1", "Host: a"),
  head("GET / HTTP/1.0", "Connection: keep-alive"),
  head("GET / HTTP/1.1", "Host: a", "Connection: close"),
  `${head("POST / HTTP/1.1", "Host: a", "Content-Length: 5")}abcde`,
  `${head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked")}3\r\nabc\r\n0\r\nX: y\r\n\r\n`,
  head("PUT / HTTP/1.1", "Host: a", "Content-Length: 3", "Expect: 100-continue"),
  "abc",
  head("GET / HTTP/1.1", "Host: a", "Connection: upgrade", "Upgrade: x, y"),
  head("CONNECT a:1 HTTP/1.1", "Host: a:1"),
  head("GET / HTTP/1.1", "Host : a"),
  `${head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked")}x\r\n`,
  "GET / HT",
  "\r\n",
];
const which = fc.nat(2);
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("hear"), text: fc.constantFrom(...messages), cut: fc.integer({ min: 1, max: 30 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("respond"),
      which,
      status: fc.constantFrom(200, 204, 304, 404, 500),
      length: fc.option(fc.nat(6)),
      close: fc.boolean(),
      end: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("data"), which, size: fc.constantFrom(0, 1, 3, 20, 5_000), end: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("trailers"), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("interim"), which, status: fc.constantFrom(100, 103) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("switch"), which, status: fc.constantFrom(101, 200) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("tick"), ms: fc.constantFrom(1, 100, 10_000, 40_000, 100_000) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("consumed", "take", "take", "take"), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("abandon", "shutdown", "ended"), which }) },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** A server whose owner executes commands, and the results. */
class Play {
  readonly c = new Connection({ side: "server", limits: { highWater: 1_000, pipelined: 3, unreadOctets: 4 } }, T0);
  readonly events: Event[] = [];
  readonly out: Uint8Array[] = [];
  #now = 0;

  run(one: Command): void {
    const { c } = this;
    try {
      this.#act(one);
    } catch (error) {
      if (!(error instanceof Misuse)) throw error;
    }
    this.events.push(...c.events());
  }
  take(): void {
    for (let pieces = this.c.take(); pieces.length > 0; pieces = this.c.take()) this.out.push(...pieces);
    this.events.push(...this.c.events());
  }
  #act(one: Command): void {
    const { c } = this;
    const at = instant(this.#now);
    const exchange = ("which" in one ? one.which + 1 : 1) as ExchangeId;
    switch (one.do) {
      case "hear": {
        const { text, cut } = one as Extract<Command, { text: string }>;
        const bytes = octets(text);
        for (let i = 0; i < bytes.length; i += cut) this.events.push(...c.receive(bytes.slice(i, i + cut), at));
        return;
      }
      case "respond": {
        const { status, length, close, end } = one as Extract<Command, { close: boolean }>;
        const fields = [
          ...(length === null ? [] : [field("content-length", String(length))]),
          ...(close ? [field("connection", "close")] : []),
        ];
        return c.respond(exchange, status, fields, end);
      }
      case "data": {
        const { size, end } = one as Extract<Command, { size: number }>;
        c.data(exchange, new Uint8Array(size).fill(0x62), end);
        return;
      }
      case "trailers":
        return c.trailers(exchange, [field("x", "y")]);
      case "interim":
        return c.interim(exchange, (one as Extract<Command, { status: number }>).status, [field("link", "z")]);
      case "switch":
        return c.switchTo(exchange, (one as Extract<Command, { status: number }>).status, []);
      case "tick":
        this.#now += (one as Extract<Command, { ms: number }>).ms;
        this.events.push(...c.tick(instant(this.#now)));
        return;
      case "consumed":
        return c.consumed(exchange, 3);
      case "abandon":
        return c.abandon(exchange);
      case "shutdown":
        return c.shutdown();
      case "ended":
        this.events.push(...c.ended(at));
        return;
      default:
        return this.take();
    }
  }
}

/** What a client that sent those requests receives; undefined if it could not send them all. */
function heard(events: readonly Event[], out: readonly Uint8Array[]): Event[] | undefined {
  const client = new Connection({ side: "client", limits: { interims: 1_000 } }, T0);
  for (const event of events) {
    if (event.is !== "request") continue;
    const { method, upgrade, target } = event;
    const more = upgrade.length === 0 ? [] : [field("Upgrade", upgrade.join(", ")), field("Connection", "upgrade")];
    try {
      client.request({ method, target }, [field("Host", "a"), ...more], true);
    } catch (error) {
      if (!(error instanceof Misuse)) throw error;
      return undefined;
    }
  }
  const heardOf = out.flatMap((piece) => [...client.receive(piece, T0)]);
  return events.at(-1)?.is === "closed" ? [...heardOf, ...client.ended(T0)] : heardOf;
}
const idsOf = (events: readonly Event[], is: "done"): ExchangeId[] => events.flatMap((event) => (event.is === is ? [event.exchange] : []));

test("a server whose owner acts at random: sends complete responses only", () => {
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 30 }), (commands) => {
      const play = new Play();
      for (const one of commands) play.run(one);
      play.take();
      const { events } = play;
      const over = events.findIndex(({ is }) => is === "closed" || is === "switched");
      expect(over < 0 || over === events.length - 1, events.map(sayEvent).join("\n")).toBe(true);
      const ends = events.flatMap((event) =>
        event.is === "done" || event.is === "failed" || event.is === "switched" ? [event.exchange] : [],
      );
      expect(new Set(ends).size).toBe(ends.length);
      const done = idsOf(events, "done");
      expect(done).toEqual([...done].sort((a, b) => a - b));
      expect(play.c.deadline).toBeGreaterThanOrEqual(0);

      const told = heard(events, play.out);
      const faults = (told ?? []).flatMap((event) => (event.is === "closed" && event.fault !== undefined ? [event.fault.name] : []));
      const last = events.at(-1);
      // The refusal of an invalid request answers none; an abandoned response ends early.
      const isRefused = last?.is === "closed" && last.fault !== undefined;
      expect(faults.filter((name) => name !== "endedEarly" && !(isRefused && name === "responseUnasked"))).toEqual([]);
      const doneThere = told === undefined ? done : idsOf(told, "done");
      expect(doneThere).toEqual(expect.arrayContaining(done));
    }),
    { numRuns: 1_000 },
  );
});
