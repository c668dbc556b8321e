/** The folders of the storage; each may import those before it. */
const TSDB = ["codec", "files", "chunk", "index", "block", "head", "wal", "db"].map((folder) => `reference/metrics/tsdb/${folder}`);

/**
 * Who may import whom. A folder may import itself, `reference/core`, and the folders it names, each through its face (`index.ts`).
 * The linter (`oxlint.config.ts`) and `imports.test.ts` read this table; ARCHITECTURE.md has the same one.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  "reference/core": [],
  "reference/http": [],
  "reference/field-coding": [],
  "reference/hpack": ["reference/field-coding"],
  "reference/qpack": ["reference/field-coding"],
  "reference/http1": ["reference/http"],
  "reference/http2": ["reference/http", "reference/hpack"],
  "reference/http3": ["reference/http", "reference/qpack"],
  "reference/quic": [],
  "reference/tls": [],
  "reference/websocket": ["reference/http"],
  "reference/rpc": ["reference/http", "reference/rpc/message"],
  "reference/rpc/contract": ["reference/rpc/message"],
  "reference/rpc/message": [],
  "reference/metrics/model": [],
  "reference/metrics/storage": ["reference/metrics/model"],
  "reference/metrics/exposition": ["reference/metrics/model"],
  "reference/metrics/tsdb": ["reference/metrics/model", "reference/metrics/storage", ...TSDB],
  ...Object.fromEntries(TSDB.map((folder, at) => [folder, ["reference/metrics/model", "reference/metrics/storage", ...TSDB.slice(0, at)]])),
  "reference/metrics/promql": ["reference/metrics/model", "reference/metrics/storage"],
  "reference/metrics/scrape": ["reference/metrics/model", "reference/metrics/storage", "reference/metrics/exposition"],
  "reference/metrics/discovery": ["reference/metrics/model"],
  "reference/metrics/rules": ["reference/metrics/model", "reference/metrics/storage", "reference/metrics/promql"],
  "reference/metrics/remote": [
    "reference/metrics/model",
    "reference/metrics/storage",
    "reference/metrics/tsdb/codec",
    "reference/metrics/tsdb/chunk",
  ],
  "reference/metrics/otlp": ["reference/metrics/model", "reference/metrics/storage", "reference/metrics/remote"],
  "reference/metrics/router": ["reference/metrics/model", "reference/metrics/rules"],
  "reference/metrics/config": [
    "reference/metrics/model",
    "reference/metrics/otlp",
    "reference/metrics/promql",
    "reference/metrics/rules",
    "reference/metrics/router",
    "reference/metrics/scrape",
  ],
  "reference/metrics/api": [
    "reference/http",
    "reference/metrics/model",
    "reference/metrics/storage",
    "reference/metrics/exposition",
    "reference/metrics/tsdb",
    "reference/metrics/promql",
  ],
  "reference/io": [
    "reference/http",
    "reference/http1",
    "reference/hpack",
    "reference/http2",
    "reference/tls",
    "reference/websocket",
    "reference/rpc",
    "reference/quic",
    "reference/metrics/tsdb",
  ],
  "reference/serve": [
    "reference/http",
    "reference/http1",
    "reference/hpack",
    "reference/http2",
    "reference/qpack",
    "reference/http3",
    "reference/tls",
    "reference/quic",
    "reference/websocket",
    "reference/rpc",
    "reference/rpc/contract",
    "reference/rpc/message",
    "reference/metrics/model",
    "reference/metrics/storage",
    "reference/metrics/exposition",
    "reference/metrics/tsdb",
    "reference/metrics/promql",
    "reference/metrics/scrape",
    "reference/metrics/discovery",
    "reference/metrics/rules",
    "reference/metrics/remote",
    "reference/metrics/otlp",
    "reference/metrics/router",
    "reference/metrics/api",
    "reference/metrics/config",
    "reference/io",
  ],
  "conformance/peers": ["reference/io"],
  // Our own server and client under the runner of another project.
  "conformance/peers/interop": ["reference/serve", "conformance/peers"],
  "conformance/peers/interop-quic": ["reference/io", "reference/serve", "conformance/peers"],
  "conformance/peers/connectconformance": ["reference/http", "reference/rpc/contract", "reference/rpc/message", "reference/serve"],
  conformance: [
    "reference/hpack",
    "reference/qpack",
    // The transport under the ends of HTTP/3.
    "reference/quic",
    "reference/tls",
    "reference/io",
    "reference/metrics/model",
    "reference/metrics/exposition",
    "reference/metrics/promql",
    "reference/serve",
    "vectors",
    "conformance/peers",
  ],
  vectors: [
    "reference/http",
    "reference/field-coding",
    "reference/hpack",
    "reference/qpack",
    "reference/http1",
    "reference/http2",
    "reference/http3",
    "reference/quic",
    "reference/tls",
    "reference/websocket",
    "reference/rpc",
    "reference/rpc/contract",
    "reference/metrics/model",
    "reference/metrics/storage",
    "reference/metrics/exposition",
    "reference/metrics/tsdb",
    "reference/metrics/promql",
    "reference/io",
  ],
  fuzz: [
    "reference/http",
    "reference/field-coding",
    "reference/hpack",
    "reference/qpack",
    "reference/http1",
    "reference/http2",
    "reference/http3",
    "reference/quic",
    "reference/tls",
    "reference/websocket",
    "reference/rpc",
    "reference/rpc/contract",
    "reference/metrics/model",
    "reference/metrics/storage",
    "reference/metrics/exposition",
    "reference/metrics/tsdb",
    "reference/metrics/promql",
    "reference/metrics/remote",
    "reference/metrics/api",
    "reference/io",
    "reference/serve",
    "conformance",
    "conformance/peers",
    "vectors",
  ],
  campaign: ["conformance", "fuzz"],
  bench: [
    "reference/http",
    "reference/field-coding",
    "reference/hpack",
    "reference/http1",
    "reference/http2",
    "reference/websocket",
    "reference/metrics/model",
    "reference/metrics/storage",
    "reference/metrics/exposition",
    "reference/metrics/tsdb",
    "reference/metrics/promql",
    "reference/metrics/api",
    "reference/io",
    "reference/serve",
    "conformance/peers",
  ],
  reports: ["conformance", "bench"],
  ci: [
    "reference/field-coding",
    "reference/hpack",
    "reference/qpack",
    "reference/http",
    "reference/http1",
    "reference/http2",
    "reference/websocket",
    "reference/rpc",
    "reference/io",
    "reference/serve",
    "reference/metrics/model",
    "reference/metrics/storage",
    "reference/metrics/exposition",
    "reference/metrics/tsdb",
    "reference/metrics/promql",
    "reference/metrics/scrape",
    "reference/metrics/rules",
    "reference/metrics/remote",
    "reference/metrics/router",
    "reference/metrics/config",
    "conformance",
    "conformance/peers",
    "bench",
    "fuzz",
    "vectors",
    "reports",
  ],
};

const FOLDERS = Object.keys(LAYERS).sort((a, b) => b.length - a.length);
export const layerOf = (file: string): string | undefined => FOLDERS.find((folder) => file.startsWith(`${folder}/`));

type Override = { files: string[]; rules: { "no-restricted-imports": ["error", { patterns: { group: string[]; message: string }[] }] } };

/** One lint override per layer with the folders it may not import. An inner folder comes after its outer one and takes precedence. */
export function boundaries(): Override[] {
  return FOLDERS.toReversed()
    .filter((layer) => layer !== "ci")
    .map((layer) => {
      const open = [layer, "reference/core", ...(LAYERS[layer] ?? [])];
      // Tests may import files inside an open folder; `imports.test.ts` checks that others use its face.
      const isInside = (folder: string): boolean => open.some((outer) => outer !== layer && folder.startsWith(`${outer}/`));
      const closed = FOLDERS.filter((folder) => !open.includes(folder) && !isInside(folder) && !layer.startsWith(`${folder}/`));
      const group = [
        ...closed.flatMap((folder) => patterns(layer, folder)),
        // An open folder inside a closed one is excluded with `!`.
        ...open.filter((folder) => closed.some((outer) => folder.startsWith(`${outer}/`))).map((folder) => `!**/${folder}/**`),
      ];
      return {
        files: [`${layer}/**/*.ts`],
        rules: {
          "no-restricted-imports": ["error", { patterns: [{ group, message: `${layer} may not import this: see ARCHITECTURE.md.` }] }],
        },
      };
    });
}

/** The specifiers by which a file of `layer` could import `folder`. */
const patterns = (layer: string, folder: string): string[] =>
  layer.startsWith("reference/") && folder.startsWith("reference/") ? [`../${folder.slice("reference/".length)}/**`] : [`**/${folder}/**`];
