import { expect, test } from "vitest";
import { collectTypes, sharedState } from "./shared-state.ts";
import { isSource, isTest, projectFiles, read } from "./sources.ts";

/** Folders with protocol code: all state belongs to a connection or an instance. */
const PROTOCOLS = ["core", "http", "field-coding", "hpack", "http1", "http2", "qpack", "quic", "tls", "websocket", "rpc", "metrics"].map(
  (name) => `reference/${name}/`,
);
/** Tables of the fields of a configuration, composed by calls: kinds have no state. */
const TABLES = "reference/metrics/config/";
const isProtocol = (file: string): boolean =>
  PROTOCOLS.some((folder) => file.startsWith(folder)) &&
  !file.startsWith(TABLES) &&
  isSource(file) &&
  !isTest(file) &&
  !/(?:^|[/-])testing\.ts$/.test(file);

/** What is shared on purpose, each with the reason why no connection sees anything of another through it. */
const SHARED: Readonly<Record<string, string>> = {
  "reference/core/bytes/slabs.ts: SLABS": "lends memory: no byte is ever lent to two writers",
  "reference/websocket/mask-wide.ts: WIDE_MASKER": "one WebAssembly memory, used within a call that runs no callback",
};

const files = projectFiles().filter(isProtocol);
const types = collectTypes(files.map(read));

const shared = files.flatMap((file) => sharedState(read(file), types).map((name) => `${file}: ${name}`));

test("no module of a protocol folder shares state that can change", () => {
  expect(shared.filter((place) => SHARED[place] === undefined)).toEqual([]);
});

test("no reason outlives what it excuses", () => {
  expect(Object.keys(SHARED).filter((place) => !shared.includes(place))).toEqual([]);
});

test.each([
  ["a variable", "let count = 0;", ["count"]],
  ["an exported variable", "export let count = 0;", ["count"]],
  ["a buffer", "const scratch = new Uint8Array(1024);", ["scratch"]],
  ["a map", "const seen = new Map<string, number>();", ["seen"]],
  ["an array", "const list: number[] = [];", ["list"]],
  ["an object", "const last = { at: 0 };", ["last"]],
  ["an instance", "const check = new FieldCheck();", ["check"]],
  ["the result of a call", "const table = build();", ["table"]],
  ["a constant of a type with a changeable member", "type Place = { at: number };\nconst place: Place = { at: 0 };", ["place"]],
  ["a static field", "class Counter { static count = 0; }", ["Counter.count"]],
])("%s is reported", (_name, source, names) => {
  expect(sharedState(source, collectTypes([source]))).toEqual(names);
});

test.each([
  ["a number", "const LIMIT = 4 * 1024;"],
  ["a function", "const twice = (n: number): number => { let m = n; return m * 2; };"],
  ["a literal `as const`", "export const State = { idle: 0 } as const satisfies Record<string, number>;"],
  ["a frozen list", "const NONE = Object.freeze([]);"],
  ["a readonly list", "const NAMES: readonly string[] = [];"],
  ["a readonly map", "const KINDS: ReadonlyMap<string, number> = new Map();"],
  ["a table of numbers", "const STEPS: ArrayLike<number> = build();"],
  ["constant octets", "const PREFACE = Uint8Array.from([80, 82, 73]);"],
  ["no octets", "const NOTHING = new Uint8Array(0);"],
  ["a constant of a type with readonly members", "type Place = { readonly at: number };\nconst place: Place = { at: 0 };"],
  ["the result of a function that returns a readonly type", "const make = (): readonly string[] => [];\nconst names = make();"],
  ["a static constant", "class Limits { static readonly least = 1; }"],
])("%s is not reported", (_name, source) => {
  expect(sharedState(source, collectTypes([source]))).toEqual([]);
});

test("a type without a declaration is not readonly", () => {
  expect(sharedState("const place: Place = make();", collectTypes([]))).toEqual(["place"]);
});
