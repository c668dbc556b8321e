import { octetsOf } from "../../wire/http1.ts";
import type { ReadResponse } from "../../wire/http1-read.ts";
import { toLatin1 } from "../../wire/octets.ts";
import type { Case } from "../vocabulary.ts";
import { type Connection, saysClose } from "./connection.ts";
import { FENCES, plainContent } from "./proxy-origin.ts";
import type { ProxyStage } from "./proxy-stage.ts";

/**
 * What is asked after a case: a good request on its connection, and one on a connection of its own. Each must reach the origin as itself
 * and bring back its own answer: octets that were left over anywhere, on either side, would come between.
 */

/** How long the end of a connection is waited for when its last response has said that it is the last, in milliseconds. */
const CLOSING_MS = 400;
/** The number of a connection that no case uses. */
const ANEW = 1000;

const good = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n`;

/** Asks what the case wants asked. Undefined when all that the proxy had to say is said; otherwise in words what went wrong. */
export async function raiseBetween(fence: Case["fence"], stage: ProxyStage): Promise<string | undefined> {
  const why = await onItsConnection(fence ?? "request", stage);
  const after = await anew(stage);
  return why ?? after;
}

async function onItsConnection(fence: NonNullable<Case["fence"]>, stage: ProxyStage): Promise<string | undefined> {
  if (stage.front !== undefined) return fence === "request" ? onStream(stage) : undefined;
  const connection = stage.connections.get(stage.last);
  if (connection === undefined) return undefined;
  if (fence === "request") return onConnection(connection, stage);
  if (fence === "half-close") connection.end("half");
  if (fence === "new" || fence === "exit") return undefined;
  const ended = await stage.until(() => connection.ended !== undefined, stage.timeout);
  return ended ? undefined : `silence: within ${stage.timeout} ms the connection did not end`;
}

async function onConnection(connection: Connection, stage: ProxyStage): Promise<string | undefined> {
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
  // It may end instead: after a refusal, say. What came before then stands.
  if (stage.fenced || connection.ended !== undefined) return undefined;
  return met
    ? "the good request that followed got another answer than its own"
    : `silence: within ${stage.timeout} ms it neither refused this nor answered what followed`;
}

async function onStream(stage: ProxyStage): Promise<string | undefined> {
  const { front } = stage;
  if (front === undefined || front.ended !== undefined || front.endedByUs) return undefined;
  const path = stage.values["path"] + FENCES.on;
  const stream = front.ask(path);
  const done = (): boolean =>
    front.ended !== undefined || front.goaway || front.resets.includes(stream) || front.responseOn(stream)?.complete === true;
  const met = await stage.until(done, stage.timeout);
  stage.fenced = isAnswer(front.responseOn(stream), path);
  if (stage.fenced || front.ended !== undefined || front.goaway) return undefined;
  return met
    ? "the good request that followed on another stream got another answer than its own"
    : `silence: within ${stage.timeout} ms what followed was not answered`;
}

/**
 * On a connection of its own, which no step sees. Whatever the proxy had to tell the origin before, it has told when this arrives. An
 * error of the proxy is asked about once more: it may have met a connection that the origin had just closed.
 */
async function anew(stage: ProxyStage, again = true): Promise<string | undefined> {
  const connection = await stage.dial(ANEW);
  try {
    const path = stage.values["path"] + FENCES.anew;
    await connection.send(octetsOf(good(path), stage.values));
    const done = (): boolean => connection.ended !== undefined || connection.responses[0]?.complete === true;
    await stage.until(done, stage.timeout);
    const [first] = connection.responses;
    if (isAnswer(first, path)) return undefined;
    if (again && first !== undefined && first.status >= 500) return await anew(stage, false);
    const got =
      first === undefined
        ? "got no answer"
        : `was answered ${first.status}${first.complete ? ", not by what the origin said to it" : ", not to the end"}`;
    return `afterwards a good request on a new connection ${got}`;
  } finally {
    connection.drop();
  }
}

const isAnswer = (response: ReadResponse | undefined, path: string): boolean =>
  response?.status === 200 && response.complete && toLatin1(response.content) === plainContent("GET", path);
