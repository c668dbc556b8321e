import type { ResponseHead } from "../../../reference/http/index.ts";
import { field } from "../../../reference/core/index.ts";
import type { ClientUpgrade } from "../../../reference/serve/client/connection.ts";
import type { ClientRequest } from "../../../reference/serve/client/request.ts";
import type { ClientResponse } from "../../../reference/serve/client/exchange.ts";
import { Http1ClientConnection } from "../../../reference/serve/http1/client.ts";
import type { Draw } from "./http1-draw.ts";
import { listed } from "./http1-handler.ts";
import { response, textOf } from "./http1-messages.ts";
import { cut } from "./http1-owner.ts";
import { shown } from "./http1-report.ts";
import { leniencies, limitsFor } from "./http1-setup.ts";
import { Gates, Wire } from "./http1-wire.ts";

const TIMES = ["headMs", "contentMs", "contentRate", "idleMs"];
/** Longer than any life. */
const NEVER_MS = 100_000;

async function* pieces(d: Draw, gates: Gates): AsyncGenerator<string> {
  for (let more = d.below(4); more > 0; more--) {
    if (d.once(3)) await gates.wait();
    if (d.once(12)) throw new Error("no more");
    yield d.of(["ab", "", "c".repeat(30), "d".repeat(70_000)]);
  }
}

const halves = (d: Draw, text: string): string[] => {
  const at = d.once(2) ? text.length : d.below(text.length);
  return [text.slice(0, at), text.slice(at)].filter((part) => part !== "");
};

/** A client over the machine: requests of all kinds, responses read in all ways, and a server that sends text. */
export async function askingLife(d: Draw): Promise<string> {
  const lines: string[] = [];
  const gates = new Gates();
  const wire = new Wire(lines);
  const say = (line: string): void => wire.say(line);
  const method = d.often<string>([
    [10, "GET"],
    [2, "HEAD"],
    [2, "CONNECT"],
    [5, "POST"],
  ]);
  const isSwitch = d.once(4);
  const answers = Array.from({ length: d.between(1, 4) }, () => response(d, { method, isSwitch }));
  const tidy = d.once(3)
    ? []
    : answers.filter(({ line, fields, body }) => /^HTTP\/1\.1 \d{3} /.test(line) && fields.length < 5 && body.length < 60);
  if (tidy.length > 0) answers.splice(0, answers.length, ...tidy);
  const limits = Object.fromEntries(Object.entries(d.once(2) ? {} : limitsFor(d, answers[0]!)).filter(([name]) => !TIMES.includes(name)));
  const upgrade: ClientUpgrade | undefined = d.once(4)
    ? {
        fields: [field("connection", "Upgrade, HTTP2-Settings"), field("upgrade", "x"), field("http2-settings", "AA")],
        goOn: ({ rest }, { method: sent }, waiting) => {
          say(`upgraded with ${shown(rest)}: ${sent}, ${waiting.length} wait`);
          return client;
        },
      }
    : undefined;
  const client: Http1ClientConnection = new Http1ClientConnection({
    socket: wire.near,
    origin: { scheme: "http", authority: "a:80" },
    machine: { limits, lenient: d.once(2) ? {} : leniencies(d) },
    drive: {},
    unreadMs: NEVER_MS,
    upgrade,
  });
  client.onFree = () => say("free");
  let count = 0;
  const signals: AbortController[] = [];
  const ask = (): void => {
    const number = ++count;
    const wanted = requestOf(d, { method, isSwitch, gates, say, signals });
    say(`asks ${number} ${wanted.method} ${wanted.path} ${JSON.stringify(wanted.fields)} ${typeof wanted.body}`);
    void attempt(d, () => client.request(wanted), { number, gates, say });
  };
  ask();
  if (d.once(2)) ask();
  await wire.settle();
  for (const piece of d.once(4) ? cut(d, answers.map(textOf).join("")) : answers.flatMap((one) => halves(d, textOf(one)))) {
    wire.write(piece);
    if (!d.once(4)) await wire.settle();
    if (d.once(4)) gates.open();
    if (d.once(4)) ask();
    if (d.once(12)) signals[d.below(signals.length + 1)]?.abort(new Error("enough"));
    if (d.once(30)) client.drive.shutdown();
    if (d.once(30)) wire.far.destroy(d.once(2) ? undefined : new Error("left"));
    say(`${client.accepting} ${client.load} ${client.unread}`);
    if (client.ending !== undefined && !d.once(6)) break;
  }
  await wire.settle();
  if (d.once(2) && !wire.far.destroyed) wire.far.end();
  for (let turns = 0; turns < 12 && !gates.isOpen; turns++) {
    gates.open();
    await wire.settle();
  }
  if (d.once(4)) client.abort();
  await wire.end();
  while (!gates.isOpen) {
    gates.open();
    await wire.settle();
  }
  if (d.once(4)) ask();
  await wire.settle();
  say(`${client.load} ${JSON.stringify(client.ending?.fault)} ${client.version} ${client.multiplexes}`);
  return lines.join("\n");
}

type Means = {
  readonly method: string;
  readonly isSwitch: boolean;
  readonly gates: Gates;
  readonly say: (line: string) => void;
  readonly signals: AbortController[];
};
function requestOf(d: Draw, { method, isSwitch, gates, say, signals }: Means): ClientRequest {
  const fields: [string, string][] = d.list(2, () => [d.of(["X", "Cookie", "Expect", "Content-Length"]), d.of(["a", "3", ""])]);
  if (isSwitch) fields.push(["Connection", "upgrade"], ["Upgrade", "x"]);
  if (d.once(6)) fields.push([d.of(["Host", "host"]), "other"]);
  const body =
    method === "GET" || d.once(3)
      ? undefined
      : d.often<ClientRequest["body"]>([
          [3, "abc"],
          [1, ""],
          [2, new Uint8Array(3)],
          [1, new Uint8Array(0)],
          [3, pieces(d, gates)],
        ]);
  const controller = new AbortController();
  if (d.once(3)) signals.push(controller);
  return {
    ...(d.once(12) ? {} : { method: d.once(8) ? d.of(["GET", "POST", "CONNECT", "G T"]) : method }),
    ...(d.once(3) ? {} : { path: d.of(["/", "/a?b", "a b"]) }),
    ...(d.once(4) ? { authority: "c:1" } : {}),
    ...(d.once(8) ? { target: "http://d/" } : {}),
    ...(d.once(30) ? { protocol: "x" } : {}),
    ...(d.once(3) ? {} : { fields }),
    ...(body === undefined ? {} : { body }),
    ...(d.once(5) ? { trailers: d.of<ClientRequest["trailers"] & {}>([[["X-Sum", "1"]], [], () => [["X-Sum", "2"]]]) } : {}),
    ...(d.once(4) ? { expectMs: NEVER_MS } : {}),
    ...(d.once(8) ? { priority: "u=1" } : {}),
    ...(d.once(2) ? { onInterim: ({ status, fields: hints }: ResponseHead) => say(`interim ${status} ${listed(hints)}`) } : {}),
    ...(signals.at(-1) === controller ? { signal: controller.signal } : {}),
  };
}

type Reader = { readonly number: number; readonly gates: Gates; readonly say: (line: string) => void };
async function attempt(d: Draw, request: () => Promise<ClientResponse>, reader: Reader): Promise<void> {
  try {
    await read(d, await request(), reader);
  } catch (error) {
    reader.say(`${reader.number} ${String(error)} ${(error as { reason?: string }).reason}`);
  }
}
async function read(d: Draw, got: ClientResponse, { number, gates, say }: Reader): Promise<void> {
  const { status, version, fields, body, interim, switched } = got;
  say(`${number} is ${version} ${status} ${listed(fields)} after ${interim.map((one) => `${one.status} ${listed(one.fields)}`).join(";")}`);
  if (switched !== undefined) {
    say(`${number} switched with ${shown(switched.rest)}`);
    switched.socket.on("error", () => {}).on("data", (octets: Buffer) => say(`through: ${shown(octets)}`));
    switched.socket.write("new");
    return;
  }
  if (d.once(2)) await gates.wait();
  if (d.once(2)) say(`${number} has ${JSON.stringify(await body.text(d.of([3, undefined, undefined])))}`);
  else {
    for await (const chunk of body) {
      say(`${number} reads ${shown(chunk)}`);
      if (d.once(4)) break;
      if (d.once(3)) await gates.wait();
    }
  }
  say(`${number} ends with ${listed(await body.trailers)}`);
}
