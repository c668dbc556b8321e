import { setTimeout as wait } from "node:timers/promises";
import type { AnyMessage } from "../../../reference/rpc/contract/index.ts";
import { CallFailed, type Channel, openChannel } from "../../../reference/serve/rpc/index.ts";
import { type Any, Contract, entriesOf, type Failure, type Header, headersOf } from "./contract.ts";
import { messagesFrom, writeMessage } from "./framing.ts";

/** Our client for the runner: reads which calls to make, and says what came of each. `node client.ts FOLDER-OF-THE-CONTRACT`. */

type Cancel =
  | { readonly is: "beforeCloseSend" }
  | { readonly is: "afterCloseSendMs" | "afterNumResponses"; readonly value: number }
  | undefined;
type Wanted = {
  readonly testName: string;
  readonly protocol: keyof typeof DIALECTS;
  readonly compression: number;
  readonly host: string;
  readonly port: number;
  readonly serverTlsCert: Uint8Array;
  readonly clientTlsCreds?: { readonly cert: Uint8Array; readonly key: Uint8Array };
  readonly messageReceiveLimit: number;
  readonly method?: string;
  readonly streamType: number;
  readonly requestHeaders: readonly Header[];
  readonly requestMessages: readonly Any[];
  readonly timeoutMs?: number;
  readonly requestDelayMs: number;
  readonly cancel?: { readonly cancelTiming: Cancel };
};
type Result = {
  responseHeaders: Header[];
  responseTrailers: Header[];
  payloads: AnyMessage[];
  error?: Failure;
  numUnsentRequests: number;
};

const DIALECTS = { 1: "connect", 2: "grpc", 3: "grpc-web" } as const;
const ENCODINGS: Readonly<Record<number, string>> = { 2: "gzip", 4: "zstd", 5: "deflate" };
const FULL_DUPLEX = 5;

const contract = new Contract(process.argv[2] ?? ".");
const channels = new Map<string, Channel>();
const pem = (octets: Uint8Array): string => Buffer.from(octets).toString();

/** One channel for all calls to the same server in the same way. */
function channelFor({ protocol, host, port, serverTlsCert, clientTlsCreds, messageReceiveLimit }: Wanted): Channel {
  const isTls = serverTlsCert.length > 0;
  const target = `${isTls ? "https" : "http"}://${host}:${port}`;
  const key = [target, protocol, messageReceiveLimit].join(" ");
  const found = channels.get(key);
  if (found !== undefined) return found;
  const channel = openChannel(target, {
    dialect: DIALECTS[protocol],
    ...(messageReceiveLimit === 0 ? {} : { maxMessageOctets: messageReceiveLimit }),
    ...(isTls
      ? {
          tls: {
            ca: pem(serverTlsCert),
            ...(clientTlsCreds === undefined ? {} : { cert: pem(clientTlsCreds.cert), key: pem(clientTlsCreds.key) }),
          },
        }
      : {}),
  });
  channels.set(key, channel);
  return channel;
}

async function result(wanted: Wanted): Promise<Result> {
  const name = wanted.method ?? "";
  const method = contract.service.methods[name.charAt(0).toLowerCase() + name.slice(1)];
  if (method === undefined) throw new Error(`the service has no method ${name}`);
  const { requestMessages, requestDelayMs, timeoutMs, streamType } = wanted;
  const isFullDuplex = streamType === FULL_DUPLEX;
  const cancel = wanted.cancel?.cancelTiming;
  const abort = new AbortController();
  const got: Result = { responseHeaders: [], responseTrailers: [], payloads: [], numUnsentRequests: requestMessages.length };
  const messages = requestMessages.map(({ value }) => method.request.decode(value) as AnyMessage);
  const afterSending = (): void => {
    if (cancel?.is === "afterCloseSendMs") void wait(cancel.value).then(() => abort.abort());
  };
  let turn = Promise.withResolvers<boolean>();
  const over = Promise.withResolvers<boolean>();
  /** Waits until so many responses have come; false if the call ends before. */
  async function answered(count: number): Promise<boolean> {
    while (got.payloads.length < count) if (!(await Promise.race([turn.promise, over.promise]))) return false;
    return true;
  }
  async function* requests(): AsyncGenerator<AnyMessage> {
    for (const [at, message] of messages.entries()) {
      if (isFullDuplex && !(await answered(at))) return;
      if (requestDelayMs > 0) await wait(requestDelayMs);
      got.numUnsentRequests -= 1;
      yield message;
    }
    if (isFullDuplex) await answered(messages.length);
    if (cancel?.is === "beforeCloseSend") {
      abort.abort();
      return;
    }
    afterSending();
  }
  const take = (response: AnyMessage): void => {
    got.payloads.push((response["payload"] ?? {}) as AnyMessage);
    turn.resolve(true);
    turn = Promise.withResolvers();
    if (cancel?.is === "afterNumResponses" && got.payloads.length >= cancel.value) abort.abort();
  };
  const encoding = ENCODINGS[wanted.compression];
  if (cancel?.is === "afterNumResponses" && cancel.value === 0) abort.abort();
  try {
    if (!method.requestStream) got.numUnsentRequests = 0;
    const call = channelFor(wanted).call(method, method.requestStream ? requests() : messages[0], {
      signal: abort.signal,
      metadata: entriesOf(wanted.requestHeaders),
      onHeaders: (metadata) => void (got.responseHeaders = headersOf(metadata)),
      onTrailers: (metadata) => void (got.responseTrailers = headersOf(metadata)),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(encoding === undefined ? {} : { encoding }),
    });
    if (!method.requestStream) afterSending();
    if (method.responseStream) for await (const response of call as AsyncIterable<AnyMessage>) take(response);
    else take(await (call as Promise<AnyMessage>));
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    got.error = contract.failure(error);
  } finally {
    over.resolve(false);
  }
  return got;
}

async function answer(octets: Uint8Array): Promise<void> {
  const wanted = contract.type("ClientCompatRequest").decode(octets) as unknown as Wanted;
  const { testName } = wanted;
  const outcome = await result(wanted).then(
    (value) => ({ is: "response", value }),
    (error: unknown) => ({ is: "error", value: { message: String(error) } }),
  );
  writeMessage(contract.type("ClientCompatResponse").encode({ testName, result: outcome } as AnyMessage));
}

/** Calls at a time. */
const AT_ONCE = 16;
const running = new Set<Promise<void>>();
for await (const octets of messagesFrom(process.stdin)) {
  const one = answer(Uint8Array.from(octets)).finally(() => running.delete(one));
  running.add(one);
  if (running.size >= AT_ONCE) await Promise.race(running);
}
await Promise.all(running);
await Promise.all([...channels.values()].map((channel) => channel.close()));
