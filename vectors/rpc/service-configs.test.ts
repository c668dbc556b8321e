import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type HedgingPolicy, readServiceConfig, type RetryPolicy, type ServiceConfig } from "../../reference/rpc/service-config.ts";
import { linter } from "../lint.ts";
import { CONFIGS, configsOf } from "./make.ts";
import type { ConfigReading, ConfigVector } from "./source/service-configs.ts";

const listed = (statuses: ReadonlySet<number>): readonly number[] => [...statuses].sort((one, other) => one - other);
const retryOf = ({ retryableStatusCodes, ...others }: RetryPolicy) => ({ ...others, statuses: listed(retryableStatusCodes) });
const hedgingOf = ({ nonFatalStatusCodes, ...others }: HedgingPolicy) => ({ ...others, statuses: listed(nonFatalStatusCodes) });

/** What a config says, in the words of the vectors. */
function readingOf(config: ServiceConfig, path: string): ConfigReading {
  const { retryPolicy, hedgingPolicy, ...entry } = config.methodConfig(path);
  return {
    method: {
      ...entry,
      ...(retryPolicy && { retry: retryOf(retryPolicy) }),
      ...(hedgingPolicy && { hedging: hedgingOf(hedgingPolicy) }),
    },
    balancing: config.loadBalancing,
    ...(config.retryThrottling && { throttling: config.retryThrottling }),
    connections: config.maxConnectionsPerSubchannel,
    ...(config.healthService !== undefined && { health: config.healthService }),
  };
}

test.each(Object.entries(CONFIGS))("%s: the file is as its source makes it, valid, and names are unique", (name, source) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(configsOf(source));
  expect(linter()(`rpc/${name}`)).toEqual([]);
  expect(new Set(source.vectors.map((vector) => vector.name)).size).toBe(source.vectors.length);
});

describe("our reader of service configs", () => {
  const vectors: readonly Omit<ConfigVector, "id">[] = CONFIGS["service-configs"].vectors;
  // A config of the caller's own is refused for a name that is not known: it may be misspelt.
  const policies = (one: Omit<ConfigVector, "id">) => (one.hasUnknown === true ? (["ignore"] as const) : (["ignore", "refuse"] as const));

  test.each(vectors.filter(({ result }) => result === "valid"))("$note", (vector) => {
    for (const others of policies(vector)) {
      // What is `undefined` in the source is not in the file.
      const config: unknown = JSON.parse(JSON.stringify(vector.config));
      expect(readingOf(readServiceConfig(config, others), vector.path)).toEqual(vector.reads);
    }
  });
  test.each(vectors.filter(({ result }) => result === "invalid"))("refuses $note", (vector) => {
    for (const others of policies(vector))
      expect(() => readServiceConfig(JSON.parse(JSON.stringify(vector.config)), others)).toThrow("service config: ");
  });
  test.each(vectors.filter(({ hasUnknown }) => hasUnknown === true))("refuses, from the caller itself, $note", ({ config }) => {
    expect(() => readServiceConfig(config)).toThrow("has no field");
  });
});
