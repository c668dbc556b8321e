import { setTimeout as pause } from "node:timers/promises";
import { octetsOf } from "../../wire/http1/build.ts";
import type { ReadResponse } from "../../wire/http1/read.ts";
import { toLatin1 } from "../../wire/octets.ts";
import type { Case } from "../vocabulary.ts";
import { type Connection, saysClose } from "./connection.ts";
import { FENCES, plainContent } from "./proxy-origin.ts";
import type { Http1ProxyStage } from "./proxy-stage.ts";

/**
 * Two valid requests after a case: one on its connection, one on a new connection. Each must reach the origin unchanged and get its own response;
 * leftover octets on either side would show between them.
 */

/** How long to wait for the end of a connection after a response with Connection: close, in milliseconds. */
const CLOSING_MS = 400;
/** The number of the new connection: no case uses it. */
const ANEW = 1000;
/** Attempts on a new connection, and how much longer each pause between them is, in milliseconds. */
const ATTEMPTS = 5;
const PAUSE_MS = 40;
/** How many times longer than usual its response may take: a proxy that a case has brought down restarts meanwhile. */
const PATIENCE = 3;

const good = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n`;

/** Sends the fence of the case. Returns undefined once the proxy has sent everything, otherwise what went wrong, in words. */
export async function raiseOnProxy(fence: Case["fence"], stage: Http1ProxyStage): Promise<string | undefined> {
  const why = await onItsConnection(fence ?? "request", stage);
  const after = await anew(stage);
  return why ?? after;
}

async function onItsConnection(fence: NonNullable<Case["fence"]>, stage: Http1ProxyStage): Promise<string | undefined> {
  if (stage.front !== undefined) return fence === "request" ? onStream(stage) : undefined;
  const connection = stage.connections.get(stage.last);
  if (connection === undefined) return undefined;
  if (fence === "request") return onConnection(connection, stage);
  if (fence === "half-close") connection.end("half-close");
  if (fence === "new" || fence === "exit") return undefined;
  const ended = await stage.until(() => connection.ended !== undefined, stage.timeout);
  return ended ? undefined : `silence: within ${stage.timeout} ms the connection did not end`;
}

async function onConnection(connection: Connection, stage: Http1ProxyStage): Promise<string | undefined> {
  if (connection.ended !== undefined || connection.endedByUs) return undefined;
  const before = connection.responses.length;
  const path = stage.values["path"] + FENCES.on;
  await connection.send(octetsOf(good(path), stage.values));
  const isLast = (): boolean => {
    const last = connection.responses.at(-1);
    return last !== undefined && last.complete && (isAnswer(last, path) || (connection.responses.length > before && saysClose(last)));
  };
  const met = await stage.until(() => connection.ended !== undefined || isLast(), stage.timeout);
  if (connection.ended === undefined && isLast()) await stage.until(() => connection.ended !== undefined, CLOSING_MS);
  stage.fenced = isAnswer(connection.responses.at(-1), path);
  // The connection may end instead, after a refusal for example: then what came before decides.
  if (stage.fenced || connection.ended !== undefined) return undefined;
  return met
    ? "the good request that followed got a response that is not its own"
    : `silence: within ${stage.timeout} ms it neither rejected this nor answered the next message`;
}

/** Streams are answered in any order: those of the case are awaited as well as that of the fence. */
async function onStream(stage: Http1ProxyStage): Promise<string | undefined> {
  const { front } = stage;
  if (front === undefined || front.ended !== undefined || front.endedByUs) return undefined;
  const path = stage.values["path"] + FENCES.on;
  const stream = front.ask(path);
  const over = (): boolean => front.ended !== undefined || front.goaway;
  const met = await stage.until(() => over() || front.isConcluded(stream), stage.timeout);
  const settled = await stage.until(() => over() || front.unconcluded.length === 0, stage.timeout);
  stage.fenced = isAnswer(front.responseOn(stream), path);
  if (over()) return undefined;
  if (!met) return `silence: within ${stage.timeout} ms what followed was not answered`;
  if (!settled) return `silence: within ${stage.timeout} ms stream ${front.unconcluded[0]} was neither answered nor reset`;
  return stage.fenced ? undefined : "the good request that followed on another stream got a response that is not its own";
}

/**
 * Sends a valid request on a connection that no step observes. When it arrives, the proxy has forwarded everything before it. After an error of
 * the proxy, or an end without a response, it is sent again: the proxy may have met a connection that the origin had just closed, or be
 * restarting.
 */
async function anew(stage: Http1ProxyStage): Promise<string | undefined> {
  let why: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await pause(PAUSE_MS * attempt);
    const { answered, got } = await askAnew(stage);
    if (answered) return undefined;
    why = `afterwards a good request on a new connection ${got}`;
    if (got !== ENDED && !got.startsWith("was answered 5")) break;
  }
  return why;
}

const ENDED = "ended without a response";
async function askAnew(stage: Http1ProxyStage): Promise<{ readonly answered: boolean; readonly got: string }> {
  const connection = await stage.dial(ANEW);
  try {
    const path = stage.values["path"] + FENCES.anew;
    await connection.send(octetsOf(good(path), stage.values));
    await stage.until(() => connection.ended !== undefined || connection.responses[0]?.complete === true, PATIENCE * stage.timeout);
    const [first] = connection.responses;
    if (isAnswer(first, path)) return { answered: true, got: "" };
    if (first === undefined) return { answered: false, got: connection.ended === undefined ? "got no response" : ENDED };
    return {
      answered: false,
      got: `was answered ${first.status}${first.complete ? ", not with the response of the origin" : ", but not to the end"}`,
    };
  } finally {
    connection.drop();
  }
}

const isAnswer = (response: ReadResponse | undefined, path: string): boolean =>
  response?.status === 200 && response.complete && toLatin1(response.content) === plainContent("GET", path);
