import { chooseServiceConfig, readServiceConfig } from "../../../reference/rpc/index.ts";
import { targetOf } from "../../../reference/serve/rpc/target.ts";
import type { Chance } from "./chance.ts";
import { outcome } from "./text.ts";

/** Service configs, published ones, and targets: right ones with a few mistakes. */

const DURATIONS = ["0s", "0.1s", "1s", "1.5s", "10s", "120s"] as const;
const WRONG = [-1, 0, 1, 101, 1.5, "", "x", "-1s", "1", "1e3s", true, null, [], {}, [1], { x: 1 }] as const;
const CODES = ["UNAVAILABLE", "ABORTED", "unavailable", 14, 0, "OK"] as const;
const PATHS = ["/a.B/C", "/a.B/D", "/a.E/C", "/", "x"] as const;
type Json = Readonly<Record<string, unknown>>;

/** Some of the fields; now and then one of them is wrong, or there is another. */
function fields(chance: Chance, all: Readonly<Record<string, () => unknown>>, keep = 3): Json {
  const some: Record<string, unknown> = {};
  for (const [name, make] of Object.entries(all)) {
    if (keep > 0 && chance.once(keep)) continue;
    some[name] = chance.once(25) ? chance.one(WRONG) : make();
  }
  if (chance.once(25)) some["others"] = 1;
  return some;
}
const duration = (chance: Chance): string => chance.one(DURATIONS);
const some = (chance: Chance, make: () => unknown, most: number): unknown[] => Array.from({ length: chance.below(most + 1) }, make);

const ejection = (chance: Chance, own: string): Json =>
  fields(chance, {
    [own]: () => chance.near(100),
    enforcementPercentage: () => chance.near(100),
    minimumHosts: () => chance.below(9),
    requestVolume: () => chance.near(50),
  });
const leaf = (chance: Chance): Json => {
  const policies: Readonly<Record<string, () => Json>> = {
    pick_first: () => fields(chance, { shuffleAddressList: () => chance.once(2) }),
    round_robin: () => fields(chance, {}),
    weighted_round_robin: () =>
      fields(chance, {
        enableOobLoadReport: () => chance.once(2),
        oobReportingPeriod: () => duration(chance),
        blackoutPeriod: () => duration(chance),
        weightExpirationPeriod: () => duration(chance),
        weightUpdatePeriod: () => duration(chance),
        errorUtilizationPenalty: () => chance.one([0, 1, 2.5]),
      }),
    other: () => ({}),
  };
  const name = chance.weighed({ pick_first: 1, round_robin: 2, weighted_round_robin: 2, other: 1 });
  return { [name]: policies[name]!(), ...(chance.once(30) && { more: {} }) };
};
const policy = (chance: Chance): unknown =>
  chance.once(2)
    ? leaf(chance)
    : {
        outlier_detection: fields(chance, {
          interval: () => duration(chance),
          baseEjectionTime: () => duration(chance),
          maxEjectionTime: () => duration(chance),
          maxEjectionPercent: () => chance.near(100),
          successRateEjection: () => ejection(chance, "stdevFactor"),
          failurePercentageEjection: () => ejection(chance, "threshold"),
          ...(chance.once(8) ? {} : { childPolicy: () => [leaf(chance), leaf(chance)] }),
        }),
      };
const codes = (chance: Chance): unknown[] => some(chance, () => chance.any(CODES), 3);
const entry = (chance: Chance): Json =>
  fields(chance, {
    name: () =>
      some(chance, () => fields(chance, { service: () => chance.one(["a.B", "a.E", ""]), method: () => chance.one(["C", "D", ""]) }, 4), 2),
    timeout: () => duration(chance),
    waitForReady: () => chance.once(2),
    ...(chance.once(2) && {
      retryPolicy: () =>
        fields(
          chance,
          {
            maxAttempts: () => chance.between(1, 7),
            initialBackoff: () => duration(chance),
            maxBackoff: () => duration(chance),
            backoffMultiplier: () => chance.one([0, 1, 1.6, 3]),
            retryableStatusCodes: () => codes(chance),
          },
          16,
        ),
    }),
    ...(chance.once(2) && {
      hedgingPolicy: () =>
        fields(
          chance,
          { maxAttempts: () => chance.between(1, 7), hedgingDelay: () => duration(chance), nonFatalStatusCodes: () => codes(chance) },
          6,
        ),
    }),
  });
const config = (chance: Chance): Json =>
  fields(chance, {
    loadBalancingConfig: () => some(chance, () => policy(chance), 3),
    ...(chance.once(3) && { loadBalancingPolicy: () => chance.one(["round_robin", "PICK_FIRST", "none", ""]) }),
    methodConfig: () => some(chance, () => entry(chance), 3),
    retryThrottling: () =>
      fields(chance, { maxTokens: () => chance.near(1_000), tokenRatio: () => chance.one([0, 0.1, 1, 1.0005, 0.0001, 3]) }, 12),
    connectionScaling: () => fields(chance, { maxConnectionsPerSubchannel: () => chance.near(10) }),
    healthCheckConfig: () => fields(chance, { serviceName: () => chance.one(["", "a.B"]) }),
  });

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one instanceof Set ? [...one] : typeof one === "function" ? "a function" : one)) ??
  "undefined";

export function configScene(chance: Chance): string {
  const json = config(chance);
  const read = outcome(() => {
    const found = readServiceConfig(json, chance.one([undefined, "refuse", "ignore"] as const));
    return `${shown(found)} ${PATHS.map((path) => shown(found.methodConfig(path))).join(" ")}`;
  });
  return `${JSON.stringify(json)}\n${read}`;
}

export function publishedScene(chance: Chance): string {
  const choices = some(
    chance,
    () =>
      fields(chance, {
        clientLanguage: () => some(chance, () => chance.one(["node", "Node", "go"]), 2),
        percentage: () => chance.near(50),
        clientHostname: () => some(chance, () => chance.one(["h", "H", "other"]), 2),
        ...(chance.once(6) ? {} : { serviceConfig: () => (chance.once(6) ? config(chance) : { methodConfig: [], n: chance.below(9) }) }),
      }),
    4,
  );
  const records = [
    ...some(chance, () => "other=[]", 1),
    `${chance.one(["rpc_config", "rpc_config", "grpc_config"])}=${chance.once(10) ? "[" : JSON.stringify(chance.once(16) ? {} : choices)}`,
    ...some(chance, () => "rpc_config=[]", 1),
  ] as string[];
  const client = { language: chance.one(["node", "NODE", "go"]), hostname: chance.one(["h", "H"]), percentile: chance.near(50) };
  return `${records.join("\n")} ${JSON.stringify(client)}\n${outcome(() => shown(chooseServiceConfig(records, "rpc_config", client)))}`;
}

const HOSTS = ["a", "a.test", "127.0.0.1", "[::1]", "a:80", "b:8080", "127.0.0.1:1", "[::1]:2", "", ":1", "a:x", "a/b"] as const;
export function targetScene(chance: Chance): string {
  const url = (): string => `${chance.one(["http", "http", "http", "https", "ftp"])}://${chance.one(HOSTS)}/`;
  const one = (): string =>
    chance.one([
      url(),
      `dns:///${chance.one(HOSTS)}`,
      `dns:${chance.one(HOSTS)}`,
      `DNS://${chance.one(HOSTS)}/${chance.one(HOSTS)}`,
      `unix:${chance.one(["", "x", "/x", "//x", "///x", "////x"])}`,
    ]);
  const listed = (): string | { readonly url: string; readonly weight: number } =>
    chance.once(2) ? url() : { url: url(), weight: chance.one([0, 1, 2.5, -1, Number.NaN, Infinity]) };
  const target = chance.once(2) ? one() : Array.from({ length: chance.below(4) }, listed);
  const isSecure = chance.once(3);
  return `${shown(target)} ${isSecure}\n${outcome(() => shown(targetOf(target, isSecure)))}`;
}
