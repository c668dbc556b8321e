import type { Fields, Request, Response } from "../../../reference/http/index.ts";
import type { Exchange, Handler, Switched } from "../../../reference/serve/handler.ts";
import type { Draw } from "./http1-draw.ts";
import { shown } from "./http1-report.ts";
import type { Gates } from "./http1-wire.ts";

export const listed = (fields: Fields): string => [...fields].map((line) => line.join("=")).join("|");
const RESET_CODES = ["CANCEL", "NO_ERROR", "INTERNAL_ERROR"] as const;
const STATUSES = [200, 200, 200, 200, 201, 204, 304, 404, 500, 499] as const;

/** Content that arrives in pieces, some of them late; it may fail. */
async function* pieces(d: Draw, gates: Gates, say: (line: string) => void): AsyncGenerator<Uint8Array | string> {
  const doom = d.once(8) ? d.below(3) : -1;
  try {
    for (let more = d.below(4); more > 0; more--) {
      if (d.once(3)) await gates.wait();
      if (more === doom) throw new Error("no more");
      if (d.once(40)) yield 7 as unknown as string;
      yield d.often<string | Uint8Array>([
        [4, "ab\u00e9"],
        [3, new Uint8Array(d.of([1, 3, 16])).fill(0x78)],
        [1, ""],
        [1, new Uint8Array(d.of([70_000, 40_000])).fill(0x79)],
      ]);
    }
  } finally {
    say("the content is over");
  }
}

/** A handler that answers in all ways. */
export function randomHandler(d: Draw, gates: Gates, say: (line: string) => void): Handler {
  const fieldsOf = (): [string, string][] => {
    const list: [string, string][] = d.list(2, () => [d.of(["X", "content-type", "Date", "Cookie"]), d.of(["a", "b", ""])]);
    if (d.once(10)) list.push(["Content-Length", d.of(["0", "3", "5"])]);
    if (d.once(10)) list.push(["Connection", d.of(["close", "x"])]);
    if (d.once(30)) list.push(["a b", "c"]);
    return list;
  };
  const answer = (request: Request, body: Response["body"]): Response => {
    const status = request.method === "CONNECT" ? d.of([200, 200, 299, 404, 503]) : d.of(STATUSES);
    const fields = fieldsOf();
    const trailers: [string, string][] | undefined = d.once(5) ? d.list(2, () => [d.of(["X-Sum", "Y"]), "1"]) : undefined;
    return {
      status,
      ...(d.once(4) ? {} : { fields }),
      ...(body === undefined ? {} : { body }),
      ...(trailers === undefined ? {} : { trailers: d.once(2) ? trailers : () => trailers }),
    };
  };
  const take = ({ socket, rest }: Switched): void => {
    say(`taken with ${shown(rest)}`);
    if (d.once(8)) throw new Error("not taken");
    socket
      .on("error", () => {})
      .on("data", (octets: Buffer) => say(`through: ${shown(octets)}`))
      .on("end", () => socket.end("bye"));
    socket.write("hello");
  };
  const read = async ({ body }: Request, how: number): Promise<Response["body"]> => {
    if (how === 0) return body.text(d.of([3, 100, undefined]));
    if (how === 1) return body.bytes();
    for await (const chunk of body) {
      say(`read ${shown(chunk)}`);
      if (d.once(2)) break;
    }
    if (how === 3) say(`trailers ${listed(await body.trailers)}`);
    return "read";
  };
  const later = async (request: Request, exchange: Exchange): Promise<Response> => {
    if (d.once(2)) await gates.wait();
    if (d.once(8)) exchange.interim(d.of([103, 102, 100]), [["link", "x"]]);
    if (d.once(4)) exchange.signal.addEventListener("abort", () => say(`aborted: ${String(exchange.signal.reason)}`));
    if (d.once(3)) await gates.wait();
    const choice = d.below(10);
    if (choice === 0) throw new Error("broken");
    if (choice === 1) exchange.reset(d.of(RESET_CODES));
    if (choice < 6) return answer(request, await read(request, choice % 4));
    if (choice === 6) return answer(request, pieces(d, gates, say));
    if (choice === 7) return answer(request, request.body);
    return answer(request, "text");
  };
  return (request, exchange) => {
    const { method, scheme, authority, path, version, fields, protocol } = request;
    say(
      `${method} ${scheme} ${authority} ${path} ${version} ${protocol} ${listed(fields)} ${exchange.upgrade.join(",")} ${exchange.stream}`,
    );
    if (exchange.signal.aborted) say("already aborted");
    if (d.once(20)) say(`pushed ${exchange.push({ path: "/" }, { status: 200 })}`);
    if (d.once(30)) exchange.connection.shutdown();
    if (exchange.upgrade.length > 0 && d.once(2))
      return exchange.switchTo(d.of([101, 101, 101, 200]), d.once(2) ? [["upgrade", "x"]] : undefined, take);
    if (method === "CONNECT" && d.once(2)) return exchange.switchTo(d.of([200, 204, 404]), undefined, take);
    if (d.once(4)) exchange.interim(d.of([103, 103, 100, 101]), d.once(2) ? [["Link", "</a>"]] : undefined);
    const choice = d.below(12);
    if (choice < 4) return later(request, exchange).finally(() => say("handled"));
    if (choice === 4) throw new Error("at once");
    if (choice === 5) return gates.wait().then(() => answer(request, "later"));
    if (choice === 6) return answer(request, pieces(d, gates, say));
    if (choice === 7) return answer(request, request.body);
    if (choice === 8) exchange.reset(d.of(RESET_CODES));
    return answer(
      request,
      d.often<Response["body"]>([
        [3, "text"],
        [2, undefined],
        [1, ""],
        [1, new Uint8Array(5)],
        [1, new Uint8Array(d.of([65_536, 200_000]))],
      ]),
    );
  };
}
