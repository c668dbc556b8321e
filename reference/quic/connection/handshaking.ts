import type { Instant } from "../../core/index.ts";
import { sameOctets } from "../connection-id.ts";
import { TransportError } from "../error-code.ts";
import { fault, type Fault } from "../faults.ts";
import type { HandshakeEvent, Level } from "../handshake.ts";
import { KeyPhases } from "../packet/key-phases.ts";
import { Keys } from "../packet/keys.ts";
import { readParameters, type Parameters } from "../params.ts";
import type { SpaceName } from "../recovery/recovery.ts";
import { otherSide } from "../stream-id.ts";
import { failHandshake } from "./closing.ts";
import type { State } from "./state.ts";

const SPACE_OF = { initial: "initial", handshake: "handshake", application: "application", early: "application" } as const satisfies Record<
  Level,
  SpaceName
>;
export const LEVEL_OF = { initial: "initial", handshake: "handshake", application: "application" } as const satisfies Record<
  SpaceName,
  Level
>;

/** Passes on what TLS has produced: keys, parameters, and octets to send. */
export function drainHandshake(state: State, events: readonly HandshakeEvent[], now: Instant): Fault | undefined {
  for (const event of [...events, ...state.handshake.events()]) {
    const wrong = apply(state, event, now);
    if (wrong !== undefined) return wrong;
    if (state.isOver) return undefined;
  }
  for (const { level, octets } of state.handshake.take()) state.spaces[SPACE_OF[level]]?.cryptoOut.write(octets);
  return undefined;
}

function apply(state: State, event: HandshakeEvent, now: Instant): Fault | undefined {
  switch (event.is) {
    case "secret":
      installKeys(state, event);
      return undefined;
    case "parameters":
      return acceptParameters(state, event.octets, now);
    case "earlyData":
      if (!event.accepted) rejectEarly(state);
      state.events.push({ is: "earlyData", accepted: event.accepted });
      return undefined;
    case "complete":
      state.isComplete = true;
      state.alpn = event.alpn;
      state.events.push({ is: "established", alpn: event.alpn });
      if (state.side === "server") {
        state.control.push({ is: "HANDSHAKE_DONE" });
        confirm(state);
      }
      return undefined;
    case "closed":
      failHandshake(state, event.fault.error, event.fault.name, now);
      return undefined;
    default:
      state.events.push({ is: "handshake", event });
      return undefined;
  }
}

function installKeys(state: State, { level, direction, suite, secret }: Extract<HandshakeEvent, { readonly is: "secret" }>): void {
  const { primitives, version } = state.begin;
  const keys = new Keys({ primitives, suite, version }, secret);
  if (level === "application") {
    if (direction === "read") state.appRead = keys;
    else state.appWrite = keys;
    if (state.appRead !== undefined && state.appWrite !== undefined)
      state.phases = new KeyPhases(state.appRead, state.appWrite, state.limits.keyPackets);
    // 0-RTT is over once there is something better (rfc9001#4.9.3).
    if (direction === "write") state.application.write = undefined;
    return;
  }
  const space = state.spaces[SPACE_OF[level]];
  if (space !== undefined) space[direction] = keys;
  if (level === "early" && direction === "write") {
    state.hasEarly = true;
    if (state.begin.remembered !== undefined) state.streams.accept(state.begin.remembered);
  }
}

/** The handshake is confirmed: its keys are not needed any more (rfc9001#4.9.2). */
export function confirm(state: State): void {
  if (state.isConfirmed) return;
  state.isConfirmed = true;
  state.discard("handshake");
  state.events.push({ is: "confirmed" });
}

function acceptParameters(state: State, octets: Uint8Array, now: Instant): Fault | undefined {
  const parameters = readParameters(octets, otherSide(state.side));
  if ("is" in parameters) return parameters;
  const wrong =
    wrongIds(state, parameters) ??
    wrongVersion(state, parameters) ??
    (isReduced(state, parameters) ? fault("parametersReduced") : undefined);
  if (wrong !== undefined) return wrong;
  state.peer = parameters;
  state.path.sizes.limit(parameters.max_udp_payload_size);
  // Streams that were opened in 0-RTT may be more than a server allows that has rejected them.
  if (state.isEarlyRejected && !state.streams.restart(parameters)) failHandshake(state, TransportError.NO_ERROR, "0-RTT was rejected", now);
  state.streams.accept(parameters);
  if (parameters.stateless_reset_token !== undefined) state.peerIds.setResetToken(parameters.stateless_reset_token);
  state.issued.allow(parameters.active_connection_id_limit);
  state.events.push({ is: "parameters", parameters });
  return undefined;
}

/** The IDs of the handshake are confirmed by parameters, so that nobody can exchange them (rfc9000#7.3). */
function wrongIds(state: State, parameters: Parameters): Fault | undefined {
  const source = parameters.initial_source_connection_id;
  if (source === undefined) return fault("sourceIdMissing");
  if (state.peerFirstId !== undefined && !sameOctets(source, state.peerFirstId)) return fault("sourceIdWrong");
  if (state.side === "server") return undefined;
  const original = parameters.original_destination_connection_id;
  if (original === undefined) return fault("originalIdMissing");
  if (!sameOctets(original, state.begin.originalId)) return fault("originalIdWrong");
  const retry = parameters.retry_source_connection_id;
  if (state.retryId === undefined) return retry === undefined ? undefined : fault("retryIdUnasked");
  if (retry === undefined) return fault("retryIdMissing");
  return sameOctets(retry, state.retryId) ? undefined : fault("retryIdWrong");
}

/** The version of the long headers, which anybody can change, is the one that the peer has chosen (rfc9368#4). */
function wrongVersion({ side, begin }: State, { version_information: versions }: Parameters): Fault | undefined {
  if (versions === undefined) return undefined;
  if (side === "server" && !versions.available.includes(versions.chosen)) return fault("versionNotAvailable");
  return versions.chosen === begin.version.number ? undefined : fault("versionNotInUse");
}

const REMEMBERED = [
  "active_connection_id_limit",
  "initial_max_data",
  "initial_max_stream_data_bidi_local",
  "initial_max_stream_data_bidi_remote",
  "initial_max_stream_data_uni",
  "initial_max_streams_bidi",
  "initial_max_streams_uni",
  "max_datagram_frame_size",
] as const;
/** A server that accepts 0-RTT may not take back what it has promised before (rfc9000#7.4.1). */
function isReduced(state: State, parameters: Parameters): boolean {
  const { remembered } = state.begin;
  return (
    remembered !== undefined && state.hasEarly && !state.isEarlyRejected && REMEMBERED.some((name) => parameters[name] < remembered[name])
  );
}

/** Everything that was sent in 0-RTT packets has to be sent again (rfc9001#4.6.2). */
function rejectEarly(state: State): void {
  state.isEarlyRejected = true;
  state.application.write = undefined;
  state.withdrawn.push(...state.recovery.withdraw("application"));
}
