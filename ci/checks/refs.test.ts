import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { isSource, projectFiles, read } from "./sources.ts";

/** Section titles of the documents whose requirements this project keeps. */
const SECTIONS = JSON.parse(read("conformance/requirements/titles.json")) as Record<string, Record<string, string>>;
/** Other cited documents, whose sections are not listed. */
const ALSO_CITED = new Set([
  "rfc1951",
  "rfc3339",
  "rfc3629",
  "rfc3986",
  "rfc5246",
  "rfc6066",
  "rfc6454",
  "rfc6455",
  "rfc6585",
  "rfc6749",
  "rfc7301",
  "rfc7523",
  "rfc7540",
  "rfc7692",
  "rfc7838",
  "rfc8297",
  "rfc8336",
  "rfc9110",
  "rfc9112",
  "rfc9220",
  "rfc9297",
]);
const ADDRESS = /\b(rfc\d{4})#([A-Z]?[\d.]*\d|[A-Z])\b|\b(rpc-[a-z0-9-]+)#([a-z][a-z-]*)/g;

/** Addresses in a text that have no target. */
function lost(file: string, text: string): string[] {
  return [...text.matchAll(ADDRESS)].flatMap(([address, rfc, number, name = "", heading = ""]) => {
    const [document, section] = [rfc ?? name, number ?? heading];
    const known = SECTIONS[document];
    if (known === undefined) return ALSO_CITED.has(document) ? [] : [`${file}: ${address}: an unknown document`];
    return known[section] === undefined ? [`${file}: ${address}: no such section`] : [];
  });
}

describe("addresses of requirements", () => {
  test("every address in the sources, the cases and the vectors names an existing section", () => {
    const files = projectFiles().filter(
      (file) => (isSource(file) && !file.startsWith("ci/")) || /^(?:vectors|conformance\/requirements)\/.*\.json$/.test(file),
    );
    expect(files.flatMap((file) => lost(file, read(file)))).toEqual([]);
  });

  test("the check finds a missing section, and an unknown document", () => {
    expect(lost("x", "rpc-http2#requests and rpc-http2#messages")).toEqual(["x: rpc-http2#messages: no such section"]);
    expect(lost("x", "rfc9113#6.99 and rfc9999#1 and rfc9113#6.9")).toEqual([
      "x: rfc9113#6.99: no such section",
      "x: rfc9999#1: an unknown document",
    ]);
  });
});

/** The documents outside the repository that may be cited, by the name that a citation gives them: "Prometheus docs, storage.md". */
const FAMILIES: Readonly<Record<string, { readonly at: string; readonly documents: readonly string[] }>> = {
  "Prometheus docs": {
    at: "https://github.com/prometheus/prometheus/tree/main/docs",
    documents: [
      "command-line/prometheus.md",
      "configuration/alerting_rules.md",
      "configuration/configuration.md",
      "configuration/https.md",
      "configuration/recording_rules.md",
      "configuration/template_reference.md",
      "configuration/unit_testing_rules.md",
      "feature_flags.md",
      "federation.md",
      "http_sd.md",
      "management_api.md",
      "querying/api.md",
      "querying/basics.md",
      "querying/functions.md",
      "querying/operators.md",
      "querying/remote_read_api.md",
      "storage.md",
    ],
  },
  "Prometheus TSDB docs": {
    at: "https://github.com/prometheus/prometheus/tree/main/tsdb/docs",
    documents: ["bstream.md", "format/chunks.md", "format/head_chunks.md", "format/index.md", "format/tombstones.md", "format/wal.md"],
  },
  "Alertmanager docs": {
    at: "https://github.com/prometheus/alertmanager/tree/main/docs",
    documents: ["alertmanager.md", "configuration.md", "management_api.md", "notifications.md"],
  },
  "Prometheus specs": {
    at: "https://github.com/prometheus/docs/tree/main/docs/specs",
    documents: ["native_histograms.md", "prw/remote_write_spec.md", "prw/remote_write_spec_2_0.md"],
  },
  "Prometheus instrumenting docs": {
    at: "https://github.com/prometheus/docs/tree/main/docs/instrumenting",
    documents: ["escaping_schemes.md", "exposition_formats.md"],
  },
};
const OUTSIDE = Object.entries(FAMILIES).flatMap(([family, { documents }]) => documents.map((document) => ({ family, document })));
const MENTION = /(?<![\w/.*-])(?:[\w.-]+\/)*[\w-]+\.md\b/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|(?<=\s)\/\/ .*$/gm;

/** Mentions of documents in one comment or one line that a reader cannot follow: not in the repository, and not after the name of their family. */
function astray(file: string, text: string, isComment: boolean): string[] {
  return [...text.matchAll(MENTION)].flatMap(({ 0: mention, index }) => {
    if (isFile(posix.join(posix.dirname(file), mention)) || isFile(mention)) return [];
    const named = OUTSIDE.find(({ family, document }) => document === mention && text.slice(0, index).includes(family));
    // A string may mention a file of its own making; only the base name of a cited document betrays a citation.
    const isCitation = isComment || OUTSIDE.some(({ document }) => posix.basename(document) === posix.basename(mention));
    return named === undefined && isCitation ? [`${file}: ${mention}`] : [];
  });
}

const everyFile = new Set(projectFiles());
const isFile = (path: string): boolean => everyFile.has(path);

function astrayIn(file: string): string[] {
  const text = read(file);
  if (!isSource(file)) return text.split("\n").flatMap((line) => astray(file, line, false));
  const comments = [...text.matchAll(COMMENT)].flatMap(([comment]) => astray(file, comment, true));
  return [
    ...comments,
    ...text
      .replace(COMMENT, "")
      .split("\n")
      .flatMap((line) => astray(file, line, false)),
  ];
}

describe("documents that are cited", () => {
  test("every .md that a comment, a string or a page mentions is in the repository or follows the name of its family", () => {
    const files = projectFiles().filter((file) => (isSource(file) && !file.startsWith("ci/")) || /\.(?:json|md)$/.test(file));
    expect(files.flatMap(astrayIn)).toEqual([]);
  });

  test("the check sees a document without its family, one that its family lacks, and one that is nowhere", () => {
    expect(astray("reference/x.ts", "/** storage.md, Prometheus docs */", true)).toEqual(["reference/x.ts: storage.md"]);
    expect(astray("reference/x.ts", "/** Prometheus docs, format/wal.md */", true)).toEqual(["reference/x.ts: format/wal.md"]);
    expect(astray("reference/x.ts", "/** ../NOWHERE.md */", true)).toEqual(["reference/x.ts: ../NOWHERE.md"]);
    expect(astray("reference/x.ts", 'where: "querying/api.md"', false)).toEqual(["reference/x.ts: querying/api.md"]);
    expect(astray("reference/x.ts", "/** Prometheus docs, storage.md and querying/api.md; ARCHITECTURE.md */", true)).toEqual([]);
  });

  test("every document of a family is cited", () => {
    const texts = projectFiles()
      .filter((file) => isSource(file) && !file.startsWith("ci/"))
      .map(read);
    expect(OUTSIDE.filter(({ document }) => !texts.some((text) => text.includes(document)))).toEqual([]);
  });
});
