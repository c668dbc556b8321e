import type { Level } from "../../reference/core/index.ts";
import type { Entry, SentenceIndex } from "./entries.ts";
import { SECTION, type Sentence } from "./sentences.ts";

/** What the count needs of a requirement file. */
export type Requirements = {
  readonly spec: string;
  readonly requirements: readonly { readonly id: string; readonly level: Level }[];
};

/** One row of the table. */
export type Row = {
  readonly spec: string;
  /** How many sections are counted, if not all. */
  readonly sections?: number;
  readonly sentences: number;
  readonly keywords: number;
  readonly mapped: number;
  readonly excused: number;
  readonly missing: number;
  /** Sections and positions of the sentences with a keyword that is neither mapped nor excused. */
  readonly missingAt: readonly string[];
};

/** How binding a keyword is: RFC 2119 makes REQUIRED and SHALL the same as MUST, and so on. A NOT is a matter of wording. */
function strength(keyword: string): "MUST" | "SHOULD" | "MAY" {
  if (/^(?:MUST|SHALL|REQUIRED)/.test(keyword)) return "MUST";
  return /SHOULD|RECOMMENDED/.test(keyword) ? "SHOULD" : "MAY";
}

/** The level of each requirement by its address, `rfc9113#6.9/increment-zero`. */
export const levelsOf = (files: readonly Requirements[]): Map<string, Level> =>
  new Map(files.flatMap(({ spec, requirements }) => requirements.map(({ id, level }) => [`${spec}#${id}`, level] as const)));

const addressOf = (spec: string, target: string): string => (target.includes("#") ? target : `${spec}#${target}`);

/** The keywords of an entry that no requirement of the same strength states. */
function unstated(spec: string, { keywords, to = [] }: Entry, levels: ReadonlyMap<string, Level>): string[] {
  const targets = to.map((target) => levels.get(addressOf(spec, target))).filter((level) => level !== undefined);
  const strengths = new Set(targets.map(strength));
  return keywords.filter((keyword) => (keyword === SECTION ? strengths.size === 0 : !strengths.has(strength(keyword))));
}

/** Counts the keywords of one text: each is mapped to a requirement of its strength, excused, or missing. */
export function countOf({ spec, sections, sentences, keywords, entries }: SentenceIndex, levels: ReadonlyMap<string, Level>): Row {
  const count = { mapped: 0, excused: 0, missing: 0 };
  const missingAt: string[] = [];
  for (const entry of entries) {
    const left = unstated(spec, entry, levels).length;
    count.mapped += entry.keywords.length - left;
    count[entry.excused === undefined ? "missing" : "excused"] += left;
    if (left > 0 && entry.excused === undefined) missingAt.push(entry.at);
  }
  return { spec, ...(sections === undefined ? {} : { sections: sections.length }), sentences, keywords, ...count, missingAt };
}

/** The addresses that the sentences of all these indexes are mapped to. */
export const mappedBy = (indexes: readonly SentenceIndex[]): Set<string> =>
  new Set(indexes.flatMap(({ spec, entries }) => entries.flatMap(({ to = [] }) => to.map((target) => addressOf(spec, target)))));

/** Everything that is wrong with an index, one line each: what is missing, stale, or mapped to nothing. `mapped` is what any index is mapped to. */
export function faults(
  index: SentenceIndex,
  levels: ReadonlyMap<string, Level>,
  known: Readonly<Record<string, string>>,
  mapped: ReadonlySet<string> = mappedBy([index]),
): string[] {
  const { spec, entries, prose } = index;
  const wrong = entries.flatMap((entry) => {
    const targets = (entry.to ?? []).filter((target) => !levels.has(addressOf(spec, target)));
    const left = unstated(spec, entry, levels);
    return [
      ...targets.map((target) => `${entry.at}: ${target} is no requirement`),
      ...(left.length > 0 && entry.excused === undefined ? [`${entry.at}: no requirement states ${left.join(", ")}`] : []),
      ...(left.length === 0 && entry.excused !== undefined ? [`${entry.at}: excused, although requirements state every keyword`] : []),
      ...(entry.excused !== undefined && known[entry.excused] === undefined ? [`${entry.at}: ${entry.excused} is no reason`] : []),
    ];
  });
  return [...wrong, ...gaps(index), ...levelFaults(index, levels), ...proseFaults(spec, prose, { levels, mapped })].map(
    (line) => `${spec} ${line}`,
  );
}

/** Entries that were removed: positions in a section follow each other, and the totals are those of the text. */
function gaps({ entries, sentences, keywords }: SentenceIndex): string[] {
  const last = new Map<string, number>();
  const wrong: string[] = [];
  for (const { at } of entries) {
    const [section = "", position] = at.split(":");
    if (Number(position) !== (last.get(section) ?? 0) + 1) wrong.push(`${at}: out of order in its section`);
    last.set(section, Number(position));
  }
  if (entries.length !== sentences) wrong.push(`has ${entries.length} entries for ${sentences} sentences`);
  const counted = entries.flatMap((entry) => entry.keywords).length;
  return counted === keywords ? wrong : [...wrong, `has entries for ${counted} keywords of ${keywords}`];
}

/** Requirements that are stricter or weaker than all sentences that are mapped to them. */
function levelFaults({ spec, entries }: SentenceIndex, levels: ReadonlyMap<string, Level>): string[] {
  const said = new Map<string, string[]>();
  for (const { to = [], keywords } of entries)
    for (const target of to) said.set(addressOf(spec, target), [...(said.get(addressOf(spec, target)) ?? []), ...keywords]);
  return [...said].flatMap(([address, keywords]) => {
    const level = levels.get(address);
    if (level === undefined || keywords.some((keyword) => keyword === SECTION || strength(keyword) === strength(level))) return [];
    return [`${address}: ${level}, but its sentences say ${[...new Set(keywords)].join(", ")}`];
  });
}

/** A requirement rests on a sentence with a keyword, or is listed as prose: never on neither, never on both. */
function proseFaults(
  spec: string,
  prose: readonly string[],
  { levels, mapped }: { readonly levels: ReadonlyMap<string, Level>; readonly mapped: ReadonlySet<string> },
): string[] {
  const listed = new Set(prose.map((id) => `${spec}#${id}`));
  return [
    ...[...levels.keys()]
      .filter((address) => address.startsWith(`${spec}#`) && !mapped.has(address) && !listed.has(address))
      .map((address) => `${address}: no sentence is mapped to it; list it under prose if its text has no keyword`),
    ...[...listed].filter((address) => !levels.has(address)).map((address) => `${address}: listed under prose, but no requirement`),
    ...[...listed]
      .filter((address) => mapped.has(address))
      .map((address) => `${address}: listed under prose, but a sentence is mapped to it`),
  ];
}

/** Differences between the index and a text that is at hand. */
export function drift({ spec, entries }: SentenceIndex, found: readonly Sentence[]): string[] {
  const expected = new Map(entries.map(({ at, hash }) => [at, hash]));
  const present = new Set(found.map(({ at }) => at));
  return [
    ...found
      .filter(({ at, hash }) => expected.get(at) !== hash)
      .map(({ at, text }) => `${spec} ${at}: ${expected.has(at) ? "another sentence" : "not in the index"}: ${text}`),
    ...entries.filter(({ at }) => !present.has(at)).map(({ at }) => `${spec} ${at}: not in the text`),
  ];
}
