import { dirname, join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { LAYERS, layerOf } from "./layers.ts";
import { isSource, isTest, projectFiles, read } from "./sources.ts";

const sources = projectFiles().filter((file) => isSource(file) && layerOf(file) !== undefined);
/** Folders whose code gets time, randomness and octets as arguments. */
const PURE = [
  "reference/core",
  "reference/http",
  "reference/field-coding",
  "reference/hpack",
  "reference/http2",
  "reference/quic",
  "reference/tls",
  "reference/websocket",
  "reference/rpc",
];
const PLATFORM =
  /\b(?:Date\.now|Math\.random|performance\.now|setTimeout|setInterval|setImmediate|queueMicrotask)\b|\bprocess\.|from "node:/;

type Import = { readonly file: string; readonly target: string; readonly typeOnly: boolean };

function importsOf(file: string): Import[] {
  return [...read(file).matchAll(/^(?:import|export)\b([^"';]*?)from "([^"]+)"/gm)].map(([, clause = "", target = ""]) => ({
    file,
    target: target.startsWith(".") ? posix.normalize(join(dirname(file), target)) : target,
    typeOnly: /^\s*type\b/.test(clause),
  }));
}

/** How an import breaks the rules, in one line; undefined if it follows them. */
function wrongImport({ file, target, typeOnly }: Import): string | undefined {
  const from = layerOf(file);
  const to = layerOf(target);
  if (from === undefined || to === undefined || from === to || to === "reference/core") return undefined;
  // Tests and their helpers, fuzzers, benches and lives may import files inside a folder.
  const isForTests = isTest(file) || /\btesting\.ts$/.test(file);
  const mayReachInside = isForTests || from === "fuzz" || from === "bench" || file.startsWith("ci/mutate/lives/");
  const open = LAYERS[from] ?? [];
  const isOpen = open.includes(to) || (mayReachInside && open.some((folder) => to.startsWith(`${folder}/`)));
  if (!isOpen && !isForTests) return `${file}: ${from} may not import ${to}`;
  if (from === "reports" && !typeOnly) return `${file}: reports reads results: it may import types only from ${to}`;
  if (to.startsWith("reference/") && !target.endsWith("/index.ts") && !mayReachInside)
    return `${file}: imports ${target}, which is inside ${to}: use its index.ts`;
  return undefined;
}

/** One import circle, as the files on it, or undefined. Imports of types count: a circle of types is one idea in two files. */
function circle(imports: readonly Pick<Import, "file" | "target">[]): readonly string[] | undefined {
  const targets = Map.groupBy(imports, ({ file }) => file);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return path.slice(path.indexOf(file));
    if (done.has(file)) return undefined;
    for (const { target } of targets.get(file) ?? []) {
      const found = visit(target, [...path, file]);
      if (found !== undefined) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const found = visit(file, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe("imports", () => {
  test("every source file is in a layer or at the root", () => {
    const homeless = projectFiles().filter(
      (file) => isSource(file) && file.includes("/") && layerOf(file) === undefined && !file.startsWith("examples/"),
    );
    expect(homeless).toEqual([]);
  });

  test("imports follow the arrows, through the faces", () => {
    expect(
      sources
        .flatMap(importsOf)
        .map(wrongImport)
        .filter((line) => line !== undefined),
    ).toEqual([]);
  });

  test("there are no circles", () => {
    expect(circle(projectFiles().filter(isSource).flatMap(importsOf))).toBeUndefined();
  });

  test("the check finds a circle", () => {
    const imports = [
      { file: "a.ts", target: "b.ts" },
      { file: "b.ts", target: "node:fs" },
      { file: "b.ts", target: "c.ts" },
      { file: "c.ts", target: "b.ts" },
    ];
    expect(circle(imports)).toEqual(["b.ts", "c.ts"]);
  });

  test("the check finds an upward import, and one that bypasses a face", () => {
    expect(wrongImport({ file: "reference/hpack/decoder.ts", target: "reference/http2/index.ts", typeOnly: false })).toContain(
      "may not import",
    );
    expect(wrongImport({ file: "reference/io/drive.ts", target: "reference/http2/stream/streams.ts", typeOnly: false })).toContain(
      "use its index.ts",
    );
    expect(wrongImport({ file: "reference/io/drive.ts", target: "reference/http2/index.ts", typeOnly: false })).toBeUndefined();
  });

  test("protocol logic uses no clock, no randomness and no platform", () => {
    const impure = sources.filter(
      (file) => !isTest(file) && PURE.some((folder) => file.startsWith(`${folder}/`)) && PLATFORM.test(stripComments(read(file))),
    );
    expect(impure).toEqual([]);
  });
});

const stripComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*$/gm, "");
