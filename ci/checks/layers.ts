/**
 * Who may import whom. A folder may import itself, `reference/core`, and the folders it names, each through its face (`index.ts`).
 * Read by the linter (`oxlint.config.ts`) and by the check in `imports.test.ts`; the table in ARCHITECTURE.md tells the same.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  "reference/core": [],
  "reference/http": [],
  "reference/field-coding": [],
  "reference/hpack": ["reference/field-coding"],
  "reference/http2": ["reference/http", "reference/hpack"],
  "reference/io": ["reference/http", "reference/hpack", "reference/http2"],
  "reference/serve": ["reference/http", "reference/hpack", "reference/http2", "reference/io"],
  conformance: ["reference/hpack", "reference/http2", "reference/serve", "vectors"],
  vectors: ["reference/hpack", "reference/http2"],
  fuzz: [
    "reference/http",
    "reference/field-coding",
    "reference/hpack",
    "reference/http2",
    "reference/io",
    "reference/serve",
    "conformance",
    "vectors",
  ],
  bench: [
    "reference/http",
    "reference/field-coding",
    "reference/hpack",
    "reference/http2",
    "reference/io",
    "reference/serve",
    "conformance",
  ],
  reports: ["conformance", "bench"],
  ci: [],
};

const FOLDERS = Object.keys(LAYERS).sort((a, b) => b.length - a.length);
export const layerOf = (file: string): string | undefined => FOLDERS.find((folder) => file.startsWith(`${folder}/`));

type Override = { files: string[]; rules: { "no-restricted-imports": ["error", { patterns: { group: string[]; message: string }[] }] } };

/** One override a layer: every folder that it may not import, as restricted import patterns. */
export function boundaries(): Override[] {
  return FOLDERS.filter((layer) => layer !== "ci").map((layer) => {
    const open = new Set([layer, "reference/core", ...(LAYERS[layer] ?? [])]);
    const closed = FOLDERS.filter((folder) => !open.has(folder) && !layer.startsWith(`${folder}/`));
    const group = closed.flatMap((folder) => {
      const tail = folder.startsWith("reference/") ? folder.slice("reference/".length) : folder;
      return layer.startsWith("reference/") && folder.startsWith("reference/") ? [`../${tail}/**`] : [`**/${folder}/**`];
    });
    return {
      files: [`${layer}/**/*.ts`],
      rules: {
        "no-restricted-imports": ["error", { patterns: [{ group, message: `${layer} may not import this: see ARCHITECTURE.md.` }] }],
      },
    };
  });
}
