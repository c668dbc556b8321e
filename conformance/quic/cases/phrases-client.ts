import type { AcceptSpec, Case, CodeName, FrameSpec, Outcome, Row, Sight, Step } from "../vocabulary.ts";
import { acceptedWith, app, casesOf, connectionError, permitted, piece, type Side } from "./phrases.ts";

/** Steps, frames and outcomes of cases for clients: the subject is a command that requests one URL. */

type AcceptStep = Extract<Step, { readonly do: "accept" }>;
export const accept: Step = { do: "accept" };
export const acceptWith = (spec: Omit<AcceptStep, "do">): Step => ({ do: "accept", ...spec });
export const fence: Step = { do: "fence" };

type Allowed = readonly [Outcome, ...Outcome[]];

/** A connection error. An end that the wire does not explain is a warning: errors should be signalled (rfc9000#11). */
export const clientError = (code: CodeName | readonly CodeName[], ...others: Outcome[]): Allowed =>
  connectionError(code, ...others, permitted({ see: "exit", ok: false }, "rfc9000#11", "warn"));
/** The same for an error in an Initial packet, which anybody may have sent: it may be discarded. */
const initialError = (code: CodeName | readonly CodeName[]): Allowed => clientError(code, permitted({ see: "discarded" }, "rfc9000#11.1"));

export const CLIENT: Side = {
  role: "client",
  who: "client",
  peer: "server",
  id: (words) => `quic/client-${words}`,
  begin: accept,
  beginWith: acceptWith,
  tryWith: (parameters) => acceptWith({ parameters, until: "nothing" }),
  error: clientError,
  firstError: (code) => clientError(code),
  initialError,
  fence: "ping",
  opened: [app(piece(0))],
  stream: 7,
  window: "unidirectional data",
  further: [7, 11],
  ours: 3,
  theirs: 2,
  notOpened: 400,
  far: 4_002,
  offence: { type: "NEW_TOKEN", token: "" },
};
export const { after, refused } = casesOf(CLIENT);

/** A handshake that the client refuses, and one that it does not. */
export const refusedHandshake = ({
  with: wrong,
  instead = {},
  code,
  ...row
}: Row<"covers" | "spec"> & {
  readonly with: Omit<AcceptStep, "do">;
  readonly instead?: AcceptSpec;
  readonly code: CodeName | readonly CodeName[];
}): Case => ({
  level: "MUST",
  role: "client",
  steps: [acceptWith({ ...wrong, until: "nothing" })],
  control: [acceptWith(instead)],
  allowed: clientError(code),
  ...row,
});

/** Steps before the connection begins that the client ignores, or after which it shows this. */
export const first = ({ steps, sights = [], ...row }: Row<"covers" | "spec" | "steps"> & { readonly sights?: readonly Sight[] }): Case => ({
  level: "MUST",
  role: "client",
  steps,
  control: [accept],
  allowed: acceptedWith(...sights),
  ...row,
});

export const tls = (...octets: string[]): FrameSpec => {
  const hex = octets.join("");
  const length = hex.length / 2;
  return { type: "CRYPTO", hex: `00${(0x4000 | length).toString(16)}${hex}` };
};
