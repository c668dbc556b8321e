import { describe, expect, test } from "vitest";
import { requirementFiles } from "../../conformance/harness/coverage.ts";
import { countOf, drift, faults, levelsOf, mappedBy, type Requirements } from "../requirements/count.ts";
import { indexText, reasons, renewed, type SentenceIndex, sentenceIndexes, unitsOf } from "../requirements/entries.ts";
import { countCases } from "../requirements/open.ts";
import { normativeSentences, SECTION, sectionsOf } from "../requirements/sentences.ts";
import { read } from "./sources.ts";

/** The folder with the texts, which are not part of the project: where it is set, the index is compared with them as well. */
const TEXTS = process.env["TOUCHSTONE_TEXTS"];

/** Nothing where the text is not at hand. */
function driftFromTexts(index: SentenceIndex): string[] {
  const found = TEXTS === undefined ? undefined : unitsOf(index, TEXTS);
  return found === undefined ? [] : drift(index, found);
}

describe("requirements by count", () => {
  const levels = levelsOf(requirementFiles());
  const mapped = mappedBy(sentenceIndexes());

  test.each(sentenceIndexes().map((index) => [index.spec, index] as const))(
    "%s: every normative sentence is mapped or excused",
    (_, index) => {
      expect(faults(index, levels, reasons(), mapped)).toEqual([]);
      expect(driftFromTexts(index)).toEqual([]);
    },
  );

  test("the files are as `count --write` leaves them", () => {
    for (const index of sentenceIndexes()) expect(read(`conformance/requirements/sentences/${index.spec}.json`)).toBe(indexText(index));
  });

  test("every reason is used", () => {
    const used = new Set(sentenceIndexes().flatMap(({ entries }) => entries.map(({ excused }) => excused)));
    expect(Object.keys(reasons()).filter((reason) => !used.has(reason))).toEqual([]);
  });
});

const TEXT = `
   1.  Frames .................... 3

1.  Frames

   A frame MUST have a head,
   which SHOULD be short.  It is small, e.g. Nine octets MAY do.

Author                        Standards Track                   [Page 1]
\f
RFC 9113                         Frames                          June 2022

   o  A list MUST

Author                        Standards Track                   [Page 2]
\f
RFC 9113                         Frames                          June 2022

      NOT be cut by a page.

1.1.  Of No Account

   Nothing must be done here.  (0x00) MUST remain.
`;

const files: Requirements[] = [
  {
    spec: "rfc9113",
    requirements: [
      { id: "1/head", level: "MUST" },
      { id: "1/short", level: "SHOULD" },
      { id: "1/nine", level: "MAY" },
      { id: "1/whole", level: "MUST NOT" },
      { id: "1.1/zero", level: "MUST" },
      { id: "1.1/plain", level: "MUST" },
    ],
  },
];
const levels = levelsOf(files);
const sentences = normativeSentences(TEXT);
const TARGETS = [["1/head", "1/short"], ["1/nine"], ["1/whole"], ["1.1/zero"]];
const index: SentenceIndex = {
  spec: "rfc9113",
  texts: ["frames"],
  unit: "sentence",
  sentences: 4,
  keywords: 5,
  entries: sentences.map(({ at, hash, keywords }, n) => ({ at, hash, keywords, to: TARGETS[n] ?? [] })),
  prose: ["1.1/plain"],
};
const without = (position: number): SentenceIndex => ({ ...index, entries: index.entries.toSpliced(position, 1) });
const changed = (position: number, change: Partial<SentenceIndex["entries"][number]>): SentenceIndex => ({
  ...index,
  entries: index.entries.map((entry, n) => (n === position ? { ...entry, ...change } : entry)),
});

describe("the count itself", () => {
  test("sentences go by section and position, whole across lines, pages and abbreviations", () => {
    expect(sentences.map(({ at, text }) => [at, text])).toEqual([
      ["1:1", "A frame MUST have a head, which SHOULD be short."],
      ["1:2", "It is small, e.g. Nine octets MAY do."],
      ["1:3", "A list MUST NOT be cut by a page."],
      ["1.1:1", "(0x00) MUST remain."],
    ]);
    expect(sentences.map(({ keywords }) => keywords)).toEqual([["MUST", "SHOULD"], ["MAY"], ["MUST NOT"], ["MUST"]]);
  });

  test("a heading at the top of a page begins its section, whatever ends the page before", () => {
    const text = "\n1. A\n\n   A struct }\n\nX   [Page 1]\n\fRFC 1   X   May\n\n1.1. B\n\n   It MUST be.\n";
    expect(normativeSentences(text).map(({ at }) => at)).toEqual(["1.1:1"]);
  });

  test("in Markdown a section goes by its heading, and code holds no sentences", () => {
    const found = normativeSentences("## Label Sets\n\nOne MUST be.\n```\n# It MAY be\n```\n- Two SHOULD be.\n", true);
    expect(found.map(({ at, text }) => [at, text])).toEqual([
      ["label-sets:1", "One MUST be."],
      ["label-sets:2", "Two SHOULD be."],
    ]);
  });

  test("a sentence hashes alike with other breaks, and apart with another word", () => {
    const hash = (text: string): string | undefined => normativeSentences(`\n1. X\n\n${text}\n`)[0]?.hash;
    expect(hash("A field-\n name MUST end.")).toBe(hash("A  field-name MUST end."));
    expect(hash("A field name MUST NOT end.")).not.toBe(hash("A field name MUST end."));
  });

  test("a complete index has no fault", () => {
    expect(faults(index, levels, {})).toEqual([]);
    expect(drift(index, sentences)).toEqual([]);
    expect(countOf(index, levels)).toMatchObject({ mapped: 5, excused: 0, missing: 0, missingAt: [] });
  });

  test("a sentence that loses its mapping, its requirement or its entry is a fault", () => {
    expect(faults(changed(2, { to: [] }), levels, {})).toEqual([
      "rfc9113 1:3: no requirement states MUST NOT",
      "rfc9113 rfc9113#1/whole: no sentence is mapped to it; list it under prose if its text has no keyword",
    ]);
    expect(faults(changed(2, { to: ["1/gone"] }), levels, {})[0]).toBe("rfc9113 1:3: 1/gone is no requirement");
    expect(faults(without(0), levels, {})).toContain("rfc9113 1:2: out of order in its section");
    expect(faults(without(3), levels, {})).toContain("rfc9113 has 3 entries for 4 sentences");
  });

  test("a keyword needs a requirement of its strength, or an excuse with a known reason", () => {
    const half = changed(0, { to: ["1/head"] });
    expect(faults(half, levels, {})[0]).toBe("rfc9113 1:1: no requirement states SHOULD");
    expect(countOf(half, levels)).toMatchObject({ mapped: 4, excused: 0, missing: 1, missingAt: ["1:1"] });
    const excused = { ...changed(0, { to: ["1/head"], excused: "taste" }), prose: ["1.1/plain", "1/short"] };
    expect(faults(excused, levels, { taste: "Is a matter of taste." })).toEqual([]);
    expect(faults(excused, levels, {})).toEqual(["rfc9113 1:1: taste is no reason"]);
    expect(countOf(excused, levels)).toMatchObject({ mapped: 4, excused: 1, missing: 0 });
    expect(faults(changed(0, { excused: "taste" }), levels, { taste: "" })[0]).toContain("although requirements state every keyword");
  });

  test("a requirement that is stricter or weaker than every sentence mapped to it is a fault", () => {
    expect(faults(changed(1, { to: ["1/nine", "1.1/zero"] }), levels, {})).toEqual([]);
    expect(faults({ ...changed(1, { to: ["1/nine", "1.1/plain"] }), prose: [] }, levels, {})).toEqual([
      "rfc9113 rfc9113#1.1/plain: MUST, but its sentences say MAY",
    ]);
  });

  test("a requirement without a sentence is listed as prose, and not twice", () => {
    expect(faults({ ...index, prose: [] }, levels, {})[0]).toContain("rfc9113#1.1/plain: no sentence is mapped to it");
    expect(faults({ ...index, prose: ["1.1/plain", "1/nine", "1/gone"] }, levels, {})).toEqual([
      "rfc9113 rfc9113#1/gone: listed under prose, but no requirement",
      "rfc9113 rfc9113#1/nine: listed under prose, but a sentence is mapped to it",
    ]);
  });

  test("a requirement that the index of another text is mapped to is not prose", () => {
    const mapped = new Set([...mappedBy([index]), "rfc9113#1.1/plain"]);
    expect(faults({ ...index, prose: [] }, levels, {}, mapped)).toEqual([]);
    expect(faults(index, levels, {}, mapped)[0]).toContain("rfc9113#1.1/plain: listed under prose, but a sentence is mapped to it");
  });

  test("a text that moves on is seen, and renewing keeps what it can", () => {
    const next = normativeSentences(TEXT.replace("small, e.g. Nine octets MAY do.", "small.  It MUST be new."));
    expect(drift(index, next)).toEqual(["rfc9113 1:2: another sentence: It MUST be new."]);
    expect(drift(index, next.slice(0, 3))).toContain("rfc9113 1.1:1: not in the text");
    expect(renewed(index, next).entries.map(({ to }) => to)).toEqual([TARGETS[0], undefined, TARGETS[2], TARGETS[3]]);
  });

  test("a text without keywords is mapped section by section, and headings in code are none", () => {
    const sections = sectionsOf("# A `b_c()`\nText.\n```\n# a comment\n```\n## Example\n1\n## Example\n2\n");
    expect(sections.map(({ at }) => at)).toEqual(["a-b-c:1", "example:1", "example:2"]);
    const entry = { at: "a-b-c:1", hash: sections[0]?.hash ?? "", keywords: [SECTION] };
    const whole = { ...index, sentences: 1, keywords: 1, prose: ["1/short", "1/nine", "1/whole", "1.1/zero", "1.1/plain"] };
    expect(faults({ ...whole, entries: [{ ...entry, to: ["1/head"] }] }, levels, {})).toEqual([]);
    expect(faults({ ...whole, entries: [entry] }, levels, {})).toContain("rfc9113 a-b-c:1: no requirement states section");
  });
});

test("a requirement has a case, is excused from one, or is open", () => {
  const requirement = (id: string, excused?: string) =>
    ({ id, level: "MUST", text: "T.", ...(excused === undefined ? {} : { excused }) }) as const;
  const documents = [{ spec: "rfc9113", requirements: [requirement("1/a"), requirement("1/b", "invisible"), requirement("1/c")] }];
  expect(countCases(documents, new Set(["rfc9113#1/a"]))).toEqual([
    { spec: "rfc9113", all: 3, withCase: 1, excused: 1, open: [{ id: "1/c", level: "MUST", text: "T." }] },
  ]);
});
