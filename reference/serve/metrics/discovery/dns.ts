import { Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import type { ScrapeConfig } from "../../../metrics/config/index.ts";
import { type DnsRecord, type DnsType, type Group, groupOfRecords, searchedNames } from "../../../metrics/discovery/index.ts";
import { described } from "../http-access.ts";
import { Poll } from "./poll.ts";
import type { Discoverer, Report } from "./report.ts";

/** Which servers are asked, and how names are completed; those of the system by default. */
export type DnsSystem = { readonly servers?: readonly string[]; readonly resolvConf?: string };

/** For one server, before the next one is asked. */
const SERVER_MS = 2_000;
const TRIES = 2;
/** The system's own words for a name, or a type of record, that does not exist. */
const ABSENT: ReadonlySet<string | undefined> = new Set(["ENOTFOUND"]);
const EMPTY: ReadonlySet<string | undefined> = new Set(["ENODATA"]);

const LOOKUPS: Readonly<Record<DnsType, (resolver: Resolver, name: string) => Promise<readonly DnsRecord[]>>> = {
  SRV: async (resolver, name) => (await resolver.resolveSrv(name)).map(({ name: host, port }) => ({ host, port })),
  A: async (resolver, name) => hosts(await resolver.resolve4(name)),
  AAAA: async (resolver, name) => hosts(await resolver.resolve6(name)),
  MX: async (resolver, name) => hosts((await resolver.resolveMx(name)).map(({ exchange }) => exchange)),
  NS: async (resolver, name) => hosts(await resolver.resolveNs(name)),
};
const hosts = (all: readonly string[]): readonly DnsRecord[] => all.map((host) => ({ host }));

/** Targets from records of DNS. A name that cannot be asked keeps its targets; one that does not exist has none. */
export function discoverDns(
  { names, type, port, refresh_interval: refreshMs }: ScrapeConfig["dns_sd_configs"][number],
  report: Report,
  { servers, resolvConf = "/etc/resolv.conf" }: DnsSystem = {},
): Discoverer {
  const kind = type.toUpperCase() as DnsType;
  const known = new Map<string, Group>();
  return new Poll({
    refreshMs,
    report,
    refresh: async (signal) => {
      // Servers and domains of the system may change: both are read for each refresh.
      const resolver = new Resolver({ timeout: SERVER_MS, tries: TRIES });
      if (servers !== undefined) resolver.setServers(servers);
      const conf = textOf(resolvConf);
      const cancel = (): void => resolver.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      const faults: string[] = [];
      await Promise.all(
        names.map(async (name) => {
          report.count("prometheus_sd_dns_lookups_total");
          try {
            known.set(name, groupOfRecords(name, kind, await lookup(resolver, kind, searchedNames(name, conf)), port));
          } catch (error) {
            report.count("prometheus_sd_dns_lookup_failures_total");
            faults.push(`${name}: ${described(error)}`);
          }
        }),
      );
      signal.removeEventListener("abort", cancel);
      return { groups: [...known.values()], ...(faults.length > 0 && { fault: faults.sort().join("; ") }) };
    },
  });
}

/** The records of the first name that exists; none if no name does. Rejects if that cannot be known. */
async function lookup(resolver: Resolver, type: DnsType, names: readonly string[]): Promise<readonly DnsRecord[]> {
  let failure: unknown;
  for (const name of names) {
    try {
      return await LOOKUPS[type](resolver, name);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (EMPTY.has(code)) return [];
      if (!ABSENT.has(code)) failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return [];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
