import type { Labels } from "../model/index.ts";
import { Dictionary, isList, Listing, Markup, type Method, Moment, Struct, TemplateFault, type Value } from "../rules/index.ts";
import type { Delivery, NotifiedAlert } from "./delivery.ts";
import { commonTo } from "./payload.ts";

/** What templates of notifications see: Alertmanager docs, notifications.md, "Data Structures". */

const pairOf = (name: string, value: string): Struct =>
  new Struct(
    "pair",
    new Map<string, Value>([
      ["Name", name],
      ["Value", value],
    ]),
  );

/** Labels or annotations, with their functions. */
function texts(labels: Labels): Dictionary {
  const entries = new Map<string, Value>(labels);
  const methods = new Map<string, Method>([
    ["SortedPairs", () => pairs(labels)],
    ["Names", () => [...labels].map(([name]) => name)],
    ["Values", () => [...labels].map(([, value]) => value)],
    [
      "Remove",
      ([names, ...more]) => {
        if (!isList(names) || more.length > 0) throw new TemplateFault("Remove needs one list of names");
        return texts(labels.without(new Set(names.map(String))));
      },
    ],
    ["String", () => pairsText(sortedPairs(labels))],
  ]);
  return new Dictionary(entries, "", methods);
}

type Pairs = readonly (readonly [name: string, value: string])[];
/** Pairs sorted by name, `alertname` first. */
const sortedPairs = (labels: Labels): Pairs => [...labels].sort(([a], [b]) => Number(b === "alertname") - Number(a === "alertname"));
const pairsText = (sorted: Pairs): string => sorted.map(([name, value]) => `${name}=${value}`).join(", ");

function pairs(labels: Labels): Listing {
  const sorted = sortedPairs(labels);
  const list = Listing.from(sorted.map(([name, value]): Value => pairOf(name, value))) as Listing;
  list.methods = new Map<string, Method>([
    ["Names", () => sorted.map(([name]) => name)],
    ["Values", () => sorted.map(([, value]) => value)],
    ["String", () => pairsText(sorted)],
  ]);
  return list;
}

/** Go's zero time, which stands for an end that is not known. */
const ZERO_MS: number = Date.parse("0001-01-01T00:00:00Z");

const alertValue = ({ labels, annotations, startsAt, endsAt, generatorUrl, fingerprint, isResolved }: NotifiedAlert): Struct =>
  new Struct(
    "alert",
    new Map<string, Value>([
      ["Status", isResolved ? "resolved" : "firing"],
      ["Labels", texts(labels)],
      ["Annotations", texts(annotations)],
      ["StartsAt", new Moment(startsAt)],
      ["EndsAt", new Moment(isResolved ? endsAt : ZERO_MS)],
      ["GeneratorURL", generatorUrl],
      ["Fingerprint", fingerprint],
    ]),
  );

function alertsValue(alerts: readonly NotifiedAlert[]): Listing {
  const list = Listing.from(alerts.map(alertValue)) as Listing;
  list.methods = new Map<string, Method>([
    ["Firing", () => alertsValue(alerts.filter((one) => !one.isResolved))],
    ["Resolved", () => alertsValue(alerts.filter((one) => one.isResolved))],
  ]);
  return list;
}

/** The data of a notification, as `.` of its templates. */
export const templateData = ({ receiver, alerts, groupKey, groupLabels }: Delivery, externalUrl: string): Struct =>
  new Struct(
    "data",
    new Map<string, Value>([
      ["Receiver", receiver],
      ["Status", alerts.some((one) => !one.isResolved) ? "firing" : "resolved"],
      ["Alerts", alertsValue(alerts)],
      ["GroupLabels", texts(groupLabels)],
      ["CommonLabels", texts(commonTo(alerts.map(({ labels }) => labels)))],
      ["CommonAnnotations", texts(commonTo(alerts.map(({ annotations }) => annotations)))],
      ["GroupKey", groupKey],
      ["ExternalURL", externalUrl],
    ]),
  );

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };
/** Text for the content of an element or a quoted attribute of HTML. */
const inHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => HTML[sign] ?? sign);
/** Makes HTML of a value: markup stays as it is, everything else is escaped. */
export const htmlOf =
  (printed: (value: Value) => string) =>
  (value: Value): string =>
    value instanceof Markup ? value.text : inHtml(printed(value));
