import { performAll } from "../../harness/connection/connection-driver.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import type { Http2End } from "../../wire/http2/end.ts";
import { envelope } from "../../wire/rpc/envelopes.ts";
import type { OriginStep, Sight, Step } from "../proxy-vocabulary.ts";
import { type Answer, statusOf } from "./answers.ts";
import { answer } from "./answer-steps.ts";
import { dataFrames, messagesOf } from "./client-answers.ts";
import type { Request } from "./client-connection.ts";
import type { Http2Connection } from "./connection.ts";
import { callFields } from "./frames.ts";
import { counting, PAYLOAD } from "./payloads.ts";
import { sightInWords } from "./proxy-describe.ts";
import { callsOf } from "./proxy-sights.ts";
import type { RpcProxyStage } from "./proxy-stage.ts";

/** A flood is over when the proxy gives no window for so long, in milliseconds. */
const STALL_MS = 250;
/** Attempts of a good call before the case, and the pause between them, in milliseconds: the case before may have ended connections. */
const ATTEMPTS = 8;
const PAUSE_MS = 50;

/** Performs the steps in order until one fails, after a good call that shows that the proxy is ready. */
export async function perform(steps: readonly Step[], stage: RpcProxyStage): Promise<Stop> {
  for (const number of mentionedIn(steps)) stage.mentioned.add(number);
  const stop = (await stage.greet()) ?? (await ready(stage));
  if (stop !== undefined) return stop;
  return performAll(
    steps,
    (step) => one(step, stage),
    () => stage.over && !stage.hasLeft && steps.every(({ do: what }) => what !== "origin"),
  );
}

/** The requests that steps are about. */
function mentionedIn(steps: readonly Step[]): number[] {
  return steps.flatMap((step) => {
    if (step.do === "await") return leaves<Sight>(step.see).flatMap((leaf) => (leaf.see === "request" ? [leaf.request ?? 1] : []));
    if (step.do === "origin") return [step.step.request ?? 1];
    if (step.do === "pour") return [step.request ?? 1];
    return step.do === "flood" ? [1] : [];
  });
}

/** A good call passes, at the latest after a few attempts. */
async function ready(stage: RpcProxyStage): Promise<Stop> {
  let why: Stop;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
    if (stage.front.ended !== undefined) {
      const stop = await stage.greet();
      if (stop !== undefined) return stop;
    }
    why = await goodCall(stage.front, stage);
    if (why === undefined) return undefined;
  }
  return `before the case ${why}`;
}

async function one(step: Step, stage: RpcProxyStage): Promise<Stop> {
  switch (step.do) {
    case "await":
      return awaitSight(step.see, stage);
    case "wait":
      return stage.rest(step);
    case "mood":
      await stage.become(step);
      return step.is === undefined ? ready(stage) : undefined;
    case "origin":
    case "pour": {
      const number = (step.do === "origin" ? step.step.request : step.request) ?? 1;
      const request = await arrival(number, stage);
      if (typeof request === "string") return request;
      if (step.do === "origin") return atOrigin(step.step, request, stage);
      const answered = (): boolean => request.reset !== undefined || request.connection.isOver;
      await pour(request.connection.wire, { stream: request.stream, octets: numbered(step.size), isOver: answered }, stage, stage.timeout);
      return undefined;
    }
    case "hold windows":
    case "release windows":
      stage.front.wire.holdWindows(step.do === "hold windows");
      return undefined;
    case "flood":
      return flood(step, stage);
    default:
      return asClient(step, stage);
  }
}

type ClientStep = Extract<Step, { do: "call" | "say" | "end" | "reset" | "drop" | "settings" }>;
async function asClient(step: ClientStep, stage: RpcProxyStage): Promise<Stop> {
  const { front } = stage;
  const { wire } = front;
  if (step.do === "drop") {
    wire.end("close");
    stage.hasLeft = true;
    return undefined;
  }
  if (step.do === "settings") {
    await wire.send([{ type: "SETTINGS", settings: step.settings }]);
    return undefined;
  }
  if (step.do === "call") {
    const stream = front.next;
    stage.calls.set(step.call, stream);
    const flags = ["END_HEADERS", ...(step.end === true ? ["END_STREAM"] : [])] as const;
    await wire.send([{ type: "HEADERS", stream, flags: flags as ["END_HEADERS"], fields: callFields("{path}", step, stage) }]);
    return undefined;
  }
  const stream = stage.calls.get(step.call) ?? 0;
  if (step.do === "end") await wire.send([{ type: "DATA", stream, flags: ["END_STREAM"] }]);
  else if (step.do === "reset") await wire.send([{ type: "RST_STREAM", stream, code: step.code }]);
  else if (step.patient !== true) await wire.send(dataFrames(step, stream));
  else {
    const answer = front.answer(stream);
    const octets = messagesOf(step.messages);
    const sent = await pour(wire, { stream, octets, isOver: () => stage.over || answer.isOver, end: step.end }, stage, stage.timeout);
    if (sent < octets.length && !answer.isOver) return `it gave no more window for the ${octets.length - sent} octets left`;
  }
  return undefined;
}

/** Waits for the headers of a request. */
async function arrival(number: number, stage: RpcProxyStage): Promise<Request | string> {
  await stage.until(() => stage.requests.length >= number || (stage.over && !stage.hasLeft), stage.timeout);
  return stage.requests[number - 1] ?? `request ${number} did not reach the origin within ${stage.timeout} ms`;
}

/** Steps after which the connection of the origin is not fit for the next case. */
const SPOILING: readonly OriginStep["do"][] = ["goaway", "drop", "settings"];
async function atOrigin(step: OriginStep, request: Request, stage: RpcProxyStage): Promise<Stop> {
  if (SPOILING.includes(step.do)) stage.spoil();
  await answer(step, request, stage);
  return undefined;
}

/** A message whose octets count. */
const numbered = (size: number): Uint8Array => envelope(counting(size));

type Pouring = { readonly stream: number; readonly octets: Uint8Array; readonly isOver: () => boolean; readonly end?: true | undefined };
/** Octets that may wait in this process while the proxy reads slowly. */
const AHEAD = 262_144;
/** Writes as the windows and the socket of the proxy permit; returns how many octets it took before it took none for `patience` milliseconds. */
async function pour(wire: Http2End, { stream, octets, isOver, end }: Pouring, stage: RpcProxyStage, patience: number): Promise<number> {
  const has = (): boolean => Math.min(wire.theirWindows.connection, wire.theirWindows.stream(stream)) > 0;
  let at = 0;
  while (at < octets.length && !isOver()) {
    const sent = wire.data(stream, octets.subarray(at), end);
    at += sent;
    if (sent === 0 && !(await stage.until(() => has() || isOver(), patience))) break;
    if (wire.unsent > AHEAD && !(await isFlushed(wire, stage, patience))) break;
  }
  return at;
}
async function isFlushed(wire: Http2End, stage: RpcProxyStage, patience: number): Promise<boolean> {
  const flushing = { isDone: false };
  void flushed(wire, stage, flushing);
  return stage.until(() => flushing.isDone, patience);
}

async function flushed(wire: Http2End, stage: RpcProxyStage, flushing: { isDone: boolean }): Promise<void> {
  await wire.flushed();
  flushing.isDone = true;
  stage.poke();
}

/** As receivers do, the reader of a flood gives windows back in pieces: one for every small frame would make the next frames smaller yet. */
const REPLENISH_AFTER = 16_384;
/** The reader holds its windows: what is written beyond them is kept by the proxy. Then it reads on, and the rest follows. */
async function flood({ from, size }: Extract<Step, { do: "flood" }>, stage: RpcProxyStage): Promise<Stop> {
  const request = await arrival(1, stage);
  if (typeof request === "string") return request;
  const octets = numbered(size);
  const { wire, stream } =
    from === "client"
      ? { wire: stage.front.wire, stream: stage.calls.get(1) ?? 0 }
      : { wire: request.connection.wire, stream: request.stream };
  const reader = from === "client" ? request.connection.wire : stage.front.wire;
  const isOver = (): boolean => stage.over || request.connection.isOver;
  stage.spoil();
  reader.holdWindows(true);
  const before = stage.timedOut;
  const written = await pour(wire, { stream, octets, isOver }, stage, STALL_MS);
  if (isOver()) return "the proxy ended the connection while octets waited that nobody read";
  stage.taken = Math.max(0, written - wire.unsent);
  stage.timedOut = before;
  stage.recorder.remark(`the proxy took ${stage.taken} octets that nobody read`);
  reader.holdWindows(false, REPLENISH_AFTER);
  const rest = await pour(wire, { stream, octets: octets.subarray(written), isOver }, stage, stage.timeout);
  const readerOf = (): Answer | undefined => (from === "client" ? request : stage.answer(1));
  await arriving(() => readerOf()?.size ?? 0, { size: written + rest, isOver }, stage);
  return written + rest === octets.length || isOver() ? undefined : "it gave no more window although the reader went on";
}

type Arriving = { readonly size: number; readonly isOver: () => boolean };
/** Waits for all octets, as long as some more arrive within each time-out. */
async function arriving(arrived: () => number, { size, isOver }: Arriving, stage: RpcProxyStage): Promise<void> {
  for (let before = -1; arrived() > before && arrived() < size && !isOver();) {
    before = arrived();
    const hadTimedOut = stage.timedOut;
    await stage.until(() => arrived() >= size || isOver(), stage.timeout);
    stage.timedOut = hadTimedOut;
  }
}

async function awaitSight(sight: Sight, stage: RpcProxyStage): Promise<Stop> {
  const calls = callsOf(sight);
  const isDone = (): boolean => stage.over || (calls.length > 0 && calls.every((call) => stage.answer(call)?.isOver === true));
  return stage.expect(sight, sightInWords(sight), { isOver: isDone, ending: "the call or the connection" });
}

/** A good call through the proxy; returns why it is not answered well. */
export async function goodCall(connection: Http2Connection, stage: RpcProxyStage): Promise<Stop> {
  const { wire } = connection;
  await stage.until(() => wire.hasRoom || connection.ended !== undefined, stage.timeout / 4);
  const stream = connection.next;
  await wire.send([
    { type: "HEADERS", stream, flags: ["END_HEADERS"], fields: callFields(stage.fencePath, {}, stage) },
    ...dataFrames({ messages: [{ payload: PAYLOAD }], end: true }, stream),
  ]);
  const answer: Answer = connection.answer(stream);
  await stage.until(() => answer.isOver || connection.ended !== undefined || stage.notHttp2 !== undefined, stage.timeout);
  if (statusOf(answer, stage) === 0 && answer.messages.messages.length === 1) return undefined;
  if (answer.reset !== undefined) return `a good call was reset with ${answer.reset}`;
  if (answer.isOver) return "a good call was not answered as by the origin";
  return connection.ended === undefined
    ? `a good call was not answered within ${stage.timeout} ms`
    : "the connection ended before a good call was answered";
}
