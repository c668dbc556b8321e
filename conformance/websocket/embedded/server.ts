import { serveWebSocket, type OnOpen, type WebSocketServeOptions } from "../../../reference/serve/websocket/index.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import { CLOSE_REQUEST } from "../driver/probe.ts";
import { echoEvery } from "./echo.ts";
import { LIMITS, LIMITS_ANSWER, LIMITS_REQUEST } from "../limits.ts";

/** The options of cases: compression with a given window, and supported sub-protocols. */
const OPTIONS: WebSocketServeOptions = {
  deflate: { clientBits: 12 },
  subprotocols: ["chat", "echo", "superchat"],
  graceMs: 100,
};

async function start(open: OnOpen, options: WebSocketServeOptions): Promise<StartedSubject<ServerSubject>> {
  const server = await serveWebSocket(open, options);
  return { subject: { url: server.url }, stop: () => server.close() };
}

/** Our WebSocket server over HTTP/1.1 and HTTP/2, which echoes every message. */
export const startServer = (): Promise<StartedSubject<ServerSubject>> => start(echoEvery, OPTIONS);

/** The same, in fragments; it drops what a client does not read, and begins the closing handshake on request. */
export const startPartingServer = (): Promise<StartedSubject<ServerSubject>> =>
  start(
    (socket) => {
      socket.onMessage = (data) => {
        if (data === CLOSE_REQUEST) return socket.close(1000, "as requested");
        const half = Math.ceil(data.length / 2);
        // Not between the two halves of a character in UTF-16.
        const cut = typeof data === "string" && /[\ud800-\udbff]$/.test(data.slice(0, half)) ? half + 1 : half;
        socket.sendPart(data.slice(0, cut), false);
        socket.sendPart(data.slice(cut, cut), false);
        socket.sendPart(data.slice(cut), true);
      };
    },
    { ...OPTIONS, deflate: { clientBits: 12, threshold: 0 }, slowReader: "drop", limits: { closeMs: 300 } },
  );

/** The same with all limits of `limits.ts`, for a program that reads in a loop, and gives text as octets. */
export const startLimitedServer = (): Promise<StartedSubject<ServerSubject>> =>
  start(
    async (socket) => {
      for await (const data of socket) {
        if (typeof data === "string") socket.send(Buffer.from(data === LIMITS_REQUEST ? LIMITS_ANSWER : data), "text");
        else socket.send(data);
      }
    },
    {
      ...OPTIONS,
      origins: [LIMITS.origins],
      limits: {
        messageOctets: LIMITS.message,
        frames: LIMITS.frames,
        controls: LIMITS.controls,
        controlsPerSecond: LIMITS.renewed,
        pingMs: LIMITS.silence,
        pongMs: LIMITS.answer,
      },
    },
  );
