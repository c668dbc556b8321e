import type { Vector } from "../../load.ts";
import type { VectorSource, WithoutId } from "../../write.ts";

/** The parts of lives of balancing policies, on given times and with given randomness. */

type Address = { readonly key: string; readonly family: 0 | 4 | 6 };
type State = "IDLE" | "CONNECTING" | "READY" | "TRANSIENT_FAILURE";
export type BalancingStep = {
  /** Milliseconds. */
  readonly at: number;
  readonly is: "addresses" | "calls" | "connected" | "failed" | "lost" | "ejected" | "returned" | "healthy" | "unhealthy" | "report" | "time";
  readonly addresses?: readonly Address[];
  readonly key?: string;
  readonly calls?: number;
  /** Octets in hex. */
  readonly report?: string;
  /** Of calls: the addresses that they go to, or what becomes of them. */
  readonly goes?: readonly string[] | "wait" | "fail";
  readonly connects?: readonly string[];
  readonly drops?: readonly string[];
  readonly resolves?: true;
  /** If it is another one than after the step before. */
  readonly state?: State;
  /** When time alone changes something. */
  readonly next?: number;
};
export type BalancingVector = Vector & {
  /** Permanent, and unique in its file. */
  readonly name: string;
  /** An entry of `loadBalancingConfig`. */
  readonly policy: Readonly<Record<string, unknown>>;
  readonly random?: { readonly draws?: readonly number[]; readonly otherwise: number };
  readonly steps: readonly BalancingStep[];
};
export type BalancingSource = VectorSource<BalancingVector>;
export type BalancingDraft = WithoutId<BalancingVector>;

type About = { readonly flag: string; readonly spec: string; readonly policy: BalancingVector["policy"]; readonly random?: BalancingVector["random"] };
const nameOf = (note: string): string => note.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
export const life = (note: string, { flag, spec, policy, random }: About, ...steps: readonly BalancingStep[]): BalancingDraft => ({
  name: nameOf(note),
  note,
  spec,
  policy,
  ...(random !== undefined && { random }),
  steps,
  result: "valid",
  flags: [flag],
});

/** What a step leads to. Names of addresses are single characters: "ab" are two. */
type Then = {
  readonly connects?: string;
  readonly drops?: string;
  readonly resolves?: true;
  readonly state?: State;
  readonly next?: number;
};
const then = ({ connects, drops, ...others }: Then): Partial<BalancingStep> => ({
  ...(connects !== undefined && { connects: [...connects] }),
  ...(drops !== undefined && { drops: [...drops] }),
  ...others,
});

/** Addresses of IPv4; digits are those of IPv6, and capitals those of neither. */
const familyOf = (key: string): Address["family"] => (/[0-9]/.test(key) ? 6 : /[A-Z]/.test(key) ? 0 : 4);
export const addresses = (at: number, keys: string, what: Then = {}): BalancingStep => ({
  at,
  is: "addresses",
  addresses: [...keys].map((key) => ({ key, family: familyOf(key) })),
  ...then(what),
});
/** Calls that wait, or fail. */
export const call = (at: number, goes: "wait" | "fail", what: Then = {}): BalancingStep => ({ at, is: "calls", calls: 1, goes, ...then(what) });
/** Calls that go to these addresses, one after the other. */
export const calls = (at: number, goes: string, what: Then = {}): BalancingStep => ({
  at,
  is: "calls",
  calls: goes.length,
  goes: [...goes],
  ...then(what),
});
const of =
  (is: "connected" | "failed" | "lost" | "ejected" | "returned" | "healthy" | "unhealthy") =>
  (at: number, key: string, what: Then = {}): BalancingStep => ({ at, is, key, ...then(what) });
export const connected = of("connected");
export const failed = of("failed");
export const lost = of("lost");
export const ejected = of("ejected");
export const returned = of("returned");
export const healthy = of("healthy");
export const unhealthy = of("unhealthy");
export const time = (at: number, what: Then = {}): BalancingStep => ({ at, is: "time", ...then(what) });

/** The numbers of fields of `OrcaLoadReport`. */
const FIELDS = { cpu: 1, rps: 6, eps: 7, application: 9 } as const;
export type Load = Partial<Record<keyof typeof FIELDS, number>>;
/** A message of doubles: each has a tag for eight octets, and its octets from the lowest on (the encoding of Protocol Buffers). */
function octetsOf(load: Load): string {
  return Object.entries(load)
    .map(([name, value]) => {
      const octets = Buffer.alloc(9);
      octets.writeUInt8((FIELDS[name as keyof Load] << 3) | 1, 0);
      octets.writeDoubleLE(value, 1);
      return octets.toString("hex");
    })
    .join("");
}
export const report = (at: number, key: string, load: Load | string, what: Then = {}): BalancingStep => ({
  at,
  is: "report",
  key,
  report: typeof load === "string" ? load : octetsOf(load),
  ...then(what),
});
