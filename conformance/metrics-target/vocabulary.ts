import type { Case as AnyCase } from "../harness/case.ts";

/** What a case about the page of a target can do and observe. */

/** Requests for the page. Equal steps of different cases are performed once. */
export type Step = {
  readonly do: "scrape";
  /** Accept by the name of what it asks for; no Accept by default. */
  readonly accept?: AcceptName;
  /** Accept-Encoding; `identity` by default, none for `null`. */
  readonly coding?: string | null;
  /** GET by default. */
  readonly method?: "HEAD";
  /** Appended to the query of the address. */
  readonly query?: string;
  /** How often, one after the other; once by default. `series`: as often as the run has scrapes, an interval apart. */
  readonly times?: "series";
  /** So many requests at the same time. */
  readonly abreast?: number;
};

/** What Accept says, by the names that cases use for it. */
export const ACCEPT = {
  text: "text/plain;version=0.0.4",
  openmetrics: "application/openmetrics-text;version=1.0.0",
  protobuf: "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited",
  unknown: "application/json",
  "text-underscores": "text/plain;version=1.0.0;escaping=underscores",
  "openmetrics-underscores": "application/openmetrics-text;version=1.0.0;escaping=underscores",
  "openmetrics-dots": "application/openmetrics-text;version=1.0.0;escaping=dots",
  "openmetrics-values": "application/openmetrics-text;version=1.0.0;escaping=values",
  "openmetrics-utf8": "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8",
  "openmetrics-bogus": "application/openmetrics-text;version=1.0.0;escaping=sideways",
  "text-over-openmetrics": "application/openmetrics-text;version=1.0.0;q=0.2,text/plain;version=0.0.4;q=0.9",
  "openmetrics-over-text": "application/openmetrics-text;version=1.0.0;q=0.9,text/plain;version=0.0.4;q=0.2",
  /** What a current server asks for. */
  server:
    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
} as const;
export type AcceptName = keyof typeof ACCEPT;

/** What must be true of the answers to the steps, by the name of a rule. */
export type Sight = { readonly see: "holds"; readonly rule: string; readonly words?: readonly string[] };

export type Case = AnyCase<Step, Sight>;
