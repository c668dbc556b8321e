import { field, instant, type Field } from "../../reference/core/index.ts";
import { Connection, DEFAULT_LIMITS, type Event, type ExchangeId, type Limits } from "../../reference/http1/index.ts";
import { loadVectors, type Vector, vectorFiles } from "../../vectors/load.ts";
import type { Target } from "../lib/target.ts";
import { octetsOf } from "./grammar.ts";

/**
 * A message that one connection reads, another can write, and a third reads the same message again: parse ∘ print is the identity.
 * Fields about the connection belong to each connection and are left out.
 */
type Request = {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly Field[];
  content: Uint8Array;
  trailers: readonly Field[];
};
type Response = { readonly status: number; readonly fields: readonly Field[]; content: Uint8Array; trailers: readonly Field[] };

const T0 = instant(0);
const OWN: ReadonlySet<string> = new Set(["connection", "transfer-encoding", "upgrade", "expect", "host"]);
/** Without content, the reader ignores an invalid or repeated length. It must not be sent again (rfc9110#8.6). */
function kept(fields: readonly Field[]): Field[] {
  const lengths = fields.filter(({ name }) => name === "content-length");
  const isGood = lengths.length === 1 && /^\d{1,15}$/.test(lengths[0]!.value);
  return fields.filter(({ name }) => !OWN.has(name) && (isGood || name !== "content-length"));
}
const joined = (pieces: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));
/** The exchange whose message is complete with this event. */
const endedBy = (event: Event): ExchangeId | undefined =>
  event.is === "trailers" || ((event.is === "request" || event.is === "response" || event.is === "data") && event.end)
    ? event.exchange
    : undefined;

/** Adds content and trailers from an event to a message. */
function grow(message: { content: Uint8Array; trailers: readonly Field[] }, event: Event): void {
  if (event.is === "data") message.content = joined([message.content, event.bytes]);
  if (event.is === "trailers") message.trailers = kept(event.fields);
}

/** What has been read with as many fields as are allowed may have more when it is written: its length, or its coding. */
const MORE: Partial<Limits> = { fields: DEFAULT_LIMITS.fields + 8 };

/** The complete requests in the octets. Answers each, so that the connection continues. */
function requestsIn(octets: Uint8Array, limits: Partial<Limits> = {}): Request[] {
  const server = new Connection({ side: "server", limits }, T0);
  const requests: Request[] = [];
  let open: Request | undefined;
  for (let events = server.receive(octets, T0); events.length > 0; events = server.events()) {
    for (const event of events) {
      if (event.is === "request")
        open = { method: event.method, target: event.target, fields: kept(event.fields), content: new Uint8Array(), trailers: [] };
      if (open !== undefined) grow(open, event);
      const exchange = endedBy(event);
      if (open === undefined || exchange === undefined) continue;
      requests.push(open);
      server.respond(exchange, 404, [field("Content-Length", "0")], true);
      server.take();
      open = undefined;
    }
  }
  return requests;
}
/** The final response to `method` at the start of the octets, if it is complete. */
function responseIn(octets: Uint8Array, method: string, limits: Partial<Limits> = {}): Response | undefined {
  const client = new Connection({ side: "client", limits }, T0);
  client.request({ method, target: "/" }, [field("Host", "a")], true);
  client.take();
  let open: Response | undefined;
  for (const event of [...client.receive(octets, T0), ...client.ended(T0)]) {
    if (event.is === "response") open = { status: event.status, fields: kept(event.fields), content: new Uint8Array(), trailers: [] };
    if (open !== undefined) grow(open, event);
    if (open !== undefined && endedBy(event) !== undefined) return open;
  }
  return undefined;
}

function send(machine: Connection, exchange: ExchangeId, { content, trailers }: Request | Response): void {
  if (content.length > 0 || trailers.length === 0) machine.data(exchange, content, trailers.length === 0);
  if (trailers.length > 0) machine.trailers(exchange, trailers);
}
const lengthOf = (fields: readonly Field[]): boolean => fields.some(({ name, value }) => name === "content-length" && Number(value) > 0);

function printRequest(request: Request): Uint8Array {
  const { method, target, fields, content, trailers } = request;
  const client = new Connection({ side: "client" }, T0);
  const end = content.length === 0 && trailers.length === 0;
  const exchange = client.request({ method, target }, [field("Host", "a"), ...fields], end);
  if (!end) send(client, exchange, request);
  return joined(client.take());
}
function printResponse(response: Response, method: string): Uint8Array {
  const { status, fields, content, trailers } = response;
  const server = new Connection({ side: "server" }, T0);
  const [request] = server.receive(octetsOf(`${method} / HTTP/1.1\r\nHost: a\r\n\r\n`), T0);
  if (request?.is !== "request") throw new Error(`a plain ${method} is not read as a request`);
  const hasNone = method === "HEAD" || status === 204 || status === 304;
  const end = hasNone || (content.length === 0 && trailers.length === 0 && !lengthOf(fields));
  server.respond(request.exchange, status, fields, end);
  if (!end) send(server, request.exchange, response);
  return joined(server.take());
}

/** A message as text, for comparison. Without Content-Length, which the writer may add. */
const show = (message: Request | Response): string =>
  JSON.stringify({
    ...message,
    fields: message.fields.filter(({ name }) => name !== "content-length").map(({ name, value }) => [name, value]),
    trailers: message.trailers.map(({ name, value }) => [name, value]),
    content: Buffer.from(message.content).toString("latin1"),
  });

export function staysTheSame(octets: Uint8Array): number {
  const requests = requestsIn(octets);
  for (const request of requests) {
    const [again, ...more] = requestsIn(printRequest(request), MORE);
    if (again === undefined || more.length > 0 || show(again) !== show(request))
      throw new Error(`read ${show(request)}; after writing, read ${again === undefined ? "nothing" : show(again)}`);
  }
  let count = requests.length;
  for (const method of ["GET", "HEAD"]) {
    const response = responseIn(octets, method);
    if (response === undefined) continue;
    count++;
    const again = responseIn(printResponse(response, method), method, MORE);
    if (again === undefined || show(again) !== show(response))
      throw new Error(`read ${show(response)}; after writing, read ${again === undefined ? "nothing" : show(again)}`);
  }
  return count;
}

const MAX_LENGTH = 1_500;
export const target: Target = {
  name: "http1/round-trip",
  about: "a message that is read can be written, and reads the same again",
  run: (input) => void staysTheSame(input),
  seeds: vectorFiles()
    .filter((name) => name.startsWith("http1/"))
    .flatMap((name) =>
      loadVectors<Vector & { readonly octets: string }>(name)
        .vectors.filter(({ result }) => result === "valid")
        .map(({ octets }) => octetsOf(octets)),
    )
    .filter(({ length }) => length <= MAX_LENGTH),
  dictionary: [
    "\r\n",
    "HTTP/1.1 200 OK\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n",
    "Content-Length: 3\r\n",
    "Transfer-Encoding: chunked\r\n",
    "3\r\nabc\r\n0\r\n",
    "X: b\r\n",
  ].map(octetsOf),
  maxLength: MAX_LENGTH,
};
