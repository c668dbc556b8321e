import type { KeepaliveOptions } from "../../http2/index.ts";
import { now } from "../../io/index.ts";
import {
  CallFailed,
  type ConnectivityState,
  type Leaf,
  type LoadBalancing,
  OutlierDetection,
  PickFirst,
  type Policy,
  Resolution,
  RoundRobin,
  Status,
} from "../../rpc/index.ts";
import type { AnyClientConnection } from "../client/connection.ts";
import { Dialler } from "../client/dial.ts";
import type { ConnectOptions } from "../client/options.ts";
import { ConnectFailed } from "../errors.ts";
import type { CallWatch } from "./call-watch.ts";
import { ChannelWatch } from "./channelz/channel-watch.ts";
import type { ChannelKeepalive, ChannelOptions } from "./options.ts";
import type { Located, Target } from "./target.ts";

/** The shortest time without calls that existing clients permit, and how long they wait for an answer. */
const LEAST_KEEPALIVE_MS = 10_000;
const KEEPALIVE_TIMEOUT_MS = 20_000;
/** The longest time of a timer. */
const LONGEST_MS = 0x7fff_ffff;

export type LinesOptions = {
  readonly connect: ConnectOptions;
  readonly keepalive?: ChannelKeepalive | undefined;
  readonly loadBalancing?: LoadBalancing;
  readonly channelz?: ChannelOptions["channelz"];
};

/** The connections of a channel, as its policy wants them: opened when calls need them, and again when they have ended. */
export class Lines {
  readonly #target: Target;
  readonly #options: ConnectOptions;
  readonly #policy: Policy;
  readonly #resolution: Resolution | undefined;
  #keepalive: KeepaliveOptions | undefined;
  #dialler: Dialler;
  #located: ReadonlyMap<string, Located> = new Map();
  /** Connections that take calls, by the key of their address. */
  readonly #open = new Map<string, AnyClientConnection>();
  /** Attempts by key; one that is dropped is not in it. */
  readonly #dialling = new Map<string, symbol>();
  /** Connections with calls in progress, which may take no more. */
  readonly #all = new Set<AnyClientConnection>();
  /** The address of each connection. */
  readonly #keys = new WeakMap<AnyClientConnection, string>();
  /** What channelz shows. */
  readonly #watch: ChannelWatch | undefined;
  #hasBegun = false;
  #isClosed = false;
  /** Why the last attempt, or look-up, failed. */
  #error: ConnectFailed | undefined;
  #timer: NodeJS.Timeout | undefined;
  #change: PromiseWithResolvers<void> | undefined;

  constructor(
    target: Target,
    { connect, keepalive, channelz, loadBalancing = { is: "pick_first", shuffleAddressList: false } }: LinesOptions,
  ) {
    this.#target = target;
    this.#options = connect;
    if (keepalive !== undefined) {
      const { timeMs, timeoutMs = KEEPALIVE_TIMEOUT_MS, withoutCalls: withoutStreams = false } = keepalive;
      this.#keepalive = { timeMs: Math.max(timeMs, LEAST_KEEPALIVE_MS), timeoutMs, withoutStreams };
    }
    this.#dialler = this.#dialled();
    this.#policy = policyOf(loadBalancing);
    this.#watch = channelz && new ChannelWatch(channelz.registry, target.name, () => this.state);
    this.#resolution = typeof target.addresses === "function" ? new Resolution(now(), Math.random) : undefined;
  }

  #dialled(): Dialler {
    const { http2, ...others } = this.#options;
    const keepalive = this.#keepalive ?? http2?.keepalive;
    return new Dialler({ ...others, alpn: ["h2"], http2: { ...http2, ...(keepalive !== undefined && { keepalive }) } });
  }

  get state(): ConnectivityState {
    if (this.#isClosed) return "SHUTDOWN";
    if (!this.#hasBegun) return "IDLE";
    // A name that is being looked up is on the way to a connection.
    const isUnknown = this.#located.size === 0 && this.#error === undefined;
    return isUnknown ? "CONNECTING" : this.#policy.state;
  }
  /** Begins to connect, as a call does. */
  connect(): void {
    if (this.#isClosed) return;
    if (!this.#hasBegun) this.#begin();
    this.#policy.wake(now());
    this.#carryOut();
  }
  /** Resolves when the state is another one. */
  async changed(from: ConnectivityState): Promise<ConnectivityState> {
    while (this.state === from) await this.#nextChange();
    return this.state;
  }

  /** A connection that accepts calls, if there is one now. */
  get ready(): AnyClientConnection | undefined {
    for (;;) {
      const pick = this.#policy.pick();
      if (pick.is !== "connection") return undefined;
      const connection = this.#open.get(pick.key);
      if (connection?.accepting === true) return connection;
      this.#leave(pick.key);
    }
  }

  /** A call of the channel begins; the result, if somebody asks, is called when it is over. */
  call(): ((isGood: boolean) => void) | undefined {
    return this.#watch?.call();
  }
  /** An attempt begins on a connection; undefined if nobody asks what becomes of it. */
  attempt(connection: AnyClientConnection): CallWatch | undefined {
    const policy = this.#policy;
    const record = this.#watch?.attempt(connection);
    if (policy.ended === undefined && record === undefined) return undefined;
    let isOver = false;
    return {
      sent: () => record?.socket.sent(),
      received: () => record?.socket.received(),
      ended: (how) => {
        if (isOver) return;
        isOver = true;
        record?.ended(how);
        const key = this.#keys.get(connection);
        // What this end leaves says nothing of the server.
        if (key !== undefined && how !== "left") policy.ended?.(key, how === "good");
      },
    };
  }

  /** A connection that accepts calls; rejects with `CallFailed` UNAVAILABLE unless the call waits for one. */
  async take(waitForReady: boolean, signal?: AbortSignal): Promise<AnyClientConnection> {
    for (;;) {
      if (this.#isClosed) throw new CallFailed(Status.UNAVAILABLE, "The channel is closed.");
      if (signal?.aborted === true) throw new CallFailed(Status.CANCELLED, "The call was cancelled before it was sent.");
      const { ready } = this;
      if (ready !== undefined) return ready;
      this.connect();
      const pick = this.#policy.pick();
      if (pick.is === "connection") continue;
      const isKnown = this.#located.size > 0 || this.#error !== undefined;
      if (pick.is === "fail" && isKnown && !waitForReady) throw this.#unavailable(pick.why);
      await this.#nextChange();
    }
  }
  #unavailable(why: string): CallFailed {
    const cause = this.#error;
    return new CallFailed(Status.UNAVAILABLE, `No connection to the server: ${cause?.message ?? why}`, { cause });
  }

  #begin(): void {
    this.#hasBegun = true;
    const { addresses } = this.#target;
    if (typeof addresses === "function") this.#resolution!.want();
    else this.#update(addresses);
  }
  #update(addresses: readonly Located[]): void {
    this.#located = new Map(addresses.map((one) => [one.key, one]));
    this.#watch?.found(addresses.map(({ key }) => key));
    this.#policy.update(addresses, now());
    this.#policy.wake(now());
  }

  /** Something has happened: carries out what the policy makes of it, and wakes those who wait. */
  #run(): void {
    this.#carryOut();
    const change = this.#change;
    this.#change = undefined;
    change?.resolve();
  }
  /** Carries out what the policy wants, and sets the timer for what comes next. */
  #carryOut(): void {
    if (this.#isClosed) return;
    for (let commands = this.#policy.take(); commands.length > 0; commands = this.#policy.take()) {
      for (const command of commands) {
        if (command.is === "connect") void this.#dial(command.key);
        else if (command.is === "drop") this.#drop(command.key);
        else this.#resolution?.want();
      }
    }
    if (this.#resolution?.take(now()) === true) void this.#lookUp(this.#resolution);
    this.#schedule();
  }
  #schedule(): void {
    clearTimeout(this.#timer);
    const deadline = Math.min(this.#policy.deadline, this.#resolution?.deadline ?? Number.POSITIVE_INFINITY);
    if (deadline === Number.POSITIVE_INFINITY) return;
    const tick = (): void => {
      this.#policy.tick(now());
      this.#run();
    };
    // `now` is in whole milliseconds, rounded down.
    this.#timer = setTimeout(tick, Math.min(LONGEST_MS, Math.max(1, deadline - now() + 1)));
    // Only a call that waits keeps the process alive.
    if (this.#change === undefined) this.#timer.unref();
  }
  #nextChange(): Promise<void> {
    this.#timer?.ref();
    return (this.#change ??= Promise.withResolvers<void>()).promise;
  }

  async #lookUp(resolution: Resolution): Promise<void> {
    const { addresses } = this.#target;
    if (typeof addresses !== "function") return;
    try {
      const found = await addresses();
      resolution.done(true, now());
      this.#update(found);
    } catch (error) {
      resolution.done(false, now());
      this.#watch?.notFound((error as Error).message);
      this.#error = error as ConnectFailed;
      // What was known before may still be good.
      if (this.#located.size === 0) this.#policy.update([], now());
    }
    this.#run();
  }

  async #dial(key: string): Promise<void> {
    const attempt = Symbol(key);
    this.#dialling.set(key, attempt);
    this.#watch?.becomes(key, "CONNECTING");
    const isDropped = (): boolean => this.#isClosed || this.#dialling.get(key) !== attempt;
    try {
      const connection = await this.#dialler.open(this.#located.get(key)!.destination);
      if (isDropped()) {
        void connection.close(0);
        return;
      }
      this.#dialling.delete(key);
      this.#error = undefined;
      this.#open.set(key, connection);
      this.#keys.set(connection, key);
      this.#watch?.connected(key, connection);
      this.#all.add(connection);
      this.#policy.connected(key, now());
      void this.#untilClosed(key, connection);
    } catch (error) {
      if (isDropped()) return;
      this.#dialling.delete(key);
      this.#error = error as ConnectFailed;
      this.#watch?.becomes(key, "TRANSIENT_FAILURE", (error as Error).message);
      this.#policy.failed(key, (error as Error).message, now());
    }
    this.#run();
  }
  #drop(key: string): void {
    this.#dialling.delete(key);
    this.#watch?.becomes(key, "IDLE");
    const connection = this.#open.get(key);
    this.#open.delete(key);
    void connection?.close(this.#graceMs);
  }
  async #untilClosed(key: string, connection: AnyClientConnection): Promise<void> {
    await connection.closed;
    this.#all.delete(connection);
    this.#watch?.gone(connection);
    if (connection.sentTooManyPings) this.#askLess();
    if (this.#open.get(key) === connection) this.#leave(key);
  }
  /** The connection to an address takes no further calls. */
  #leave(key: string): void {
    this.#open.delete(key);
    this.#watch?.becomes(key, "IDLE");
    this.#policy.lost(key, now());
    this.#run();
  }

  /** A server that permits fewer PINGs gets half as many. */
  #askLess(): void {
    if (this.#keepalive === undefined) return;
    this.#keepalive = { ...this.#keepalive, timeMs: this.#keepalive.timeMs * 2 };
    this.#dialler = this.#dialled();
    console.error(
      `touchstone: ${this.#target.name} permits fewer PINGs: the channel asks every ${this.#keepalive.timeMs / 1_000} seconds now`,
    );
  }

  get #graceMs(): number {
    return this.#options.graceMs ?? 5_000;
  }
  /** Completes calls in progress, and drops the rest after the grace. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#change?.resolve();
    await Promise.all([...this.#all].map((connection) => connection.close(this.#graceMs)));
    this.#watch?.closed();
  }
}

const leafOf = (leaf: Leaf): PickFirst | RoundRobin =>
  leaf.is === "pick_first"
    ? new PickFirst(leaf, Math.random)
    : new RoundRobin({ isWeighted: leaf.is === "weighted_round_robin" }, Math.random);
const policyOf = (config: LoadBalancing): Policy =>
  config.is === "outlier_detection" ? new OutlierDetection(config.config, leafOf(config.child), Math.random) : leafOf(config);
