import { expect, test } from "vitest";
import { readServiceConfig } from "./service-config.ts";
import { Status } from "./status.ts";

const POLICY = { maxAttempts: 3, initialBackoff: "0.1s", maxBackoff: "1s", backoffMultiplier: 2, retryableStatusCodes: ["UNAVAILABLE"] };
const withPolicy = (changes: object) => ({ methodConfig: [{ name: [{}], retryPolicy: { ...POLICY, ...changes } }] });

test("a method has its own entry, that of its service, or the one for all", () => {
  const config = readServiceConfig({
    methodConfig: [
      { name: [{ service: "a.B", method: "C" }, { service: "x.Y" }], timeout: "1.5s" },
      { name: [{ service: "a.B" }], waitForReady: true },
      { name: [{}], timeout: "9s" },
    ],
  });
  expect(config.methodConfig("/a.B/C")).toEqual({ timeoutMs: 1_500 });
  expect(config.methodConfig("/x.Y/Z")).toEqual({ timeoutMs: 1_500 });
  expect(config.methodConfig("/a.B/D")).toEqual({ waitForReady: true });
  expect(config.methodConfig("/q.R/S")).toEqual({ timeoutMs: 9_000 });
  expect(readServiceConfig({}).methodConfig("/a.B/C")).toEqual({});
});

test("a retry policy; more than five attempts count as five", () => {
  const { retryPolicy } = readServiceConfig(
    withPolicy({ maxAttempts: 9, retryableStatusCodes: ["UNAVAILABLE", "aborted", 8] }),
  ).methodConfig("/a/b");
  expect(retryPolicy).toEqual({
    maxAttempts: 5,
    initialBackoffMs: 100,
    maxBackoffMs: 1_000,
    backoffMultiplier: 2,
    retryableStatusCodes: new Set([Status.UNAVAILABLE, Status.ABORTED, Status.RESOURCE_EXHAUSTED]),
  });
});

test("a hedging policy; without a delay all attempts are sent at once", () => {
  const policy = (hedgingPolicy: object) =>
    readServiceConfig({ methodConfig: [{ name: [{}], hedgingPolicy }] }).methodConfig("/a/b").hedgingPolicy;
  expect(policy({ maxAttempts: 9, hedgingDelay: "0.5s", nonFatalStatusCodes: ["unavailable", 13] })).toEqual({
    maxAttempts: 5,
    delayMs: 500,
    nonFatalStatusCodes: new Set([Status.UNAVAILABLE, Status.INTERNAL]),
  });
  expect(policy({ maxAttempts: 2 })).toEqual({ maxAttempts: 2, delayMs: 0, nonFatalStatusCodes: new Set() });
});

test.each([
  [undefined, { is: "pick_first", shuffleAddressList: false }],
  [[{ pick_first: { shuffleAddressList: true } }], { is: "pick_first", shuffleAddressList: true }],
  [[{ xds: { anything: 1 } }, { round_robin: {} }, { pick_first: {} }], { is: "round_robin" }],
  [
    [{ weighted_round_robin: {} }],
    {
      is: "weighted_round_robin",
      weights: { outOfBandMs: undefined, blackoutMs: 10_000, expirationMs: 180_000, updateMs: 1_000, errorPenalty: 1 },
    },
  ],
  [
    [
      {
        weighted_round_robin: {
          enableOobLoadReport: true,
          oobReportingPeriod: "1s",
          blackoutPeriod: "0s",
          weightExpirationPeriod: "2s",
          weightUpdatePeriod: "0.01s",
          errorUtilizationPenalty: 0.5,
        },
      },
    ],
    {
      is: "weighted_round_robin",
      weights: { outOfBandMs: 1_000, blackoutMs: 0, expirationMs: 2_000, updateMs: 100, errorPenalty: 0.5 },
    },
  ],
])("load balancing %j: the first policy that is known", (loadBalancingConfig, expected) => {
  expect(readServiceConfig(loadBalancingConfig === undefined ? {} : { loadBalancingConfig }).loadBalancing).toEqual(expected);
});

test.each([
  [{ enableOobLoadReport: 1 }, "enableOobLoadReport must be true or false"],
  [{ errorUtilizationPenalty: -1 }, "errorUtilizationPenalty must be a number that is not negative"],
  [{ errorUtilizationPenalty: "1" }, "errorUtilizationPenalty must be a number that is not negative"],
  [{ oobReportingPeriod: "-1s" }, "oobReportingPeriod must be seconds"],
  [{ blackoutPeriod: 1 }, "blackoutPeriod must be seconds"],
  [{ weight: 1 }, 'has no field "weight"'],
])("weights by %j: refused", (config, why) => {
  expect(() => readServiceConfig({ loadBalancingConfig: [{ weighted_round_robin: config }] })).toThrow(why);
});

test("the older name of a policy counts without a list of policies", () => {
  const policyOf = (json: unknown): string => readServiceConfig(json).loadBalancing.is;
  expect(policyOf({ loadBalancingPolicy: "ROUND_ROBIN" })).toBe("round_robin");
  expect(policyOf({ loadBalancingPolicy: "round_robin", loadBalancingConfig: [{ pick_first: {} }] })).toBe("pick_first");
  expect(() => readServiceConfig({ loadBalancingPolicy: "none" })).toThrow("has no policy that is known");
  expect(() => readServiceConfig({ loadBalancingPolicy: 1 })).toThrow("loadBalancingPolicy must be a text");
});

const outliers = (config: object) => ({ loadBalancingConfig: [{ outlier_detection: { childPolicy: [{ round_robin: {} }], ...config } }] });

test("outlier detection: the defaults, and every field", () => {
  expect(readServiceConfig(outliers({ successRateEjection: {}, failurePercentageEjection: {} })).loadBalancing).toEqual({
    is: "outlier_detection",
    config: {
      intervalMs: 10_000,
      baseEjectionMs: 30_000,
      maxEjectionMs: 300_000,
      maxEjectionPercent: 10,
      successRate: { stdevFactor: 1_900, enforcementPercent: 100, minimumHosts: 5, requestVolume: 100 },
      failurePercentage: { threshold: 85, enforcementPercent: 100, minimumHosts: 5, requestVolume: 50 },
    },
    child: { is: "round_robin" },
  });
  const given = {
    interval: "1s",
    baseEjectionTime: "600s",
    maxEjectionPercent: 0,
    successRateEjection: { stdevFactor: 1, enforcementPercentage: 2, minimumHosts: 3, requestVolume: 4 },
    failurePercentageEjection: { threshold: 5, enforcementPercentage: 6, minimumHosts: 7, requestVolume: 8 },
    childPolicy: [{ other: {} }, { pick_first: {} }],
  };
  expect(readServiceConfig(outliers(given)).loadBalancing).toEqual({
    is: "outlier_detection",
    config: {
      intervalMs: 1_000,
      baseEjectionMs: 600_000,
      maxEjectionMs: 600_000,
      maxEjectionPercent: 0,
      successRate: { stdevFactor: 1, enforcementPercent: 2, minimumHosts: 3, requestVolume: 4 },
      failurePercentage: { threshold: 5, enforcementPercent: 6, minimumHosts: 7, requestVolume: 8 },
    },
    child: { is: "pick_first", shuffleAddressList: false },
  });
});

const AT = "loadBalancingConfig[0].outlier_detection";
test.each([
  [{ interval: "-1s" }, `${AT}.interval must be seconds such as "1.5s"`],
  [{ baseEjectionTime: 30 }, `${AT}.baseEjectionTime must be seconds`],
  [{ maxEjectionPercent: 101 }, `${AT}.maxEjectionPercent must be a whole number from 0 to 100`],
  [{ successRateEjection: { enforcementPercentage: 101 } }, `${AT}.successRateEjection.enforcementPercentage must be`],
  [{ successRateEjection: { threshold: 1 } }, `${AT}.successRateEjection has no field "threshold"`],
  [{ failurePercentageEjection: { threshold: 101 } }, `${AT}.failurePercentageEjection.threshold must be`],
  [{ failurePercentageEjection: { minimumHosts: -1 } }, `${AT}.failurePercentageEjection.minimumHosts must be`],
  [{ childPolicy: [{ outlier_detection: {} }] }, `${AT}.childPolicy has no policy that is known`],
  [{ childPolicy: undefined }, `${AT}.childPolicy must be a list`],
  [{ child_policy: [] }, `${AT} has no field "child_policy"`],
])("outlier detection %j: %s", (config, message) => {
  expect(() => readServiceConfig(outliers(config))).toThrow(message);
});

test("connection scaling: a whole number; 0 counts as 1", () => {
  const most = (connectionScaling: unknown) => readServiceConfig({ connectionScaling }).maxConnectionsPerSubchannel;
  expect([most(undefined), most({}), most({ maxConnectionsPerSubchannel: 0 }), most({ maxConnectionsPerSubchannel: 7 })]).toEqual([
    1, 1, 1, 7,
  ]);
  expect(() => most({ maxConnectionsPerSubchannel: 1.5 })).toThrow("connectionScaling.maxConnectionsPerSubchannel must be a whole number");
  expect(() => most({ max: 1 })).toThrow('connectionScaling has no field "max"');
});

test("health checks: the name of a service, which may be empty", () => {
  const named = (healthCheckConfig: unknown) => readServiceConfig({ healthCheckConfig }).healthService;
  expect([named(undefined), named({}), named({ serviceName: "" }), named({ serviceName: "a.B" })]).toEqual([
    undefined,
    undefined,
    "",
    "a.B",
  ]);
  expect(() => named({ serviceName: 1 })).toThrow("healthCheckConfig.serviceName must be a text");
  expect(() => named({ name: "" })).toThrow('healthCheckConfig has no field "name"');
});

test("decimal places of the token ratio beyond three are ignored", () => {
  expect(readServiceConfig({ retryThrottling: { maxTokens: 10, tokenRatio: 0.5466 } }).retryThrottling).toEqual({
    maxTokens: 10,
    tokenRatio: 0.546,
  });
});

test.each([
  [[], "the service config must be an object"],
  [
    { methodConfigs: [] },
    'the service config has no field "methodConfigs": it may have loadBalancingConfig, loadBalancingPolicy, methodConfig, retryThrottling',
  ],
  [{ methodConfig: {} }, "methodConfig must be a list"],
  [{ methodConfig: [{ name: [{ method: "x" }] }] }, "methodConfig[0].name[0] has a method without a service"],
  [{ methodConfig: [{ name: [{}, {}] }] }, "methodConfig[0].name[1] is the second entry for this name"],
  [{ methodConfig: [{ name: [{ service: 1 }] }] }, "methodConfig[0].name[0] must have texts"],
  [{ methodConfig: [{ timeout: "1m" }] }, 'methodConfig[0].timeout must be seconds such as "1.5s"'],
  [{ methodConfig: [{ waitForReady: "yes" }] }, "methodConfig[0].waitForReady must be true or false"],
  [withPolicy({ maxAttempts: 1 }), "retryPolicy.maxAttempts must be a whole number above 1"],
  [withPolicy({ maxAttempts: 2.5 }), "retryPolicy.maxAttempts must be a whole number above 1"],
  [withPolicy({ initialBackoff: "0s" }), "retryPolicy.initialBackoff must be above 0"],
  [withPolicy({ maxBackoff: undefined }), "retryPolicy.maxBackoff must be seconds"],
  [withPolicy({ backoffMultiplier: 0 }), "retryPolicy.backoffMultiplier must be a number above 0"],
  [withPolicy({ retryableStatusCodes: [] }), "retryPolicy.retryableStatusCodes must name at least one status"],
  [withPolicy({ retryableStatusCodes: ["SORRY"] }), "retryPolicy.retryableStatusCodes[0] is no status"],
  [withPolicy({ retryableStatusCodes: [17] }), "retryPolicy.retryableStatusCodes[0] is no status"],
  [{ retryThrottling: { maxTokens: 0, tokenRatio: 1 } }, "retryThrottling.maxTokens must be a whole number from 1 to 1000"],
  [{ retryThrottling: { maxTokens: 1_001, tokenRatio: 1 } }, "retryThrottling.maxTokens must be a whole number from 1 to 1000"],
  [{ retryThrottling: { maxTokens: 1, tokenRatio: 0 } }, "retryThrottling.tokenRatio must be a number above 0"],
  [{ loadBalancingConfig: {} }, "loadBalancingConfig must be a list"],
  [{ loadBalancingConfig: [] }, "loadBalancingConfig has no policy that is known"],
  [{ loadBalancingConfig: [{ xds: {} }] }, "loadBalancingConfig has no policy that is known"],
  [{ loadBalancingConfig: ["round_robin"] }, "loadBalancingConfig[0] must be an object"],
  [{ loadBalancingConfig: [{ round_robin: {}, pick_first: {} }] }, "loadBalancingConfig[0] must have one field"],
  [{ loadBalancingConfig: [{ pick_first: { shuffleAddressList: 1 } }] }, "shuffleAddressList must be true or false"],
  [{ loadBalancingConfig: [{ round_robin: { x: 1 } }] }, 'loadBalancingConfig[0].round_robin has no field "x"'],
  [{ methodConfig: [{ hedgingPolicy: { maxAttempts: 1 } }] }, "hedgingPolicy.maxAttempts must be a whole number above 1"],
  [{ methodConfig: [{ hedgingPolicy: { maxAttempts: 2, hedgingDelay: "1" } }] }, "hedgingPolicy.hedgingDelay must be seconds"],
  [{ methodConfig: [{ hedgingPolicy: { maxAttempts: 2, nonFatalStatusCodes: ["SORRY"] } }] }, "nonFatalStatusCodes[0] is no status"],
  [{ methodConfig: [{ hedgingPolicy: { maxAttempts: 2 }, retryPolicy: POLICY }] }, "has a retryPolicy and a hedgingPolicy"],
])("the service config %j is refused", (json, why) => {
  expect(() => readServiceConfig(json)).toThrow(why);
});

test("a published config: unknown fields are ignored everywhere, and known ones still checked", () => {
  const odd = { ...POLICY, odd: 1 };
  const child = {
    odd: 1,
    childPolicy: [{ round_robin: { odd: 1 } }],
    successRateEjection: { odd: 1 },
    failurePercentageEjection: { odd: 1 },
  };
  const published = {
    odd: 1,
    methodConfig: [
      { odd: 1, name: [{ service: "a.B", odd: 1 }], retryPolicy: odd },
      { name: [{}], hedgingPolicy: { maxAttempts: 2, odd: 1 } },
    ],
    retryThrottling: { maxTokens: 10, tokenRatio: 0.1, odd: 1 },
    connectionScaling: { odd: 1 },
    healthCheckConfig: { odd: 1 },
    loadBalancingConfig: [{ outlier_detection: child }],
  };
  expect(readServiceConfig(published, "ignore").methodConfig("/a.B/c").retryPolicy?.maxAttempts).toBe(3);
  expect(() => readServiceConfig(published)).toThrow('has no field "odd"');
  expect(() => readServiceConfig({ ...published, retryThrottling: { maxTokens: 0 } }, "ignore")).toThrow("retryThrottling.maxTokens");
});
