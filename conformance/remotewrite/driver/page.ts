/** The page that senders scrape, and what of it has to arrive. */

/** Scrapes after which a series goes away, and those after which the whole page does. */
const VANISHES_AFTER = 4;
export const GONE_AFTER = 6;

export const SPECIAL: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Infinity,
  minus: -Infinity,
  large: 1.7976931348623157e308,
  small: 5e-324,
  fraction: 0.1,
};
export const UTF8 = "zürich 東京 🚆";
export const ESCAPED = 'a"b\\c\nd';
export const EXTERNAL: readonly (readonly [string, string])[] = [
  ["region", "eu"],
  ["zone", "z1"],
];
export const HELP = "How often this page was scraped.";

const shown = (value: number): string => (value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value));

/** The page at its n-th scrape. */
export function pageAt(scrape: number, vanishes: boolean): string {
  return `# HELP ticks_total ${HELP}
# TYPE ticks_total counter
ticks_total ${scrape}
# TYPE special gauge
${Object.entries(SPECIAL)
  .map(([kind, value]) => `special{kind="${kind}"} ${shown(value)}`)
  .join("\n")}
# TYPE texts gauge
texts{a="${UTF8}",b="${ESCAPED.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"} 1
# TYPE unsorted gauge
unsorted{z="1",a="2",Z="3",_x="4"} 1
# TYPE hollow gauge
hollow{empty="",full="1"} 1
# TYPE conflict gauge
conflict{region="us"} 1
# TYPE latency histogram
latency_bucket{le="0.5"} 1
latency_bucket{le="+Inf"} 2
latency_sum 1.5
latency_count 2
${vanishes && scrape > VANISHES_AFTER ? "" : "# TYPE vanishing gauge\nvanishing 1\n"}`;
}
