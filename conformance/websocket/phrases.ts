import type { SpecRef } from "../../reference/core/index.ts";
import type { Case, FrameSpec, Handshake, Outcome, Sight, StatusSight, Step, Text } from "./vocabulary.ts";

/** Turns of phrase that most cases share. A case stays data: these only spell it shorter. */

export const open = (handshake: Handshake = {}): Step => ({ do: "open", ...handshake });
export const send = (...frames: readonly FrameSpec[]): Step => ({ do: "send", frames });
export const sendCut = (cut: number | "frames", ...frames: readonly FrameSpec[]): Step => ({ do: "send", frames, cut });
export const awaitSight = (see: Sight): Step => ({ do: "await", see });
export const awaitMessages = (count = 1): Step => awaitSight({ see: "messages", count });

export const text = (content: string, more: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "text", text: content, ...more });
export const binary = (hex: string, more: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "binary", hex, ...more });
/** A fragment: `first` begins a message, `more` and `last` go on with it. */
export const first = (frame: FrameSpec): FrameSpec => ({ ...frame, fin: false });
export const more = (content: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "continuation", fin: false, ...content });
export const last = (content: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "continuation", ...content });
export const ping = (content = "", extra: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "ping", text: content, ...extra });
export const pong = (content = "", extra: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "pong", text: content, ...extra });
/** A Close frame with a code, or without any. */
export const close = (code?: number, reason?: string): FrameSpec => ({
  opcode: "close",
  ...(code === undefined ? {} : { code }),
  ...(reason === undefined ? {} : { reason }),
});

type Allowed = readonly [Outcome, ...Outcome[]];

/** For outcomes that a passage makes optional. */
export const permitted = (see: Sight, by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => ({ see, by, verdict });
export const all = (...of: readonly Sight[]): Sight => ({ see: "all", of });
export const not = (of: Sight): Sight => ({ see: "not", of });
export const holds = (monitor: string): Sight => ({ see: "holds", monitor });
export const alive: Sight = { see: "still open" };
export const echoed: Sight = { see: "all echoed" };

/** Everything came back, and the connection goes on. */
export const comesBack: Allowed = [{ see: echoed }];
export const comesBackWith = (...also: readonly Sight[]): Allowed => [{ see: all(echoed, ...also) }];

/** The connection is failed with this code; another code, or none, or the mere end is discouraged (rfc6455#7.1.7). */
export const failsWith = (code: number | readonly number[], echoes = 0, ...others: readonly Outcome[]): Allowed => [
  { see: { see: "Close and end", codes: typeof code === "number" ? [code] : code, echoes } },
  ...others,
  permitted({ see: "Close and end", echoes }, "rfc6455#7.1.7", "warn"),
  permitted({ see: "abnormal closure", echoes }, "rfc6455#7.1.7", "warn"),
];
export const PROTOCOL_ERROR = 1002;
export const NOT_UTF8 = 1007;

/** Steps and their control that differ in the frames that are sent behind a good handshake. */
export const framesOf = (wrong: readonly FrameSpec[], right: readonly FrameSpec[]): Pick<Case, "role" | "steps" | "control"> => ({
  role: "server",
  steps: [open(), send(...wrong)],
  control: [open(), send(...right)],
});
/** The same where nothing is done wrong. */
export const framesOnly = (...frames: readonly FrameSpec[]): Pick<Case, "role" | "steps" | "control"> => framesOf(frames, frames);

/** A handshake that is none, against the good one. */
export const handshakeOf = (wrong: Handshake, right: Handshake = {}): Pick<Case, "role" | "steps" | "control"> => ({
  role: "server",
  steps: [{ do: "open", await: "answer", ...wrong }],
  control: [open(right)],
});

/** Refused with a status of an error. */
export const refusedWith = (status: StatusSight, ...others: readonly Outcome[]): Allowed => [
  { see: { see: "handshake rejected", status } },
  ...others,
];
/** 400 is what the specification names; any other refusal is as good. */
export const badHandshake = (...others: readonly Outcome[]): Allowed => [
  { see: { see: "handshake rejected", status: [400] } },
  permitted({ see: "handshake rejected", status: ["4xx", "5xx"] }, "rfc6455#4.2.1"),
  ...others,
];
/** Where nothing asks for WebSocket the request is one of HTTP, and may be answered as that (rfc9110#7.8). */
export const plainHttp: Outcome = permitted({ see: "handshake rejected", status: ["2xx", "3xx"] }, "rfc9110#7.8");

export const DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate";
/** A handshake that offers permessage-deflate with these parameters. */
export const offering = (parameters = ""): Handshake => ({ more: [`${DEFLATE}${parameters === "" ? "" : `; ${parameters}`}`] });
export const field = (name: string, pattern: Text): { readonly name: string; readonly pattern: Text } => ({ name, pattern });
