/** A page of series in the text format, read leniently. */

export type Line = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: string };
export type PageSeen = {
  readonly lines: readonly Line[];
  /** Names and types in the order of the page. */
  readonly types: readonly (readonly [name: string, type: string])[];
  /** Names as they follow each other, with `# ` before those of types. */
  readonly order: readonly string[];
  /** The first line that is invalid in the format. */
  readonly odd: string | undefined;
};

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"{}]|"(?:[^"\\]|\\.)*")*)\})? +(\S+)(?: +(-?\d+))?$/u;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gu;
const NUMBER = /^[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|Inf|NaN)$/;
const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign));

export function pageOf(text: string): PageSeen {
  const lines: Line[] = [];
  const types: [string, string][] = [];
  const order: string[] = [];
  let odd: string | undefined;
  for (const row of text.split("\n")) {
    const type = /^# TYPE (\S+) (\w+)$/.exec(row);
    if (type !== null) {
      types.push([type[1]!, type[2]!]);
      order.push(`# ${type[1]!}`);
    }
    if (row === "" || row.startsWith("#")) continue;
    const sample = SAMPLE.exec(row);
    if (sample === null || !NUMBER.test(sample[3]!)) {
      odd ??= row;
      continue;
    }
    const labels = Object.fromEntries([...(sample[2] ?? "").matchAll(LABEL)].map(([, name, value]) => [name!, unescaped(value!)]));
    lines.push({ name: sample[1]!, labels, value: sample[3]! });
    order.push(sample[1]!);
  }
  return { lines, types, order, odd };
}
