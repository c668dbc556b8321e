import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Result } from "../../conformance/harness/result.ts";
import { sampleResult } from "../sample.ts";
import { answersTo, answerWords } from "./asked.ts";
import { readFinding, siteFiles, writeSite, type Question, type SiteInput } from "./index.ts";
import { allJudged } from "./judged.ts";
import { entriesOf } from "./search-index.ts";

const HOSTILE = `</script><img src=x onerror="alert(1)">\u202e`;
const [first] = sampleResult({ cases: 1 }).cases;
if (first === undefined) throw new Error("a sample has cases");

type Seen = { readonly verdict: Result["cases"][number]["verdict"]; readonly observed?: string };
/** A proxy that was asked `http1/a` (about a/b) and `http1/other`. */
const proxy = (name: string, seen: Seen): Result => ({
  ...sampleResult({ cases: 1, name, suite: "http1", role: "proxy" }),
  cases: [
    { ...first, id: "http1/a", covers: ["rfc9112#6.1/a"], observed: "", ...seen },
    { ...first, id: "http1/other", covers: ["rfc9112#6.2/b"], verdict: "fail" },
  ],
});

const question: Question = {
  id: "smuggling",
  ask: "Who smuggles?",
  why: "It is dangerous.",
  matrices: ["http1-proxies"],
  requirements: ["rfc9112#6.1/*"],
  proof: { observed: "/hidden", otherwise: "Broke a rule" },
};
const finding = `# It goes on

- implementation: nginx
- version: 1.2
- cases: \`http2/a\`, \`http2/b\`

## What it does

First \`<b>\`, and [the text](https://www.rfc-editor.org/).

- one
- two

## The rule

r

## Transcript

\`\`\`
-> GET <x>
\`\`\`

## Reproduce

c

## Report

d
`;
const servers = sampleResult({ name: "nginx", version: "1.2", cases: 40, shares: { fail: 0.3 } });
const input: SiteInput = {
  protocols: [
    {
      id: "http2",
      name: "HTTP/2",
      about: "Frames.",
      matrices: [{ name: "http2-servers", title: "HTTP/2 servers, judged", results: [servers] }],
    },
    {
      id: "http1",
      name: "HTTP/1.1",
      about: "Text.",
      matrices: [
        {
          name: "http1-proxies",
          title: "HTTP/1.1 proxies, judged",
          results: [
            proxy("apache2", { verdict: "pass" }),
            proxy("h2o", { verdict: "fail", observed: "GET /hidden" }),
            proxy("nginx", { verdict: "fail", observed: "GET /" }),
            proxy("caddy before ws", { verdict: "skip" }),
          ],
        },
      ],
    },
  ],
  peers: [{ name: "nginx", about: "A server", install: "apt-get install nginx" }],
  documents: [
    {
      spec: "rfc9113",
      title: "HTTP/2",
      requirements: servers.coverage.map(({ requirement, level, text }) => ({ id: requirement.split("#")[1] ?? "", level, text })),
    },
    { spec: "rfc9112", title: "HTTP/1.1", requirements: [{ id: "6.1/c", level: "MAY", text: "It may.", excused: "A permission." }] },
  ],
  questions: [question],
  findings: [readFinding("goes-on", finding)],
  reproduce: "node ci/reproduce.ts",
};
const files = siteFiles(input);
const page = (path: string): string => files.get(path) ?? "";
const words = (path: string): string =>
  page(path)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

describe("the public site", () => {
  test("has a page for each protocol, implementation, question, specification and finding", () => {
    expect([...files.keys()].sort()).toEqual([
      "findings/goes-on.html",
      "implementations/apache2.html",
      "implementations/caddy.html",
      "implementations/h2o.html",
      "implementations/nginx.html",
      "index.html",
      "protocols/http1.html",
      "protocols/http2.html",
      "questions/smuggling.html",
      "requirements/rfc9112.html",
      "requirements/rfc9113.html",
      "search-index.js",
      "search.js",
      "style.css",
    ]);
  });

  test("a yes needs its proof; a broken rule without it is less, and a skip is no answer", () => {
    const answers = answersTo(question, allJudged(input));
    expect(answers.map(({ column, says }) => [column.result.subject.name, says])).toEqual([
      ["h2o", "yes"],
      ["nginx", "broke"],
      ["apache2", "no"],
      ["caddy before ws", "unknown"],
    ]);
    expect(answerWords(answers, question)).toBe("h2o. Broke a rule: nginx. Not: apache2.");
    expect(words("index.html")).toContain("Who smuggles? h2o. Broke a rule: nginx. Not: apache2.");
  });

  test("cases are added to a question and left out of it by name", () => {
    const other = { ...question, proof: undefined, requirements: [], also: ["http1/o*"], without: ["http1/a"] } as unknown as Question;
    expect(answerWords(answersTo(other, allJudged(input)), other, 2)).toBe("apache2, h2o and 2 more.");
  });

  test("an implementation has its failures by cause, each with the command that repeats it", () => {
    const failed = servers.cases.find(({ verdict }) => verdict === "fail");
    expect(words("implementations/nginx.html")).toContain(`node ci/reproduce.ts http2-servers nginx ${failed?.id}`);
    expect(words("implementations/caddy.html")).toContain("node ci/reproduce.ts http1-proxies 'caddy before ws' http1/other");
    expect(page("implementations/nginx.html")).toContain('href="../findings/goes-on.html"');
    expect(page("implementations/nginx.html")).toContain('href="../../http2-servers.html#verdict=warn&amp;show=all&amp;who=0"');
  });

  test("a requirement says who keeps it, or why nobody was judged", () => {
    const entry = servers.coverage.find(({ state }) => state === "fail");
    expect(page("requirements/rfc9113.html")).toContain(`id="${entry?.requirement.split("#")[1]}"`);
    expect(words("requirements/rfc9113.html")).toContain("broken by nginx");
    expect(words("requirements/rfc9112.html")).toContain("No case can show it: A permission.");
  });

  test("a finding is its Markdown, as markup", () => {
    const text = page("findings/goes-on.html");
    expect(text).toContain("<code>&lt;b></code>");
    expect(text).toContain('<a href="https://www.rfc-editor.org/" rel="noreferrer">the text</a>');
    expect(text).toContain("<ul><li>one</li><li>two</li></ul>");
    expect(text).toContain('<pre tabindex="0">-> GET &lt;x></pre>');
  });

  test.each([
    ["# It goes on", "", "has no title"],
    ["- version: 1.2\n", "", 'has no line "- version: …"'],
    ["## Report", "## Other", "needs the sections"],
    ["## The rule\n\nr", "## The rule\n", '"The rule" is empty'],
  ])("a finding without %j is refused", (found, instead, why) => {
    expect(() => readFinding("x", finding.replace(found, instead))).toThrow(`reports/published/findings/x.md: ${why}`);
  });

  test("search finds implementations first, and requirements by section", () => {
    const entries = entriesOf(input);
    expect(entries.find(([, text]) => text.startsWith("nginx"))).toEqual(["implementation", "nginx 1.2", "implementations/nginx.html"]);
    expect(entries).toContainEqual(["RFC 9112 §6.1", "It may.", "requirements/rfc9112.html#6.1/c"]);
  });

  test("text of a subject stays text", () => {
    const evil = siteFiles({
      ...input,
      protocols: [
        {
          ...(input.protocols[0] as SiteInput["protocols"][number]),
          matrices: [
            {
              name: "http2-servers",
              title: "t",
              results: [sampleResult({ name: "nginx", cases: 30, shares: { fail: 0.5 }, hostile: HOSTILE })],
            },
          ],
        },
      ],
      questions: [],
    });
    const text = evil.get("implementations/nginx.html") ?? "";
    expect(text).toContain("&lt;img src=x");
    expect(text).not.toMatch(/<img|\u202e/);
  });
});

describe("writeSite()", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-site-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("leaves nothing of an older site", () => {
    writeSite(join(folder, "site"), new Map([["a/old.html", "old"]]));
    writeSite(join(folder, "site"), new Map([["b/new.html", "new"]]));
    expect(readdirSync(join(folder, "site"))).toEqual(["b"]);
    expect(readFileSync(join(folder, "site/b/new.html"), "utf8")).toBe("new");
  });
});
