import { performAll } from "../../harness/connection/connection-driver.ts";
import type { Stop } from "../../harness/connection/stage.ts";
import { leaves } from "../../harness/connection/sights.ts";
import type { FrameSpec } from "../../wire/http2/frame-spec.ts";
import { fromHex, join } from "../../wire/octets.ts";
import { fateRequest, readFate, request, SERVICE } from "../../wire/rpc/contract.ts";
import { envelope } from "../../wire/rpc/envelopes.ts";
import type { MessageSpec, Plan, Sight, Step } from "../vocabulary.ts";
import { sightInWords } from "./describe.ts";
import { dataFrame, piecesOf, section } from "./frames.ts";
import { payloadOf } from "./payloads.ts";
import { statusOf } from "./answers.ts";
import { findSocket, inquire, keep } from "./channelz.ts";
import { writtenFields } from "./facts.ts";
import { converse, elsewhereOf, headOf } from "./converse.ts";
import type { RpcConnection } from "./connection.ts";
import type { RpcStage } from "./stage.ts";

/** How long to wait before Fate is asked again, in milliseconds. */
const ASK_MS = 20;

/** Performs the steps in order until one fails. */
export const perform = (steps: readonly Step[], stage: RpcStage): Promise<Stop> =>
  performAll(
    steps,
    (step) => one(step, stage),
    () => stage.over && !stage.hasLeft,
  );

async function one(step: Step, stage: RpcStage): Promise<Stop> {
  if (step.do === "handshake") return stage.greet(1, step.settings);
  const { main } = stage;
  const { wire } = main;
  switch (step.do) {
    case "call": {
      stage.calls.add(step.call);
      await wire.send(headFrames(step, stage));
      return undefined;
    }
    case "say":
      return say(step, stage);
    case "end":
      await wire.send([{ type: "DATA", stream: step.call, flags: ["END_STREAM"] }]);
      return undefined;
    case "reset":
      await wire.send([{ type: "RST_STREAM", stream: step.call, code: step.code }]);
      return undefined;
    case "frames": {
      for (const { type, stream } of step.frames) if (type === "HEADERS" && typeof stream === "number") stage.calls.add(stream);
      await wire.send(
        step.frames.map((frame) => (frame.fields === undefined ? frame : { ...frame, fields: stage.fields(frame.fields) })),
        step.cut,
      );
      return undefined;
    }
    case "await":
      return awaitSight(step.see, stage);
    case "repeat":
      return repeat(step, stage);
    case "wait":
      return stage.rest(step);
    case "settings":
      await wire.send([{ type: "SETTINGS", settings: step.settings }]);
      return undefined;
    case "drop":
      wire.end("close");
      stage.hasLeft = true;
      return undefined;
    case "hold windows":
    case "release windows":
      wire.holdWindows(step.do === "hold windows");
      return undefined;
    case "half-close":
    case "close":
      wire.end(step.do);
      return undefined;
    case "fence":
      return fence(stage);
    case "ask":
      return ask(step, stage);
    case "find socket":
      return findSocket(stage);
    case "inquire":
      return inquire(step, stage);
    case "keep":
      return keep(step, stage);
  }
}

/** Steps between pauses, in which answers are read. */
const BATCH = 50;

async function repeat({ times, steps }: Extract<Step, { do: "repeat" }>, stage: RpcStage): Promise<Stop> {
  const apart = 2 * new Set(steps.flatMap((step) => ("call" in step ? [step.call] : []))).size;
  for (let round = 0; round < times && !stage.over; round++) {
    for (const step of steps) {
      const stop = await one("call" in step ? { ...step, call: step.call + round * apart } : step, stage);
      if (stop !== undefined) return stop;
    }
    if (round % BATCH === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return undefined;
}

const headFrames = (step: Extract<Step, { do: "call" }>, stage: RpcStage): FrameSpec[] =>
  section(headOf(step, stage), { ...step, stream: step.call }, stage);

/** The name of a call is one of this performance. */
const named = (plan: Plan, stage: Pick<RpcStage, "text">): Plan =>
  plan.call === undefined ? plan : { ...plan, call: stage.text(plan.call) };

/** A message in its envelope. */
export function octetsOf(spec: MessageSpec, stage: Pick<RpcStage, "text"> & Partial<Pick<RpcStage, "kept">>): Uint8Array {
  const { plan, hex, fields } = spec;
  if (fields !== undefined) return envelope(writtenFields(fields, stage.kept ?? new Map()), spec);
  const octets = hex === undefined ? request(payloadOf(spec), plan === undefined ? undefined : named(plan, stage)) : fromHex(hex);
  return envelope(octets, spec);
}

async function say(step: Extract<Step, { do: "say" }>, stage: RpcStage): Promise<Stop> {
  const { call: stream, messages, end, pad, empty, patient } = step;
  const { wire } = stage.main;
  const octets = join(messages.map((message) => octetsOf(message, stage)));
  if (patient === true) return pour(octets, step, stage);
  const frames = piecesOf(octets, step).flatMap((piece, at, all): FrameSpec[] => {
    const isLast = end === true && at === all.length - 1;
    const data = dataFrame(stream, piece, { end: isLast && empty !== true, pad });
    return empty === true ? [data, { type: "DATA", stream, ...(isLast ? { flags: ["END_STREAM"] } : {}) }] : [data];
  });
  await wire.send(frames);
  return undefined;
}

/** Sends as the subject's windows permit. An answer that ends the call ends this, too. */
async function pour(octets: Uint8Array, { call, end }: Extract<Step, { do: "say" }>, stage: RpcStage): Promise<Stop> {
  const { wire, answers } = stage.main;
  const isDone = (): boolean => stage.over || answers.get(call)?.isOver === true;
  for (let at = 0; at < octets.length && !isDone();) {
    const sent = wire.data(call, octets.subarray(at), end);
    at += sent;
    if (sent > 0) continue;
    const has = (): boolean => Math.min(wire.theirWindows.connection, wire.theirWindows.stream(call)) > 0;
    if (!(await stage.until(() => has() || isDone(), stage.timeout)))
      return `it gave no more window for the ${octets.length - at} octets left`;
  }
  return undefined;
}

async function awaitSight(sight: Sight, stage: RpcStage): Promise<Stop> {
  const calls = leaves<Sight>(sight).flatMap((leaf) => ("call" in leaf ? [leaf.call] : []));
  const isOver = (): boolean => stage.over || (calls.length > 0 && calls.every((call) => stage.main.answers.get(call)?.isOver === true));
  return stage.expect(sight, sightInWords(sight), { isOver, ending: "the call or the connection" });
}

/** A good call of a method; returns the octets of its only response, or why there is none. */
async function exchange(
  connection: RpcConnection,
  stage: RpcStage,
  { method, octets }: { readonly method: "Unary" | "Fate"; readonly octets: Uint8Array },
): Promise<{ readonly octets: Uint8Array } | string> {
  const answer = await converse(connection, stage, { path: `/${SERVICE}/${method}`, octets });
  if (typeof answer === "string") return answer;
  const [message] = answer.messages.messages;
  if (statusOf(answer, stage) === 0 && message !== undefined) return { octets: message.octets };
  return answer.reset === undefined
    ? "a good call on the same connection was not answered well"
    : `a good call was reset with ${answer.reset}`;
}

/** A good call on the connection of the case; returns why its answer is not good. */
export async function fence(stage: RpcStage): Promise<Stop> {
  const payload = `fence ${stage.main.next}`;
  const found = await exchange(stage.main, stage, { method: "Unary", octets: request(new TextEncoder().encode(payload)) });
  if (typeof found === "string") return found;
  return Buffer.from(found.octets).includes(payload) ? undefined : "a good call was answered with another payload";
}

async function ask({ name, until, elsewhere }: Extract<Step, { do: "ask" }>, stage: RpcStage): Promise<Stop> {
  const connection = elsewhere === true ? await elsewhereOf(stage) : await stage.connection(1);
  if (typeof connection === "string") return connection;
  const ends = performance.now() + stage.timeout;
  for (;;) {
    const found = await exchange(connection, stage, { method: "Fate", octets: fateRequest(stage.text(name)) });
    if (typeof found === "string") return found;
    stage.fate = readFate(found.octets);
    const state = stage.fate?.state;
    if (state !== undefined && until.includes(state)) return undefined;
    if (performance.now() > ends) return `Fate reports that the call ${stage.text(name)} is ${state}, not ${until.join(" or ")}`;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}
