import type { KeepaliveOptions } from "../../http2/index.ts";
import { NEVER } from "../../core/index.ts";
import { now } from "../../io/index.ts";
import {
  CallFailed,
  ConnectionGroup,
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
  /** The most connections to one address; 1 by default. */
  readonly most?: number;
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
  readonly #open = new Map<string, ConnectionGroup<AnyClientConnection>>();
  /** Attempts for a further connection to an address. */
  readonly #growing = new Map<string, Promise<AnyClientConnection>>();
  /** The most connections to one address. */
  readonly #most: number;
  /** How many calls wait for room on a connection, and their turns. */
  #queued = 0;
  readonly #turns: PromiseWithResolvers<void>[] = [];
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
    { connect, keepalive, channelz, most = 1, loadBalancing = { is: "pick_first", shuffleAddressList: false } }: LinesOptions,
  ) {
    this.#target = target;
    this.#options = connect;
    this.#most = most;
    if (keepalive !== undefined) {
      const { timeMs, timeoutMs = KEEPALIVE_TIMEOUT_MS, withoutCalls: withoutStreams = false } = keepalive;
      this.#keepalive = { timeMs: Math.max(timeMs, LEAST_KEEPALIVE_MS), timeoutMs, withoutStreams };
    }
    this.#dialler = this.#dialled();
    this.#policy = policyOf(loadBalancing);
    this.#watch = channelz && new ChannelWatch(channelz.registry, { name: target.name, most }, () => this.state);
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

  /** A connection that accepts calls, if there is one now, and no call waits for it already. */
  get ready(): AnyClientConnection | undefined {
    return this.#queued > 0 ? undefined : this.#choose();
  }
  #choose(): AnyClientConnection | undefined {
    // Another address may have room.
    for (let tries = this.#open.size; ;) {
      const pick = this.#policy.pick();
      if (pick.is !== "connection") return undefined;
      const group = this.#open.get(pick.key);
      const connection = group?.choose(hasRoom);
      if (connection?.accepting === true) return connection;
      if (connection !== undefined) group?.remove(connection);
      else if (group !== undefined && group.all.length > 0) {
        tries -= 1;
        if (tries > 0) continue;
        if (group.grow(now())) void this.#grow(pick.key, group);
        return undefined;
      }
      if (group === undefined || group.all.length === 0) this.#leave(pick.key);
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

  /** Gives `send` a connection that accepts calls, in the order of the calls; rejects with `CallFailed` UNAVAILABLE unless the call waits for one. */
  async take<Result>(waitForReady: boolean, send: (connection: AnyClientConnection) => Result, signal?: AbortSignal): Promise<Result> {
    let isQueued = false;
    const leave = (): void => {
      if (!isQueued) return;
      isQueued = false;
      this.#queued -= 1;
      this.#nextTurn();
    };
    try {
      for (;;) {
        if (this.#isClosed) throw new CallFailed(Status.UNAVAILABLE, "The channel is closed.");
        if (signal?.aborted === true) throw new CallFailed(Status.CANCELLED, "The call was cancelled before it was sent.");
        const connection = isQueued ? this.#choose() : this.ready;
        if (connection !== undefined) return send(connection);
        if (this.#most > 1 && this.#open.size > 0) {
          const turn = Promise.withResolvers<void>();
          if (isQueued) this.#turns.unshift(turn);
          else this.#turns.push(turn);
          this.#queued += isQueued ? 0 : 1;
          isQueued = true;
          await turn.promise;
          continue;
        }
        leave();
        this.connect();
        const pick = this.#policy.pick();
        if (pick.is === "connection") continue;
        const isKnown = this.#located.size > 0 || this.#error !== undefined;
        if (pick.is === "fail" && isKnown && !waitForReady) throw this.#unavailable(pick.why);
        await this.#nextChange();
      }
    } finally {
      leave();
    }
  }
  /** There may be room for the first call that waits for it. When that has gone, the next one has its turn. */
  #nextTurn(): void {
    this.#turns.shift()?.resolve();
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
    this.#nextTurn();
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
    const growing = this.#queued === 0 ? [] : Array.from(this.#open.values(), ({ deadline: at }) => at);
    const deadline = Math.min(this.#policy.deadline, this.#resolution?.deadline ?? NEVER, ...growing);
    if (deadline === Number.POSITIVE_INFINITY) return;
    const tick = (): void => {
      this.#policy.tick(now());
      this.#run();
    };
    // `now` is in whole milliseconds, rounded down.
    this.#timer = setTimeout(tick, Math.min(LONGEST_MS, Math.max(1, deadline - now() + 1)));
    // Only a call that waits keeps the process alive.
    if (this.#change === undefined && this.#queued === 0) this.#timer.unref();
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
      // An attempt that began while others stood goes on as the only one.
      const connection = await (this.#growing.get(key) ?? this.#dialler.open(this.#located.get(key)!.destination));
      if (isDropped()) {
        void connection.close(0);
        return;
      }
      this.#dialling.delete(key);
      const group = new ConnectionGroup<AnyClientConnection>(this.#most, Math.random);
      this.#open.set(key, group);
      this.#join(key, connection, group);
      this.#policy.connected(key, now());
    } catch (error) {
      if (isDropped()) return;
      this.#dialling.delete(key);
      this.#error = error as ConnectFailed;
      this.#watch?.becomes(key, "TRANSIENT_FAILURE", (error as Error).message);
      this.#policy.failed(key, (error as Error).message, now());
    }
    this.#run();
  }
  /** Opens a further connection to an address whose connections have no room. */
  async #grow(key: string, group: ConnectionGroup<AnyClientConnection>): Promise<void> {
    try {
      const opening = this.#dialler.open(this.#located.get(key)!.destination);
      this.#growing.set(key, opening);
      const connection = await opening;
      if (this.#open.get(key) === group && !this.#isClosed) this.#join(key, connection, group);
      else if (!this.#dialling.has(key) || this.#isClosed) void connection.close(0);
    } catch {
      group.failed(now());
    } finally {
      this.#growing.delete(key);
    }
    this.#run();
  }
  #join(key: string, connection: AnyClientConnection, group: ConnectionGroup<AnyClientConnection>): void {
    this.#error = undefined;
    group.add(connection);
    this.#keys.set(connection, key);
    this.#watch?.connected(key, connection);
    this.#all.add(connection);
    if (this.#most > 1) {
      const hasChanged = (): void => {
        if (this.#queued > 0) this.#run();
      };
      connection.onFree = hasChanged;
      connection.onSettings = hasChanged;
    }
    void this.#untilClosed(key, connection, group);
  }
  #drop(key: string): void {
    this.#dialling.delete(key);
    this.#watch?.becomes(key, "IDLE");
    const group = this.#open.get(key);
    this.#open.delete(key);
    for (const connection of group?.all ?? []) void connection.close(this.#graceMs);
  }
  async #untilClosed(key: string, connection: AnyClientConnection, group: ConnectionGroup<AnyClientConnection>): Promise<void> {
    await connection.closed;
    this.#all.delete(connection);
    this.#watch?.gone(connection);
    if (connection.sentTooManyPings) this.#askLess();
    group.remove(connection);
    if (this.#open.get(key) !== group) return;
    if (group.all.length === 0) this.#leave(key);
    else this.#run();
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
    this.#nextTurn();
    await Promise.all([...this.#all].map((connection) => connection.close(this.#graceMs)));
    this.#watch?.closed();
  }
}

/** Whether a further call begins at once: a server that has not said how many streams it permits, permits a hundred. */
const hasRoom = ({ accepting, load, settings }: AnyClientConnection): boolean =>
  !accepting || load < (settings?.maxConcurrentStreams ?? 100);
const leafOf = (leaf: Leaf): PickFirst | RoundRobin =>
  leaf.is === "pick_first"
    ? new PickFirst(leaf, Math.random)
    : new RoundRobin({ isWeighted: leaf.is === "weighted_round_robin" }, Math.random);
const policyOf = (config: LoadBalancing): Policy =>
  config.is === "outlier_detection" ? new OutlierDetection(config.config, leafOf(config.child), Math.random) : leafOf(config);
