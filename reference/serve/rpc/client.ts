import { setTimeout as wait } from "node:timers/promises";
import { Misuse } from "../../core/index.ts";
import { messageCompressors, now } from "../../io/index.ts";
import type { Content } from "../../http/index.ts";
import {
  type AnyMethod,
  type CallOptions,
  CallFailed,
  type ConnectivityState,
  DEFAULT_MESSAGE_OCTETS,
  DIALECTS,
  Hedging,
  jsonCodec,
  LOOK_UPS_APART_MS,
  type MessageFormat,
  readServiceConfig,
  RequestHeads,
  Retries,
  type Service,
  type ServiceClient,
  Status,
  type StatusCode,
  WEB_DIALECTS,
  writeEnvelope,
} from "../../rpc/index.ts";
import { version } from "../../../version.ts";
import type { AnyClientConnection } from "../client/connection.ts";
import { StreamFailed } from "../errors.ts";
import { type AskedCall, attempt, type ChannelSetup, endOf, explain, Refusal } from "./attempt.ts";
import type { CallWatch } from "./call-watch.ts";
import { ChannelConfig } from "./channel-config.ts";
import { lookUpServiceConfig } from "./config-look-up.ts";
import { hedged } from "./hedged.ts";
import { Lines } from "./lines.ts";
import type { ChannelOptions, ClientInterceptor } from "./options.ts";
import { Outgoing } from "./outgoing.ts";
import type { ReceivedMessages } from "./received-messages.ts";
import { ServerWatches } from "./server-watches.ts";
import { type ChannelTarget, targetOf } from "./target.ts";
import { isWeb } from "./web/by-content-type.ts";
import { sendWeb } from "./web/send-web.ts";

/** Calls one server, or several that do the same. */
export type Channel = AsyncDisposable & {
  /** Whether there is a connection. */
  readonly state: ConnectivityState;
  /** Begins to connect, as a call does. */
  connect(): void;
  /** Resolves to the state when it is not this one any more. */
  stateChanged(from: ConnectivityState): Promise<ConnectivityState>;
  /** The stubs of a service. */
  client<Of extends Service>(service: Of): ServiceClient<Of>;
  /** Calls any method: a promise, or an iteration if the responses are a stream. */
  call(method: AnyMethod, request: unknown, options?: CallOptions): unknown;
  /** Completes calls in progress, and drops the rest after `graceMs`. */
  close(): Promise<void>;
};

/** The most connections to one address, by default (A105#configuration). */
const MOST_CONNECTIONS = 10;
/** Further attempts of a call that a server refuses, and of one that found its connection closing. */
const REFUSALS = 1;
const RETRIES = 5;

/** Makes a channel to a server, or to several that do the same. It connects when the first call needs it. */
export function openChannel(target: ChannelTarget, options: ChannelOptions = {}): Channel {
  const {
    dialect = "rpc",
    maxMessageOctets: limit = DEFAULT_MESSAGE_OCTETS,
    encoding,
    interceptors = [],
    userAgent,
    serviceConfig = {},
    unknownConfigFields,
    keepalive,
    channelz,
    format = "proto",
    get = false,
    text = false,
    maxConnectionsPerSubchannel: mostConnections = MOST_CONNECTIONS,
    dns = {},
    ...connecting
  } = options;
  const setup = {
    dialect: isWeb(dialect) ? WEB_DIALECTS[dialect] : DIALECTS[dialect],
    compressors: messageCompressors(),
    userAgent: userAgent ?? `${dialect}-touchstone/${version}`,
  };
  const checked = (name: string | undefined): string | undefined => {
    if (name === undefined || name === "identity") return undefined;
    if (setup.compressors.has(name)) return name;
    throw new Misuse(`the encoding "${name}" is not known: use ${[...setup.compressors.keys()].join(", ")}`);
  };
  const wanted = checked(encoding);
  const given = readServiceConfig(serviceConfig, unknownConfigFields);
  const place = targetOf(target, connecting.tls !== undefined);
  const { looksUp } = place;
  if (dns.serviceConfig === true && looksUp === undefined)
    throw new Misuse("a service config is published for a name: give a target such as dns:///host:port");
  const lookUp =
    dns.serviceConfig === true
      ? async () => lookUpServiceConfig(looksUp!.name, { ...looksUp, dialect: isWeb(dialect) ? "grpc" : dialect })
      : undefined;
  const config = new ChannelConfig(given, mostConnections, lookUp);
  if (dialect !== "connect" && (format !== "proto" || get))
    throw new Misuse(`the options format and get are for the dialect connect, not ${dialect}`);
  if (dialect !== "grpc-web" && text) throw new Misuse(`the option text is for the dialect grpc-web, not ${dialect}`);
  const send = isWeb(dialect) ? { send: sendWeb(dialect, { compressors: setup.compressors, limit, format, get, text }) } : {};
  const channel: ChannelSetup = { ...setup, heads: new RequestHeads(setup), limit, ...send };
  const lines = new Lines(place, {
    connect: connecting,
    keepalive,
    config,
    channelz,
    watches: new ServerWatches(channel),
    lookUpApartMs: dns.lookUpApartMs ?? LOOK_UPS_APART_MS,
  });
  const calls = new Calls(lines, channel, config);
  const call = (method: AnyMethod, request: unknown, given: CallOptions = {}): unknown => {
    const chosen = given.encoding === undefined ? wanted : checked(given.encoding);
    const { encoding: _, ...others } = given;
    return invoke(formatted(method, format), request, chosen === undefined ? others : { ...others, encoding: chosen }, 0);
  };
  const invoke = (method: AnyMethod, request: unknown, given: CallOptions, at: number): unknown => {
    const interceptor: ClientInterceptor | undefined = interceptors[at];
    if (interceptor !== undefined)
      return interceptor(request, { method, options: given }, (passed, changed = given) => invoke(method, passed, changed, at + 1));
    return method.responseStream ? calls.stream(method, request, given) : calls.single(method, request, given);
  };
  const close = (): Promise<void> => lines.close();
  return {
    client: <Of extends Service>(service: Of) =>
      Object.fromEntries(
        Object.entries(service.methods).map(([name, method]) => [
          name,
          (request: unknown, given?: CallOptions) => call(method, request, given),
        ]),
      ) as ServiceClient<Of>,
    call,
    get state() {
      return lines.state;
    },
    connect: () => lines.connect(),
    stateChanged: (from) => lines.changed(from),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A method whose messages have this format. */
function formatted(method: AnyMethod, format: MessageFormat): AnyMethod {
  if (format === "proto") return method;
  const [request, response] = [jsonCodec(method.request), jsonCodec(method.response)];
  if (request === undefined || response === undefined)
    throw new Misuse(`the messages of ${method.path} have no JSON: use the format proto`);
  return { ...method, request, response };
}

/** Sends a call on a connection; wrapped, so that nobody waits for the responses by accident. */
type Send = (connection: AnyClientConnection) => { readonly responses: Promise<ReceivedMessages<unknown>> };

/** The calls of a channel. */
class Calls {
  readonly lines: Lines;
  readonly #setup: ChannelSetup;

  readonly #config: ChannelConfig;

  constructor(lines: Lines, setup: ChannelSetup, config: ChannelConfig) {
    this.lines = lines;
    this.#setup = setup;
    this.#config = config;
  }

  async single(method: AnyMethod, request: unknown, options: CallOptions): Promise<unknown> {
    const over = this.lines.call();
    try {
      const response = await (await this.#begin(method, request, options)).single();
      over?.(true);
      return response;
    } catch (error) {
      over?.(false);
      throw error;
    }
  }

  /** The call begins at once; the iteration reads its responses. */
  stream(method: AnyMethod, request: unknown, options: CallOptions): AsyncIterableIterator<unknown, undefined> {
    const over = this.lines.call();
    const begun = this.#begin(method, request, options);
    // A failure that nobody reads is not an unhandled rejection.
    begun.catch(() => over?.(false));
    const iterator: AsyncIterableIterator<unknown, undefined> = {
      [Symbol.asyncIterator]: () => iterator,
      next: async () => {
        try {
          const step = await (await begun).next();
          if (step.done === true) over?.(true);
          return step;
        } catch (error) {
          over?.(false);
          throw error;
        }
      },
      return: async () => {
        over?.(false);
        // oxlint-disable-next-line promise/prefer-await-to-then -- a call that has failed needs no end
        await begun.then((responses) => responses.return()).catch(() => {});
        return { done: true, value: undefined };
      },
    };
    return iterator;
  }

  async #begin(method: AnyMethod, request: unknown, given: CallOptions): Promise<ReceivedMessages<unknown>> {
    const own = deadlineOf(given);
    const begun = performance.now();
    const { config, tokens } =
      this.#config.calls ??
      (await within({ options: given, deadline: own }, (signal) => this.lines.callsConfig(given.waitForReady === true, signal)));
    const { retryPolicy, hedgingPolicy, timeoutMs, waitForReady } = config.methodConfig(method.path);
    const options = waitForReady === undefined ? given : { waitForReady, ...given };
    const deadline = timeoutMs === undefined ? own : earlier(own, begun + timeoutMs);
    const retries = retryPolicy === undefined ? undefined : new Retries(retryPolicy, tokens, Math.random);
    const outgoing = method.requestStream
      ? new Outgoing(this.#envelopes(method, request as AsyncIterable<unknown>, options.encoding))
      : this.#envelope(method, request, options.encoding);
    const asked = {
      method,
      options,
      deadline,
      attempts: 0,
      ...(retries !== undefined && { ended: (code: StatusCode) => retries.ended(code) }),
    };
    // Requests that are a stream can be read once at a time: they are sent once.
    if (hedgingPolicy !== undefined && !(outgoing instanceof Outgoing)) {
      const hedging = new Hedging(hedgingPolicy, tokens, now());
      return hedged(hedging, asked, (copy) => this.#sent(outgoing, copy));
    }
    try {
      return await this.#retried(outgoing, asked, retries);
    } catch (error) {
      if (!(outgoing instanceof Outgoing)) throw error;
      void outgoing.stop();
      const { failure } = outgoing;
      if (failure === undefined || !(error instanceof CallFailed)) throw error;
      throw new CallFailed(Status.CANCELLED, "The call was cancelled, because its requests could not be read.", { cause: failure.error });
    }
  }

  /** Attempts by the policy, until one has headers, or none may follow. */
  async #retried(outgoing: Outgoing | Uint8Array, asked: AskedCall, retries: Retries | undefined): Promise<ReceivedMessages<unknown>> {
    for (;;) {
      try {
        const responses = await this.#sent(outgoing, retries === undefined ? asked : { ...asked, attempts: retries.count });
        if (outgoing instanceof Outgoing) outgoing.commit();
        return responses;
      } catch (error) {
        const isReplayable = !(outgoing instanceof Outgoing) || outgoing.isReplayable;
        if (retries === undefined || !(error instanceof CallFailed) || !isReplayable) throw error;
        const waitMs = retries.failed(error.status, error instanceof Refusal ? error.pushBack : undefined);
        if (waitMs === "stop") throw error;
        await within(asked, (signal) => wait(waitMs, undefined, signal === undefined ? {} : { signal }));
      }
    }
  }

  /** One attempt; again if the server has not processed it (rpc-retries#transparent-retries). */
  async #sent(outgoing: Outgoing | Uint8Array, asked: AskedCall): Promise<ReceivedMessages<unknown>> {
    const { options, deadline } = asked;
    for (let retries = 0; ; retries++) {
      // The deadline may have passed before anything was sent (rpc-status#codes).
      if (deadline !== undefined && performance.now() >= deadline)
        throw new CallFailed(Status.DEADLINE_EXCEEDED, "The deadline of the call had passed before it was sent.");
      let watch: CallWatch | undefined;
      // A call has its place on a connection when it is chosen: nothing comes in between.
      const send: Send = (connection) => {
        if (options.signal?.aborted === true) throw new CallFailed(Status.CANCELLED, "The call was cancelled before it was sent.");
        watch = this.lines.attempt(connection);
        return { responses: attempt({ connection, watch }, this.#setup, asked, outgoing satisfies Content) };
      };
      // The call may have ended, by its deadline, in the moment in which it is sent.
      const quiet: Send = (connection) => {
        const sent = send(connection);
        sent.responses.catch(() => {});
        return sent;
      };
      const { ready } = this.lines;
      const sent =
        ready === undefined ? await within(asked, (signal) => this.lines.take(options.waitForReady === true, quiet, signal)) : send(ready);
      try {
        return await sent.responses;
      } catch (error) {
        watch?.ended(endOf(error), error instanceof Refusal ? error.metadata : undefined);
        const isUnprocessed = error instanceof StreamFailed && error.retryable;
        const isReplayable = !(outgoing instanceof Outgoing) || outgoing.isReplayable;
        if (!isUnprocessed || !isReplayable) throw explain(error, deadline);
        if (retries >= (error.errorCode === "REFUSED_STREAM" ? REFUSALS : RETRIES)) throw explain(error, deadline);
      }
    }
  }

  async *#envelopes(method: AnyMethod, requests: AsyncIterable<unknown>, encoding: string | undefined): AsyncGenerator<Uint8Array> {
    for await (const request of requests) yield this.#envelope(method, request, encoding);
  }
  #envelope(method: AnyMethod, request: unknown, encoding: string | undefined): Uint8Array {
    const octets = method.request.encode(request);
    const compressor = encoding === undefined ? undefined : this.#setup.compressors.get(encoding);
    return compressor === undefined
      ? writeEnvelope({ isCompressed: false, octets })
      : writeEnvelope({ isCompressed: true, octets: compressor.compress(octets) });
  }
}

const deadlineOf = ({ timeoutMs, deadline }: CallOptions): number | undefined =>
  timeoutMs === undefined ? deadline : earlier(performance.now() + timeoutMs, deadline);
const earlier = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

/** Waits, for a connection or for the next attempt, no longer than the call may take. */
async function within<Result>(
  { options, deadline }: Pick<AskedCall, "options" | "deadline">,
  take: (signal?: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal } = options;
  if (signal === undefined && deadline === undefined) return take();
  const stop = new AbortController();
  const stopped = Promise.withResolvers<never>();
  const end = (why: CallFailed): void => {
    stopped.reject(why);
    stop.abort();
  };
  const abort = (): void => end(new CallFailed(Status.CANCELLED, "The call was cancelled before it was sent."));
  const late = (): void => end(new CallFailed(Status.DEADLINE_EXCEEDED, "The deadline of the call has passed before it had a connection."));
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort, { once: true });
  const timer = deadline === undefined ? undefined : setTimeout(late, Math.min(deadline - performance.now(), 0x7fff_ffff));
  try {
    return await Promise.race([take(stop.signal), stopped.promise]);
  } finally {
    signal?.removeEventListener("abort", abort);
    clearTimeout(timer);
  }
}
