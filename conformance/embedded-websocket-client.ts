import { connectWebSocket, type ConnectWebSocketOptions } from "../reference/serve/websocket/index.ts";
import type { CheckOptions } from "./check.ts";
import type { CaseResult, Result } from "./harness/result.ts";
import { summaryOf } from "./harness/run.ts";
import type { InProcessClient } from "./harness/subject.ts";

type Part = Pick<CheckOptions, "suite" | "subject" | "name" | "only">;
type Perform = (title: string, part: Part) => Promise<Result>;

const NAME = "touchstone's own WebSocket client";

/** Gives every message back until the server says Close: fails when the connection did not end in order. */
const echoing =
  (options: ConnectWebSocketOptions): InProcessClient =>
  async (url, signal) => {
    const protocols = new URL(url).searchParams.get("protocols")?.split(",") ?? [];
    const socket = await connectWebSocket(url, { ...options, protocols });
    signal.addEventListener("abort", () => socket.abort());
    socket.onMessage = (data, kind) => void socket.send(data, kind);
    const { clean, code } = await socket.closed;
    if (!clean) throw new Error(`the connection ended with ${code}`);
  };

/** With compression first; what asks for none, or for a client that wants more of the server, by one that does. */
const CLIENTS: readonly (readonly [title: string, options: ConnectWebSocketOptions])[] = [
  ["websocket client", { deflate: true }],
  ["websocket client, without compression", {}],
  ["websocket client, with wishes", { deflate: { serverBits: 12, serverTakeover: false, offersClientBits: false } }],
];

/** Our WebSocket client, judged like anybody's. */
export async function ofWebSocketClient(only: readonly string[], perform: Perform): Promise<Result> {
  let result: Result | undefined;
  for (const [title, options] of CLIENTS) {
    const left = result === undefined ? only : result.cases.filter(({ verdict }) => verdict === "skip").map(({ id }) => id);
    if (left.length === 0) break;
    const next = await perform(title, { suite: "websocket", subject: { client: echoing(options) }, name: NAME, only: left });
    result = result === undefined ? next : filledIn(result, next);
  }
  if (result === undefined) throw new Error("There is no case to perform.");
  return result;
}

/** The first result, with the cases that it had to skip taken from the second. */
function filledIn(first: Result, second: Result): Result {
  const others = new Map(second.cases.map((one) => [one.id, one]));
  const cases = first.cases.map((one): CaseResult => (one.verdict === "skip" ? (others.get(one.id) ?? one) : one));
  return { ...first, ms: first.ms + second.ms, cases, summary: summaryOf(cases) };
}
