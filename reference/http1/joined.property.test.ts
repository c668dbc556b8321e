import fc from "fast-check";
import { expect, test } from "vitest";
import { field } from "../core/index.ts";
import { Connection } from "./connection.ts";
import type { Event, ExchangeId } from "./contract.ts";
import { octets, T0, text } from "./testing.ts";

/** Two connected ends agree: each receives what the other sends, however the octets are cut. */

const token = fc.stringMatching(/^[a-z][a-z-]{0,8}$/).map((name) => `x-${name}`);
const value = fc.stringMatching(/^(?:[!-~\x80-\xff](?:[ \t!-~\x80-\xff]{0,20}[!-~\x80-\xff])?)?$/);
const fields = fc.array(fc.tuple(token, value), { maxLength: 4 });
const content = fc.array(fc.string({ unit: "binary-ascii", maxLength: 30 }), { maxLength: 3 });
const message = fc.record({ fields, content, isSized: fc.boolean(), trailers: fields });
type Message = typeof message extends fc.Arbitrary<infer Value> ? Value : never;
const round = fc.record({
  method: fc.constantFrom("GET", "POST", "HEAD", "DELETE", "X-NEW"),
  target: fc.stringMatching(/^\/(?:[A-Za-z0-9._~!$&'()*+,;=:@/?[\]-]|%[0-9A-Fa-f]{2}){0,20}$/),
  request: message,
  interims: fc.array(fc.record({ status: fc.constantFrom(102, 103, 199), fields }), { maxLength: 2 }),
  status: fc.constantFrom(200, 204, 304, 404, 500),
  response: message,
});
type Round = typeof round extends fc.Arbitrary<infer Value> ? Value : never;

/** A message as one side sent or received it. */
type Said = { line: string; fields: string[]; content: string; trailers: string[]; isWhole: boolean };
const saying = (
  line: string,
  pairs: readonly (readonly [string, string])[],
  content = "",
  trailers: readonly (readonly [string, string])[] = [],
): Said => ({
  line,
  fields: pairs.map(([name, value]) => `${name}=${value}`),
  content,
  trailers: trailers.map(([name, value]) => `${name}=${value}`),
  isWhole: true,
});
const framing = new Set(["host", "content-length", "transfer-encoding"]);
const listed = (event: { fields: readonly { name: string; value: string }[] }): string[] =>
  event.fields.filter(({ name }) => !framing.has(name)).map(({ name, value }) => `${name}=${value}`);

/** Gathers messages from the events of one side. */
class Ear {
  readonly heard: Said[] = [];
  readonly open: ExchangeId[] = [];
  done = 0;
  trouble: string[] = [];
  hear(events: readonly Event[], from: Connection): void {
    for (const event of events) {
      if (event.is === "request") this.#begin(`${event.method} ${event.target}`, listed(event), event.end, event.exchange);
      else if (event.is === "interim")
        this.heard.push(
          saying(
            String(event.status),
            event.fields.map(({ name, value }) => [name, value] as const),
          ),
        );
      else if (event.is === "response") this.#begin(String(event.status), listed(event), event.end);
      else if (event.is === "data") {
        from.consumed(event.exchange, event.bytes.length);
        this.heard.at(-1)!.content += text(event.bytes);
        if (event.end) this.heard.at(-1)!.isWhole = true;
      } else if (event.is === "trailers") {
        this.heard.at(-1)!.trailers = event.fields.map(({ name, value }) => `${name}=${value}`);
        this.heard.at(-1)!.isWhole = true;
      } else if (event.is === "done") this.done++;
      else if (event.is !== "writable") this.trouble.push(event.is);
    }
  }
  #begin(line: string, fields: string[], isWhole: boolean, exchange?: ExchangeId): void {
    this.heard.push({ line, fields, content: "", trailers: [], isWhole });
    if (exchange !== undefined) this.open.push(exchange);
  }
}

/** Sends the content of a message; returns what the other side must receive. */
function sendBody(c: Connection, exchange: ExchangeId, { content, isSized, trailers }: Message): void {
  for (const piece of content) c.data(exchange, octets(piece), false);
  if (!isSized && trailers.length > 0)
    c.trailers(
      exchange,
      trailers.map(([name, value]) => field(name, value)),
    );
  else c.data(exchange, octets(""), true);
}
const headOf = ({ fields, content, isSized }: Message, more: readonly (readonly [string, string])[]) =>
  [...more, ...fields, ...(isSized ? [["content-length", String(content.join("").length)] as const] : [])].map(([name, value]) =>
    field(name, value),
  );

function play(rounds: readonly Round[], isPipelined: boolean, lengths: readonly number[]): { client: Ear; server: Ear } {
  const a = new Connection({ side: "client" }, T0);
  const b = new Connection({ side: "server" }, T0);
  const ears = { client: new Ear(), server: new Ear() };
  let turn = 0;
  const carry = (from: Connection, to: Connection, ear: Ear): void => {
    for (let pieces = from.take(); pieces.length > 0; pieces = from.take()) {
      for (const piece of pieces) {
        for (let at = 0; at < piece.length;) {
          const next = Math.min(piece.length, at + lengths[turn++ % lengths.length]!);
          ear.hear(to.receive(piece.slice(at, next), T0), to);
          at = next;
        }
      }
    }
  };
  const ask = ({ method, target, request }: Round): void => {
    const exchange = a.request({ method, target }, headOf(request, [["host", "a"]]), false);
    sendBody(a, exchange, request);
  };
  const answer = ({ interims, status, response, method }: Round, exchange: ExchangeId): void => {
    for (const { status, fields } of interims)
      b.interim(
        exchange,
        status,
        fields.map(([name, value]) => field(name, value)),
      );
    const noContent = method === "HEAD" || status === 204 || status === 304;
    b.respond(exchange, status, headOf(response, []), noContent);
    if (!noContent) sendBody(b, exchange, response);
  };
  const groups = isPipelined ? [rounds] : rounds.map((one) => [one]);
  for (const group of groups) {
    for (const one of group) ask(one);
    carry(a, b, ears.server);
    // In any order: they leave in the order of the requests.
    const open = ears.server.open.splice(0);
    for (const [i, one] of [...group.entries()].reverse()) answer(one, open[i]!);
    ears.server.hear(b.events(), b);
    carry(b, a, ears.client);
    ears.client.hear(a.events(), a);
  }
  return ears;
}

function expected(rounds: readonly Round[]): { client: Said[]; server: Said[] } {
  const body = ({ content, isSized, trailers, fields }: Message, line: string, isEmpty = false): Said =>
    saying(line, fields, isEmpty ? "" : content.join(""), isSized || isEmpty ? [] : trailers);
  return {
    server: rounds.map(({ method, target, request }) => body(request, `${method} ${target}`)),
    client: rounds.flatMap(({ interims, status, response, method }) => [
      ...interims.map(({ status, fields }) => saying(String(status), fields)),
      body(response, String(status), method === "HEAD" || status === 204 || status === 304),
    ]),
  };
}

test("client and server: each receives what the other sent", () => {
  fc.assert(
    fc.property(
      fc.array(round, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      (rounds, isPipelined, lengths) => {
        const { client, server } = play(rounds, isPipelined, lengths);
        const said = expected(rounds);
        expect(server.heard).toEqual(said.server);
        expect(client.heard).toEqual(said.client);
        expect([client.done, server.done]).toEqual([rounds.length, rounds.length]);
        expect([client.trouble, server.trouble]).toEqual([[], []]);
      },
    ),
    { numRuns: 200 },
  );
});
