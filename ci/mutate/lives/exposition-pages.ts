import type { FamilyToWrite, SampleToWrite } from "../../../reference/metrics/exposition/index.ts";
import { kindOf, loadVectors, type Vector, vectorFiles } from "../../../vectors/load.ts";
import { type Draw, oneOf, some, wholeBelow } from "./metrics-draw.ts";

/** Pages of the vectors, families to write, and pieces of pages. */

export const octetsOf = (page: string): Uint8Array => Uint8Array.from(page, (sign) => sign.charCodeAt(0));
export const textOf = (octets: Uint8Array): string => Buffer.from(octets).toString("latin1");

/** The vectors of a kind. */
export const vectorsOf = <V extends object>(...kinds: readonly string[]): V[] =>
  vectorFiles()
    .filter((name) => name.startsWith("exposition/"))
    .map((name) => loadVectors<Vector & V>(name))
    .filter((file) => kinds.includes(kindOf(file)))
    .flatMap((file) => [...file.vectors]);

export const PIECES = [
  "# TYPE a counter\n",
  "# TYPE a histogram\n",
  "# TYPE a summary\n",
  "# HELP a \\\\ \\n\n",
  "# UNIT a_b b\n",
  "# EOF\n",
  'a_bucket{le="+Inf"} 1\n',
  'a{quantile="0.5"} 1\n',
  '{"a.b",c="d"} 1\n',
  ' # {t="x"} 1 2',
  '="\\"\\\\\\n"',
  " 1520879607.789",
  "0x1p-2",
  "1_0",
  "NaN",
  "+Inf",
  "-0",
  "1e400",
  ".5",
  "5.",
  "\u00c3\u00a9",
  "\u00ff",
  "\n",
  "\r\n",
  "\t",
  " ",
  ",",
  "{",
  "}",
  '"',
  "\\",
  "#",
  "=",
  ":",
].map(octetsOf);

const NUMBERS = ["0", "1", "2.5", "-1", "NaN", "+Inf", "-Inf", "1e3", "10", "0.5", "7"];

/** A page with one change that keeps its lines well formed: a line lost, repeated, moved or from another page, another number, label or name. */
export function rearranged(random: Draw, page: string, other: string): string {
  const lines = page.split("\n");
  const at = wholeBelow(random, Math.max(1, lines.length - 2));
  const to = wholeBelow(random, Math.max(1, lines.length - 1));
  const line = lines[at] ?? "";
  const edited = (text: string): string => lines.toSpliced(at, 1, text).join("\n");
  return oneOf(random, [
    () => lines.toSpliced(at, 1).join("\n"),
    () => lines.toSpliced(to, 0, line).join("\n"),
    () => lines.toSpliced(at, 1).toSpliced(to, 0, line).join("\n"),
    () => lines.toSpliced(at, 0, ...other.split("\n").filter((one) => one !== "" && one !== "# EOF")).join("\n"),
    () => lines.toSpliced(at, 0, oneOf(random, other.split("\n"))).join("\n"),
    () => edited(line.replace(/ [-+.\w]+$/, () => ` ${oneOf(random, NUMBERS)}`)),
    () => edited(line.replace(/( [-+.\w]+)$/, (value) => `${value} ${oneOf(random, NUMBERS)}`)),
    () => edited(line.replace(/="[^"]*"/, () => `="${oneOf(random, [...NUMBERS, "x", "", "1.0", "-1.0"])}"`)),
    () => edited(line.replace(/\b(?:le|quantile|n)="/, () => `${oneOf(random, ["le", "quantile", "__name__", "a"])}="`)),
    () => edited(line.replace(/[\w]+(?=="[^"]*"[,}])/, () => oneOf(random, ["le", "n", "__name__", "a", "b"]))),
    () => edited(line.replace("{", () => `{${oneOf(random, ['a="1",', 'le="1.0",', 'n="0",', 'quantile="0.5",'])}`)),
    () =>
      edited(
        line.replace(/_(?:total|bucket|count|sum|created|info|gsum|gcount)\b/, () =>
          oneOf(random, ["_total", "_bucket", "_count", "_sum", "_created", "_info", "", "_x"]),
        ),
      ),
    () =>
      edited(
        line.replace(
          / (?:counter|gauge|histogram|summary|info|stateset|unknown|untyped|gaugehistogram)$/,
          () =>
            ` ${oneOf(random, ["counter", "gauge", "histogram", "summary", "info", "stateset", "unknown", "untyped", "gaugehistogram", "Counter"])}`,
        ),
      ),
    () =>
      edited(
        `${line} # {${oneOf(random, ["", 't="x"', `t="${"y".repeat(125 + wholeBelow(random, 6))}"`])}} ${oneOf(random, NUMBERS)}${oneOf(random, ["", " 5", " 1.5"])}`,
      ),
    () => `\u00ef\u00bb\u00bf${page}`,
    () => page.replace(/# TYPE (\S+)/, (found, name: string) => `# UNIT ${name} ${name.split("_").at(-1) ?? "x"}\n${found}`),
  ])();
}

const TYPES = [
  "counter",
  "gauge",
  "histogram",
  "histogram",
  "histogram",
  "gaugehistogram",
  "stateset",
  "info",
  "summary",
  "unknown",
  undefined,
] as const;
const NAMES = [
  "a",
  "b_seconds",
  "c:d",
  "_",
  "e.f",
  "g h",
  "é",
  "U__x",
  "m_total",
  "n_info",
  "o_created",
  "p_bucket",
  "😀",
  'q"\\\n',
  "__",
  "A0",
];
const VALUES = ["", "x", "1", "a b", "\\", '"', "\n", "é😀", "\ud800", "y".repeat(40), "}", "{", ",", "=", "0.5"];

const value = (random: Draw): number =>
  oneOf(random, [
    () => wholeBelow(random, 20),
    () => random() * 10 ** (wholeBelow(random, 40) - 20),
    () =>
      oneOf(random, [
        0,
        -0,
        1,
        Number.NaN,
        Infinity,
        -Infinity,
        1e15,
        999_999_999_999_999,
        5e-324,
        1e21,
        0.1,
        -2.5,
        1e6,
        999_999,
        1e-4,
        9e-5,
      ]),
  ])();
const timestamp = (random: Draw): number =>
  oneOf(random, [0, 1, -1, 999, 1_000, 1_520_879_607_789, -1_500, 1_234.5, 2 ** 53, wholeBelow(random, 1e12)]);

type Labels = readonly (readonly [string, string])[];
const labelSet = (random: Draw, most: number): Labels => {
  const drawn = some(random, [0, most], () => [oneOf(random, NAMES.slice(0, 12)), oneOf(random, VALUES)] as const);
  return random() < 0.03 ? drawn : [...new Map(drawn)];
};
const exemplarOf = (random: Draw): Pick<SampleToWrite, "exemplar"> =>
  random() < 0.85
    ? {}
    : { exemplar: { labels: labelSet(random, 2), value: value(random), ...(random() < 0.5 ? { timestamp: timestamp(random) } : {}) } };

/** A family, mostly as its type wants it. */
export function family(random: Draw): FamilyToWrite {
  const name = oneOf(random, NAMES);
  const type = oneOf(random, TYPES);
  const time = random() < 0.3 ? { timestamp: timestamp(random) } : {};
  const samples = some(random, [0, 3], (at) => samplesOf(random, name, type, [...labelSet(random, 2), ["n", `${at}`]]))
    .flat()
    .map((sample) => ({ ...sample, ...time, ...exemplarOf(random) }));
  return {
    name,
    ...(type === undefined ? {} : { type }),
    ...(random() < 0.4 ? { help: oneOf(random, ["", "help", '\\ and \n and "', "é"]) } : {}),
    ...(random() < 0.2 ? { unit: oneOf(random, ["seconds", "", "x", "h"]) } : {}),
    samples,
  };
}

/** The samples of a metric point, sometimes with one missing, out of order or of another name. */
function samplesOf(random: Draw, name: string, type: FamilyToWrite["type"], labels: Labels): SampleToWrite[] {
  const one = (suffix: string, number = value(random), extra: Labels = []): SampleToWrite => ({
    name: name + suffix,
    labels: [...labels, ...extra],
    value: number,
  });
  const made = ((): SampleToWrite[] => {
    switch (type) {
      case "counter":
        return [one("_total", Math.abs(value(random))), ...(random() < 0.3 ? [one("_created", 1_520_000_000)] : [])];
      case "histogram":
      case "gaugehistogram": {
        const bounds = [...new Set(some(random, [0, 3], () => oneOf(random, [-1, 0, 0.5, 1, 2.5, 10])))].sort((a, b) => a - b);
        const counts = [...bounds, Infinity].map(() => wholeBelow(random, 5));
        const total = counts.map((_, at) => counts.slice(0, at + 1).reduce((sum, count) => sum + count, 0));
        const [count, sum] = type === "histogram" ? ["_count", "_sum"] : ["_gcount", "_gsum"];
        const buckets = [...bounds.map((bound) => (Number.isInteger(bound) && random() < 0.9 ? `${bound}.0` : `${bound}`)), "+Inf"];
        return [
          ...buckets.map((le, at) => one("_bucket", total[at], [["le", le]])),
          one(count, total.at(-1)),
          one(sum, Math.abs(value(random))),
          ...(random() < 0.2 ? [one("_created", 5)] : []),
        ];
      }
      case "summary":
        return [
          ...some(random, [0, 2], () =>
            one("", Math.abs(value(random)), [["quantile", oneOf(random, ["0.5", "0.9", "1.0", "2", "x", "-0.1"])]]),
          ),
          one("_count", wholeBelow(random, 9)),
          one("_sum", Math.abs(value(random))),
        ];
      case "stateset":
        return ["on", "off"].map((state) => one("", oneOf(random, [0, 1, 1, 0, 2]), [[name, state]]));
      case "info":
        return [one("_info", random() < 0.9 ? 1 : 2)];
      default:
        return [one("")];
    }
  })();
  if (random() < 0.12) made.splice(wholeBelow(random, made.length), 1);
  if (random() < 0.08) made.reverse();
  if (random() < 0.05 && made[0] !== undefined) made.push(made[0]);
  if (random() < 0.05) made.push(one(oneOf(random, ["", "_sum", "_count", "_bucket", "_total", "_x"])));
  return made;
}
