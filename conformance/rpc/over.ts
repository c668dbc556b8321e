import { WrongUse } from "../harness/driver.ts";
import type { Settings } from "../harness/suite.ts";
import type { FrameSpec, RpcCase, Sight, Step } from "./vocabulary.ts";

/** A version of HTTP for calls, if not HTTP/2. */
export type Over = "http3";

/** The version that --over names; undefined for HTTP/2. Throws `WrongUse` for another one. */
export function overIn({ over = "http2" }: Settings): Over | undefined {
  if (over === "http2") return undefined;
  if (over === "http3") return over;
  throw new WrongUse(`--over is http2 or http3, not "${over}".`);
}

export function refuseOver(): never {
  throw new WrongUse("--over http3 is for servers in the dialects rpc and grpc.");
}

/** Whether the case is about calls in any version: it neither sends nor waits for what HTTP/2 alone has, and is no flood of its frames. */
export const isOverAnyVersion = ({ steps, control, allowed, group, needs = [] }: RpcCase): boolean =>
  group === undefined &&
  !needs.includes("own-socket") &&
  [...steps, ...control].every(isCommonStep) &&
  allowed.some(({ see }) => isCommonSight(see));

/** What channelz says of a socket, and windows, are those of TCP and HTTP/2. */
const OWN_STEPS: ReadonlySet<Step["do"]> = new Set(["settings", "hold windows", "release windows", "half-close", "close", "find socket"]);

function isCommonStep(step: Step): boolean {
  if (OWN_STEPS.has(step.do)) return false;
  if (step.do === "repeat") return step.steps.every(isCommonStep);
  if (step.do === "frames") return step.cut === undefined && step.frames.every(isCommonFrame);
  if (step.do === "handshake") return step.settings === undefined;
  if (step.do === "call") return step.split === undefined && step.pad === undefined;
  if (step.do === "say") return step.pad === undefined;
  return (step.do !== "await" && step.do !== "wait") || !("see" in step) || isCommonSight(step.see);
}

const COMMON: ReadonlySet<string> = new Set(["type", "stream", "flags", "fields", "data", "hex", "code"]);
const isCommonFrame = (frame: FrameSpec): boolean =>
  (frame.type === "HEADERS" || frame.type === "DATA" || frame.type === "RST_STREAM") && Object.keys(frame).every((key) => COMMON.has(key));

const isCommonSight = (sight: Sight): boolean => {
  if (sight.see === "all" || sight.see === "any") return sight.of.every(isCommonSight);
  return sight.see !== "settings" && sight.see !== "pong";
};
