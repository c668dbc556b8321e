import { expect, test } from "vitest";
import { collectTypes, sharedState } from "./shared-state.ts";
import { isSource, isTest, projectFiles, read } from "./sources.ts";

/** Folders with protocol code: all state belongs to a connection or an instance. */
const PROTOCOLS = ["core", "http", "field-coding", "hpack", "http1", "http2", "websocket", "metrics"].map((name) => `reference/${name}/`);
const isProtocol = (file: string): boolean =>
  PROTOCOLS.some((folder) => file.startsWith(folder)) && isSource(file) && !isTest(file) && !/(?:^|[/-])testing\.ts$/.test(file);

/** What is shared on purpose; the file says why no connection can see the state of another through it. */
const ON_PURPOSE: Readonly<Record<string, readonly string[]>> = {
  "reference/core/bytes/slabs.ts": ["SLABS"],
  "reference/websocket/mask-wide.ts": ["WIDE_MASKER"],
};

/** What still has to move to an owner. This list only shrinks. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  "reference/core/bytes/slabs.ts": ["SLABS"],
  "reference/metrics/promql/evaluate/value.ts": ["NAME"],
  "reference/metrics/promql/functions/info.ts": ["DEFAULT_NAME", "ANY_INFO"],
  "reference/metrics/promql/functions/notes.ts": ["COUNTER_ENDS"],
  "reference/metrics/promql/functions/over-time.ts": [
    "rate",
    "increase",
    "delta",
    "irate",
    "idelta",
    "changes",
    "resets",
    "deriv",
    "predictLinear",
    "doubleExponentialSmoothing",
    "avg",
    "sum",
    "min",
    "max",
    "count",
    "present",
    "last",
    "first",
    "quantileOfRange",
    "stddev",
    "stdvar",
    "mad",
    "timeOfMin",
    "timeOfMax",
    "timeOfLast",
    "timeOfFirst",
  ],
  "reference/websocket/mask-wide.ts": ["WIDE_MASKER"],
};

const files = projectFiles().filter(isProtocol);
const types = collectTypes(files.map(read));
const found = new Map(files.map((file) => [file, sharedState(read(file), types)]));

test("no module of a protocol folder shares state that can change", () => {
  const isOpen = (file: string, name: string): boolean => [OPEN, ON_PURPOSE].some((list) => list[file]?.includes(name) === true);
  expect([...found].flatMap(([file, names]) => names.filter((name) => !isOpen(file, name)).map((name) => `${file}: ${name}`))).toEqual([]);
});

test("the list of open places names no place that is closed", () => {
  const isShared = (file: string, name: string): boolean => found.get(file)?.includes(name) === true;
  expect(
    Object.entries({ ...OPEN, ...ON_PURPOSE }).flatMap(([file, names]) =>
      names.filter((name) => !isShared(file, name)).map((name) => `${file}: ${name}`),
    ),
  ).toEqual([]);
});

const none = collectTypes([]);

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
])("%s is shared state", (_name, source, names) => {
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
  ["a static constant", "class Limits { static readonly least = 1; }"],
])("%s is not", (_name, source) => {
  expect(sharedState(source, collectTypes([source]))).toEqual([]);
});

test("a type that nobody declares is not taken for readonly", () => {
  expect(sharedState("const place: Place = make();", none)).toEqual(["place"]);
});
