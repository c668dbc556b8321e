import { Resolver } from "node:dns/promises";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { flawOf } from "../../harness/impostors/named.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { type Fields as Section, Peer } from "../../http2/impostors/peer.ts";
import { MAGIC } from "../../wire/http2/numbers.ts";
import type { FieldSpec } from "../../wire/http2/frame-spec.ts";
import type { ReadField, ReadFrame } from "../../wire/http2/read.ts";
import { fromHex, fromLatin1, join, toHex } from "../../wire/octets.ts";
import { LOAD_STREAM, LOAD_TRAILER, rateOf } from "../../wire/rpc/load-report.ts";
import { envelope, inflated, readEnvelopes } from "../../wire/rpc/envelopes.ts";
import type { CallReport, CallSpec } from "../client-vocabulary.ts";
import { FENCE_PATH } from "../driver/client-connection.ts";
import { CLIENT_FEATURES } from "../driver/client-features.ts";
import type { Received, RpcClientFlaw } from "./client-flaw.ts";
import { RPC_CLIENT_FLAWS } from "./client-flaws.ts";

const valueOf = (fields: readonly ReadField[], name: string): string | undefined => fields.find(([one]) => one === name)?.[1];
/** An impostor does not wait for longer ones. */
const MOST_MS = 5_000;

/** One attempt, as it arrives. */
class Attempt {
  readonly sections: (readonly ReadField[])[] = [];
  readonly #data: Uint8Array[] = [];
  readonly #done = Promise.withResolvers<Received>();
  readonly over: Promise<Received> = this.#done.promise;
  #settled = false;
  /** The whole messages so far. */
  readonly #counted: (count: number) => void;
  /** The first section is the last. */
  readonly #noInterim: boolean;

  constructor(noInterim: boolean, counted: (count: number) => void) {
    this.#noInterim = noInterim;
    this.#counted = counted;
  }

  take(frame: ReadFrame, section: Section | undefined): void {
    const noInterim = this.#noInterim;
    if (frame.data !== undefined) this.#data.push(frame.data);
    if (section !== undefined && (noInterim || !/^1\d\d$/.test(valueOf(section.fields, ":status") ?? "")))
      this.sections.push(section.fields);
    if (frame.data !== undefined) this.#counted(readEnvelopes(join(this.#data)).messages.length);
    if (section?.end === true || (noInterim && section !== undefined)) this.end({ endedBy: "HEADERS" });
    else if (frame.endStream === true && frame.type === "DATA") this.end({ endedBy: "DATA" });
    else if (frame.type === "RST_STREAM") this.end({ broken: frame.code ?? "" });
  }
  get parts(): readonly Uint8Array[] {
    return this.#data;
  }
  end(how: Pick<Received, "broken" | "endedBy">): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#done.resolve({ sections: this.sections, octets: join(this.#data), ...how });
  }
}

/** Makes calls on one connection, with its flaw. */
class RpcClientPeer extends Peer {
  readonly #setting: { readonly prefix: string; readonly scheme: string; readonly authority: string };
  readonly #attempts = new Map<number, Attempt>();
  #next = 1;
  /** The server has ended the connection. */
  isGone = false;

  constructor(
    socket: Duplex,
    flaw: RpcClientFlaw,
    setting: { readonly prefix: string; readonly scheme: string; readonly authority: string },
  ) {
    super(socket, flaw, "client");
    this.#setting = setting;
    this.raw(fromLatin1(MAGIC));
    this.send({ type: "SETTINGS", settings: flaw.settings ?? [["MAX_CONCURRENT_STREAMS", 100]] });
  }

  protected take(frame: ReadFrame, section: Section | undefined): void {
    this.#attempts.get(frame.stream)?.take(frame, section);
    if (frame.type === "RST_STREAM") this.forget(frame.stream);
  }
  protected ended(): void {
    this.isGone = true;
    for (const attempt of this.#attempts.values()) attempt.end({ broken: "the connection ended" });
  }

  async call(
    spec: CallSpec,
    attempts: number,
    flaw: RpcClientFlaw,
  ): Promise<{ readonly received: Received; readonly status?: number; readonly parts: readonly Uint8Array[] }> {
    const stream = this.#next;
    this.#next += 2;
    const cancel = Promise.withResolvers<{ readonly status: number }>();
    const attempt = new Attempt(flaw.noInterim === true, (count) => {
      if (spec.cancel !== undefined && "afterMessages" in spec.cancel && count >= spec.cancel.afterMessages)
        cancel.resolve({ status: flaw.cancelled ?? 0 });
    });
    this.#attempts.set(stream, attempt);
    this.#request(stream, spec, attempts, flaw);
    const timers: NodeJS.Timeout[] = [];
    const later = (ms: number, status: number): void =>
      void timers.push(setTimeout(() => cancel.resolve({ status }), Math.min(Math.max(ms, 0), MOST_MS)));
    if (spec.timeoutMs !== undefined) later(spec.timeoutMs, flaw.deadline ?? 0);
    if (spec.cancel !== undefined && "afterMs" in spec.cancel) later(spec.cancel.afterMs, flaw.cancelled ?? 0);
    const first = await Promise.race([attempt.over, cancel.promise]);
    for (const timer of timers) clearTimeout(timer);
    const isCut = "status" in first;
    if (flaw.resets !== undefined && (isCut || spec.open === true) && !this.over)
      this.send({ type: "RST_STREAM", stream, code: flaw.resets });
    if (isCut) return { received: { sections: attempt.sections, octets: join(attempt.parts) }, status: first.status, parts: attempt.parts };
    return { received: first, parts: attempt.parts };
  }

  #request(stream: number, spec: CallSpec, attempts: number, flaw: RpcClientFlaw): void {
    const { prefix, scheme, authority } = this.#setting;
    const names = (name: string): string => `${prefix}-${name}`;
    const plain: FieldSpec[] = [
      [":method", "POST"],
      [":scheme", scheme],
      [":path", spec.path],
      [":authority", authority],
      ...(spec.timeoutMs === undefined ? [] : [[names("timeout"), timeoutOf(spec.timeoutMs)] as const]),
      ["te", "trailers"],
      ["content-type", `application/${prefix}`],
      ["user-agent", `${prefix}-impostor/1.0`],
      [names("accept-encoding"), "gzip,deflate"],
      ...(spec.encoding === undefined ? [] : [[names("encoding"), spec.encoding] as const]),
      ...(attempts === 0 ? [] : [[names("previous-rpc-attempts"), String(attempts)] as const]),
      ...(spec.metadata ?? []).map(([name, value]): FieldSpec => [name, name.endsWith("-bin") ? unpadded(value) : value]),
    ];
    const fields = flaw.fields?.(plain, names, spec) ?? plain;
    const messages = flaw.messages?.(spec.messages) ?? spec.messages;
    const octets = join(
      messages.map((hex) => {
        const one = envelope(fromHex(hex), spec.encoding === "gzip" || spec.encoding === "deflate" ? { compress: spec.encoding } : {});
        return flaw.envelope?.(one) ?? one;
      }),
    );
    if (octets.length === 0 && flaw.endsAtHead === true)
      return this.send({ type: "HEADERS", stream, flags: ["END_HEADERS", "END_STREAM"], fields });
    this.send({ type: "HEADERS", stream, flags: ["END_HEADERS"], fields });
    const last: readonly FieldSpec[] = [["x-end", "1"]];
    if (flaw.endsWithHeaders === true)
      return this.content(stream, octets, [{ type: "HEADERS", stream, flags: ["END_HEADERS", "END_STREAM"], fields: last }]);
    if (spec.open === true) return this.send({ type: "DATA", stream, hex: toHex(octets) });
    if (octets.length === 0) return this.send({ type: "DATA", stream, flags: ["END_STREAM"] });
    this.content(stream, octets, []);
  }
}

const unpadded = (hex: string): string => Buffer.from(hex, "hex").toString("base64").replace(/=+$/, "");
const timeoutOf = (ms: number): string => {
  const whole = Math.max(1, Math.round(ms));
  return whole <= 99_999_999 ? `${whole}m` : `${Math.floor(whole / 1000)}S`;
};

const decoded = (text: string): string => {
  const octets = text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, "latin1").toString();
};

/** What the base makes of anything: OK, unless a status says otherwise. */
function reportOf(
  { received, status, parts }: Awaited<ReturnType<RpcClientPeer["call"]>>,
  prefix: string,
  flaw: RpcClientFlaw,
): CallReport {
  const { sections, octets } = received;
  const [head = []] = sections;
  const last = sections.at(-1) ?? [];
  const encoding = valueOf(head, `${prefix}-encoding`);
  const whole = flaw.byFrame === true ? parts.flatMap((part) => readEnvelopes(part).messages) : readEnvelopes(octets).messages;
  const code = Number(valueOf(last, `${prefix}-status`) ?? "0");
  const pairs = (fields: readonly ReadField[]): [string, string][] =>
    fields
      .filter(([name]) => !name.startsWith(":"))
      .flatMap(([name, value]): [string, string][] =>
        name.endsWith("-bin") ? value.split(",").map((one) => [name, Buffer.from(one, "base64").toString("hex")]) : [[name, value]],
      );
  const report: CallReport = {
    status: status ?? (Number.isInteger(code) && code >= 0 && code <= 16 ? code : 0),
    message: decoded(valueOf(last, `${prefix}-message`) ?? ""),
    headers: sections.length > 1 ? pairs(head) : [],
    trailers: pairs(last),
    messages: whole.map((one) => toHex(inflated(one, encoding) ?? one.octets)),
  };
  return flaw.report?.(report, received) ?? report;
}

/** Where it connects. */
type Place = { readonly host: string; readonly port: number } | { readonly path: string };
async function placesOf(target: string, targets: readonly string[]): Promise<readonly Place[]> {
  const unix = /^unix:(?:\/\/)?(\/.*)$/.exec(target);
  if (unix !== null) return [{ path: unix[1]! }];
  const address = /^dns:(?:\/\/\/)?([\d.]+):(\d+)$/.exec(target);
  if (address !== null) return [{ host: address[1]!, port: Number(address[2]) }];
  const name = /^dns:\/\/([^/]+)\/([^:]+):(\d+)$/.exec(target);
  if (name === null) return targets.map((one) => ({ host: one.split(":")[0]!, port: Number(one.split(":")[1]) }));
  const resolver = new Resolver();
  resolver.setServers([name[1]!]);
  const found = await resolver.resolve4(name[2]!).catch(() => []);
  return found.map((host) => ({ host, port: Number(name[3]) }));
}

/** The question for the health of the service of the cases, until its first answer. */
const HEALTH: CallSpec = {
  kind: "server-stream",
  path: "/grpc.health.v1.Health/Watch",
  messages: ["0a0a746f75636873746f6e65"],
  cancel: { afterMessages: 1 },
};

/** The question for reports of load. */
const LOADS: CallSpec = { kind: "server-stream", path: LOAD_STREAM, messages: ["0a02080a"] };
const LOADS_ASKED = 5;

/** What it is on the last call of a description. */
const RIGHT: RpcClientFlaw = { about: "nothing" };

/** A client with this flaw, in this process. */
export const wrongClient = (name: string): InProcessClient => {
  const wrong = flawOf(RPC_CLIENT_FLAWS, name);
  return async (_url, signal, { description }) => {
    if (description?.["features"] === true) return { features: Object.keys(CLIENT_FEATURES) };
    const {
      target,
      targets = [target],
      dialect,
      tls,
      channel,
      rounds,
    } = description as {
      readonly target: string;
      readonly targets?: readonly string[];
      readonly dialect: string;
      readonly tls?: { readonly ca: string; readonly cert?: string; readonly key?: string };
      readonly channel?: { readonly serviceConfig?: Readonly<Record<string, unknown>> };
      readonly rounds: readonly (readonly CallSpec[])[];
    };
    if (wrong.silent === true) return new Promise(() => {});
    if (wrong.slams === true) return { calls: rounds.flat().map(() => ({ status: 14 })) };
    if (wrong.only !== undefined) return { calls: rounds.flat().map(() => ({ status: wrong.only! })) };
    const { healthCheckConfig, loadBalancingConfig } = channel?.serviceConfig ?? {};
    const places = await placesOf(target, targets);
    const peers = new Map<number, Promise<RpcClientPeer>>();
    const dial = async (place: Place): Promise<RpcClientPeer> => {
      const socket =
        tls === undefined
          ? connect(place)
          : connectTls({
              ...place,
              ALPNProtocols: ["h2"],
              rejectUnauthorized: false,
              ...(tls.cert === undefined ? {} : { cert: tls.cert, key: tls.key! }),
            });
      signal.addEventListener("abort", () => socket.destroy());
      socket.setNoDelay(true);
      await new Promise<void>((resolve, reject) =>
        socket.once("error", reject).once(tls === undefined ? "connect" : "secureConnect", resolve),
      );
      const peer = new RpcClientPeer(socket, wrong, { prefix: dialect, scheme: tls === undefined ? "http" : "https", authority: target });
      if (wrong.asksLoad === true && JSON.stringify(loadBalancingConfig ?? []).includes("weighted_round_robin")) void askForLoad(peer);
      return peer;
    };
    const askForLoad = async (peer: RpcClientPeer): Promise<void> => {
      for (let asked = 0; asked < LOADS_ASKED && !peer.isGone; asked++) await peer.call(LOADS, 0, RIGHT);
    };
    const open = async (at: number): Promise<RpcClientPeer> => {
      const known = peers.get(at);
      if (known !== undefined && (await known.catch(() => undefined))?.isGone === false) return known;
      const peer = dial(places[at]!);
      peers.set(at, peer);
      return peer;
    };
    if (wrong.spreads === true) for (const at of places.keys()) open(at).catch(() => undefined);
    let turn = 0;
    const left = new Set<number>();
    /** The rate that each address reports, and the calls that it has had since it did first. */
    const rates = new Map<number, { rate: number; had: number }>();
    const chosen = (): number | undefined => {
      const usable = [...places.keys()].filter((at) => !left.has(at));
      if (wrong.weighs === true && rates.size > 0) {
        const had = (at: number): number => (rates.get(at)?.had ?? 0) / (rates.get(at)?.rate ?? 1);
        const least = usable.reduce((one, other) => (had(other) < had(one) ? other : one));
        const share = rates.get(least) ?? { rate: 1, had: 0 };
        rates.set(least, { ...share, had: share.had + 1 });
        return least;
      }
      return usable[wrong.spreads === true && usable.length > 0 ? turn++ % usable.length : 0];
    };
    const asksHealth = healthCheckConfig !== undefined && loadBalancingConfig !== undefined && wrong.noHealth !== true;
    let health: Promise<unknown> | undefined;
    const call = async (spec: CallSpec): Promise<CallReport> => {
      // It is right about the last call: it has to fail a case by the case itself.
      const flaw = spec.path === FENCE_PATH ? RIGHT : wrong;
      for (let attempts = 0; ; attempts++) {
        // It does not mind that there is no connection.
        const at = chosen();
        const there = at === undefined ? undefined : await open(at).catch(() => undefined);
        if (there === undefined) return { status: 0, message: "", headers: [], trailers: [], messages: [] };
        if (asksHealth) {
          health ??= there.call(HEALTH, 0, RIGHT);
          await health;
        }
        const report = reportOf(await there.call(spec, attempts, flaw), dialect, flaw);
        const load = report.trailers.find(([name]) => name === LOAD_TRAILER);
        if (load !== undefined) {
          const rate = rateOf(Buffer.from(load[1], "hex").toString("base64"));
          if (rates.get(at!)?.rate !== rate) {
            for (const share of rates.values()) share.had = 0;
            rates.set(at!, { rate, had: 0 });
          }
        }
        if (report.status !== 0 && wrong.givesUp === true) left.add(at!);
        if (report.status === 0 || attempts >= (flaw.retries ?? 0)) return report;
      }
    };
    const calls: CallReport[] = [];
    for (const round of rounds) {
      if (wrong.oneByOne === true) for (const spec of round) calls.push(await call(spec));
      else calls.push(...(await Promise.all(round.map(call))));
    }
    if (wrong.leaks !== true) for (const peer of peers.values()) (await peer.catch(() => undefined))?.close();
    return { calls };
  };
};
