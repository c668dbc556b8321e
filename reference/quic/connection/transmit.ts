import { Writer, type Instant } from "../../core/index.ts";
import type { Datagram } from "../contract.ts";
import { TransportError } from "../error-code.ts";
import { isAckEliciting, type ConnectionClose } from "../frame/index.ts";
import { Draft, type Head } from "../packet/draft.ts";
import { numberLength } from "../packet/number.ts";
import { BASE_DATAGRAM, INITIAL_WINDOW } from "../recovery/newreno.ts";
import { SPACES, type SpaceName } from "../recovery/recovery.ts";
import type { Carried } from "../recovery/sent.ts";
import { addAck, addApplication, addCrypto, hasApplicationData } from "./fill.ts";
import { framesIn } from "./observation.ts";
import type { Space } from "./space.ts";
import type { State } from "./state.ts";

/** Datagrams of one `take`: the rest follows in the next. */
const MOST = 64;

type Packet = { readonly space: Space; readonly draft: Draft; readonly carried: Carried[]; readonly elicits: boolean };

/** The datagrams that may leave now. */
export function transmit(state: State, now: Instant): readonly Datagram[] {
  const datagrams: Datagram[] = [];
  state.pacedUntil = Number.POSITIVE_INFINITY as Instant;
  if (state.closing !== undefined) return closing(state, state.closing.frame);
  while (datagrams.length < MOST && state.closed === undefined) {
    const next = response(state, now) ?? challenge(state, now) ?? sizeProbe(state, now) ?? regular(state, now);
    if (next === undefined) break;
    datagrams.push(next);
  }
  return datagrams;
}

/** An answer to a path challenge goes where the challenge came from (rfc9000#8.2.2). */
function response(state: State, now: Instant): Datagram | undefined {
  const [first] = state.responses;
  if (first === undefined || state.writeKeys(state.application) === undefined || state.application.write !== undefined) return undefined;
  state.responses.shift();
  const carried: Carried[] = [];
  const draft = start(state, state.application, Math.min(BASE_DATAGRAM, first.room));
  if (!draft.add({ is: "PATH_RESPONSE", data: first.data })) return undefined;
  carried.push({ is: "PATH_RESPONSE", data: first.data });
  draft.fill();
  return finish(state, [{ space: state.application, draft, carried, elicits: true }], first.to, now);
}

function challenge(state: State, now: Instant): Datagram | undefined {
  const { path } = state;
  if (!path.wantsChallenge || path.room < 64 || state.phases === undefined) return undefined;
  const data = state.begin.primitives.random(new Uint8Array(8));
  const draft = start(state, state.application, Math.min(BASE_DATAGRAM, path.room));
  draft.add({ is: "PATH_CHALLENGE", data });
  draft.fill();
  path.challenged(data, now, Math.max(state.probeMs, 999));
  return finish(state, [{ space: state.application, draft, carried: [{ is: "PATH_CHALLENGE", data }], elicits: true }], path.remote, now);
}

/** The size to probe the path with, if the connection sends so much that it is worth it (rfc9000#14.4). */
function sizeWanted({ isConfirmed, path, recovery }: State, now: Instant): number | undefined {
  if (!isConfirmed || !path.isValidated) return undefined;
  const size = path.sizes.wanted(now);
  return size !== undefined && recovery.congestion.window >= 2 * Math.max(size, INITIAL_WINDOW) ? size : undefined;
}
function sizeProbe(state: State, now: Instant): Datagram | undefined {
  const size = sizeWanted(state, now);
  const { path, recovery } = state;
  if (size === undefined || (recovery.inFlight > 0 && recovery.room < size)) return undefined;
  const draft = start(state, state.application, size);
  draft.add({ is: "PING" });
  draft.fill();
  path.sizes.probed(size);
  return finish(state, [{ space: state.application, draft, carried: [{ is: "size", octets: size }], elicits: true }], path.remote, now);
}

function regular(state: State, now: Instant): Datagram | undefined {
  if (state.isStuck) return undefined;
  const packets: Packet[] = [];
  // Packets of the handshake are of the least size (rfc9000#14.1).
  let left = state.isConfirmed ? state.path.sizes.size : BASE_DATAGRAM;
  let isFull = false;
  for (const name of SPACES) {
    const space = state.spaces[name];
    const packet = space === undefined || isFull ? undefined : draftFor(state, space, left, now);
    if (packet === undefined) continue;
    packets.push(packet);
    left -= packet.draft.length;
    isFull = left < 64;
  }
  if (packets.length === 0) return undefined;
  // Datagrams with Initial packets are large, so that the path is known to carry them, and to amplify little (rfc9000#14.1).
  const isLarge = packets.some(({ space, elicits }) => space.name === "initial" && (elicits || state.side === "client"));
  if (isLarge) packets.at(-1)!.draft.grow(left);
  return finish(state, packets, state.path.remote, now);
}

/** A packet of a space, if it has something to say and may say it. */
function draftFor(state: State, space: Space, octets: number, now: Instant): Packet | undefined {
  if (state.writeKeys(space) === undefined || octets < 64) return undefined;
  const isApplication = space.name === "application";
  const isEarly = isApplication && state.appWrite === undefined;
  const isEager = space.probes > 0 || space.cryptoOut.nextOffset() !== undefined || (isApplication && hasApplicationData(state));
  const mayElicit = isEager && isAllowed(state, space, now);
  const isAckDue = !isEarly && space.acks.deadline <= now;
  if (!mayElicit && !isAckDue) return undefined;
  const draft = start(state, space, octets);
  const carried: Carried[] = [];
  if (isAckDue || (space.acks.hasNews && !isEarly)) addAck(state, space, { draft, carried }, now);
  if (mayElicit) {
    if (!isEarly) addCrypto(space, draft, carried);
    if (isApplication) addApplication(state, draft, carried, isEarly);
  }
  const isSilent = carried.every(({ is }) => is === "acknowledgment");
  if (isSilent && space.probes > 0 && draft.add({ is: "PING" })) carried.push({ is: "PING" });
  if (draft.isEmpty) return undefined;
  const elicits = carried.some(isEliciting);
  if (elicits && space.probes > 0) space.probes--;
  return { space, draft, carried, elicits };
}

const isEliciting = ({ is }: Carried): boolean =>
  is === "octets of a stream" || is === "octets of the handshake" || (is !== "acknowledgment" && is !== "size" && isAckEliciting(is));

/** Whether congestion control and pacing let a packet out that counts as in flight (rfc9002#7). */
function isAllowed(state: State, space: Space, now: Instant): boolean {
  const { recovery } = state;
  if (space.probes > 0) return true;
  // Data in flight has no timer before the handshake is confirmed. If it filled the window, a lost flight of the handshake would wait for ever.
  if (space.name !== "application" && !recovery.sentIn(space.name).isWaiting) return true;
  if (recovery.inFlight > 0 && recovery.room < state.path.sizes.size) return false;
  // A probe of the size needs room for it.
  if (recovery.inFlight > 0 && sizeWanted(state, now) !== undefined) return false;
  if (space.name !== "application") return true;
  const at = recovery.pacer.next(now, recovery.congestion.window, recovery.rtt.smoothed);
  if (at > now) state.pacedUntil = at;
  return at <= now;
}

function start(state: State, space: Space, octets: number): Draft {
  const { version } = state.begin;
  const sent = state.recovery.sentIn(space.name);
  if (space.name === "application" && sent.next >= state.skipAt) {
    sent.skip();
    state.chooseSkip(sent.next);
  }
  const number = sent.next;
  return new Draft(headOf(state, space.name, version), { number, length: numberLength(number, sent.largestAcknowledged) }, octets);
}

function headOf(state: State, name: SpaceName, version: State["begin"]["version"]): Head {
  const destination = state.peerIds.current;
  if (name === "application" && state.appWrite !== undefined) return { type: "1-RTT", destination, phase: state.phases?.phase ?? 0 };
  // On a client, IDs are what the first Initial packet has; on a server, what it has answered with.
  const [source] = state.issued.all;
  const type = name === "application" ? "0-RTT" : name;
  return { type, version, destination, source: source ?? new Uint8Array(0), token: state.token };
}

/** Protects packets, notes them as sent, and makes a datagram of them. */
function finish(state: State, packets: readonly Packet[], to: Datagram["to"], now: Instant): Datagram {
  const { observer } = state.begin;
  const writer = new Writer(packets.reduce((octets, { draft }) => octets + draft.length, 4));
  for (const { space, draft, carried, elicits } of packets) {
    const before = writer.length;
    const isFirstPhase = draft.head.type === "1-RTT" && state.phases !== undefined;
    const keys = isFirstPhase ? state.phases!.forSending(draft.number) : state.writeKeys(space)!;
    draft.seal(writer, keys);
    const { type } = draft.head;
    if (observer !== undefined && type !== "retry") {
      const frames = framesIn(draft.payload.view(0), type);
      observer({ is: "sent", type, number: draft.number, octets: writer.length - before, frames }, now);
    }
    state.recovery.sent(space.name, {
      number: draft.number,
      at: now,
      octets: writer.length - before,
      elicits,
      isInFlight: elicits || draft.isPadded,
      carried,
    });
    if (elicits && !state.hasAskedSince) {
      state.hasAskedSince = true;
      state.restartIdle(now);
    }
    // A client has handshake keys now, so Initial keys are over (rfc9001#4.9.1).
    if (space.name === "handshake" && state.side === "client") state.discard("initial");
  }
  state.path.sent(writer.length);
  return { bytes: writer.cut(), to };
}

/** CONNECTION_CLOSE at every level that the peer may be able to read (rfc9000#10.2.3). */
function closing(state: State, frame: ConnectionClose | undefined): readonly Datagram[] {
  const { closing } = state;
  if (closing?.wants !== true || frame === undefined || state.path.room < BASE_DATAGRAM) return [];
  closing.wants = false;
  const packets: Packet[] = [];
  let left = BASE_DATAGRAM;
  for (const name of SPACES) {
    const space = state.spaces[name];
    if (space === undefined || state.writeKeys(space) === undefined) continue;
    const draft = start(state, space, left);
    if (!draft.add(closeFor(name, frame))) continue;
    packets.push({ space, draft, carried: [], elicits: false });
    left -= draft.length;
  }
  if (packets.length === 0) return [];
  if (packets[0]!.space.name === "initial") packets.at(-1)!.draft.grow(left);
  return [finish(state, packets, state.path.remote, state.now)];
}

/** The application's state is not for the eyes of those who can read the handshake (rfc9000#10.2.3). */
function closeFor(name: SpaceName, frame: ConnectionClose): ConnectionClose {
  if (frame.by === "transport" || name === "application") return frame;
  return { is: "CONNECTION_CLOSE", by: "transport", code: TransportError.APPLICATION_ERROR, frame: 0, reason: new Uint8Array(0) };
}
