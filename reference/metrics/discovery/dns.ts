import { hostPort, type Group, labelsFrom } from "./group.ts";

/** Targets from records of DNS (Prometheus docs, configuration/configuration.md, `<dns_sd_config>`). */

export type DnsType = "SRV" | "A" | "AAAA" | "MX" | "NS";
/** A record: an address, or the name of a host without the dot at its end. Only SRV records have a port. */
export type DnsRecord = { readonly host: string; readonly port?: number };

/** The group of one name. `port` is that of the configuration. A record with the root as its host says that there is no service (rfc2782). */
export function groupOfRecords(name: string, type: DnsType, records: readonly DnsRecord[], port: number): Group {
  const targets = records
    .filter(({ host }) => host !== "")
    .map((record) =>
      labelsFrom([
        ["__address__", hostPort(record.host, record.port ?? port)],
        ["__meta_dns_name", name],
        ["__meta_dns_srv_record_target", type === "SRV" ? `${record.host}.` : undefined],
        ["__meta_dns_srv_record_port", type === "SRV" ? String(record.port) : undefined],
        ["__meta_dns_mx_record_target", type === "MX" ? `${record.host}.` : undefined],
        ["__meta_dns_ns_record_target", type === "NS" ? `${record.host}.` : undefined],
      ]),
    );
  return { source: name, targets, labels: {} };
}

/** The names to ask for, in order, as the lines `search`, `domain` and `options ndots` of a resolv.conf say. */
export function searchedNames(name: string, resolvConf: string): readonly string[] {
  if (name.endsWith(".")) return [name.slice(0, -1)];
  let search: readonly string[] = [];
  let ndots = 1;
  for (const line of resolvConf.split("\n")) {
    const [keyword, ...words] = line
      .replace(/[#;].*$/, "")
      .trim()
      .split(/\s+/);
    if (keyword === "search") search = words;
    else if (keyword === "domain") search = words.slice(0, 1);
    else if (keyword === "options") ndots = Number(words.findLast((word) => /^ndots:\d+$/.test(word))?.slice(6) ?? ndots);
  }
  const longer = search.map((domain) => `${name}.${domain.replace(/\.$/, "")}`).filter((one) => !one.endsWith("."));
  return name.split(".").length > ndots ? [name, ...longer] : [...longer, name];
}
