import type { Metadata, Scraping } from "../../metrics/api/index.ts";

type Claims = ReadonlyMap<string, Partial<Metadata>>;

/** The distinct claims about each metric (Prometheus docs, querying/api.md, "Querying metric metadata"). */
export function metadataOf(pages: Iterable<Claims>): Map<string, Metadata[]> {
  const all = new Map<string, Metadata[]>();
  for (const page of pages) add(all, page);
  return all;
}

/** The same with what the targets say now. */
export function withScraped(
  known: ReadonlyMap<string, readonly Metadata[]>,
  { status }: { readonly status: Scraping },
): Map<string, Metadata[]> {
  const all = new Map([...known].map(([name, claims]) => [name, [...claims]]));
  for (const { metadata } of status.active()) add(all, metadata);
  return all;
}

function add(all: Map<string, Metadata[]>, page: Claims): void {
  for (const [name, { type = "unknown", help = "", unit = "" }] of page) {
    const known = all.get(name) ?? [];
    all.set(name, known);
    if (!known.some((one) => one.type === type && one.help === help && one.unit === unit)) known.push({ type, help, unit });
  }
}
