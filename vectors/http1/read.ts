import { field, instant, latin1 } from "../../reference/core/index.ts";
import { Connection, type Event, type ExchangeId, type Leniency } from "../../reference/http1/index.ts";
import type { Reading } from "./question.ts";
import type { Pair } from "./source/craft.ts";

/** Our own connection as a parser: the messages in octets, in the format of the vectors. */

export type Input = {
  readonly octets: string;
  /** If present, a client reads, and has sent requests with these methods. */
  readonly to?: readonly string[];
  readonly ended?: boolean;
  readonly lenient?: Partial<Leniency>;
  /** Octets per read; all at once by default. */
  readonly cut?: number;
};

const T0 = instant(0);
const EMPTY = [field("Content-Length", "0")];
type Found = Record<string, unknown> & { content: string };

export function read({ octets, to, ended = false, lenient = {}, cut }: Input): Reading & { readonly status?: number } {
  const machine = new Connection({ side: to === undefined ? "server" : "client", lenient }, T0);
  for (const method of to ?? []) machine.request({ method, target: method === "CONNECT" ? "a:1" : "/" }, [field("Host", "a")], true);
  machine.take();

  const messages: Record<string, unknown>[] = [];
  let open: Found = { content: "" };
  let error: string | undefined;
  let sent = "";
  const answer = (exchange: ExchangeId): void => {
    messages.push(open);
    let persists = machine.accepting;
    if (to === undefined) {
      machine.respond(exchange, open["method"] === "CONNECT" ? 404 : 200, EMPTY, true);
      const head = textOf(machine.take());
      sent += head;
      persists = /^connection: keep-alive\r$/im.test(head) || !(/^connection: close\r$/im.test(head) || open["version"] === "HTTP/1.0");
    }
    // Whether the connection continues is known right after a message, but not after reading the next one.
    if (cut === 1 && open["method"] !== "CONNECT") open["persists"] = persists;
  };
  const hear = (event: Event): void => {
    switch (event.is) {
      case "request": {
        const { method, target, version, authority, path, expects } = event;
        open = { method, target, version, authority, path, ...(expects ? { expects } : {}), fields: pairs(event.fields), content: "" };
        if (event.end) answer(event.exchange);
        return;
      }
      case "interim":
        messages.push({ status: event.status, fields: pairs(event.fields), interim: true, content: "" });
        return;
      case "response":
        open = { status: event.status, reason: event.reason, version: event.version, fields: pairs(event.fields), content: "" };
        return;
      case "switched":
        messages.push({ status: event.status, fields: pairs(event.fields), framing: "tunnel" });
        return;
      case "data":
        open.content += latin1(event.bytes, 0, event.bytes.length);
        machine.consumed(event.exchange, event.bytes.length);
        if (event.end && to === undefined) answer(event.exchange);
        return;
      case "trailers":
        open["trailers"] = pairs(event.fields);
        if (to === undefined) answer(event.exchange);
        return;
      case "done":
        if (to !== undefined) answer(event.exchange);
        return;
      case "failed":
      case "closed":
        error ??= event.fault?.name;
        return;
      default:
    }
  };
  const drain = (events: readonly Event[]): void => {
    for (let more = events; more.length > 0; more = machine.events()) more.forEach(hear);
    sent += textOf(machine.take());
  };

  const bytes = Uint8Array.from(octets, (character) => character.charCodeAt(0));
  const step = cut ?? Math.max(bytes.length, 1);
  for (let at = 0; at < bytes.length; at += step) drain(machine.receive(bytes.slice(at, at + step), T0));
  if (ended) drain(machine.ended(T0));
  const status =
    error === undefined
      ? undefined
      : sent
          .match(/^HTTP\/1\.1 \d{3}/gm)
          ?.at(-1)
          ?.slice(9);
  return { messages, ...(error === undefined ? {} : { error }), ...(status === undefined ? {} : { status: Number(status) }) };
}

const pairs = (fields: readonly { readonly name: string; readonly value: string }[]): Pair[] =>
  fields.map(({ name, value }) => [name, value]);
const textOf = (pieces: readonly Uint8Array[]): string => pieces.map((piece) => latin1(piece, 0, piece.length)).join("");
