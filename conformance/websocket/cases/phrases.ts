import type { SpecRef } from "../../../reference/core/index.ts";
import type { Allowed, Case, Cut, FieldSight, FrameSpec, Handshake, Outcome, Sight, StatusSight, Step, Text } from "../vocabulary.ts";

/** Short forms shared by most cases. Every one returns plain data: a step, a frame, a sight, or outcomes. */

export const open = (handshake: Handshake = {}): Step => ({ do: "open", ...handshake });
/** The same, waiting for any response. */
export const openForAnswer = (handshake: Handshake): Step => ({ do: "open", ...handshake, await: "answer" });
export const send = (...frames: readonly FrameSpec[]): Step => ({ do: "send", frames });
export const sendCut = (cut: Cut, ...frames: readonly FrameSpec[]): Step => ({ do: "send", frames, cut });
export const awaitSight = (see: Sight): Step => ({ do: "await", see });
export const awaitMessages = (count = 1): Step => awaitSight({ see: "messages", count });

export const text = (content: string, more: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "text", text: content, ...more });
/** Fragments: `first` begins a message, `more` and `last` continue it. */
export const first = (frame: FrameSpec): FrameSpec => ({ ...frame, fin: false });
export const more = (content: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "continuation", fin: false, ...content });
export const last = (content: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "continuation", ...content });
export const ping = (content = "", extra: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "ping", text: content, ...extra });
export const pong = (content = "", extra: Partial<FrameSpec> = {}): FrameSpec => ({ opcode: "pong", text: content, ...extra });
/** A Close frame, with or without a code. */
export const close = (code?: number, reason?: string): FrameSpec => ({
  opcode: "close",
  ...(code === undefined ? {} : { code }),
  ...(reason === undefined ? {} : { reason }),
});

/** An outcome that is allowed only because a passage makes it optional. */
export const permitted = (see: Sight, by: SpecRef, verdict: "pass" | "warn" = "pass"): Outcome => ({ see, by, verdict });
export const all = (...of: readonly Sight[]): Sight => ({ see: "all", of });
export const not = (of: Sight): Sight => ({ see: "not", of });
export const holds = (monitor: string): Sight => ({ see: "holds", monitor });
export const alive: Sight = { see: "still open" };
export const echoed: Sight = { see: "all echoed" };

/** Everything was echoed, and the connection is still open. */
export const comesBack: Allowed = [{ see: echoed }];
export const comesBackWith = (...also: readonly Sight[]): Allowed => [{ see: all(echoed, ...also) }];

/** The subject fails the connection with this code; another code, none, or a mere close is discouraged (rfc6455#7.1.7). */
export const failsWith = (code: number | readonly number[], echoes = 0, ...others: readonly Outcome[]): Allowed => [
  { see: { see: "Close and end", codes: typeof code === "number" ? [code] : code, echoes } },
  ...others,
  permitted({ see: "Close and end", echoes }, "rfc6455#7.1.7", "warn"),
  permitted({ see: "abnormal closure", echoes }, "rfc6455#7.1.7", "warn"),
];
export const PROTOCOL_ERROR = 1002;
export const NOT_UTF8 = 1007;

type Played = Pick<Case, "steps" | "control">;
type Frames = { readonly wrong: readonly FrameSpec[]; readonly right: readonly FrameSpec[] };

/** Sends these frames after a good handshake; the control sends their twins without the mistake. */
export const framesOf = ({ wrong, right }: Frames): Played => ({ steps: [open(), send(...wrong)], control: [open(), send(...right)] });
/** The same frames in both: nothing is wrong. */
export const framesOnly = (...frames: readonly FrameSpec[]): Played => framesOf({ wrong: frames, right: frames });

/** An invalid handshake, with a good one as the control. */
export const handshakeOf = ({
  wrong,
  right = {},
}: {
  readonly wrong: Handshake;
  readonly right?: Handshake;
}): Pick<Case, "role" | "steps" | "control"> => ({
  role: "server",
  steps: [{ do: "open", await: "answer", ...wrong }],
  control: [open(right)],
});

/** Rejected with this status. */
export const refusedWith = (status: StatusSight, ...others: readonly Outcome[]): Allowed => [
  { see: { see: "handshake rejected", status } },
  ...others,
];
/** Rejected with another status than the named one; a 401 without its challenge is discouraged (rfc9110#15.5.2). */
export const refusedOtherwise = (status: StatusSight, by: SpecRef, fields: readonly FieldSight[] = []): readonly Outcome[] => [
  permitted(all({ see: "handshake rejected", status, fields }, holds("a challenge in each 401")), by),
  permitted({ see: "handshake rejected", status, fields }, by, "warn"),
];
/** The specification names 400; any other error is as good. */
export const badHandshake = (...others: readonly Outcome[]): Allowed => [
  { see: { see: "handshake rejected", status: [400] } },
  ...refusedOtherwise(["4xx", "5xx"], "rfc6455#4.2.1"),
  ...others,
];
/** A request that does not ask for WebSocket is plain HTTP and may be answered as such (rfc9110#7.8). */
export const plainHttp: Outcome = permitted({ see: "handshake rejected", status: ["2xx", "3xx"] }, "rfc9110#7.8");

export const DEFLATE = "Sec-WebSocket-Extensions: permessage-deflate";
/** A handshake that offers permessage-deflate with these parameters. */
export const offering = (parameters = ""): Handshake => ({ more: [`${DEFLATE}${parameters === "" ? "" : `; ${parameters}`}`] });
export const field = (name: string, pattern: Text): { readonly name: string; readonly pattern: Text } => ({ name, pattern });
