import { setTimeout as pause } from "node:timers/promises";
import type { Body, HttpVersion, Request, Response } from "../../http/index.ts";
import type { Exchange, Handler } from "../handler.ts";

/** The responses of the peer: a table of paths. */

/** The limits of `/bytes/N` and `/delay/MS`. */
const MOST_OCTETS = 1 << 30;
const MOST_MS = 60_000;
const DRIPS = 10;
const DRIP_MS = 100;

type Route = {
  /** As shown in the help text. */
  readonly form: string;
  readonly does: string;
  readonly pattern: RegExp;
  /** It reads the request's content itself. Elsewhere the content is read first, since some clients hang on an early response. */
  readonly reads?: true;
  answer(request: Request, exchange: Exchange, found: RegExpExecArray): Response | Promise<Response>;
};

const text = (body: string, status = 200): Response => ({ status, fields: [["content-type", "text/plain"]], body });
const json = (value: unknown): Response => ({
  status: 200,
  fields: [["content-type", "application/json"]],
  body: `${JSON.stringify(value)}\n`,
});
const refusal = (status: number, why: string): Response => text(`${why}\n`, status);

const BLOCK = Buffer.alloc(1 << 20, "touchstone ");
/** A number of octets, always the same ones. */
async function* octets(count: number): AsyncGenerator<Uint8Array> {
  for (let left = count; left > 0; left -= BLOCK.length) yield left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK;
}

async function* drip(signal: AbortSignal): AsyncGenerator<string> {
  for (let drop = 1; drop <= DRIPS; drop++) {
    if (drop > 1) await pause(DRIP_MS, undefined, { signal });
    yield `drop ${drop} of ${DRIPS}\n`;
  }
}

async function count(body: Body): Promise<number> {
  let size = 0;
  for await (const chunk of body) size += chunk.length;
  return size;
}

const describe = ({ method, scheme, authority, path, protocol, fields }: Request): object => ({
  method,
  scheme,
  authority,
  path,
  ...(protocol !== undefined && { protocol }),
  fields: [...fields],
});

const hello = (version: HttpVersion): Response => text(`Touchstone speaks ${version}.\n`);
const HELLO: Readonly<Record<HttpVersion, Response>> = {
  "HTTP/1.0": hello("HTTP/1.0"),
  "HTTP/1.1": hello("HTTP/1.1"),
  "HTTP/2": hello("HTTP/2"),
  "HTTP/3": hello("HTTP/3"),
};

export const ROUTES: readonly Route[] = [
  { form: "/", does: "a small fixed text", pattern: /^\/$/, answer: ({ version }) => HELLO[version] },
  {
    form: "/bytes/N",
    does: `N octets, up to ${MOST_OCTETS}`,
    pattern: /^\/bytes\/(\d{1,10})$/,
    answer: (_, __, [, size]) => {
      const count = Number(size);
      if (count > MOST_OCTETS) return refusal(400, `request ${MOST_OCTETS} octets at most`);
      const fields = [
        ["content-type", "application/octet-stream"],
        ["content-length", String(count)],
      ] as const;
      return { status: 200, fields, body: count <= BLOCK.length ? BLOCK.subarray(0, count) : octets(count) };
    },
  },
  {
    form: "/echo",
    does: "the content of the request as it arrives; /echo?json describes the request",
    pattern: /^\/echo(\?json)?$/,
    reads: true,
    answer: async (request, _, [, asJson]) => {
      if (asJson !== undefined)
        return json({ ...describe(request), octets: await count(request.body), trailers: [...(await request.body.trailers)] });
      const type = request.fields.get("content-type") ?? "application/octet-stream";
      return { status: 200, fields: [["content-type", type]], body: request.body };
    },
  },
  {
    form: "/upload",
    does: "counts the octets of the content",
    pattern: /^\/upload$/,
    reads: true,
    answer: async ({ body }) => json({ octets: await count(body) }),
  },
  {
    form: "/drip",
    does: `${DRIPS} lines, one every ${DRIP_MS} ms`,
    pattern: /^\/drip$/,
    answer: (_, { signal }) => ({ ...text(""), body: drip(signal) }),
  },
  {
    form: "/delay/MS",
    does: `a response after MS milliseconds, up to ${MOST_MS}`,
    pattern: /^\/delay\/(\d{1,6})$/,
    answer: async (_, { signal }, [, ms]) => {
      if (Number(ms) > MOST_MS) return refusal(400, `request ${MOST_MS} ms at most`);
      await pause(Number(ms), undefined, { signal });
      return text(`after ${ms} ms\n`);
    },
  },
  {
    form: "/status/N",
    does: "a response with status N, 200 to 599",
    pattern: /^\/status\/([2-5]\d\d)$/,
    answer: (_, __, [, code]) => {
      const status = Number(code);
      return status === 204 || status === 205 || status === 304 ? { status } : text(`${status}\n`, status);
    },
  },
  {
    form: "/trailers",
    does: "a text with two trailer fields",
    pattern: /^\/trailers$/,
    answer: () => ({
      status: 200,
      fields: [
        ["content-type", "text/plain"],
        ["trailer", "x-octets, x-end"],
      ],
      body: "trailers follow\n",
      trailers: [
        ["x-octets", "16"],
        ["x-end", "yes"],
      ],
    }),
  },
  {
    form: "/early",
    does: "103 with a Link, then the response",
    pattern: /^\/early$/,
    answer: (_, exchange) => {
      exchange.interim(103, [["link", "</style.css>; rel=preload; as=style"]]);
      return text("the hint came first\n");
    },
  },
  {
    form: "/push",
    does: "pushes /pushed if the client allows pushes",
    pattern: /^\/push$/,
    answer: (_, exchange) => {
      const isPushed = exchange.push({ path: "/pushed" }, text("this was pushed\n"));
      return text(isPushed ? "/pushed was pushed\n" : "the client allows no pushes\n");
    },
  },
];

/** The paths, one a line. */
export const routeLines = (): string[] => ROUTES.map(({ form, does }) => `${form.padEnd(12)}${does}`);

const ALLOWED = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, CONNECT";
/** TRACE is known but not performed: it would show scripts what browsers hide from them (rfc9110#9.3.8). */
const METHODS: ReadonlySet<string> = new Set([...ALLOWED.split(", "), "TRACE"]);

/** The response to a method, if the path is irrelevant. */
function ofMethod(method: string, path: string): Response | undefined {
  if (!METHODS.has(method)) return refusal(501, `the method ${method} is not implemented`);
  if (method === "TRACE") return { status: 405, fields: [["allow", ALLOWED]] };
  return method === "OPTIONS" || path === "*" ? { status: 204, fields: [["allow", ALLOWED]] } : undefined;
}

/** The handler of `touchstone serve`, for all versions of HTTP. */
export const peer: Handler = (request, exchange) => {
  const { method, path } = request;
  if (path === "/" && method === "GET") return HELLO[request.version];
  // A tunnel echoes (rfc9113#8.5, rfc8441#4).
  if (method === "CONNECT") return { status: 200, body: request.body };
  const own = ofMethod(method, path);
  if (own !== undefined) return own;
  const [withoutQuery = path] = path.split("?", 1);
  for (const route of ROUTES) {
    const found = route.pattern.exec(path) ?? route.pattern.exec(withoutQuery);
    if (found === null) continue;
    // The client waits for 100 before it sends content (rfc9110#10.1.1).
    if (method !== "GET" && method !== "HEAD" && request.fields.get("expect") === "100-continue") exchange.interim(100);
    if (method === "GET" || method === "HEAD" || route.reads === true) return route.answer(request, exchange, found);
    return count(request.body).then(() => route.answer(request, exchange, found));
  }
  const nothing = (): Response => refusal(404, `not found. Paths:\n${routeLines().join("\n")}`);
  return method === "GET" || method === "HEAD" ? nothing() : count(request.body).then(nothing);
};
