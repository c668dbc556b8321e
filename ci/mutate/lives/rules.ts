import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadRules } from "../../../reference/metrics/config/index.ts";
import { Columns, Labels, Matcher, METRIC_NAME } from "../../../reference/metrics/model/index.ts";
import { finish, type Work } from "../../../reference/metrics/promql/index.ts";
import { RESTORE_TIMES } from "../../../reference/metrics/rules/alert-state.ts";
import { GroupRun, type PassContext } from "../../../reference/metrics/rules/group.ts";
import { Slots, slotFrom } from "../../../reference/metrics/rules/slots.ts";
import { NOTIFICATION_FUNCTIONS } from "../../../reference/metrics/rules/template/names.ts";
import { parseTemplate } from "../../../reference/metrics/rules/template/parse.ts";
import { expand } from "../../../reference/metrics/rules/template/run.ts";
import { labelsValue, Moment, sampleValue, Struct, type Value } from "../../../reference/metrics/rules/template/values.ts";
import { MemoryStorage } from "../../../reference/metrics/storage/index.ts";
import { Chance } from "./chance.ts";
import { outcome } from "./text.ts";

const MINUTE = 60_000;

/** One life of the rules: a group, the times of one, or templates. */
export function live(seed: number): string {
  const chance = new Chance(seed);
  return LIVES[chance.weighed({ group: 3, slots: 0.4, template: 4 })](chance);
}

const LIVES = { group: groupLife, slots: slotsLife, template: templateLife } as const;

const EXPRESSIONS = [
  "a",
  "a > 1",
  "sum by (i) (a)",
  "a + on (i) b",
  "ALERTS",
  "7",
  "'x'",
  "r",
  "r * 2",
  "a / 0",
  "b offset 2m",
  "absent(a)",
  "sum(a)",
  "count(s)",
] as const;
const TEXTS = [
  "x",
  "",
  "{{ $value }}",
  "{{ $labels.i }}",
  "{{ $labels.nope }}",
  '{{ query "a" | first | value }}',
  '{{ range query "a" }}{{ .Labels.i }}{{ end }}',
  '{{ first (query "none") }}',
  "{{ $externalLabels.region }}",
  '{{ query "sum(" }}',
  "{{ humanize $value }}",
] as const;
const DURATIONS = ["0s", "1m", "2m", "5m", "10m", "20m", "1h"] as const;

function ruleText(chance: Chance): string {
  const expr = JSON.stringify(chance.one(EXPRESSIONS));
  const texts = (name: string): string =>
    chance.once(2)
      ? ""
      : `, ${name}: {${chance.one(["x", "i", "job"])}: ${JSON.stringify(name === "labels" && chance.once(2) ? "y" : chance.one(TEXTS))}}`;
  if (chance.once(2))
    return `{record: ${chance.one(["r", "s", "a:b"])}, expr: ${expr}${chance.once(2) ? `, labels: {${chance.one(["x", "i"])}: ${chance.one(["v", '""'])}}` : ""}}`;
  const times = `${chance.once(2) ? "" : `, for: ${chance.one(DURATIONS)}`}${chance.once(3) ? `, keep_firing_for: ${chance.one(DURATIONS)}` : ""}`;
  return `{alert: ${chance.one(["A", "B"])}, expr: ${expr}${times}${texts("labels")}${texts("annotations")}}`;
}

const groupText = (chance: Chance): string => {
  const fields = `${chance.once(3) ? `limit: ${chance.between(1, 3)}, ` : ""}${chance.once(4) ? `query_offset: ${chance.one(["1m", "30s"])}, ` : ""}${chance.once(4) ? "labels: {team: t, x: g}, " : ""}`;
  return `groups: [{name: g, ${fields}rules: [${Array.from({ length: chance.between(1, 5) }, () => ruleText(chance)).join(", ")}]}]`;
};

function groupLife(chance: Chance): string {
  const lines: string[] = [];
  const storage = new MemoryStorage();
  const loaded = (text: string): GroupRun["group"] | undefined => {
    const { groups, problems } = loadRules(text, "r.yml", { evaluationIntervalMs: MINUTE, queryOffsetMs: 0, scheme: "utf8" });
    lines.push(text, ...problems.map((one) => JSON.stringify(one)));
    return problems.length === 0 ? groups[0] : undefined;
  };
  let run: GroupRun | undefined;
  let minute = 1;
  for (let step = chance.between(6, 16); step > 0; step--) {
    const action = run === undefined ? "load" : chance.weighed({ pass: 10, load: 1, restart: 1, away: 1, restore: 1, end: 0.3 });
    if (action === "load" || action === "restart") {
      const group = loaded(
        action === "restart" && run !== undefined && chance.once(2) ? "groups: [{name: g, rules: []}]" : groupText(chance),
      );
      const before = action === "restart" ? undefined : run;
      if (group !== undefined)
        run = new GroupRun(action === "restart" && run !== undefined && chance.once(2) ? run.group : group, {
          before,
          isRestored: chance.once(2),
        });
      if (run !== undefined) lines.push(JSON.stringify(run.batches));
      continue;
    }
    if (run === undefined) continue;
    if (action === "away") minute += chance.one([3, 20, 70]);
    else if (action === "restore") run.restore(storage, minute * MINUTE, RESTORE_TIMES);
    else if (action === "end") run.end(storage, minute * MINUTE);
    else pass(run, storage, minute++, { chance, lines });
  }
  return [...lines, ...samplesIn(storage)].join("\n");
}

type Around = { readonly chance: Chance; readonly lines: string[] };
function pass(run: GroupRun, storage: MemoryStorage, minute: number, { chance, lines }: Around): void {
  const appender = storage.appender();
  for (const name of ["a", "b"])
    for (const i of ["1", "2", "3"]) {
      const series = appender.series(Labels.of({ __name__: name, i, ...(chance.once(5) && { job: "j" }) }));
      const kind = chance.below(8);
      if (kind === 0) appender.appendStale(series, minute * MINUTE);
      else if (kind < 7) appender.append(series, minute * MINUTE, chance.between(0, 3));
    }
  appender.commit();
  const atMs = minute * MINUTE + chance.one([0, 0, 250]);
  const context: PassContext = { storage, engine: {}, atMs, externalLabels: Labels.of({ region: "eu" }), externalUrl: "http://x/p/" };
  for (const at of run.batches.flat()) {
    lines.push(outcome(() => shown(finish(run.evaluate(at, context)))));
    const times = { atMs, resendMs: chance.one([30_000, 60_000, 90_000]), externalUrl: "http://x/p/" };
    for (const one of run.notifications(at, times)) lines.push(`notify ${JSON.stringify(one)}`);
    if (chance.once(12)) run.fail(at, "gone");
  }
  run.endOrphans(context);
}

const shown = ({ rule, alerts, series, refused, sent, ...state }: GroupRun["states"][number]): string =>
  JSON.stringify({
    name: rule.name,
    ...state,
    alerts: [...alerts.values()],
    series: [...series.values()].map(String),
    refused: [...refused],
    sent: [...sent],
  });

function* samplesIn(storage: MemoryStorage): Generator<string> {
  for (const series of storage.querier().select([new Matcher(METRIC_NAME, "!=", "")], 0, 1e15)) {
    if (["a", "b"].includes(series.labels.metric)) continue;
    const columns = new Columns();
    series.read(columns, 0, 1e15);
    const samples = Array.from(
      { length: columns.length },
      (_, row) => `${columns.times[row]}:${columns.isStale(row) ? "stale" : columns.values[row]}`,
    );
    yield `${series.labels} ${samples.join(" ")}`;
  }
}

function slotsLife(chance: Chance): string {
  const interval = chance.one([1_000, 15_000, 60_000]);
  const seed = `f;g${chance.below(50)}`;
  let now = chance.below(10 * interval);
  const slots = new Slots(seed, interval, now);
  const lines = [String(slotFrom(seed, interval, now)), String(slotFrom(seed, interval, slots.next)), String(slots.next)];
  for (let step = 0; step < 12; step++) {
    now =
      chance.weighed({ due: 4, late: 3, early: 2, back: 1, long: 1 }) === "due"
        ? slots.next
        : now + chance.one([0, 1, interval - 1, interval, interval + 1, 3 * interval, -2 * interval, -interval]);
    lines.push(`${now} ${slots.begin(now)} ${slots.next} ${slots.begun} ${slots.missed}`);
  }
  return lines.join("\n");
}

const TEMPLATES = (
  JSON.parse(readFileSync(join(import.meta.dirname, "../../../reference/metrics/rules/template/recorded.json"), "utf8")) as [
    string,
    string | null,
  ][]
).map(([template]) => template);
const NOTIFYING = [
  "{{ toJson . }}",
  "{{ toJson .Labels }}",
  '{{ list 1 "a" | toJson }}',
  '{{ dict "a" 1 "b" (list 2) | toJson }}',
  '{{ dict "a" }}',
  '{{ join "," (list "a" "b") }}',
  '{{ join "," (stringSlice "a" "b") }}',
  '{{ append (list "a") "b" | toJson }}',
  '{{ base64encode "aé?>" }}',
  '{{ base64decode "YcOpPz4=" }}',
  '{{ base64decode "!" }}',
  '{{ trimSpace " a " }}|',
  '{{ urlUnescape "a%20b+c" }}',
  '{{ urlUnescape "%" }}',
  '{{ date "2006-01-02 15:04:05.000 Mon Jan _2 03PM MST -0700" .At }}',
  '{{ tz "Europe/Paris" .At | date "15:04 MST Z07:00 -07" }}',
  '{{ tz "Nowhere" .At }}',
  "{{ since .At }}",
  "{{ since .At | humanizeDuration }}",
  "{{ toJson .At }}",
  '{{ now | date "2006 002 __2 06 1 2 3 4 5 pm .999 ,00" }}',
  '{{ safeUrl "<a>" }}',
  '{{ safeHtml "<a>" }}',
  '{{ safeHtml "<a>" | toUpper }}',
  "{{ .At.Year }} {{ .At.Month }} {{ .At.Unix }} {{ .At.IsZero }} {{ .At.YearDay }}",
  '{{ reReplaceAll "a" "b" "aa" }}',
  "{{ toJson (since .At) }}",
  "{{ toJson nil }}",
  "{{ join 1 2 }}",
  '{{ (tz "Asia/Kolkata" .At).UTC }}',
  '{{ .At.Format "Monday January 2 2006" }}',
] as const;
/** Texts that are put into templates, or in place of a part. */
const PIECES = [
  "{{",
  "}}",
  "{{-",
  "-}}",
  " ",
  "(",
  ")",
  "|",
  "$x",
  ".",
  "1",
  '"a"',
  "{{ end }}",
  "{{ else }}",
  "{{ if true }}",
  "{{ range $labels }}",
  ":=",
  "=",
  "\n",
  "$labels",
  ".Labels.job",
  "/*",
  "*/",
  "%d",
  "0.5",
  "-1",
] as const;

function damaged(chance: Chance, text: string): string {
  const at = chance.below(text.length + 1);
  const piece = chance.one(PIECES);
  return chance.one([
    () => text.slice(0, at) + piece + text.slice(at),
    () => text.slice(0, at) + text.slice(at + chance.between(1, 4)),
    () => text.slice(0, at) + piece + text.slice(at + 1),
    () => text.replaceAll(/\d+/g, () => String(chance.one([0, 1, 2, 5, 10, 60, 1000, 3600]))),
  ])();
}

const texts = (labels: Record<string, string>): Map<string, string> => new Map(Object.entries(labels));
const LABELS = labelsValue(texts({ __name__: "m", instance: "h:0", job: "j0" }));
const SERIES = [
  sampleValue(texts({ a: "1", b: "z" }), 7),
  sampleValue(texts({ a: "2", b: "y" }), 1e6),
  sampleValue(texts({ __value__: "v", a: "3" }), 0),
];

function templateLife(chance: Chance): string {
  const lines: string[] = [];
  for (let left = 6; left > 0; left--) {
    const isNotification = chance.once(4);
    const given = isNotification ? chance.one(NOTIFYING) : (chance.any(TEMPLATES) ?? "");
    const second = chance.once(4) ? (chance.any(TEMPLATES) ?? "") : "";
    const template = chance.once(2) ? damaged(chance, given) : given + second;
    const value = chance.one([0, 1, -2.5, 1234567, 0.05, 1e21, Number.NaN, Number.POSITIVE_INFINITY, 90061, 1.5e-7]);
    const nowMs = chance.one([0, 90_000, 1_709_164_805_500, -62_135_596_800_000, 1_000_000_000_123]);
    lines.push(
      `${JSON.stringify(template)} ${value} ${nowMs}`,
      outcome(() => JSON.stringify(expanded(template, value, nowMs, isNotification))),
    );
  }
  return lines.join("\n");
}

// oxlint-disable-next-line max-params -- a template and what it sees
function expanded(template: string, value: number, nowMs: number, isNotification: boolean): string {
  // oxlint-disable-next-line require-yield -- the answers are known
  function* query(text: string): Work<readonly Value[]> {
    return text === "q" ? SERIES : [];
  }
  const variables = { $labels: LABELS, $value: value, $externalLabels: LABELS, $externalURL: "http://x/p/" };
  const fields = new Map<string, Value>([
    ["Labels", LABELS],
    ["Value", value],
    ["At", new Moment(nowMs - 90_061_250)],
  ]);
  const parsed = parseTemplate(template, Object.keys(variables), ...(isNotification ? [NOTIFICATION_FUNCTIONS] : []));
  return finish(expand(parsed, { dot: new Struct("data", fields), variables, query, nowMs, externalUrl: "http://x/p/", isNotification }));
}
