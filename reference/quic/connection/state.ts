import { after, instant, NEVER, type Instant } from "../../core/index.ts";
import type { Closed, Event } from "../contract.ts";
import type { ConnectionClose, Frame } from "../frame/index.ts";
import type { Handshake } from "../handshake.ts";
import type { Limits } from "../limits.ts";
import type { KeyPhases } from "../packet/key-phases.ts";
import { initialKeys, type Keys } from "../packet/keys.ts";
import type { Parameters } from "../params.ts";
import type { IssuedIds } from "../path/issued-ids.ts";
import { Path, type Address } from "../path/path.ts";
import { PeerIds } from "../path/peer-ids.ts";
import type { Primitives } from "../primitives.ts";
import { Recovery, type CongestionName, type Situation, type SpaceName } from "../recovery/recovery.ts";
import { BASE_DATAGRAM } from "../recovery/newreno.ts";
import type { SentPacket } from "../recovery/sent.ts";
import { otherSide, type Side } from "../stream-id.ts";
import { Streams } from "../stream/streams.ts";
import type { Version } from "../version.ts";
import type { Observer } from "./observation.ts";
import { Space } from "./space.ts";

/** What a connection begins with. */
export type Beginning = {
  readonly side: Side;
  readonly version: Version;
  readonly primitives: Primitives;
  readonly limits: Limits;
  readonly remote: Address;
  readonly issued: IssuedIds;
  /** The ID that packets to the peer have at first: on a client, one of its own choice. */
  readonly peerId: Uint8Array;
  /** The first destination ID of the client: the keys of Initial packets come from it, or from that of its answer to a Retry. */
  readonly initialId: Uint8Array;
  readonly originalId: Uint8Array;
  readonly parameters: Parameters;
  readonly handshake: Handshake;
  /** Client: a token of an earlier connection. */
  readonly token?: Uint8Array;
  /** Client: what the server said in an earlier connection, for 0-RTT (rfc9000#7.4.1). */
  readonly remembered?: Parameters;
  /** Server: the address was proved by a token. */
  readonly isValidated?: boolean;
  /** The largest datagram that leaves for an address without being cut; that of every path if nobody knows. */
  readonly largest?: (remote: Address) => number;
  readonly congestion?: CongestionName;
  /** Server: the ID of its Retry packet. */
  readonly retryId?: Uint8Array;
  readonly observer?: Observer | undefined;
};

export type Closing = {
  readonly frame: ConnectionClose | undefined;
  readonly until: Instant;
  wants: boolean;
  received: number;
  answersAt: number;
};
const NO_TOKEN = new Uint8Array(0);

/** Everything that the parts of a connection share. It has no rules of its own. */
export class State {
  readonly begin: Beginning;
  readonly side: Side;
  readonly limits: Limits;
  readonly handshake: Handshake;
  readonly streams: Streams;
  readonly recovery: Recovery;
  readonly spaces: Partial<Record<SpaceName, Space>>;
  readonly issued: IssuedIds;
  readonly peerIds: PeerIds;
  path: Path;
  /** The path before a migration that is not validated (rfc9000#9.3.2). */
  formerPath: Path | undefined;
  phases: KeyPhases | undefined;
  appWrite: Keys | undefined;
  appRead: Keys | undefined;
  peer: Parameters | undefined;
  token: Uint8Array;
  retryId: Uint8Array | undefined;
  /** The first source ID of the peer, which its transport parameters confirm (rfc9000#7.3). */
  peerFirstId: Uint8Array | undefined;
  alpn = "";
  hasReceived = false;
  isComplete = false;
  isConfirmed = false;
  /** Client: 0-RTT data may be sent, or could be. */
  hasEarly = false;
  isEarlyRejected = false;
  /** Packets whose content has to be sent again though they were not lost. */
  withdrawn: SentPacket[] = [];
  isHandshakeAcknowledged = false;
  /** Packets that failed to open (rfc9001#6.6). */
  failures = 0;
  control: Frame[] = [];
  responses: { readonly data: Uint8Array; readonly to: Address; readonly room: number }[] = [];
  datagrams: Uint8Array[] = [];
  parked: { readonly bytes: Uint8Array; readonly from: Address }[] = [];
  /** Streams whose queue was full. */
  readonly full = new Set<number>();
  events: Event[] = [];
  closing: Closing | undefined;
  closed: Closed | undefined;
  now: Instant = instant(0);
  idleAt: Instant = NEVER;
  handshakeAt: Instant = NEVER;
  /** Since the last packet arrived, one that asks for an acknowledgment has left (rfc9000#10.1). */
  hasAskedSince = false;
  /** The next packet number to leave out, which a peer that acknowledges what it has not received cannot know (rfc9000#21.4). */
  skipAt = 0;
  /** When pacing lets the next packet out. */
  pacedUntil: Instant = NEVER;

  constructor(begin: Beginning) {
    this.begin = begin;
    const { side, limits, parameters, version, primitives } = begin;
    this.side = side;
    this.recovery = new Recovery(begin.congestion);
    this.limits = limits;
    this.handshake = begin.handshake;
    this.issued = begin.issued;
    this.token = begin.token ?? NO_TOKEN;
    this.retryId = begin.retryId;
    this.peerIds = new PeerIds(begin.peerId, limits.connectionIds);
    this.path = this.pathTo(begin.remote, side === "client" || begin.isValidated === true);
    this.streams = new Streams(side, {
      connection: parameters.initial_max_data,
      bidirectionalLocal: parameters.initial_max_stream_data_bidi_local,
      bidirectionalRemote: parameters.initial_max_stream_data_bidi_remote,
      unidirectional: parameters.initial_max_stream_data_uni,
      streams: { bidirectional: parameters.initial_max_streams_bidi, unidirectional: parameters.initial_max_streams_uni },
    });
    const initial = new Space("initial", 0);
    initial.read = initialKeys(primitives, version, begin.initialId, otherSide(side));
    initial.write = initialKeys(primitives, version, begin.initialId, side);
    this.spaces = { initial, handshake: new Space("handshake", 0), application: new Space("application", parameters.max_ack_delay) };
    this.chooseSkip(0);
  }

  /** A path whose datagrams may grow as far as the way out, our limit and the peer allow. */
  pathTo(remote: Address, isValidated: boolean): Path {
    // Another host is another path, about which nothing is known (rfc9000#9.4); another port is most often the same one.
    if (remote.host !== (this.path as Path | undefined)?.remote.host) this.recovery.forgetPath();
    const path = new Path(remote, isValidated, this.begin.largest);
    path.sizes.limit(Math.min(this.limits.udpOctets, this.peer?.max_udp_payload_size ?? Number.POSITIVE_INFINITY));
    this.recovery.resize(path.sizes.size);
    return path;
  }
  get application(): Space {
    return this.spaces.application!;
  }
  /** Chooses the number after `next` that is left out: one in 144 on average. */
  chooseSkip(next: number): void {
    this.skipAt = next + 16 + this.begin.primitives.random(new Uint8Array(1))[0]!;
  }
  /** The keys for the next packet of a space; undefined before there are any. */
  writeKeys(space: Space): Keys | undefined {
    return space.name === "application" ? (this.appWrite ?? space.write) : space.write;
  }
  get isOver(): boolean {
    return this.closing !== undefined || this.closed !== undefined;
  }
  /** The amplification limit holds everything up (rfc9000#8.1). */
  get isStuck(): boolean {
    return this.path.room < BASE_DATAGRAM;
  }
  get situation(): Situation {
    return {
      isPeerValidated: this.side === "server" || this.isHandshakeAcknowledged || this.isConfirmed,
      hasHandshakeKeys: this.spaces.handshake?.write !== undefined,
      isConfirmed: this.isConfirmed,
      isStuck: this.isStuck,
      peerDelayMs: this.peer?.max_ack_delay ?? 25,
    };
  }
  /** The probe timeout as periods are counted in (rfc9000#10.1). */
  get probeMs(): number {
    return this.recovery.probeMs("application", this.situation.peerDelayMs);
  }
  /** Milliseconds without a packet until the connection ends: the shorter of both sides' (rfc9000#10.1). */
  get idleMs(): number {
    const both = [this.begin.parameters.max_idle_timeout, this.peer?.max_idle_timeout ?? 0].filter((ms) => ms > 0);
    return both.length === 0 ? Number.POSITIVE_INFINITY : Math.max(Math.min(...both), 3 * this.probeMs);
  }
  restartIdle(now: Instant): void {
    this.idleAt = after(now, this.idleMs);
  }

  discard(name: "initial" | "handshake"): void {
    if (this.spaces[name] === undefined) return;
    delete this.spaces[name];
    this.recovery.discard(name);
  }
}
