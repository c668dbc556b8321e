import { describe, expect, test } from "vitest";
import { applied } from "./applied.ts";
import { errorTables, tablesIn } from "./error-tables.ts";
import { mutantsOf, sampled } from "./mutants.ts";
import { mutantsOfTarget } from "./target-mutants.ts";
import { TARGETS } from "./targets.ts";

const NO_ERRORS = errorTables([]);
/** The mutated sources of one operator. */
const by = (operator: string, source: string, tables = NO_ERRORS): string[] =>
  mutantsOf("a.ts", source, tables)
    .filter((one) => one.operator === operator)
    .map(({ edit }) => applied(source, edit));

describe("operators", () => {
  test.for([
    ["arithmetic", "x = a + b;", ["x = a - b;"]],
    ["arithmetic", "x = a >>> 8;", ["x = a << 8;"]],
    ["arithmetic", 'x = a + ": ";', []],
    ["boundary", "x = a < b;", ["x = a <= b;"]],
    ["negation", "x = a === b;", ["x = a !== b;"]],
    ["not-dropped", "x = !a;", ["x = (a);"]],
    ["logical", "x = a && b;", ["x = a || b;"]],
    ["right-operand-dropped", "x = a && b;", ["x = (a);"]],
    ["left-operand-dropped", "x = a && b;", ["x = (b);"]],
    ["default-dropped", "x = a ?? b;", ["x = (a);"]],
    ["default-dropped", "x = a[i] ?? 0;", []],
    ["default-dropped", "x = a[i] ?? 7;", ["x = (a[i]);"]],
    ["default-dropped", "x = a.get(i) ?? 0;", ["x = (a.get(i));"]],
    ["default-forced", "x = a ?? b;", ["x = (b);"]],
    ["default-forced", "x = a[i] ?? 0;", ["x = (0);"]],
    ["update-direction", "n += 2;", ["n -= 2;"]],
    ["update-direction", "n++;", ["n--;"]],
    ["update-direction", "for (;; n++) f();", []],
    ["constant-plus-1", "x = 7;", ["x = (7 + 1);"]],
    ["constant-minus-1", "x = 7;", ["x = (7 - 1);"]],
    ["constant-minus-1", "x = 0;", []],
    ["constant-plus-1", "x = a[i] ?? 0;", []],
    ["constant-plus-1", "x = a[i] ?? 7;", ["x = a[i] ?? (7 + 1);"]],
    ["constant-plus-1", "x = a.get(i) ?? 0;", ["x = a.get(i) ?? (0 + 1);"]],
    ["constant-plus-1", "x = 7n;", ["x = (7n + 1n);"]],
    ["boolean", "x = true;", ["x = false;"]],
    ["min-max-swapped", "x = Math.min(a, b);", ["x = Math.max(a, b);"]],
    ["second-bound-dropped", "x = Math.min(a, b);", ["x = (a);"]],
    ["first-bound-dropped", "x = Math.min(a, b);", ["x = (b);"]],
    ["list-emptied", "function f() { return [a]; }", ["function f() { return []; }"]],
    ["condition-true", "if (a) b(); else c();", ["if (true) b(); else c();"]],
    ["condition-false", "x = a ? b : c;", ["x = false ? b : c;"]],
    ["loop-skipped", "while (a) b();", ["while (false) b();"]],
    ["condition-true", "while (a) b();", []],
    ["statement-removed", "a(); b = c;", ["; b = c;", "a(); ;"]],
    ["early-return-removed", "function f() { if (a) return 1; b(); }", ["function f() { ; b(); }"]],
    ["early-return-removed", "function f() { if (a) { return 1; } b(); }", ["function f() { ; b(); }"]],
    ["return-removed", "function f() { if (a) { b(); return c(); } d(); }", ["function f() { if (a) { b(); (c()); } d(); }"]],
    ["refusal-dropped", 'function f() { return fail(e, "x"); }', ["function f() { return undefined; }"]],
    ["jump-removed", "for (const a of b) { if (c) continue; d(); }", ["for (const a of b) { ; d(); }"]],
    ["member-forgotten", "f = () => ({ a, b, c });", ["f = () => ({ b, c });", "f = () => ({ a, c });", "f = () => ({ a, b });"]],
    ["member-forgotten", "const TABLE = { a, b };", []],
  ] as const)("%s: %s", ([operator, source, mutated]) => {
    expect(by(operator, source)).toEqual(mutated);
  });

  test("the same change is made once", () => {
    const texts = mutantsOf("a.ts", "function f() { if (a) return; b(); }", NO_ERRORS).map(({ edit }) =>
      applied("function f() { if (a) return; b(); }", edit),
    );
    expect(new Set(texts).size).toBe(texts.length);
    // Forcing the condition to be false is the same as leaving out the early return.
    expect(texts.filter((text) => text.includes("false"))).toEqual([]);
  });

  test("types, imports, keys and guards of the interface are left alone", () => {
    const source = `
import { a } from "./1.ts";
type T = { n: 1 | true };
function f(this: T, x: 2 & 3): 4 { if (x > 5) throw new Misuse("at most" + 6); throw new RangeError(7 + 8); }
`;
    expect(mutantsOf("a.ts", source, NO_ERRORS)).toEqual([]);
  });

  test("a long table is mutated at a few places", () => {
    const source = `const T = [${Array.from({ length: 40 }, (_, at) => at + 100).join(", ")}];`;
    expect(by("constant-plus-1", source)).toHaveLength(3);
  });
});

describe("codes", () => {
  const FAULTS = `
export const FAULTS = {
  first: connection("PROTOCOL_ERROR", "rfc9113#1"),
  same: connection("PROTOCOL_ERROR", "rfc9113#2"),
  other: stream("PROTOCOL_ERROR", "rfc9113#3"),
} as const satisfies Record<string, Rule>;
export const ErrorCode = { NO_ERROR: 0, PROTOCOL_ERROR: 1 } as const;`;
  const tables = errorTables(tablesIn(FAULTS));

  test("a fault is swapped with one that looks different on the wire", () => {
    expect(by("code-swapped", 'say(fault("first"));', tables)).toEqual(['say(fault("other"));']);
    expect(by("code-swapped", 'say(fault("unknown"));', tables)).toEqual([]);
  });

  test("an error code is swapped with another", () => {
    expect(by("code-swapped", 'reset("PROTOCOL_ERROR");', tables)).toEqual(['reset("NO_ERROR");']);
  });

  test("a connection error becomes a stream error; the reverse is lawful", () => {
    const scopes = by("scope-swapped", FAULTS, tables);
    expect(scopes).toHaveLength(2);
    expect(scopes[0]).toContain('first: stream("PROTOCOL_ERROR"');
    expect(scopes[1]).toContain('same: stream("PROTOCOL_ERROR"');
  });
});

describe("keys", () => {
  const CLASS = "class Credit { widen(by: number) { this.n += 1; this.m += 1; return by > 1; } }";
  const keysOf = (source: string): string[] => mutantsOf("a.ts", source, NO_ERRORS).map(({ key }) => key);

  test("name the file, the operator, the member and the text, and count equal ones", () => {
    expect(keysOf(CLASS)).toContain("a.ts | boundary | Credit.widen | by > 1");
    expect(keysOf(CLASS)).toContain("a.ts | constant-plus-1 | Credit.widen | 1");
    expect(keysOf(CLASS)).toContain("a.ts | constant-plus-1 | Credit.widen | 1 | 3");
  });

  test("are all different", () => {
    expect(new Set(keysOf(CLASS)).size).toBe(keysOf(CLASS).length);
  });

  test("stay when lines, comments and other members are added", () => {
    const longer = `// First.\n\nconst before = (a: number) => a + 1;\n${CLASS.replace("{ widen", "{\n  /** Why. */\n  other() { return 9 > 8; }\n  widen")}`;
    expect(keysOf(longer)).toEqual(expect.arrayContaining(keysOf(CLASS)));
  });

  test("places are right after characters outside ASCII", () => {
    expect(by("boundary", 'const s = "ü€𝄞"; x = a < b;')).toEqual(['const s = "ü€𝄞"; x = a <= b;']);
  });
});

describe("targets", () => {
  test("leave out files and functions that never show on the wire", () => {
    const keys = mutantsOfTarget(TARGETS["http2"]!).map(({ key }) => key);
    const of = (file: string, owner: string): number =>
      keys.filter((key) => key.startsWith(`reference/http2/${file} | `) && key.split(" | ")[2] === owner).length;
    expect(of("frame/data.ts", "read")).toBeGreaterThan(0);
    expect(of("frame/data.ts", "write")).toBe(0);
    expect(of("frame/ping.ts", "write")).toBeGreaterThan(0);
    expect(keys.filter((key) => key.startsWith("reference/http2/limits.ts"))).toEqual([]);
  });
});

describe("sampled()", () => {
  const mutants = mutantsOf("a.ts", "f(1, 2, 3, 4, 5, 6, 7, 8, 9);", NO_ERRORS);

  test("the same seed chooses the same mutants, another seed others", () => {
    expect(sampled(mutants, 5, 1)).toEqual(sampled(mutants.toReversed(), 5, 1));
    expect(sampled(mutants, 5, 1)).not.toEqual(sampled(mutants, 5, 2));
  });

  test("a larger sample contains the smaller one", () => {
    expect(sampled(mutants, 8, 1)).toEqual(expect.arrayContaining(sampled(mutants, 5, 1)));
  });
});
