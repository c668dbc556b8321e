import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../checks/sources.ts";
import { normativeSentences, sectionsOf, type Sentence } from "./sentences.ts";

/** What one normative sentence became. */
export type Entry = {
  /** Section, and position among the normative sentences of the section. */
  readonly at: string;
  readonly hash: string;
  readonly keywords: readonly string[];
  /** Requirements that state it: an id of the same document, or `rfc9110#5.1/x` of another. */
  readonly to?: readonly string[];
  /** Why it needs no requirement, or none for the keywords that the targets leave: a key of `reasons.json`. */
  readonly excused?: string;
};

/** One file of `conformance/requirements/sentences/`: the normative sentences of a text, without their words. */
export type SentenceIndex = {
  readonly spec: string;
  /** The texts in the folder given with `--texts`, without .txt or .md; where there are several, sections go by text and heading, `basics.staleness`. */
  readonly texts: readonly string[];
  /** What is mapped. Texts without normative keywords are mapped section by section. */
  readonly unit: "sentence" | "section";
  /** The sections that are counted, where the suites use a part of the text only. */
  readonly sections?: readonly string[];
  /** How many sentences and keywords the text has. */
  readonly sentences: number;
  readonly keywords: number;
  readonly entries: readonly Entry[];
  /** Requirements that rest on a sentence without a keyword. */
  readonly prose: readonly string[];
};

const FOLDER = join(ROOT, "conformance", "requirements", "sentences");

export const reasons = (folder = FOLDER): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(folder, "reasons.json"), "utf8")) as Record<string, string>;

/** Every index, by document. */
export const sentenceIndexes = (folder = FOLDER): SentenceIndex[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json") && name !== "reasons.json")
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as SentenceIndex);

/** The index as a file: one line per sentence. */
export function indexText({ spec, texts, unit, sections, sentences, keywords, entries, prose }: SentenceIndex): string {
  const list = (items: readonly unknown[]): string => items.map((item) => `\n    ${lineOf(item)}`).join(",");
  return `{
  "spec": ${JSON.stringify(spec)},
  "texts": ${lineOf(texts)},
  "unit": ${JSON.stringify(unit)},${sections === undefined ? "" : `\n  "sections": ${lineOf(sections)},`}
  "sentences": ${sentences},
  "keywords": ${keywords},
  "entries": [${list(entries)}
  ],
  "prose": [${list(prose)}
  ]
}
`;
}

/** JSON on one line, with spaces as in the requirement files. */
const lineOf = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, " ")
    .replaceAll(/\[ | \]/g, (bracket) => bracket.trim());

export function writeIndex(index: SentenceIndex, folder = FOLDER): void {
  writeFileSync(join(folder, `${index.spec}.json`), indexText(index));
}

/** The sentences or sections of the texts of an index, or undefined if one is not in that folder. */
export function unitsOf(
  { texts, unit, sections }: Pick<SentenceIndex, "texts" | "unit" | "sections">,
  folder: string,
): Sentence[] | undefined {
  const paths = texts.map((text) => [".txt", ".md"].map((type) => join(folder, `${text}${type}`)).find((path) => existsSync(path)));
  if (!paths.every((path) => path !== undefined)) return undefined;
  const units = paths.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const found = unit === "section" ? sectionsOf(text) : normativeSentences(text, path.endsWith(".md"));
    const name = basename(path, ".md").replaceAll("_", "-");
    return texts.length === 1 ? found : found.map((one) => ({ ...one, at: `${name}.${one.at}` }));
  });
  return sections === undefined ? units : units.filter(({ at }) => sections.includes(at.split(":")[0] ?? ""));
}

/** The index of a text as it reads now: a sentence keeps its mapping wherever it moved; a new one has none. */
export function renewed(index: SentenceIndex, found: readonly Sentence[]): SentenceIndex {
  const known = new Map(index.entries.map((entry) => [entry.hash, entry]));
  const byPlace = new Map(index.entries.map((entry) => [`${entry.at} ${entry.hash}`, entry]));
  const entries = found.map(({ at, hash, keywords }): Entry => {
    const { to, excused } = byPlace.get(`${at} ${hash}`) ?? known.get(hash) ?? {};
    return { at, hash, keywords, ...(to === undefined ? {} : { to }), ...(excused === undefined ? {} : { excused }) };
  });
  return { ...index, sentences: entries.length, keywords: entries.flatMap(({ keywords }) => keywords).length, entries };
}
