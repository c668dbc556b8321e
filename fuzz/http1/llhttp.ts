import { createRequire } from "node:module";

/** llhttp as a reader of octets, driven as in `node:http`. It has no public interface: this is the internal one of Node's own modules. */

type Callback = (...given: never[]) => unknown;
type Parser = {
  initialize(type: number, resource: object, maxHeaderSize: number, lenient: number): void;
  execute(octets: Buffer): number | Error;
  finish(): undefined | Error;
} & Record<number, Callback>;
type Constant = "REQUEST" | "RESPONSE" | "kOnHeaders" | "kOnHeadersComplete" | "kOnBody" | "kOnMessageComplete" | "kLenientNone";
type Binding = {
  readonly HTTPParser: (new () => Parser) & Readonly<Record<Constant, number>>;
  readonly methods: readonly string[];
};
const { HTTPParser, methods } = createRequire(import.meta.url)("node:_http_common") as Binding;

/** The arguments of the callback for a complete head. */
type Head = [
  major: number,
  minor: number,
  fields: string[] | undefined,
  method: number,
  target: string | undefined,
  status: number,
  reason: string,
  upgrade: boolean,
];

export type Pair = readonly [name: string, value: string];
export type Message = {
  readonly method?: string;
  readonly target?: string;
  readonly status?: number;
  readonly fields: readonly Pair[];
  readonly content: string;
  readonly trailers: readonly Pair[];
};
export type Read = { readonly messages: readonly Message[]; readonly error?: string };

const MOST_HEADER = 80_000;
/** The result of the callback for a complete head: content follows, no content, or no content because another protocol follows. */
const Content = { some: 0, none: 1, switched: 2 } as const;

/** The complete messages on one connection. `to`: the methods of the requests that the responses answer; undefined for requests. */
export function readByLlhttp(pieces: Iterable<Uint8Array>, ended: boolean, to?: readonly string[]): Read {
  const parser = new HTTPParser();
  parser.initialize(to === undefined ? HTTPParser.REQUEST : HTTPParser.RESPONSE, {}, MOST_HEADER, HTTPParser.kLenientNone);
  const messages: Message[] = [];
  let lines: string[] = [];
  let url = "";
  let open: Omit<Message, "content" | "trailers"> = { fields: [] };
  let content = "";
  let isOver = false;
  let finals = 0;

  parser[HTTPParser.kOnHeaders] = ((list: string[], target: string) => {
    lines.push(...list);
    url += target;
  }) as Callback;
  parser[HTTPParser.kOnHeadersComplete] = ((...[, , list, method, target, status, , upgrade]: Head): number => {
    if (list !== undefined) lines.push(...list);
    const fields = pairs(lines);
    open = to === undefined ? { method: methods[method] ?? "", target: target ?? url, fields } : { status, fields };
    lines = [];
    url = "";
    content = "";
    const asked = to?.[finals];
    if (status >= 200) finals++;
    const isTunnel = asked === "CONNECT" && status >= 200 && status < 300;
    // What follows belongs to another protocol: `node:http` stops here as well.
    isOver = (to === undefined && upgrade) || isTunnel || status === 101;
    if (isTunnel) return Content.switched;
    // As in `node:http`: after HEAD and 1xx, llhttp alone would expect content.
    return to !== undefined && status !== 101 && (status < 200 || asked === "HEAD") ? Content.none : Content.some;
  }) as Callback;
  parser[HTTPParser.kOnBody] = ((octets: Buffer) => void (content += octets.toString("latin1"))) as Callback;
  parser[HTTPParser.kOnMessageComplete] = (() => {
    messages.push({ ...open, content, trailers: pairs(lines) });
    lines = [];
    url = "";
  }) as Callback;

  for (const piece of pieces) {
    const result = parser.execute(Buffer.from(piece));
    if (result instanceof Error) return { messages, error: codeOf(result) };
    if (isOver) return { messages };
  }
  const result = ended ? parser.finish() : undefined;
  return result instanceof Error ? { messages, error: codeOf(result) } : { messages };
}

const codeOf = (error: Error): string => ("code" in error ? String(error.code) : error.message);
const pairs = (list: readonly string[]): Pair[] =>
  list.flatMap((name, at): Pair[] => (at % 2 === 0 ? [[name.toLowerCase(), list[at + 1] ?? ""]] : []));
