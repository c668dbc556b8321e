import { describe, expect, test } from "vitest";
import { LAYERS } from "./layers.ts";
import { projectFiles, read } from "./sources.ts";

const DOCUMENTS = projectFiles().filter((file) => file.endsWith(".md"));

/** What each folder may import, as the table of ARCHITECTURE.md has it. A chain with → adds the folders to the left. */
function arrowsOf(text: string): Map<string, string[]> {
  const [, table = ""] = /^\| folder \| may import[^\n]*\n\|[ |-]+\|\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const arrows = new Map<string, string[]>();
  for (const line of table.trim().split("\n")) {
    const [, left = "", right = ""] = line.split("|");
    const layers = namesIn(left);
    layers.forEach((layer, at) => {
      arrows.set(layer, [...importsIn(right), ...(left.includes("→") ? layers.slice(0, at) : [])]);
    });
  }
  return arrows;
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
/** Folders outside of `reference` have their whole path; `node:` is the platform, which another test checks. */
const pathOf = (name: string): string => (LAYERS[name] === undefined ? `reference/${name}` : name);
function importsIn(cell: string): string[] {
  const group = /all of `([^`]+)`/.exec(cell)?.[1];
  const inside = Object.keys(LAYERS).filter((layer) => group !== undefined && layer.startsWith(`${pathOf(group)}/`));
  const plain = cell.replace(/all of `[^`]+`/, "").replace(/,? and alone of `reference` `node:`/, "");
  return [...namesIn(plain).map(pathOf), ...inside];
}

describe("documents", () => {
  test("the table of arrows in ARCHITECTURE.md is the one in layers.ts", () => {
    const sorted = (folders: readonly string[]): string[] => [...folders].sort();
    const expected = Object.fromEntries(Object.entries(LAYERS).map(([layer, imports]) => [layer, sorted(imports)]));
    expect(Object.fromEntries([...arrowsOf(read("ARCHITECTURE.md"))].map(([layer, imports]) => [layer, sorted(imports)]))).toEqual(
      expected,
    );
  });

  test("the reader of that table reads lists, chains and groups", () => {
    const row = (cells: string) => [...arrowsOf(`| folder | may import, x |\n| --- | --- |\n| ${cells} |\n`)];
    expect(row("`reference/http1` | `http` (why), `hpack`")).toEqual([["reference/http1", ["reference/http", "reference/hpack"]]]);
    expect(row("`reference/io` → `reference/serve` | `http`")).toEqual([
      ["reference/io", ["reference/http"]],
      ["reference/serve", ["reference/http", "reference/io"]],
    ]);
    expect(row("`bench` | all of `metrics/tsdb`")[0]?.[1]).toContain("reference/metrics/tsdb/wal");
  });

  test("every dependency has its line, with its purpose, in ARCHITECTURE.md", () => {
    const map = read("ARCHITECTURE.md");
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
    const unnamed = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !name.startsWith("@types/") && !map.includes(`\`${name}\``),
    );
    expect(unnamed).toEqual([]);
  });

  test("every npm script that a document names exists", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const told = DOCUMENTS.flatMap((file) => [...read(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => ({ file, name })));
    expect(told.filter(({ name }) => scripts[name] === undefined)).toEqual([]);
  });

  test("no document fetches the package by a name that others can register", () => {
    const files = projectFiles().filter((file) => /\.(?:md|ya?ml|sh|js)$|Jenkinsfile|Containerfile/.test(file) && file !== "CHANGELOG.md");
    const wrong = files.flatMap((file) =>
      [
        ...read(file).matchAll(
          /(?:npx|npm (?:exec|install|i))(?: -[\w-]+)*(?: -p| --package)? touchstone(?:@\S+)?(?= )|from "touchstone\/[\w/]+"/g,
        ),
      ].map(([text]) => `${file}: ${text}`),
    );
    expect(wrong.filter((one) => !one.startsWith("README.md"))).toEqual([]);
    // The warning, and the command of an installed package.
    expect(wrong.length).toBeLessThanOrEqual(1);
  });

  test("links between documents have a target", () => {
    const files = new Set(projectFiles());
    const broken = DOCUMENTS.flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target = ""]) => new URL(target, `file:///${file}`).pathname.slice(1))
        .filter((target) => !files.has(target) && ![...files].some((each) => each.startsWith(`${target.replace(/\/$/, "")}/`)))
        .map((target) => `${file}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
