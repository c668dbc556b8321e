import type { ConnectivityState } from "../balance/policy.ts";
import { Counter } from "./counter.ts";
import { type Severity, shortened, Trace, type TraceEvent } from "./trace.ts";

/** The entities that channelz shows (A14#channels-and-subchannels, A14#servers, A14#sockets). */

/** An end of a connection. */
export type SocketAddress =
  | { readonly is: "ip"; readonly octets: Uint8Array; readonly port: number }
  | { readonly is: "other"; readonly name: string };
export type SocketSecurity = {
  /** As the standard or OpenSSL calls it. */
  readonly cipher: string;
  /** Certificates in DER. */
  readonly local: Uint8Array | undefined;
  readonly remote: Uint8Array | undefined;
};
export type SocketInfo = {
  readonly local?: SocketAddress | undefined;
  readonly remote?: SocketAddress | undefined;
  readonly security?: SocketSecurity | undefined;
  /** What the peer calls itself. */
  readonly remoteName?: string | undefined;
};

/** How a connection begins. */
export type SocketInit = Pick<SocketRecord, "name" | "isClient" | "info">;

/** One connection. */
export class SocketRecord {
  readonly id: number;
  readonly name: string;
  /** Whether its streams are begun by this end. */
  readonly isClient: boolean;
  readonly streams = new Counter();
  messagesSent = 0;
  messagesReceived = 0;
  lastSentMs: number | undefined;
  lastReceivedMs: number | undefined;
  /** Read when it is shown: a certificate costs as much as a call. */
  readonly info: () => SocketInfo;
  readonly #clock: () => number;

  constructor(id: number, { name, isClient, info }: SocketInit, clock: () => number) {
    this.id = id;
    this.name = shortened(name);
    this.isClient = isClient;
    this.info = info;
    this.#clock = clock;
  }
  sent(): void {
    this.messagesSent += 1;
    this.lastSentMs = this.#clock();
  }
  received(): void {
    this.messagesReceived += 1;
    this.lastReceivedMs = this.#clock();
  }
}

/** What channels, subchannels and servers have in common. */
class Active {
  readonly id: number;
  readonly name: string;
  readonly calls = new Counter();
  readonly trace: Trace;
  readonly #clock: () => number;

  constructor(id: number, name: string, clock: () => number) {
    this.id = id;
    this.name = shortened(name);
    this.#clock = clock;
    this.trace = new Trace(clock());
  }
  begin(): void {
    this.calls.begin(this.#clock());
  }
  note(severity: Severity, description: string, subchannel?: TraceEvent["subchannel"]): void {
    this.trace.add(this.#clock(), severity, description, subchannel);
  }
}

/** An address of a channel, with its connection. */
export class SubchannelRecord extends Active {
  state: ConnectivityState = "IDLE";
  /** The most connections at a time. */
  readonly most: number;
  readonly sockets = new Map<number, SocketRecord>();

  constructor(id: number, name: string, most: number, clock: () => number) {
    super(id, name, clock);
    this.most = most;
  }

  /** Changes the state, and keeps that in the trace. */
  becomes(state: ConnectivityState, why?: string): void {
    if (state === this.state) return;
    this.state = state;
    this.note(state === "TRANSIENT_FAILURE" ? "warning" : "info", why === undefined ? state : `${state}: ${why}`);
  }
}

export class ChannelRecord extends Active {
  readonly state: () => ConnectivityState;
  readonly subchannels = new Map<number, SubchannelRecord>();

  constructor(id: number, target: string, state: () => ConnectivityState, clock: () => number) {
    super(id, target, clock);
    this.state = state;
  }
}

export class ServerRecord extends Active {
  readonly listening = new Map<number, SocketRecord>();
  readonly sockets = new Map<number, SocketRecord>();
}
