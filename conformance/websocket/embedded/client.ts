import {
  connectWebSocket,
  HandshakeFailed,
  type ConnectWebSocketOptions,
  type Sendable,
} from "../../../reference/serve/websocket/index.ts";
import { connect } from "../../../reference/serve/http2/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { type LimitName, LIMITS, limitsAnswer } from "../limits.ts";
import { toldAbout } from "../telling.ts";
import { echoEvery } from "./echo.ts";
import { reportOf } from "./reports.ts";

type Options = ConnectWebSocketOptions & {
  /** How octets are given to the library. */
  readonly as?: (data: Uint8Array) => Sendable;
};

const GIVEN: readonly LimitName[] = ["message", "frames", "controls"];
/** Options of a client with small limits, which it names on request. */
export const LIMITED: ConnectWebSocketOptions = {
  limits: { messageOctets: LIMITS.message, frames: LIMITS.frames, controls: LIMITS.controls, controlsPerSecond: LIMITS.renewed },
};

/** Our WebSocket client: echoes every message until the server closes. It reports how that ended, and rejects unless it was a clean close. */
export const echoing =
  (options: Options): InProcessClient =>
  (url, signal) =>
    echo(url, signal, options);

/** The same on a stream of an HTTP/2 connection. */
export const echoingOverHttp2 =
  (options: Options): InProcessClient =>
  async (url, signal) => {
    const over = await connect(new URL(url.replace(/^ws/, "http")).origin, { graceMs: 200, tls: { verify: false } });
    signal.addEventListener("abort", () => void over.close());
    try {
      return await echo(url, signal, { ...options, over });
    } finally {
      await over.close();
    }
  };

async function echo(url: string, signal: AbortSignal, { as, ...options }: Options): Promise<string> {
  const protocols = new URL(url).searchParams.get("protocols")?.split(",") ?? [];
  const socket = await connectWebSocket(url, { ...options, subprotocols: protocols, onError: () => {} }).catch((error: unknown) => {
    throw new Error(toldAbout("it", failure(error)));
  });
  signal.addEventListener("abort", () => socket.abort());
  echoEvery(socket, {
    octets: options.text === "octets",
    ...(as !== undefined && { as }),
    ...(options.limits !== undefined && { limits: limitsAnswer(...GIVEN) }),
  });
  const { subprotocol, extensions } = socket;
  const ending = await socket.closed;
  const report = toldAbout("it", { ...reportOf(ending), subprotocol, extensions });
  if (!ending.clean) throw new Error(report);
  return report;
}

/** A connection that could not be established is closed, too, but not cleanly (rfc6455#7.1.4). */
const failure = (error: unknown): object => ({
  code: 1006,
  reason: "",
  clean: false,
  why: error instanceof Error ? error.message : String(error),
  ...(error instanceof HandshakeFailed && { status: error.status, ...error.fault }),
});
