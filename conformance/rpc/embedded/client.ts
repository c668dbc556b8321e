import { setTimeout as pause } from "node:timers/promises";
import { Misuse } from "../../../reference/core/index.ts";
import { type AnyMethod, CallFailed, type Codec, type Metadata, openChannel, type Channel } from "../../../reference/serve/rpc/index.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { readMessage } from "../../wire/protobuf.ts";
import type { CallReport, ChannelSpec } from "../client-vocabulary.ts";
import { CLIENT_FEATURES } from "../driver/client-features.ts";
import { WEB_CLIENT_FEATURES } from "../driver/web-client/features.ts";
import type { WebCallSpec, WebChannelSpec } from "../web-client-vocabulary.ts";

/** Our channel as an adapter: what it reads and reports is described in README.md. */

type Description = {
  readonly features?: true;
  readonly target: string;
  readonly targets?: readonly string[];
  readonly dialect: "rpc" | "grpc" | "connect" | "grpc-web";
  readonly tls?: { readonly ca: string; readonly cert?: string; readonly key?: string };
  readonly channel?: WebChannelSpec & Pick<ChannelSpec, "publishedConfig" | "lookUpApartMs">;
  readonly rounds: readonly (readonly WebCallSpec[])[];
};

/** Messages as they are; in JSON, their text. */
const OCTETS: Codec<Uint8Array> = {
  encode: (octets) => octets,
  decode: (octets) => Uint8Array.from(octets),
  toJson: (octets) => JSON.parse(Buffer.from(octets).toString()) as unknown,
  fromJson: (json: unknown) => Buffer.from(JSON.stringify(json)),
};
const GRACE_MS = 50;

const methodOf = ({ kind, path, get }: WebCallSpec): AnyMethod => ({
  ...(get === true && { idempotency: "no-side-effects" }),
  path,
  requestStream: kind === "client-stream" || kind === "bidi",
  responseStream: kind === "server-stream" || kind === "bidi",
  request: OCTETS,
  response: OCTETS,
});
const isBinary = (name: string): boolean => name.endsWith("-bin");
const pairs = (metadata: Metadata): [string, string][] =>
  [...metadata].map(({ name, value }) => [name, typeof value === "string" ? value : Buffer.from(value).toString("hex")]);

/** Makes one call, and reports on it. */
async function report(channel: Channel, spec: WebCallSpec): Promise<CallReport> {
  const { metadata = [], timeoutMs, encoding, waitForReady, cancel } = spec;
  const abort = new AbortController();
  const over = Promise.withResolvers<void>();
  const got = { headers: [] as [string, string][], trailers: [] as [string, string][], messages: [] as string[] };
  let turn = Promise.withResolvers<void>();
  async function* requests(): AsyncGenerator<Uint8Array> {
    for (const [at, hex] of spec.messages.entries()) {
      while (spec.turns === true && got.messages.length < at) await Promise.race([turn.promise, over.promise]);
      yield Buffer.from(hex, "hex");
    }
    if (spec.open === true) await over.promise;
  }
  const method = methodOf(spec);
  const take = (message: unknown): void => {
    got.messages.push(Buffer.from(message as Uint8Array).toString("hex"));
    turn.resolve();
    turn = Promise.withResolvers();
    if (cancel !== undefined && "afterMessages" in cancel && got.messages.length >= cancel.afterMessages) abort.abort();
  };
  const timer = cancel !== undefined && "afterMs" in cancel ? setTimeout(() => abort.abort(), cancel.afterMs) : undefined;
  const call = channel.call(method, method.requestStream ? requests() : Buffer.from(spec.messages[0] ?? "", "hex"), {
    ...(cancel === undefined ? {} : { signal: abort.signal }),
    // A call without any says nothing of it.
    ...(metadata.length === 0
      ? {}
      : { metadata: metadata.map(([name, value]) => ({ name, value: isBinary(name) ? Buffer.from(value, "hex") : value })) }),
    onHeaders: (all) => void (got.headers = pairs(all)),
    onTrailers: (all) => void (got.trailers = pairs(all)),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(waitForReady === undefined ? {} : { waitForReady }),
  });
  try {
    if (method.responseStream) for await (const message of call as AsyncIterable<unknown>) take(message);
    else take(await (call as Promise<unknown>));
    return { status: 0, message: "", ...got };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return { status: error.status, message: error.message, ...got, details: detailsOf(error) };
  } finally {
    clearTimeout(timer);
    over.resolve();
  }
}

/** The details in an encoded google.rpc.Status. */
const detailsOf = ({ details }: CallFailed): [string, string][] =>
  (details === undefined ? [] : (readMessage(details)?.all(3) ?? [])).flatMap((one): [string, string][] => {
    const any = readMessage(one);
    return any === undefined ? [] : [[any.text(1).split("/").at(-1)!, Buffer.from(any.octets(2)).toString("hex")]];
  });

/** Our client: a channel for each description. */
export const client: InProcessClient = async (_url, signal, { description }) => {
  if (description?.["features"] === true)
    return { features: Object.keys({ ...CLIENT_FEATURES, ...WEB_CLIENT_FEATURES }), language: "node" };
  const { target, targets = [target], dialect, tls, channel: asked = {}, rounds } = description as Description;
  const { publishedConfig, lookUpApartMs, ...options } = asked;
  const scheme = tls === undefined ? "http" : "https";
  const urls = targets.map((one) => `${scheme}://${one}/`);
  const opened = (): Channel =>
    openChannel(/^(?:dns|unix):/.test(target) ? target : urls.length === 1 ? urls[0]! : urls, {
      dialect,
      ...(dialect === "connect" && { get: true }),
      graceMs: GRACE_MS,
      ...options,
      dns: { serviceConfig: publishedConfig === true, ...(lookUpApartMs !== undefined && { lookUpApartMs }) },
      ...(tls === undefined ? {} : { tls }),
    });
  let channel: Channel;
  try {
    channel = opened();
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    // Nothing can be called with such a config.
    return { calls: rounds.flat().map(() => ({ status: -1, message: error.message })) };
  }
  try {
    const calls: CallReport[] = [];
    const stopped = new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
    // The harness has gone on when this rejects.
    stopped.catch(() => {});
    for (const round of rounds) calls.push(...(await Promise.race([Promise.all(round.map((spec) => report(channel, spec))), stopped])));
    return { calls };
  } finally {
    void pause(0).then(() => channel.close());
  }
};
