import type { Limits, Settings, Side } from "../../../reference/http2/index.ts";
import type { Chance } from "./chance.ts";

/** What a life is about: its limits and settings, and how often each thing happens in it. */

/** What a peer can send. */
export type PeerDeed =
  | "open"
  | "data"
  | "trailers"
  | "reset"
  | "settings"
  | "acknowledge"
  | "ping"
  | "goaway"
  | "credit"
  | "priority"
  | "update"
  | "unknown"
  | "promise"
  | "continue"
  | "anything";
/** What an owner can do. */
export type OwnerDeed =
  | "begin"
  | "interim"
  | "data"
  | "trailers"
  | "reset"
  | "push"
  | "consume"
  | "prioritize"
  | "ping"
  | "settings"
  | "shutdown"
  | "abort";

type Weights<Deed extends string> = { readonly [Name in Deed]?: number };

/** The subject of a life. Where a weight is missing, the usual one holds. */
export type Topic = {
  readonly peer?: Weights<PeerDeed>;
  readonly owner?: Weights<OwnerDeed>;
  /** One frame in so many is damaged. */
  readonly damage?: number;
  /** Large content, and windows for it. */
  readonly isLarge?: boolean;
  /** Small windows. */
  readonly isTight?: boolean;
  /** Small budgets against floods. */
  readonly isFlood?: boolean;
  /** More requests than the server allows at a time. */
  readonly isCrowded?: boolean;
  /** The client accepts pushes. */
  readonly hasPushes?: boolean;
  /** Content of several streams waits, and leaves in small parts. */
  readonly isQueued?: boolean;
  /** Long field blocks. */
  readonly hasLongBlocks?: boolean;
  /** One step in so many lets time pass. */
  readonly time?: number;
};

const PEER: Required<Weights<PeerDeed>> = {
  open: 6,
  data: 5,
  trailers: 1,
  reset: 0.7,
  settings: 0.7,
  acknowledge: 8,
  ping: 0.5,
  goaway: 0.1,
  credit: 2,
  priority: 0.3,
  update: 0.4,
  unknown: 0.2,
  promise: 1,
  continue: 0.05,
  anything: 0.2,
};
const OWNER: Required<Weights<OwnerDeed>> = {
  begin: 6,
  interim: 0.7,
  data: 5,
  trailers: 1,
  reset: 0.5,
  push: 0.7,
  consume: 4,
  prioritize: 0.4,
  ping: 0.4,
  settings: 0.4,
  shutdown: 0.15,
  abort: 0.05,
};

export const TOPICS: readonly [Topic, ...Topic[]] = [
  {},
  { damage: 4 },
  { isLarge: true, owner: { data: 14 }, peer: { credit: 8 } },
  { isTight: true, peer: { credit: 8, data: 10 }, owner: { data: 10, consume: 8 } },
  { isTight: true, peer: { credit: 4, settings: 3 }, owner: { data: 10, begin: 8 }, time: 3 },
  { hasLongBlocks: true, time: 5, damage: 20 },
  { hasPushes: true, peer: { promise: 8, open: 8 }, owner: { push: 8 } },
  { hasPushes: true, peer: { promise: 5, open: 8, anything: 4 }, owner: { push: 8, settings: 2 }, isTight: true },
  { isCrowded: true, owner: { begin: 14, interim: 3 }, peer: { open: 10, settings: 2 } },
  { peer: { anything: 12, open: 6, reset: 3 }, owner: { reset: 3 } },
  { isFlood: true, peer: { ping: 3, settings: 3, reset: 3, priority: 3, update: 3, unknown: 3, credit: 3, data: 6, open: 6 }, time: 5 },
  { isTight: true, peer: { update: 4, open: 10, credit: 6 }, owner: { data: 14, prioritize: 5, begin: 10 } },
  { peer: { settings: 10, acknowledge: 10 }, owner: { settings: 10 } },
  { peer: { goaway: 2, ping: 3 }, owner: { shutdown: 2, push: 2, begin: 8 }, time: 5 },
  { time: 2, isTight: true, owner: { data: 8 } },
  // Streams wait in line: who is next?
  {
    isQueued: true,
    peer: { open: 10, update: 5, settings: 0.2, reset: 1 },
    owner: { begin: 14, data: 16, prioritize: 4, push: 2, reset: 0.5 },
  },
  // The connection has no credit, or hardly any.
  { isLarge: true, peer: { credit: 2, acknowledge: 30, settings: 0.3 }, owner: { data: 20, begin: 8 }, time: 3 },
  // Streams have no credit, or hardly any.
  { isTight: true, peer: { credit: 10, acknowledge: 30, settings: 0.3 }, owner: { data: 14, begin: 8 }, time: 3 },
  { isFlood: true, peer: { open: 14, acknowledge: 0.5, settings: 0.3, data: 3 }, time: 5 },
  { hasPushes: true, peer: { promise: 20, open: 5 }, owner: { begin: 8, push: 0 } },
];

export const peerWeights = ({ peer }: Topic): Required<Weights<PeerDeed>> => ({ ...PEER, ...peer });
export const ownerWeights = ({ owner }: Topic): Required<Weights<OwnerDeed>> => ({ ...OWNER, ...owner });

/** A value of a kind, or in half of all lives the usual one. */
function some<Kind extends object>(
  chance: Chance,
  values: { readonly [Key in keyof Kind]?: readonly [Kind[Key], ...Kind[Key][]] },
): Partial<Kind> {
  const drawn = Object.entries(values).filter(() => chance.once(2));
  return Object.fromEntries(drawn.map(([key, list]) => [key, chance.one(list as readonly [unknown, ...unknown[]])])) as Partial<Kind>;
}

const BUDGETS = [
  "resets",
  "errors",
  "pings",
  "settings",
  "priorities",
  "emptyFrames",
  "windowUpdates",
  "unknownFrames",
  "interims",
] as const;

export function limitsOf(
  chance: Chance,
  { isFlood = false, hasLongBlocks = false, isTight = false, isLarge = false, isCrowded = false, isQueued = false }: Topic,
): Partial<Limits> {
  const usual = some<Limits>(chance, {
    prefaceMs: [30, 60],
    settingsMs: [30, 60],
    blockMs: [4, 10],
    stallMs: [5, 15],
    stallOctets: [1, 5, 100],
    goawayMs: [4, 10],
    queuedOctets: [60, 300, 1_000, 2_000],
    queuedRequests: [0, 1, 2, 3],
    assumedStreams: [1, 2, 3],
    rememberedStreams: [1, 2, 3],
    promises: [0, 1, 2],
    connectionWindow: isTight ? [65_535, 65_536] : [65_535, 65_536, 70_000, 1 << 20],
    maxWindow: [65_535, 100_000, 300_000],
    encoderTable: [0, 64, 200, 10_000],
    highWater: isLarge ? [65_536, 20_000] : [0, 1, 10, 100],
    takeOctets: isLarge ? [4_096, 16_384, 40_000] : [1, 10, 100, 300],
  });
  const blocks: Partial<Limits> = hasLongBlocks
    ? { blockOctets: chance.one([50, 200, 1_000, 131_072]), continuations: chance.one([0, 1, 2, 3, 32]) }
    : {};
  const crowd: Partial<Limits> = isCrowded ? { assumedStreams: chance.one([1, 2, 3]), queuedRequests: chance.one([1, 2, 3, 10_000]) } : {};
  const queue: Partial<Limits> = isQueued ? { takeOctets: chance.one([10, 100, 300, 1_000]), highWater: chance.one([0, 100, 65_536]) } : {};
  if (!isFlood) return { ...usual, ...blocks, ...crowd, ...queue };
  const budget = () => ({ burst: chance.between(1, 4), perSecond: chance.one([1, 10, 100, 1_000]) });
  const small = Object.fromEntries(BUDGETS.filter(() => chance.once(3)).map((name) => [name, budget()]));
  return { ...usual, ...blocks, ...small };
}

const UNLIMITED = Number.POSITIVE_INFINITY;

/** Settings that a machine of this side may announce. */
export function settingsOf(
  chance: Chance,
  side: Side,
  { isTight = false, isLarge = false, isQueued = false, hasPushes = chance.once(2) }: Topic,
): Partial<Settings> {
  const drawn = some<Settings>(chance, {
    headerTableSize: [0, 64, 100, 4_096, 10_000],
    maxConcurrentStreams: isQueued ? [100] : [0, 1, 2, 2, 3, 100, UNLIMITED],
    initialWindowSize: isLarge ? [65_535, 300_000] : isTight ? [0, 1, 10, 50, 100] : [0, 10, 100, 65_535, 300_000, 0x7fff_ffff],
    maxFrameSize: [16_384, 16_385, 20_000, 0xff_ffff],
    maxHeaderListSize: [100, 250, 16_384, UNLIMITED],
    enableConnectProtocol: [false, true],
    noRfc7540Priorities: [false, true],
  });
  return side === "client" && hasPushes ? { ...drawn, enablePush: true } : drawn;
}

/** Settings that may be changed later. */
export function changesOf(chance: Chance, side: Side, topic: Topic): Partial<Settings> {
  const { maxHeaderListSize, noRfc7540Priorities, enableConnectProtocol, ...drawn } = settingsOf(chance, side, topic);
  const rare = {
    ...(maxHeaderListSize === undefined ? {} : { maxHeaderListSize }),
    ...(noRfc7540Priorities === undefined ? {} : { noRfc7540Priorities }),
  };
  const withdrawn = side === "client" && chance.once(3) ? { enablePush: false } : {};
  return { ...drawn, ...(enableConnectProtocol === true ? { enableConnectProtocol } : {}), ...withdrawn, ...(chance.once(30) ? rare : {}) };
}
