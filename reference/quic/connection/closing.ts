import { after, type Instant } from "../../core/index.ts";
import type { Closed } from "../contract.ts";
import { TransportError } from "../error-code.ts";
import type { Fault } from "../faults.ts";
import type { ConnectionClose } from "../frame/index.ts";
import type { State } from "./state.ts";

/** Closing and draining last as long as packets of the connection may be on their way (rfc9000#10.2). */
const PERIODS = 3;
const text = (octets: Uint8Array): string => new TextDecoder().decode(octets);

function end(state: State, closed: Closed, frame: ConnectionClose | undefined, now: Instant): void {
  if (state.isOver) return;
  state.closing = { frame, until: after(now, PERIODS * state.probeMs), wants: frame !== undefined, received: 0, answersAt: 1 };
  state.closed = closed;
  state.events.push(closed);
}

/** The peer has broken a rule: the connection ends with the code of the fault. */
export function fail(state: State, fault: Fault, now: Instant): void {
  if (fault.scope !== "connection") return;
  const code = TransportError[fault.code];
  const frame: ConnectionClose = {
    is: "CONNECTION_CLOSE",
    by: "transport",
    code,
    frame: fault.frame ?? 0,
    reason: new TextEncoder().encode(fault.name),
  };
  end(state, { is: "closed", by: "us", layer: "transport", code, reason: fault.name, fault }, frame, now);
}
/** A code of the transport without a fault of ours: an alert of TLS (rfc9001#4.8). */
export function failHandshake(state: State, code: number, reason: string, now: Instant): void {
  const frame: ConnectionClose = { is: "CONNECTION_CLOSE", by: "transport", code, frame: 0x06, reason: new TextEncoder().encode(reason) };
  end(state, { is: "closed", by: "us", layer: "transport", code, reason }, frame, now);
}
export function closeByApplication(state: State, code: number, reason: string): void {
  const frame: ConnectionClose = { is: "CONNECTION_CLOSE", by: "application", code, reason: new TextEncoder().encode(reason) };
  end(state, { is: "closed", by: "us", layer: "application", code, reason }, frame, state.now);
}
/** The peer has closed: nothing more is sent (rfc9000#10.2.2). */
export function closedByPeer(state: State, frame: ConnectionClose, now: Instant): void {
  end(state, { is: "closed", by: "peer", layer: frame.by, code: frame.code, reason: text(frame.reason) }, undefined, now);
}
/** The connection ends without a word: nobody would hear it. */
export function vanish(state: State, by: Exclude<Closed["by"], "us" | "peer">): void {
  if (state.isOver) return;
  state.closed = { is: "closed", by, layer: "transport", code: 0, reason: "" };
  state.events.push(state.closed);
}

/** A packet arrived after we closed: it is answered, ever more rarely (rfc9000#10.2.1). */
export function answerLate(state: State): void {
  const { closing } = state;
  if (closing === undefined || closing.frame === undefined || ++closing.received < closing.answersAt) return;
  closing.answersAt *= 2;
  closing.wants = true;
}
