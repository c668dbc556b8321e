import { serveWebSocket, type OnOpen, type OpenWebSocket, type WebSocketServeOptions } from "../../../reference/serve/websocket/index.ts";
import type { ServerSubject } from "../../harness/subject/subject.ts";
import type { StartedSubject } from "../../harness/suite.ts";
import { CLOSE_REQUEST } from "../driver/probe.ts";
import { asText, echoEvery } from "./echo.ts";
import { FAIL_REQUEST, LIMITS, LIMITS_ANSWER, LIMITS_REQUEST } from "../limits.ts";
import { Reports } from "./reports.ts";

/** The options of cases: compression with a given window, and supported sub-protocols. */
const OPTIONS: WebSocketServeOptions = {
  deflate: { clientBits: 12 },
  subprotocols: ["chat", "echo", "superchat"],
  graceMs: 100,
};

/** A program: what it does with each connection, and what it tells the suite of those that have ended. */
type Program = (socket: OpenWebSocket, reports: Reports) => void | Promise<void>;

async function start(program: Program, options: WebSocketServeOptions): Promise<StartedSubject<ServerSubject>> {
  const reports = new Reports();
  const open: OnOpen = (socket, request) => {
    reports.watch(request, socket.closed);
    return program(socket, reports);
  };
  const server = await serveWebSocket(open, { ...options, onRefused: reports.refused, onError: () => {} });
  return { subject: { url: server.url }, stop: () => server.close() };
}

/** Our WebSocket server over HTTP/1.1 and HTTP/2, which echoes every message. */
export const startServer = (): Promise<StartedSubject<ServerSubject>> =>
  start((socket, reports) => echoEvery(socket, { reports }), OPTIONS);

/** The same over HTTP/3, beside the other versions with TLS; it also begins the closing handshake on request. */
export const startHttp3Server = (): Promise<StartedSubject<ServerSubject>> =>
  start((socket, reports) => echoEvery(socket, { reports, closes: true }), { ...OPTIONS, tls: true, alpn: ["h3", "h2", "http/1.1"] });

/** The same, in fragments, of text that comes as octets; it drops what a client does not read, and begins the closing handshake on request. */
export const startPartingServer = (): Promise<StartedSubject<ServerSubject>> =>
  start(
    (socket) => {
      socket.onMessage = (data, kind) => {
        if (typeof data === "string") throw new Error("text has come as a string, although the program wants octets");
        const whole = kind === "binary" ? data : asText(data);
        if (whole === CLOSE_REQUEST) return socket.close(1000, "as requested");
        const half = Math.ceil(whole.length / 2);
        // Not between the two halves of a character in UTF-16.
        const cut = typeof whole === "string" && /[\ud800-\udbff]$/.test(whole.slice(0, half)) ? half + 1 : half;
        socket.sendPart(whole.slice(0, cut), false);
        socket.sendPart(whole.slice(cut, cut), false);
        socket.sendPart(whole.slice(cut), true);
      };
    },
    {
      ...OPTIONS,
      text: "octets",
      deflate: { clientBits: 12, threshold: 0, level: 1, memLevel: 2 },
      slowReader: "drop",
      limits: { closeMs: 300 },
    },
  );

/** The same with all limits of `limits.ts`, for a program that reads in a loop, and gives text as octets. */
export const startLimitedServer = (): Promise<StartedSubject<ServerSubject>> =>
  start(
    async (socket) => {
      for await (const data of socket) {
        if (data === FAIL_REQUEST) throw new Error("as requested");
        if (typeof data === "string") socket.send(Buffer.from(data === LIMITS_REQUEST ? LIMITS_ANSWER : data), "text");
        else socket.send(data);
      }
    },
    {
      ...OPTIONS,
      origins: [LIMITS.origins],
      paths: [LIMITS.paths],
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
