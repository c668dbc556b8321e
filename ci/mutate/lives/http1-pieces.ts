import { Fields, type Request } from "../../../reference/http/index.ts";
import { StreamFailed } from "../../../reference/serve/errors.ts";
import { IncomingBody, NO_BODY } from "../../../reference/serve/message/body.ts";
import { fieldList, has, isIteration, octetsOf, pump, trailerList, type Sink } from "../../../reference/serve/message/outgoing.ts";
import { pour, TunnelBody } from "../../../reference/serve/message/tunnel.ts";
import { afterContent, endToEnd, isListed, lastHop } from "../../../reference/serve/proxy/hop.ts";
import { join } from "../../../reference/serve/proxy/join.ts";
import { wantsTunnel } from "../../../reference/serve/proxy/tunnels.ts";
import type { Exchange } from "../../../reference/serve/handler.ts";
import { judgePreface } from "../../../reference/serve/server/first-octets.ts";
import { answerHttp1, answerUnauthenticated } from "../../../reference/serve/server/refuse-http1.ts";
import type { Draw } from "./http1-draw.ts";
import { shown } from "./http1-report.ts";
import { Gates, Wire } from "./http1-wire.ts";

/** Incoming content: what the connection puts in, and how a reader takes it out. */
async function bodyLife(d: Draw, wire: Wire): Promise<void> {
  const say = (line: string): void => wire.say(line);
  const body = new IncomingBody({
    consumed: (octets) => say(`consumed ${octets}`),
    refused: () => say("refused"),
    ...(d.once(2) ? { wanted: () => say("wanted") } : {}),
  });
  const told = (what: string, promise: Promise<unknown>): void =>
    void promise.then(
      (value) =>
        say(
          `${what} ${value instanceof Uint8Array ? shown(value) : value instanceof Fields ? String([...value]) : JSON.stringify(value, (_, one: unknown) => (one instanceof Uint8Array ? shown(one) : one))}`,
        ),
      (error: unknown) => say(`${what} ${String(error)}`),
    );
  const acts: readonly (readonly [number, () => void])[] = [
    [10, () => body.push(new Uint8Array(d.of([0, 1, 5, 100, 2_047, 2_048, 2_049, 5_000, 16_000])).fill(d.below(256)))],
    [5, () => told("next", body.next())],
    [1, () => told("return", body.return())],
    [1, () => body.end(d.once(2) ? undefined : Fields.from([["a", "b"]]))],
    [1, () => body.fail(new StreamFailed("reset", "broken"))],
    [1, () => body.discard()],
    [1, () => told("trailers", body.trailers)],
    [1, () => told("bytes", body.bytes(d.of([0, 5, 2_048, 30_000, undefined])))],
    [1, () => told("text", body.text(d.of([5, 30_000])))],
    [1, () => void body[Symbol.asyncIterator]()],
  ];
  for (let more = d.between(3, 25); more > 0; more--) {
    try {
      d.often(acts)();
    } catch (error) {
      say(String(error));
    }
    say(`${body.mode} ${body.isOver} ${body.hasUnread}`);
    if (d.once(3)) await wire.settle();
  }
}

/** Outgoing content, and where it goes. */
async function pumpLife(d: Draw, wire: Wire): Promise<void> {
  const say = (line: string): void => wire.say(line);
  const gates = new Gates();
  let room = d.below(4);
  const sink: Sink & { isOver: boolean } = {
    isOver: false,
    onOver: undefined,
    write: (octets) => {
      say(`write ${shown(octets)}`);
      return --room > 0;
    },
    room: () => gates.wait(),
  };
  const content = d.often<AsyncIterable<Uint8Array | string>>([
    [
      5,
      (async function* letters() {
        try {
          for (let more = d.below(5); more > 0; more--) {
            if (d.once(3)) await gates.wait();
            if (d.once(12)) throw new Error("no more");
            yield d.of<string | Uint8Array>(["a\u00e9", new Uint8Array(2), "", 5 as unknown as string]);
          }
        } finally {
          say("over");
        }
      })(),
    ],
    [1, { [Symbol.asyncIterator]: () => ({ next: () => gates.wait().then(() => ({ done: false, value: "x" })) }) }],
  ]);
  void pump(content, sink).then(
    (isWhole) => say(`pumped ${isWhole}`),
    (error: unknown) => say(String(error)),
  );
  for (let more = d.between(1, 8); more > 0; more--) {
    await wire.settle();
    if (d.once(8)) {
      sink.isOver = true;
      sink.onOver?.();
    }
    say(`${sink.onOver !== undefined}`);
    gates.open();
  }
  await wire.settle();
}

/** Tunnels: content in both directions, and two sockets that are joined. */
async function tunnelLife(d: Draw, wire: Wire): Promise<void> {
  const say = (line: string): void => wire.say(line);
  const gates = new Gates();
  if (d.once(2)) {
    const other = new Wire(wire.lines);
    const rest = (): Buffer => Buffer.from(d.of(["", "early"]));
    const cut = join(
      { socket: wire.near, rest: rest() },
      { socket: other.near, rest: rest() },
      { idleMs: 100_000, ended: () => say("ended") },
    );
    for (let more = d.between(1, 6); more > 0; more--) {
      const side = d.of([wire, other]);
      d.often<() => void>([
        [6, () => side.write(d.of(["a", "bc"]))],
        [2, () => void side.far.end()],
        [1, () => void side.far.destroy()],
        [1, () => void side.near.destroy(d.once(2) ? new Error("broken") : undefined)],
        [1, cut],
      ])();
      await wire.settle();
      await other.settle();
      say(`${wire.near.destroyed} ${other.near.destroyed}`);
    }
    cut();
    await other.end();
    return;
  }
  const body = new TunnelBody();
  const reading = d.once(2) ? body.text(d.of([3, undefined])) : body.bytes();
  void reading.then(
    (got) => say(`got ${typeof got === "string" ? got : shown(got)}`),
    (error: unknown) => say(String(error)),
  );
  void body.trailers.then((fields) => say(`trailers ${[...fields].length}`));
  if (d.once(4)) body.end();
  else body.open({ socket: wire.near, rest: Buffer.from(d.of(["", "early"])) });
  const content = d.often<Parameters<typeof pour>[0]>([
    [1, "text"],
    [1, new Uint8Array(3)],
    [1, undefined],
    [
      3,
      (async function* late() {
        for (let more = d.below(4); more > 0; more--) {
          if (d.once(2)) await gates.wait();
          if (d.once(6)) throw d.once(2) ? new Error("no more") : "no error";
          yield d.of<string | Uint8Array>(["a", new Uint8Array(70_000)]);
        }
      })(),
    ],
  ]);
  if (d.once(3)) wire.far.pause();
  void pour(content, wire.near, d.once(4) ? undefined : (error) => say(`failed ${String(error)}`)).then(() => say("poured"));
  wire.near.on("error", (error) => say(`near ${error.message}`));
  for (let more = d.between(1, 5); more > 0; more--) {
    if (d.once(2)) wire.write("x");
    if (d.once(6)) wire.far.destroy();
    gates.open();
    await wire.settle();
    if (d.once(2)) wire.far.resume();
  }
  if (!wire.far.destroyed) wire.far.end();
  await wire.settle();
}

const NAMES = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "content-length",
  "host",
  "x",
  "y",
  "trailer",
  "authorization",
  "content-type",
  "content-encoding",
  "max-forwards",
  "sec-websocket-key",
  "via",
];
const VALUES = [
  "x",
  "X, y",
  " x ,te",
  "content-length, host",
  "trailers",
  "trailers;q=1",
  "gzip, Trailers ;a",
  "0",
  "1",
  "9",
  "999999999",
  "1000000000",
  "-1",
  "1x",
  "",
  "websocket",
  "x\n;trailers",
];
/** Functions of one argument or two. */
function functions(d: Draw, wire: Wire): void {
  const some = (): Fields => Fields.from(Array.from({ length: d.below(6) }, () => [d.of(NAMES), d.of(VALUES)] as const));
  const [fields, head] = [some(), some()];
  const say = (line: string, value: unknown): void => wire.say(`${line} ${JSON.stringify(value)}`);
  say("given", [[...fields], [...head]]);
  say("endToEnd", [endToEnd(fields), endToEnd(fields, head), afterContent(fields, head)]);
  say(
    "isListed",
    ["te", "x"].map((name) => isListed(fields, name, d.of(["trailers", "x"]))),
  );
  say(
    "lastHop",
    ["TRACE", "OPTIONS", "GET"].map((method) => lastHop(method, fields)),
  );
  const body = d.once(4) ? new TunnelBody() : NO_BODY;
  const method = d.of(["GET", "GET", "CONNECT", "POST"]);
  const protocol = d.of([undefined, "websocket", "WebSocket", "x"]);
  const asked = {
    version: "HTTP/1.1",
    method,
    scheme: "http",
    authority: "a",
    path: "/",
    fields,
    body,
    ...(protocol === undefined ? {} : { protocol }),
  } satisfies Request;
  const upgrade = d.of([[], ["websocket"], ["x", "WebSocket"], ["x"]]);
  say("wantsTunnel", [method, protocol, upgrade, body === NO_BODY, wantsTunnel(asked, { upgrade } as unknown as Exchange)]);
  const [octets, preface] = [d.of(["", "P", "PRI", "PRX", "PRI *"]), d.of(["PRI", "PRI *"])].map((one) => Buffer.from(one));
  say("judgePreface", judgePreface(octets!, preface!));
  const pairs = d.of([undefined, [["X-A", "b"]] as const, fields]);
  const list = fieldList(pairs);
  say("fieldList", [list, has(list, "x-a"), has(list, "x"), list === fields.list, trailerList(d.once(2) ? fields : () => [["B", "c"]])]);
  say("content", [
    isIteration(undefined),
    isIteration("a"),
    isIteration(octets),
    isIteration(body),
    shown(octetsOf("a\u00e9")),
    shown(octetsOf(octets!)),
  ]);
  say("refusals", [answerHttp1(), answerUnauthenticated("why")].map(shown));
}

/** Small parts of the layer over the machine. */
export async function piecesLife(d: Draw): Promise<string> {
  const lines: string[] = [];
  const wire = new Wire(lines);
  const choice = d.below(5);
  if (choice < 2) await bodyLife(d, wire);
  else if (choice === 2) await pumpLife(d, wire);
  else if (choice === 3) await tunnelLife(d, wire);
  else functions(d, wire);
  await wire.end();
  return lines.join("\n");
}
