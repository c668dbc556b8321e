import { isDeepStrictEqual } from "node:util";
import { NEVER } from "../../core/index.ts";
import { now } from "../../io/index.ts";
import { CallFailed, ConnectionGroup, type ConnectivityState, type Policy, Resolution, Status } from "../../rpc/index.ts";
import type { AnyClientConnection } from "../client/connection.ts";
import type { ConnectOptions } from "../client/options.ts";
import { ConnectFailed } from "../errors.ts";
import { hasRoom, judgeOf, policyOf, reportTo } from "./balancing.ts";
import { type CallWatch, watchOf } from "./call-watch.ts";
import type { CallsConfig, ChannelConfig, LinesConfig } from "./channel-config.ts";
import { ChannelWatch } from "./channelz/channel-watch.ts";
import { Dialling } from "./dialling.ts";
import { healthWatch } from "./health-watch.ts";
import { KeepaliveDialler } from "./keepalive-dialler.ts";
import { loadWatch } from "./load-watch.ts";
import type { ChannelKeepalive, ChannelOptions } from "./options.ts";
import type { ServerWatches } from "./server-watches.ts";
import type { Located, Target } from "./target.ts";

/** The longest time of a timer. */
const LONGEST_MS = 0x7fff_ffff;

type Watches = Pick<ServerWatches, "begin" | "end">;
export type LinesOptions = {
  readonly connect: ConnectOptions;
  readonly keepalive?: ChannelKeepalive | undefined;
  readonly config: ChannelConfig;
  readonly channelz?: ChannelOptions["channelz"];
  /** Asks servers for their health and load, where the config and its policy want to know. */
  readonly watches: Watches;
  /** The shortest time between two look-ups of a name. */
  readonly lookUpApartMs: number;
};

/** The connections of a channel, as its policy wants them: opened when calls need them, and again when they have ended. */
export class Lines {
  readonly #target: Target;
  readonly #graceMs: number;
  readonly #config: ChannelConfig;
  /** What the policy was made by. */
  #configured: LinesConfig;
  #policy!: Policy;
  readonly #resolution: Resolution | undefined;
  readonly #dialler: KeepaliveDialler;
  /** The service whose health policies that spread calls ask for (A17). */
  #healthService: string | undefined;
  /** Addresses whose connection is there, but whose health is not known yet: for the policy they still connect. */
  readonly #unknown = new Set<string>();
  readonly #watches: Watches;
  #located: ReadonlyMap<string, Located> = new Map();
  /** Connections that take calls, by the key of their address. */
  readonly #open = new Map<string, ConnectionGroup<AnyClientConnection>>();
  /** The most connections to one address. */
  #most = 1;
  /** How many calls wait for room on a connection, and their turns. */
  #queued = 0;
  readonly #turns: PromiseWithResolvers<void>[] = [];
  readonly #dialling: Dialling;
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

  constructor(target: Target, { connect, keepalive, channelz, watches, config, lookUpApartMs }: LinesOptions) {
    this.#target = target;
    this.#graceMs = connect.graceMs ?? 5_000;
    this.#config = config;
    this.#configured = config.lines;
    this.#watches = watches;
    this.#dialler = new KeepaliveDialler(target.name, connect, keepalive);
    this.#dialling = new Dialling((key, signal) => this.#dialler.open(this.#located.get(key)!.destination, signal));
    this.#obey(config.lines);
    this.#watch = channelz && new ChannelWatch(channelz.registry, { name: target.name, most: config.lines.most }, () => this.state);
    this.#resolution = typeof target.addresses === "function" ? new Resolution(now(), Math.random, lookUpApartMs) : undefined;
  }

  #obey({ loadBalancing, most, healthService }: LinesConfig): void {
    this.#most = most;
    this.#policy = policyOf(loadBalancing);
    // A policy with one connection has no other place for its calls (A17#pick_first).
    this.#healthService = this.#policy.healthy === undefined ? undefined : healthService;
  }
  /** A look-up may have found another config: then another policy begins with connections of its own. */
  #reconfigure(): void {
    const { lines } = this.#config;
    if (isDeepStrictEqual(lines, this.#configured)) return;
    this.#configured = lines;
    for (const key of this.#located.keys()) this.#drop(key);
    this.#obey(lines);
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
    const key = this.#keys.get(connection);
    const judge = key === undefined ? undefined : judgeOf(policy, key, () => this.#schedule());
    return watchOf(this.#watch?.attempt(connection), judge);
  }

  /** What the service config says of calls, once it has been looked up; rejects as `take` does. */
  async callsConfig(waitForReady: boolean, signal?: AbortSignal): Promise<CallsConfig> {
    for (;;) {
      this.#checkOpen(signal);
      if (this.#config.calls !== undefined) return this.#config.calls;
      this.connect();
      if (this.#error !== undefined && !waitForReady) throw this.#unavailable(this.#error.message);
      await this.#nextChange();
    }
  }
  #checkOpen(signal: AbortSignal | undefined): void {
    if (this.#isClosed) throw new CallFailed(Status.UNAVAILABLE, "The channel is closed.");
    if (signal?.aborted === true) throw new CallFailed(Status.CANCELLED, "The call was cancelled before it was sent.");
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
        this.#checkOpen(signal);
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
      const [found] = await Promise.all([addresses(), this.#config.renew()]);
      resolution.done(true, now());
      this.#reconfigure();
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
    const attempt = this.#dialling.first(key);
    this.#watch?.becomes(key, "CONNECTING");
    const isDropped = (): boolean => this.#isClosed || !this.#dialling.isFirst(key, attempt);
    try {
      const connection = await attempt.connection;
      if (isDropped()) {
        void connection.close(0);
        return;
      }
      this.#dialling.ended(key, attempt);
      const group = new ConnectionGroup<AnyClientConnection>(this.#most, Math.random);
      this.#open.set(key, group);
      this.#join(key, connection, group);
      if (this.#healthService === undefined) this.#policy.connected(key, now());
      else this.#watchHealth(key, connection, this.#healthService);
    } catch (error) {
      if (isDropped()) return;
      this.#dialling.ended(key, attempt);
      this.#error = error as ConnectFailed;
      this.#watch?.becomes(key, "TRANSIENT_FAILURE", (error as Error).message);
      this.#policy.failed(key, (error as Error).message, now());
    }
    this.#run();
  }
  /** The address is connected, for the policy, when its health is known. */
  #watchHealth(key: string, connection: AnyClientConnection, service: string): void {
    this.#unknown.add(key);
    const report = (isHealthy: boolean): void => {
      if (this.#isClosed || this.#open.get(key)?.all.includes(connection) !== true) return;
      if (this.#unknown.delete(key)) this.#policy.connected(key, now());
      this.#policy.healthy?.(key, isHealthy);
      this.#run();
    };
    this.#watches.begin(connection, healthWatch(service, report));
  }
  /** Opens a further connection to an address whose connections have no room. */
  async #grow(key: string, group: ConnectionGroup<AnyClientConnection>): Promise<void> {
    const attempt = this.#dialling.further(key);
    try {
      const connection = await attempt.connection;
      if (this.#open.get(key) === group && !this.#isClosed) this.#join(key, connection, group);
      else if (!this.#dialling.isFirst(key, attempt) || this.#isClosed) void connection.close(0);
    } catch {
      group.failed(now());
    }
    // As the first connection it is still the affair of `#dial`.
    if (!this.#dialling.isFirst(key, attempt)) this.#dialling.ended(key, attempt);
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
    const { reportsEveryMs } = this.#policy;
    const report = (octets: Uint8Array): void => reportTo(this.#policy, key, octets, () => this.#schedule());
    if (reportsEveryMs !== undefined) this.#watches.begin(connection, loadWatch(reportsEveryMs, report));
    connection.onGoaway = () => this.#gone(key, connection, group);
    void this.#untilClosed(key, connection, group);
  }
  #drop(key: string): void {
    this.#dialling.drop(key);
    this.#watch?.becomes(key, "IDLE");
    const group = this.#open.get(key);
    this.#open.delete(key);
    this.#unknown.delete(key);
    for (const connection of group?.all ?? []) {
      this.#watches.end(connection);
      void connection.close(this.#graceMs);
    }
  }
  async #untilClosed(key: string, connection: AnyClientConnection, group: ConnectionGroup<AnyClientConnection>): Promise<void> {
    await connection.closed;
    this.#all.delete(connection);
    this.#watch?.gone(connection);
    if (connection.sentTooManyPings) this.#dialler.askLess();
    this.#gone(key, connection, group);
  }
  /** A connection takes no further calls: a policy that wants another one need not wait until it has ended. */
  #gone(key: string, connection: AnyClientConnection, group: ConnectionGroup<AnyClientConnection>): void {
    this.#watches.end(connection);
    group.remove(connection);
    if (this.#open.get(key) !== group) return;
    if (group.all.length === 0) this.#leave(key);
    else this.#run();
  }
  /** The connection to an address takes no further calls. */
  #leave(key: string): void {
    this.#open.delete(key);
    this.#watch?.becomes(key, "IDLE");
    if (this.#unknown.delete(key)) this.#policy.failed(key, "the connection has ended before the health of the server was known", now());
    else this.#policy.lost(key, now());
    this.#run();
  }

  /** Completes calls in progress, and drops the rest after the grace. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#change?.resolve();
    this.#nextTurn();
    this.#dialling.dropAll();
    for (const connection of this.#all) this.#watches.end(connection);
    await Promise.all([...this.#all].map((connection) => connection.close(this.#graceMs)));
    this.#watch?.closed();
  }
}
