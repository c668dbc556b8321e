import { createServer, type Server } from "node:http";

/** The targets, the configuration and the rules of a run. */

/** Scrapes that have the series that ends. */
const GOING_SCRAPES = 3;
const INTERVAL = "200ms";
/** The values of a label: 180 octets together. */
const MANY = Array.from({ length: 30 }, (_, at) => (at < 10 ? `value${at}` : `valu${at}`));

const PAGE = `fed_a{n="1"} 11
fed_a{n="2"} 12
fed_b{n="1"} 21
# HELP fed_counter Counts.
# TYPE fed_counter counter
fed_counter 31
fed_large 1234567890.0625
fed_nan NaN
fed_infinite -Inf
fed_escaped{l="a\\"b\\\\c\\nd"} 1
fed_letters{l="Straße ☂"} 1
fed_own{region="own"} 1
${MANY.map((value) => `fill_many{many="${value}"} 1\n`).join("")}${Array.from({ length: 12 }, (_, at) => `fill_${at} 1\n`).join("")}`;

/** A target whose series `fed_gone` ends after a few scrapes. */
export function targetServer(): Server {
  let scrapes = 0;
  return createServer((_, response) => {
    scrapes += 1;
    const page = scrapes > GOING_SCRAPES ? PAGE : `fed_gone 1\n${PAGE}`;
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(page);
  });
}

export type Places = {
  readonly target: string;
  readonly dead: string;
  /** A server whose page is scraped. */ readonly first?: string | undefined;
  readonly rules: string;
};

/** The settings of the first configuration. */
export const settingsOf = ({ target, dead, first, rules }: Places): Readonly<Record<string, unknown>> => ({
  global: {
    scrape_interval: INTERVAL,
    scrape_timeout: INTERVAL,
    evaluation_interval: INTERVAL,
    external_labels: { region: "eu", replica: "a" },
  },
  rule_files: [rules],
  alerting: { alertmanagers: [{ static_configs: [{ targets: [dead] }] }] },
  scrape_configs: [
    { job_name: "targets", static_configs: [{ targets: [target] }] },
    { job_name: "dead", static_configs: [{ targets: [dead] }] },
    { job_name: "dropped", relabel_configs: [{ action: "drop" }], static_configs: [{ targets: [target] }] },
    {
      job_name: "relabelled",
      relabel_configs: [{ source_labels: ["place"], target_label: "zone", replacement: "z-$1" }],
      static_configs: [{ targets: [dead], labels: { place: "one" } }],
    },
    ...(first === undefined
      ? []
      : [
          {
            job_name: "federate",
            honor_labels: true,
            metrics_path: "/federate",
            params: { "match[]": ["fed_a", '{__name__="fed_b"}'] },
            static_configs: [{ targets: [first] }],
          },
        ]),
  ],
});

export const RULES_TEXT: string = JSON.stringify({
  groups: [{ name: "g", rules: [{ record: "job:fed_a:sum", expr: "sum by (job) (fed_a)" }] }],
});

/** Queries with their answers, in part, once a run is under way; `lacks`: not in it. */
export const READY: readonly { readonly query: string; readonly has?: string; readonly lacks?: string }[] = [
  { query: 'fed_a{job="targets"}', has: "targets" },
  { query: "last_over_time(fed_gone[1h])", has: "fed_gone" },
  { query: "fed_gone", lacks: "fed_gone" },
  { query: 'up{job="dead"}', has: "dead" },
  { query: '{__name__="job:fed_a:sum"}', has: "targets" },
];
