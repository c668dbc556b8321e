import type { Vector } from "../../load.ts";
import type { VectorSource, WithoutId } from "../../write.ts";

/** Service configs, and what they say. Append to lists only: the position of a vector is its id. */

type Json = Readonly<Record<string, unknown>>;
/** What a config says: the entry of the method, and what is of the whole channel. */
export type ConfigReading = {
  readonly method: Json;
  readonly balancing: Json;
  readonly throttling?: { readonly maxTokens: number; readonly tokenRatio: number };
  readonly connections: number;
  readonly health?: string;
};
export type ConfigVector = Vector & {
  /** Permanent, and unique in its file. */
  readonly name: string;
  readonly config: unknown;
  /** The method that the reading is about. */
  readonly path: string;
  readonly hasUnknown?: true;
  /** Null if the whole config must be refused. */
  readonly reads: ConfigReading | null;
};
export type ConfigSource = VectorSource<ConfigVector>;
type Draft = WithoutId<ConfigVector>;

const nameOf = (note: string): string => note.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
const PATH = "/a.B/C";
const NOTHING: ConfigReading = { method: {}, balancing: { is: "pick_first", shuffleAddressList: false }, connections: 1 };
const VALIDITY = "rpc-config-errors#criteria-to-determine-the-validity-of-a-service-config";

type About = { readonly flag: string; readonly spec: string; readonly path?: string; readonly hasUnknown?: true };
const reads = (note: string, { flag, spec, path = PATH, hasUnknown }: About, config: Json, reading: Partial<ConfigReading> = {}): Draft => ({
  name: nameOf(note),
  note,
  spec,
  config,
  path,
  ...(hasUnknown !== undefined && { hasUnknown }),
  reads: { ...NOTHING, ...reading },
  result: "valid",
  flags: [flag],
});
const refused = (note: string, { flag, spec }: About, config: unknown): Draft => ({
  name: nameOf(note),
  note,
  spec,
  config,
  path: PATH,
  reads: null,
  result: "invalid",
  flags: [flag],
});

/** Configs of all methods. */
const forAll = (entry: Json): Json => ({ methodConfig: [{ name: [{}], ...entry }] });

const NAMES = { flag: "Names", spec: VALIDITY };
const at = (path: string): About => ({ ...NAMES, path });
const ENTRIES: Json = {
  methodConfig: [
    { name: [{ service: "a.B", method: "C" }, { service: "x.Y" }], timeout: "1.5s" },
    { name: [{ service: "a.B" }], waitForReady: true },
    { name: [{}], timeout: "9s" },
  ],
};
const named = (...names: unknown[]): Json => ({ methodConfig: [{ name: names, timeout: "1s" }] });

const FORM = { flag: "Form", spec: VALIDITY };
const UNKNOWN = { flag: "Unknown", spec: VALIDITY, hasUnknown: true } as const;

const RETRIES = { flag: "Retries", spec: "rpc-retries#validation-of-retrypolicy" };
const RETRY = { maxAttempts: 3, initialBackoff: "0.1s", maxBackoff: "1s", backoffMultiplier: 2, retryableStatusCodes: ["UNAVAILABLE"] };
const READ = { maxAttempts: 3, initialBackoffMs: 100, maxBackoffMs: 1_000, backoffMultiplier: 2, statuses: [14] };
const retry = (note: string, policy: object, reading: object): Draft =>
  reads(note, RETRIES, forAll({ retryPolicy: { ...RETRY, ...policy } }), { method: { retry: { ...READ, ...reading } } });
const noRetry = (note: string, policy: object): Draft => refused(note, RETRIES, forAll({ retryPolicy: { ...RETRY, ...policy } }));
/** The policy without one of its fields. */
const lacking = (field: keyof typeof RETRY): Draft =>
  noRetry(`a retry policy without ${field}`, { [field]: undefined });

const HEDGES = { flag: "Hedging", spec: "rpc-retries#validation-of-hedgingpolicy" };
const hedging = (note: string, policy: object, reading: object): Draft =>
  reads(note, HEDGES, forAll({ hedgingPolicy: { maxAttempts: 3, ...policy } }), {
    method: { hedging: { maxAttempts: 3, delayMs: 0, statuses: [], ...reading } },
  });
const noHedging = (note: string, policy: object): Draft => refused(note, HEDGES, forAll({ hedgingPolicy: { maxAttempts: 3, ...policy } }));

const TOKENS = { flag: "Throttling", spec: "rpc-retries#validation-of-retrythrottling" };
const tokens = (note: string, maxTokens: number, tokenRatio: number, kept = tokenRatio): Draft =>
  reads(note, TOKENS, { retryThrottling: { maxTokens, tokenRatio } }, { throttling: { maxTokens, tokenRatio: kept } });
const noTokens = (note: string, throttling: object): Draft =>
  refused(note, TOKENS, { retryThrottling: { maxTokens: 10, tokenRatio: 0.5, ...throttling } });

const SCALING = { flag: "Connections", spec: "rpc-connection-scaling#configuration" };
const HEALTH = { flag: "Health", spec: "rpc-client-health#service-config-changes" };

const POLICIES = { flag: "Policies", spec: "rpc-lb-config#proposal" };
const list = (...entries: unknown[]): Json => ({ loadBalancingConfig: entries });
const SHUFFLES = { flag: "Policies", spec: "rpc-pick-first#enable-random-shuffling-of-address-list" };
const ROUND_ROBIN = { balancing: { is: "round_robin" } };

const WEIGHTED = { flag: "Weights", spec: "rpc-weighted-round-robin#lb-policy-config-and-parameters" };
const WEIGHTS = { blackoutMs: 10_000, expirationMs: 180_000, updateMs: 1_000, errorPenalty: 1 };
const weights = (note: string, config: object, reading: object): Draft =>
  reads(note, WEIGHTED, list({ weighted_round_robin: config }), {
    balancing: { is: "weighted_round_robin", weights: { ...WEIGHTS, ...reading } },
  });
const noWeights = (note: string, config: unknown): Draft => refused(note, WEIGHTED, list({ weighted_round_robin: config }));

const OUTLIERS = { flag: "Outliers", spec: "rpc-outlier-detection#lb-policy-config" };
const LIMITS = { flag: "Outliers", spec: "rpc-outlier-detection#validation" };
const SWEEPS = { intervalMs: 10_000, baseEjectionMs: 30_000, maxEjectionMs: 300_000, maxEjectionPercent: 10 };
const RATES = { stdevFactor: 1_900, enforcementPercent: 100, minimumHosts: 5, requestVolume: 100 };
const FAILURES = { threshold: 85, enforcementPercent: 100, minimumHosts: 5, requestVolume: 50 };
const CHILD = { childPolicy: [{ round_robin: {} }] };
const detection = (note: string, config: object, reading: object, child: object = { is: "round_robin" }): Draft =>
  reads(note, OUTLIERS, list({ outlier_detection: { ...CHILD, ...config } }), {
    balancing: { is: "outlier_detection", config: { ...SWEEPS, ...reading }, child },
  });
const noDetection = (note: string, config: object): Draft => refused(note, LIMITS, list({ outlier_detection: { ...CHILD, ...config } }));

/** A time above a bound of four fields. */
const MOST = 4_294_967_295;

export const source: ConfigSource = {
  about: "service configs, and what they say of a method and of the connections of a channel",
  spec: VALIDITY,
  flags: {
    Names: { why: "which entry is that of a method", bug: "WRONG_RESULT" },
    Form: { why: "values of another type, and durations", bug: "MISSING_CHECK" },
    Unknown: { why: "fields of the future, or of another client", bug: "MISSING_CHECK" },
    Retries: { why: "the fields of a retry policy, and their bounds", bug: "OFF_BY_ONE" },
    Hedging: { why: "the fields of a hedging policy, and their bounds", bug: "OFF_BY_ONE" },
    Throttling: { why: "tokens and their ratio", bug: "OFF_BY_ONE" },
    Connections: { why: "the most connections to one address", bug: "OFF_BY_ONE" },
    Health: { why: "the service whose health is asked for", bug: "WRONG_RESULT" },
    Policies: { why: "which policy of a list counts", bug: "WRONG_RESULT" },
    Weights: { why: "the config of weighted_round_robin", bug: "WRONG_RESULT" },
    Outliers: { why: "the config of outlier_detection", bug: "WRONG_RESULT" },
  },
  vectors: [
    // Which entry counts.
    reads("an empty config", NAMES, {}),
    reads("the entry of the method", at("/a.B/C"), ENTRIES, { method: { timeoutMs: 1_500 } }),
    reads("the entry of the service of a method", at("/a.B/D"), ENTRIES, { method: { waitForReady: true } }),
    reads("an entry with several names", at("/x.Y/Z"), ENTRIES, { method: { timeoutMs: 1_500 } }),
    reads("the entry for all methods", at("/q.R/S"), ENTRIES, { method: { timeoutMs: 9_000 } }),
    reads("no entry for a method of another service", at("/a.Bc/C"), named({ service: "a.B" })),
    reads("no entry for another method", at("/a.B/Cd"), named({ service: "a.B", method: "C" })),
    reads("an entry with an empty method is for its service", at("/a.B/D"), named({ service: "a.B", method: "" }), { method: { timeoutMs: 1_000 } }),
    reads("an entry with an empty service is for all", at("/a.B/D"), named({ service: "" }), { method: { timeoutMs: 1_000 } }),
    reads("an entry without a name is for none", at("/a.B/C"), { methodConfig: [{ timeout: "1s" }] }),
    reads("the same method of two services", at("/x.Y/C"), { methodConfig: [{ name: [{ service: "a.B", method: "C" }], timeout: "1s" }, { name: [{ service: "x.Y", method: "C" }], timeout: "2s" }] }, { method: { timeoutMs: 2_000 } }),
    refused("a method without a service", NAMES, named({ method: "C" })),
    refused("a service that is not a text", NAMES, named({ service: 1 })),
    refused("a method that is not a text", NAMES, named({ service: "a.B", method: true })),
    refused("a name that is a text", NAMES, named("a.B")),
    refused("names that are not a list", NAMES, { methodConfig: [{ name: {}, timeout: "1s" }] }),
    refused("the same method twice", NAMES, named({ service: "a.B", method: "C" }, { service: "a.B", method: "C" })),
    refused("the same service in two entries", NAMES, { methodConfig: [{ name: [{ service: "a.B" }] }, { name: [{ service: "a.B" }] }] }),
    refused("two entries for all methods", NAMES, { methodConfig: [{ name: [{}] }, { name: [{}] }] }),

    // Forms.
    refused("a config that is null", FORM, null),
    refused("a config that is a list", FORM, []),
    refused("a config that is a text", FORM, "{}"),
    refused("method configs that are an object", FORM, { methodConfig: {} }),
    refused("a method config that is a list", FORM, { methodConfig: [[]] }),
    reads("a timeout of 0", FORM, forAll({ timeout: "0s" }), { method: { timeoutMs: 0 } }),
    reads("a timeout with nine decimal places", FORM, forAll({ timeout: "0.000001000s" }), { method: { timeoutMs: 0.001 } }),
    reads("a timeout of twelve digits", FORM, forAll({ timeout: "315576000000s" }), { method: { timeoutMs: 315_576_000_000_000 } }),
    ...([
      ["a timeout without a unit", "1"],
      ["a timeout without digits", "s"],
      ["a timeout in minutes", "1m"],
      ["a timeout with a blank before the unit", "1 s"],
      ["a timeout after a blank", " 1s"],
      ["a timeout before a blank", "1s "],
      ["a timeout without a whole number", ".5s"],
      ["a timeout with a point at its end", "1.s"],
      ["a timeout with an exponent", "1e3s"],
      ["a timeout with ten decimal places", "0.1234567890s"],
      ["a timeout with a plus sign", "+1s"],
    ] as const).map(([note, timeout]) => refused(note, FORM, forAll({ timeout }))),
    refused("a timeout that is a number", FORM, forAll({ timeout: 1 })),
    refused("a timeout that is a list of one", FORM, forAll({ timeout: ["1s"] })),
    refused("a timeout that is null", FORM, forAll({ timeout: null })),
    reads("calls that do not wait", FORM, forAll({ waitForReady: false }), { method: { waitForReady: false } }),
    refused("waiting that is a text", FORM, forAll({ waitForReady: "true" })),
    refused("waiting that is a number", FORM, forAll({ waitForReady: 1 })),
    refused("a retry policy that is a list", FORM, forAll({ retryPolicy: [] })),
    refused("a hedging policy that is a text", FORM, forAll({ hedgingPolicy: "x" })),
    refused("a retry policy beside a hedging policy", FORM, forAll({ retryPolicy: RETRY, hedgingPolicy: { maxAttempts: 3 } })),
    refused("throttling that is a number", FORM, { retryThrottling: 1 }),

    // Unknown fields.
    reads("an unknown field of the config", UNKNOWN, { ...ENTRIES, future: 1 }, { method: { timeoutMs: 1_500 } }),
    reads("an unknown field of an entry", UNKNOWN, forAll({ timeout: "1s", maxRequestMessageBytes: 1 }), { method: { timeoutMs: 1_000 } }),
    reads("an unknown field of a name", UNKNOWN, named({ service: "a.B", future: 1 }), { method: { timeoutMs: 1_000 } }),
    reads("an unknown field of a retry policy", UNKNOWN, forAll({ retryPolicy: { ...RETRY, perAttemptRecvTimeout: "1s" } }), { method: { retry: READ } }),
    reads("an unknown field of a hedging policy", UNKNOWN, forAll({ hedgingPolicy: { maxAttempts: 2, future: 1 } }), { method: { hedging: { maxAttempts: 2, delayMs: 0, statuses: [] } } }),
    reads("an unknown field of throttling", UNKNOWN, { retryThrottling: { maxTokens: 10, tokenRatio: 0.5, future: 1 } }, { throttling: { maxTokens: 10, tokenRatio: 0.5 } }),
    reads("an unknown field of connection scaling", UNKNOWN, { connectionScaling: { maxConnectionsPerSubchannel: 2, future: 1 } }, { connections: 2 }),
    reads("an unknown field of the health check", UNKNOWN, { healthCheckConfig: { serviceName: "x", future: 1 } }, { health: "x" }),
    reads("an unknown field of pick_first", UNKNOWN, list({ pick_first: { shuffleAddressList: true, future: 1 } }), { balancing: { is: "pick_first", shuffleAddressList: true } }),
    reads("an unknown field of round_robin", UNKNOWN, list({ round_robin: { future: 1 } }), ROUND_ROBIN),
    reads("an unknown field of weighted_round_robin", UNKNOWN, list({ weighted_round_robin: { future: 1 } }), { balancing: { is: "weighted_round_robin", weights: WEIGHTS } }),
    reads("unknown fields of outlier_detection", UNKNOWN, list({ outlier_detection: { future: 1, ...CHILD } }), { balancing: { is: "outlier_detection", config: SWEEPS, child: { is: "round_robin" } } }),
    reads("an unknown field of the judgement by success rates", UNKNOWN, list({ outlier_detection: { successRateEjection: { future: 1 }, ...CHILD } }), { balancing: { is: "outlier_detection", config: { ...SWEEPS, successRate: RATES }, child: { is: "round_robin" } } }),
    reads("an unknown field of the judgement by failures", UNKNOWN, list({ outlier_detection: { failurePercentageEjection: { future: 1 }, ...CHILD } }), { balancing: { is: "outlier_detection", config: { ...SWEEPS, failurePercentage: FAILURES }, child: { is: "round_robin" } } }),
    reads("an unknown field of the child of outlier_detection", UNKNOWN, list({ outlier_detection: { childPolicy: [{ round_robin: { future: 1 } }] } }), { balancing: { is: "outlier_detection", config: SWEEPS, child: { is: "round_robin" } } }),

    // Retries.
    retry("a retry policy", {}, {}),
    retry("two attempts", { maxAttempts: 2 }, { maxAttempts: 2 }),
    retry("five attempts", { maxAttempts: 5 }, { maxAttempts: 5 }),
    retry("six attempts count as five", { maxAttempts: 6 }, { maxAttempts: 5 }),
    noRetry("one attempt", { maxAttempts: 1 }),
    noRetry("attempts with a fraction", { maxAttempts: 2.5 }),
    noRetry("attempts that are a text", { maxAttempts: "3" }),
    ...(["maxAttempts", "initialBackoff", "maxBackoff", "backoffMultiplier", "retryableStatusCodes"] as const).map(lacking),
    retry("an initial back-off of a microsecond", { initialBackoff: "0.000001s" }, { initialBackoffMs: 0.001 }),
    retry("a longest back-off of its own", { maxBackoff: "2.5s" }, { maxBackoffMs: 2_500 }),
    noRetry("an initial back-off of 0", { initialBackoff: "0s" }),
    noRetry("a longest back-off of 0", { maxBackoff: "0.0s" }),
    noRetry("a negative initial back-off", { initialBackoff: "-1s" }),
    noRetry("an initial back-off that is a number", { initialBackoff: 1 }),
    noRetry("a longest back-off without a unit", { maxBackoff: "1" }),
    retry("a multiplier below 1", { backoffMultiplier: 0.5 }, { backoffMultiplier: 0.5 }),
    noRetry("a multiplier of 0", { backoffMultiplier: 0 }),
    noRetry("a negative multiplier", { backoffMultiplier: -1 }),
    noRetry("a multiplier that is a text", { backoffMultiplier: "2" }),
    retry("statuses by number and by name in any case", { retryableStatusCodes: ["UNAVAILABLE", "aborted", 8, "Data_Loss"] }, { statuses: [8, 10, 14, 15] }),
    retry("the same status twice", { retryableStatusCodes: [14, "UNAVAILABLE"] }, { statuses: [14] }),
    retry("the statuses 0 and 16", { retryableStatusCodes: [0, 16] }, { statuses: [0, 16] }),
    noRetry("no statuses", { retryableStatusCodes: [] }),
    noRetry("statuses that are a text", { retryableStatusCodes: "UNAVAILABLE" }),
    noRetry("the status 17", { retryableStatusCodes: [17] }),
    noRetry("the status -1", { retryableStatusCodes: [-1] }),
    noRetry("an unknown name of a status", { retryableStatusCodes: ["UNAVAILABLE", "NO_SUCH"] }),
    noRetry("a number of a status as a text", { retryableStatusCodes: ["14"] }),

    // Hedging.
    hedging("a hedging policy without a delay", {}, {}),
    hedging("a delay of a hedging policy", { hedgingDelay: "0.5s" }, { delayMs: 500 }),
    hedging("a delay of 0", { hedgingDelay: "0s" }, { delayMs: 0 }),
    hedging("statuses that are not fatal", { nonFatalStatusCodes: ["unavailable", 13] }, { statuses: [13, 14] }),
    hedging("an empty list of statuses that are not fatal", { nonFatalStatusCodes: [] }, {}),
    hedging("two copies", { maxAttempts: 2 }, { maxAttempts: 2 }),
    hedging("nine copies count as five", { maxAttempts: 9 }, { maxAttempts: 5 }),
    noHedging("one copy", { maxAttempts: 1 }),
    noHedging("copies without a number", { maxAttempts: undefined }),
    noHedging("copies with a fraction", { maxAttempts: 2.5 }),
    noHedging("a delay without a unit", { hedgingDelay: "1" }),
    noHedging("a delay that is a number", { hedgingDelay: 1 }),
    noHedging("statuses that are an object", { nonFatalStatusCodes: {} }),
    noHedging("an unknown status that is not fatal", { nonFatalStatusCodes: ["NO_SUCH"] }),

    // Throttling.
    tokens("one token", 1, 0.1),
    tokens("a thousand tokens", 1_000, 1),
    tokens("a ratio of which three decimal places count", 10, 0.5466, 0.546),
    tokens("a ratio with three decimal places", 10, 0.001),
    tokens("a ratio above 1 with three decimal places", 10, 1.001),
    tokens("a ratio with nines after three decimal places", 10, 0.1239999, 0.123),
    noTokens("no tokens", { maxTokens: 0 }),
    noTokens("more than a thousand tokens", { maxTokens: 1_001 }),
    noTokens("a fraction of a token", { maxTokens: 1.5 }),
    noTokens("tokens that are a text", { maxTokens: "10" }),
    noTokens("throttling without tokens", { maxTokens: undefined }),
    noTokens("a ratio of 0", { tokenRatio: 0 }),
    noTokens("a negative ratio", { tokenRatio: -0.1 }),
    noTokens("a ratio that is a text", { tokenRatio: "1" }),
    noTokens("throttling without a ratio", { tokenRatio: undefined }),

    // Connections and health.
    reads("two connections", SCALING, { connectionScaling: { maxConnectionsPerSubchannel: 2 } }, { connections: 2 }),
    reads("one connection", SCALING, { connectionScaling: { maxConnectionsPerSubchannel: 1 } }),
    reads("0 connections are the default", SCALING, { connectionScaling: { maxConnectionsPerSubchannel: 0 } }),
    reads("connection scaling without a number", SCALING, { connectionScaling: {} }),
    reads("the most connections that the field has room for", SCALING, { connectionScaling: { maxConnectionsPerSubchannel: MOST } }, { connections: MOST }),
    refused("more connections than the field has room for", SCALING, { connectionScaling: { maxConnectionsPerSubchannel: MOST + 1 } }),
    refused("a negative number of connections", SCALING, { connectionScaling: { maxConnectionsPerSubchannel: -1 } }),
    refused("a fraction of a connection", SCALING, { connectionScaling: { maxConnectionsPerSubchannel: 1.5 } }),
    refused("connections that are true", SCALING, { connectionScaling: { maxConnectionsPerSubchannel: true } }),
    refused("connection scaling that is a number", SCALING, { connectionScaling: 2 }),
    reads("the health of a service", HEALTH, { healthCheckConfig: { serviceName: "a.B" } }, { health: "a.B" }),
    reads("the health of the server itself", HEALTH, { healthCheckConfig: { serviceName: "" } }, { health: "" }),
    reads("a health check without a name", HEALTH, { healthCheckConfig: {} }),
    refused("the name of a service that is a number", HEALTH, { healthCheckConfig: { serviceName: 1 } }),
    refused("a health check that is a text", HEALTH, { healthCheckConfig: "a.B" }),

    // Policies.
    reads("round_robin", POLICIES, list({ round_robin: {} }), ROUND_ROBIN),
    reads("the first known policy of a list", POLICIES, list({ no_such: { a: 1 } }, { round_robin: {} }, { pick_first: {} }), ROUND_ROBIN),
    reads("the config of a policy after the first known one does not count", POLICIES, list({ round_robin: {} }, { pick_first: 7 }), ROUND_ROBIN),
    reads("the older field", POLICIES, { loadBalancingPolicy: "round_robin" }, ROUND_ROBIN),
    reads("the older field in capitals", POLICIES, { loadBalancingPolicy: "ROUND_ROBIN" }, ROUND_ROBIN),
    reads("the older field beside the list", POLICIES, { loadBalancingPolicy: "pick_first", ...list({ round_robin: {} }) }, ROUND_ROBIN),
    refused("the older field with an object", POLICIES, { loadBalancingPolicy: { round_robin: {} } }),
    refused("an unknown policy in the older field", POLICIES, { loadBalancingPolicy: "no_such" }),
    refused("an empty list of policies", POLICIES, list()),
    refused("no known policy", POLICIES, list({ no_such: {} })),
    refused("a list of policies that is an object", POLICIES, { loadBalancingConfig: { round_robin: {} } }),
    refused("a policy that is a text", POLICIES, list("round_robin")),
    refused("a policy that is null", POLICIES, list(null)),
    refused("a policy that is a list", POLICIES, list([{ round_robin: {} }])),
    refused("an entry with two policies", POLICIES, list({ round_robin: {}, pick_first: {} })),
    refused("an entry without a policy", POLICIES, list({})),
    refused("a wrong entry before a known policy", POLICIES, list({}, { round_robin: {} })),
    refused("a text of one character before a known policy", POLICIES, list("a", { round_robin: {} })),
    refused("a list of one element before a known policy", POLICIES, list([{ round_robin: {} }], { round_robin: {} })),
    refused("a wrong config of pick_first before a known policy", POLICIES, list({ pick_first: { shuffleAddressList: 1 } }, { round_robin: {} })),
    refused("a wrong config of weighted_round_robin before a known policy", POLICIES, list({ weighted_round_robin: { enableOobLoadReport: 1 } }, { round_robin: {} })),
    refused("the config of round_robin that is a number", POLICIES, list({ round_robin: 1 })),
    reads("pick_first with a shuffled list", SHUFFLES, list({ pick_first: { shuffleAddressList: true } }), { balancing: { is: "pick_first", shuffleAddressList: true } }),
    reads("pick_first without a shuffled list", SHUFFLES, list({ pick_first: { shuffleAddressList: false } })),
    reads("pick_first by itself", SHUFFLES, list({ pick_first: {} })),
    refused("shuffling that is a text", SHUFFLES, list({ pick_first: { shuffleAddressList: "true" } })),

    // Weights.
    weights("weights by default", {}, {}),
    weights("weights with all times", { blackoutPeriod: "1s", weightExpirationPeriod: "2s", weightUpdatePeriod: "0.5s", errorUtilizationPenalty: 2.5 }, { blackoutMs: 1_000, expirationMs: 2_000, updateMs: 500, errorPenalty: 2.5 }),
    weights("weights without a blackout and a penalty", { blackoutPeriod: "0s", errorUtilizationPenalty: 0 }, { blackoutMs: 0, errorPenalty: 0 }),
    weights("weights each 100 ms", { weightUpdatePeriod: "0.1s" }, { updateMs: 100 }),
    weights("weights more often than each 100 ms", { weightUpdatePeriod: "0.099s" }, { updateMs: 100 }),
    weights("reports on streams", { enableOobLoadReport: true }, { outOfBandMs: 10_000 }),
    weights("reports on streams with a time", { enableOobLoadReport: true, oobReportingPeriod: "0.25s" }, { outOfBandMs: 250 }),
    weights("a time of reports that are not on streams", { enableOobLoadReport: false, oobReportingPeriod: "0.25s" }, {}),
    noWeights("a negative penalty", { errorUtilizationPenalty: -1 }),
    noWeights("a penalty that is a text", { errorUtilizationPenalty: "1" }),
    noWeights("streams of reports that are a number", { enableOobLoadReport: 1 }),
    noWeights("a blackout that is a number", { blackoutPeriod: 1 }),
    noWeights("an expiration without a unit", { weightExpirationPeriod: "1" }),
    noWeights("a wrong time of reports that are not on streams", { oobReportingPeriod: 1 }),
    noWeights("a wrong time between updates", { weightUpdatePeriod: "x" }),
    noWeights("weights that are null", null),

    // Outliers.
    detection("detection that is off", {}, {}),
    detection("detection with all times", { interval: "1s", baseEjectionTime: "2s", maxEjectionTime: "3s", maxEjectionPercent: 50 }, { intervalMs: 1_000, baseEjectionMs: 2_000, maxEjectionMs: 3_000, maxEjectionPercent: 50 }),
    detection("a base that is longer than the default of the longest time", { baseEjectionTime: "301s" }, { baseEjectionMs: 301_000, maxEjectionMs: 301_000 }),
    detection("a base as long as the default of the longest time", { baseEjectionTime: "300s" }, { baseEjectionMs: 300_000, maxEjectionMs: 300_000 }),
    detection("judgement by success rates", { successRateEjection: {} }, { successRate: RATES }),
    detection("judgement by success rates with all fields", { successRateEjection: { stdevFactor: 1, enforcementPercentage: 2, minimumHosts: 3, requestVolume: 4 } }, { successRate: { stdevFactor: 1, enforcementPercent: 2, minimumHosts: 3, requestVolume: 4 } }),
    detection("judgement by failures", { failurePercentageEjection: {} }, { failurePercentage: FAILURES }),
    detection("judgement by failures with all fields", { failurePercentageEjection: { threshold: 1, enforcementPercentage: 2, minimumHosts: 3, requestVolume: 4 } }, { failurePercentage: { threshold: 1, enforcementPercent: 2, minimumHosts: 3, requestVolume: 4 } }),
    detection("judgement by both", { successRateEjection: {}, failurePercentageEjection: {} }, { successRate: RATES, failurePercentage: FAILURES }),
    detection("percentages of 100", { maxEjectionPercent: 100, failurePercentageEjection: { threshold: 100, enforcementPercentage: 100 } }, { maxEjectionPercent: 100, failurePercentage: { ...FAILURES, threshold: 100 } }),
    detection("zeros", { maxEjectionPercent: 0, failurePercentageEjection: { threshold: 0, enforcementPercentage: 0, minimumHosts: 0, requestVolume: 0 } }, { maxEjectionPercent: 0, failurePercentage: { threshold: 0, enforcementPercent: 0, minimumHosts: 0, requestVolume: 0 } }),
    detection("numbers of 32 bits", { successRateEjection: { stdevFactor: MOST, minimumHosts: MOST, requestVolume: MOST } }, { successRate: { ...RATES, stdevFactor: MOST, minimumHosts: MOST, requestVolume: MOST } }),
    detection("the first known child", { childPolicy: [{ no_such: {} }, { pick_first: { shuffleAddressList: true } }] }, {}, { is: "pick_first", shuffleAddressList: true }),
    detection("a weighted child", { childPolicy: [{ weighted_round_robin: {} }] }, {}, { is: "weighted_round_robin", weights: WEIGHTS }),
    ...([
      ["more than 100 percent out", { maxEjectionPercent: 101 }],
      ["more than 100 percent enforced by success rates", { successRateEjection: { enforcementPercentage: 101 } }],
      ["more than 100 percent enforced by failures", { failurePercentageEjection: { enforcementPercentage: 101 } }],
      ["a threshold above 100 percent", { failurePercentageEjection: { threshold: 101 } }],
      ["a negative threshold", { failurePercentageEjection: { threshold: -1 } }],
      ["a factor above 32 bits", { successRateEjection: { stdevFactor: MOST + 1 } }],
      ["hosts above 32 bits", { successRateEjection: { minimumHosts: MOST + 1 } }],
      ["a volume above 32 bits", { failurePercentageEjection: { requestVolume: MOST + 1 } }],
      ["a factor with a fraction", { successRateEjection: { stdevFactor: 1.5 } }],
      ["judgement by success rates that is true", { successRateEjection: true }],
      ["judgement by failures that is a list", { failurePercentageEjection: [] }],
      ["an interval that is a number", { interval: 10 }],
      ["a negative interval", { interval: "-1s" }],
      ["a negative base", { baseEjectionTime: "-1s" }],
      ["a negative longest time", { maxEjectionTime: "-1s" }],
      ["no child", { childPolicy: undefined }],
      ["an empty list of children", { childPolicy: [] }],
      ["no known child", { childPolicy: [{ no_such: {} }] }],
      ["a child that is wrong", { childPolicy: [{ pick_first: { shuffleAddressList: 1 } }] }],
    ] as const).map(([note, config]) => noDetection(note, config)),
    refused("the config of outlier_detection that is a list", LIMITS, list({ outlier_detection: [] })),
  ],
};
