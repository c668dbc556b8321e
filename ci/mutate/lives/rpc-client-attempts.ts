import { after, field, instant, NEVER } from "../../../reference/core/index.ts";
import { Fields } from "../../../reference/http/index.ts";
import { readHead, readTrailers, RequestHeads } from "../../../reference/rpc/client-call.ts";
import {
  DIALECTS,
  type Ended,
  Hedging,
  type Metadata,
  Retries,
  RetryTokens,
  Status,
  type StatusCode,
} from "../../../reference/rpc/index.ts";
import { Outgoing } from "../../../reference/serve/rpc/outgoing.ts";
import type { Chance } from "./chance.ts";
import { fieldsText, octetsText, outcome } from "./text.ts";

/** The attempts of calls: when they are made, what they send, and how their ends are read. */

const CODES: readonly StatusCode[] = [Status.OK, Status.UNAVAILABLE, Status.ABORTED, Status.INTERNAL];
const codeOf = (chance: Chance): StatusCode => chance.any(CODES)!;
const PUSH_BACKS = ["0", "100", "2500", "-1", "x", "", "99999999999"] as const;
const pushBackOf = (chance: Chance): string | undefined => (chance.once(4) ? chance.one(PUSH_BACKS) : undefined);
const tokensOf = (chance: Chance): RetryTokens | undefined =>
  chance.once(3) ? undefined : new RetryTokens({ maxTokens: chance.between(1, 6), tokenRatio: chance.one([0.1, 0.5, 1, 2.001, 0.0004]) });
const statusesOf = (chance: Chance): ReadonlySet<StatusCode> => new Set(CODES.filter(() => chance.once(2)));

export function retryScene(chance: Chance): string {
  const tokens = tokensOf(chance);
  const lines: string[] = [];
  for (let call = chance.between(1, 4); call > 0; call--) {
    const policy = {
      maxAttempts: chance.between(2, 5),
      initialBackoffMs: chance.one([1, 100, 1_000]),
      maxBackoffMs: chance.one([50, 150, 5_000]),
      backoffMultiplier: chance.one([1, 1.6, 3]),
      retryableStatusCodes: statusesOf(chance),
    };
    const retries = new Retries(policy, tokens, () => chance.below(1_000) / 1_000);
    lines.push(JSON.stringify({ ...policy, retryableStatusCodes: [...policy.retryableStatusCodes] }));
    for (let step = chance.between(1, 7); step > 0; step--) {
      const status = codeOf(chance);
      const pushBack = pushBackOf(chance);
      if (chance.once(5)) {
        retries.ended(status);
        lines.push(`ended ${status}: ${tokens?.permits}`);
      } else lines.push(`failed ${status} ${pushBack}: ${retries.failed(status, pushBack)} ${retries.count} ${tokens?.permits}`);
    }
  }
  return lines.join("\n");
}

export function hedgingScene(chance: Chance): string {
  const tokens = tokensOf(chance);
  const lines: string[] = [];
  let now = instant(chance.below(10));
  for (let call = chance.between(1, 4); call > 0; call--) {
    const policy = {
      maxAttempts: chance.between(1, 5),
      delayMs: chance.one([0, 50, 1_000]),
      nonFatalStatusCodes: statusesOf(chance),
    };
    const hedging = new Hedging(policy, tokens, now);
    lines.push(`${now} ${JSON.stringify({ ...policy, nonFatalStatusCodes: [...policy.nonFatalStatusCodes] })}`);
    for (let step = chance.between(2, 12); step > 0; step--) {
      const status = codeOf(chance);
      const pushBack = pushBackOf(chance);
      const what = chance.weighed({ take: 4, failed: 3, ended: 0.7, pass: 3 });
      let said = "";
      if (what === "take") said = `${hedging.take(now)}`;
      else if (what === "failed") said = `${status} ${pushBack} ${hedging.failed(status, pushBack, now)}`;
      else if (what === "ended") {
        hedging.ended(status);
        said = `${status}`;
      } else now = chance.once(2) && hedging.deadline !== NEVER ? hedging.deadline : after(now, chance.one([1, 49, 50, 100, 1_000]));
      lines.push(`${now} ${what} ${said}: ${hedging.deadline} ${hedging.sent} ${tokens?.permits}`);
    }
  }
  return lines.join("\n");
}

const metadataText = (metadata: Metadata): string =>
  [...metadata].map(({ name, value }) => `${name}=${typeof value === "string" ? value : octetsText(value)}`).join(";");
const endText = ({ status, metadata, pushBack }: Ended): string => `ended ${JSON.stringify(status)} ${metadataText(metadata)} ${pushBack}`;

export function headScene(chance: Chance): string {
  const dialect = DIALECTS[chance.one(["rpc", "grpc"] as const)];
  const some = (...all: readonly (readonly [name: string, values: readonly [string, ...string[]], once: number])[]): Fields => {
    const list = all.flatMap(([name, values, once]) => (chance.once(once) ? [field(name, chance.one(values))] : []));
    return new Fields(list);
  };
  const compressors = new Map([["gzip", { compress: (octets: Uint8Array) => octets, decompress: (octets: Uint8Array) => octets }]]);
  const heads = new RequestHeads({ dialect, compressors: compressors as never, userAgent: "u/1" });
  const asked = {
    timeoutMs: chance.one([undefined, undefined, 0, 0.5, 1_500, 1e9]),
    encoding: chance.one([undefined, undefined, "gzip"]),
    metadata: chance.one([undefined, {}, { "x-a": "1", "x-bin": Uint8Array.of(1, 2) }]),
    attempts: chance.one([0, 0, 1, 3]),
  };
  const fields = some(
    [
      "content-type",
      [dialect.contentType, `${dialect.contentType}+proto`, `${dialect.contentType}+json`, "text/html", ""],
      1 + chance.below(2),
    ],
    [dialect.status, ["0", "5", "14", "17", "x"], 3],
    [dialect.message, ["a%20b", "%"], 3],
    [dialect.encoding, ["gzip", "identity"], 3],
    [dialect.pushBack, ["10", "-1"], 4],
    ["x-a", ["1"], 2],
    ["x-bin", ["AQI", "%%%"], 3],
  );
  const http = chance.one([200, 200, 200, 404, 503]);
  return [
    `${JSON.stringify(asked)}: ${outcome(() => fieldsText(heads.fields(asked)))}`,
    `${http} ${fieldsText(fields.list)}`,
    outcome(() => {
      const head = readHead(http, fields, dialect);
      return head.is === "headers" ? `headers ${head.encoding} ${metadataText(head.metadata)}` : endText(head);
    }),
    outcome(() => endText(readTrailers(fields, http, dialect))),
  ].join("\n");
}

/** The requests of a call, read by one attempt after the other. */
export async function outgoingScene(chance: Chance): Promise<string> {
  const lines: string[] = [];
  const sizes = Array.from({ length: chance.below(6) }, () => chance.one([0, 1, 10, 600_000, 1_048_576, 1_048_577]));
  const failsAt = chance.once(4) ? chance.below(6) : undefined;
  let gate = Promise.withResolvers<void>();
  if (!chance.once(3)) gate.resolve();
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (const [at, size] of sizes.entries()) {
        await gate.promise;
        if (at === failsAt) throw new Error(`no ${at}`);
        yield new Uint8Array(size).fill(at);
      }
    } finally {
      lines.push("source over");
    }
  }
  const messages = source();
  const endsBadly = chance.once(8);
  const end = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    await messages.return(undefined);
    if (endsBadly) throw new Error("at the end");
    return { done: true, value: undefined };
  };
  const outgoing = new Outgoing({ [Symbol.asyncIterator]: () => ({ next: () => messages.next(), return: end }) });
  const readers: AsyncIterator<Uint8Array, undefined>[] = [];
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 12; turns++) await Promise.resolve();
  };
  for (let step = chance.between(4, 20); step > 0; step--) {
    const what = chance.weighed({ attempt: 2, next: 8, end: 1.5, commit: 1, stop: 0.4, gate: 1 });
    const which = chance.once(4) ? chance.below(readers.length) : readers.length - 1;
    const reader = readers[which];
    const tell = async (step: Promise<IteratorResult<Uint8Array, undefined>>): Promise<void> => {
      try {
        const { done, value } = await step;
        lines.push(`reader ${which}: ${done === true ? "done" : octetsText(value!)}`);
      } catch (error) {
        lines.push(`reader ${which}: ${(error as Error).message}`);
      }
    };
    lines.push(what);
    if (what === "attempt") readers.push(outgoing[Symbol.asyncIterator]());
    else if (what === "next" && reader !== undefined) void tell(reader.next());
    else if (what === "end" && reader !== undefined) void tell(reader.return!());
    else if (what === "commit") outgoing.commit();
    else if (what === "stop") void outgoing.stop();
    else if (what === "gate") {
      gate.resolve();
      if (chance.once(3)) gate = Promise.withResolvers();
    }
    await settle();
    lines.push(`${outgoing.isReplayable} ${outgoing.failure === undefined ? "" : String(outgoing.failure.error)}`);
  }
  gate.resolve();
  await settle();
  return lines.join("\n");
}
