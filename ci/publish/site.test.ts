import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { siteFiles } from "../../reports/index.ts";
import { askedBy } from "../../reports/site/asked.ts";
import { ROOT } from "../checks/sources.ts";
import { MATRICES } from "./matrices.ts";
import { PROTOCOLS } from "./protocols.ts";
import { siteInput } from "./site.ts";

const PUBLISHED = join(ROOT, "reports/published");
const input = siteInput(PUBLISHED);
const files = siteFiles(input);
const pages = [...files].filter(([path]) => path.endsWith(".html"));
const idsOf = new Map(pages.map(([path, text]) => [path, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]));

/** Where a link of a page leads to nothing. */
function broken(page: string, href: string): boolean {
  const [target = "", place] = href.split("#");
  const path = target === "" ? page : normalize(join(dirname(page), target));
  if (path.startsWith("..")) return !existsSync(join(PUBLISHED, "site", path));
  return !files.has(path) || (place !== undefined && idsOf.get(path)?.has(decodeURIComponent(place)) !== true);
}

describe("the public site", () => {
  test("every matrix is on the page of a protocol", () => {
    expect(PROTOCOLS.flatMap(({ matrices }) => matrices).sort()).toEqual(Object.keys(MATRICES).sort());
  });

  test("every link leads to a page and a place of it", () => {
    const wrong = pages.flatMap(([page, text]) =>
      [...text.matchAll(/ (?:href|src)="(?!https:|data:)([^"]*)"/g)]
        .map(([, href = ""]) => href.replaceAll("&amp;", "&"))
        .filter((href) => !href.startsWith("#shape-") && broken(page, href))
        .map((href) => `${page}: ${href}`),
    );
    expect(wrong.slice(0, 20)).toEqual([]);
  });

  test("everything that a search finds is there", () => {
    const found = [...(files.get("search-index.js") ?? "").matchAll(/,"([^"\s]+\.html[^"\s]*)"\]/g)].map(([, href = ""]) => href);
    expect(found.length).toBeGreaterThan(2000);
    expect(found.filter((href) => broken("index.html", href)).slice(0, 20)).toEqual([]);
  });

  test("nothing is fetched from elsewhere", () => {
    const fetched = pages.flatMap(([page, text]) =>
      [...text.matchAll(/<(?!a )[^>]* (?:href|src)="https?:[^"]*"/g)].map(([tag]) => `${page}: ${tag}`),
    );
    expect(fetched).toEqual([]);
  });

  test("every requirement and case of a question is one that somebody was asked about", () => {
    const cases = input.protocols.flatMap(({ matrices }) => matrices.flatMap(({ results }) => results.flatMap((result) => result.cases)));
    const idle = input.questions.flatMap((question) => [
      ...question.requirements.filter((one) => !cases.some(askedBy({ ...question, requirements: [one], also: [], without: [] }))),
      ...[...(question.also ?? []), ...(question.without ?? [])].filter(
        (one) => !cases.some(askedBy({ ...question, requirements: [], also: [one], without: [] })),
      ),
    ]);
    expect(idle).toEqual([]);
  });

  test("every finding is about cases that its implementation fails, with its rule and a command", () => {
    expect(input.findings.length).toBeGreaterThanOrEqual(10);
    const judged = input.protocols.flatMap(({ matrices }) => matrices);
    const wrong = input.findings.flatMap(({ id, implementation, cases, sections }) => {
      const text = (heading: string): string => sections.find((section) => section.heading === heading)?.text ?? "";
      const [, name = "", who = "", first = ""] = /^```\nnode ci\/reproduce\.ts (\S+) (\S+) (\S+).*\n```$/.exec(text("Reproduce")) ?? [];
      const failed = judged.find((matrix) => matrix.name === name)?.results.find(({ subject }) => subject.name === who)?.cases ?? [];
      const ids = failed.flatMap((c) => (c.verdict === "fail" ? [c.id] : []));
      return [
        ...(who === implementation && first !== "" ? [] : [`${id}: its command is not about ${implementation}`]),
        ...cases.filter((one) => !ids.includes(one)).map((one) => `${id}: ${implementation} does not fail ${one}`),
        // The section of an RFC, or a document and its section.
        ...(/^\[(?:RFC \d+ §[\d.]+|[\w .]+, [\w ]+)\]\(https:/.test(text("The rule")) ? [] : [`${id}: the rule has no address`]),
        ...(text("Transcript").includes("\n-> ") ? [] : [`${id}: no transcript`]),
        ...(/^Title: .+\n\n/.test(text("Report")) ? [] : [`${id}: the report has no title`]),
      ];
    });
    expect(wrong).toEqual([]);
  });

  test("every published page and summary has a link into it: write them by node ci/publish.ts --pages", () => {
    const without = PROTOCOLS.flatMap(({ id, matrices }) =>
      matrices.flatMap((name) => [`${name}.html`, `${name}.md`].map((file) => ({ file, link: `site/protocols/${id}.html` }))),
    ).filter(({ file, link }) => !readFileSync(join(PUBLISHED, file), "utf8").includes(link));
    expect(without).toEqual([]);
  });

  test("the written site has every column: write it by node ci/publish.ts --site", () => {
    const text = (id: string): string => readFileSync(join(PUBLISHED, "site/protocols", `${id}.html`), "utf8");
    const missing = input.protocols.flatMap(({ id, matrices }) =>
      matrices.flatMap(({ name, results }) =>
        results
          .filter(({ subject, startedAt }) => {
            const row = text(id)
              .split("<tr>")
              .find((one) => one.includes(`#${name}"`) && one.includes(`>${subject.name}</a>`) && one.includes('class="day"'));
            return row === undefined || !row.includes(startedAt.slice(0, 10)) || !row.includes(subject.version ?? "");
          })
          .map(({ subject }) => `${name} ${subject.name}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});
