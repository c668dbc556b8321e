import { describe, expect, test } from "vitest";
import { LAYERS } from "./layers.ts";
import { projectFiles, read } from "./sources.ts";

const DOCUMENTS = projectFiles().filter((file) => file.endsWith(".md"));

describe("documents", () => {
  test("ARCHITECTURE.md names every layer", () => {
    const map = read("ARCHITECTURE.md");
    const unnamed = Object.keys(LAYERS).filter((layer) => layer !== "ci" && !map.includes(layer.replace("reference/", "")));
    expect(unnamed).toEqual([]);
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
