import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DIALECTS, FAULTS } from "../../reference/rpc/index.ts";
import { linter } from "../lint.ts";
import { fileOf, SOURCES } from "./make.ts";
import { askedOf, inDialect, permittedOf, unlike } from "./question.ts";
import { answerTo } from "./read.ts";
import type { Source } from "./source/craft.ts";

/** Our own functions against the vectors of RPC, which were written from the text of the specifications. */

const files: [string, Source][] = Object.entries(SOURCES);

test.each(files)("%s: the file is as its source makes it, and valid", (name, source) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(fileOf(source));
  expect(linter()(`rpc/${name}`)).toEqual([]);
});

test.each(files)("%s: names are unique", (_, { vectors }) => {
  const names = vectors.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

describe.each(files)("%s", (_, source) => {
  const vectors = source.vectors.map((vector, at) => ({ id: at + 1, ...vector }));

  test.each(["rpc", "grpc"] as const)("our codec gives the strict answer in the dialect %s", (dialect) => {
    for (const vector of vectors) {
      const answer = { is: "messages", ...answerTo(askedOf(source.kind, vector, dialect)) } as const;
      const [strict] = permittedOf(source.kind, vector, dialect);
      const { result, fault, messages } = vector;
      const due = result === "acceptable" && fault !== undefined ? ({ see: "refused", messages: [] } as const) : strict.see;
      const isWritten = due.see === "written";
      expect([vector.name, unlike(due, answer), answer.error]).toEqual([vector.name, undefined, fault]);
      // The judge of what is written is lenient; we write what the vectors have.
      expect([vector.name, isWritten ? answer.messages : []]).toEqual([vector.name, isWritten ? inDialect(messages, dialect) : []]);
    }
  });
});

test("every fault has a vector", () => {
  const used = new Set(files.flatMap(([, { vectors }]) => vectors.map(({ fault }) => fault)));
  expect(Object.keys(FAULTS).filter((name) => !used.has(name))).toEqual([]);
});

test("the names of the other dialect are those of its record", () => {
  const [rpc, grpc] = [Object.values(DIALECTS.rpc), Object.values(DIALECTS.grpc)];
  expect(inDialect(rpc.slice(1), "grpc")).toEqual(grpc.slice(1));
  expect(inDialect(["application/grpc", "Application/RPC+Proto", "application/rp"], "grpc")).toEqual([
    "application/rpc",
    "Application/gRPC+Proto",
    "application/rp",
  ]);
});

describe("a judge of answers", () => {
  const timeout = { see: "written", of: "timeout", given: "1000000000" } as const;
  const metadata = {
    see: "written",
    of: "metadata",
    given: [
      { name: "a-bin", octets: "0001" },
      { name: "b", text: "x" },
      { name: "a-bin", octets: "02" },
    ],
  } as const;
  const said = (...messages: Readonly<Record<string, unknown>>[]) => ({ is: "messages", messages }) as const;

  test.each(["1S", "1000m", "1000000u", "1001m", "999m"])("takes the timeout %s for a second", (text) => {
    expect(unlike(timeout, said({ text }))).toBeUndefined();
  });
  test.each(["0S", "2S", "100000000n", "1", "1s", "1.0S", "", "800m", 1])("refuses the timeout %s for a second", (text) => {
    expect(unlike(timeout, said({ text }))).toBeDefined();
  });

  test("takes a time that is a millisecond off, and no more", () => {
    const see = { see: "read", messages: [{ nanoseconds: "12345678" }] } as const;
    for (const nanoseconds of ["12345678", 12_000_000, "13345678"]) expect(unlike(see, said({ nanoseconds }))).toBeUndefined();
    for (const nanoseconds of ["13345679", -1, "x", null]) expect(unlike(see, said({ nanoseconds }))).toContain("nanoseconds is");
  });

  test("takes any encoding of a message that means it, and no other", () => {
    const see = { see: "written", of: "message", given: "a é" } as const;
    for (const text of ["a %C3%A9", "%61%20%C3%A9"]) expect(unlike(see, said({ text }))).toBeUndefined();
    for (const text of ["a é", "a %c3%a9", "a+%C3%A9", "a %E9", "a %25C3%25A9", undefined])
      expect(unlike(see, said({ text }))).toBeDefined();
  });

  test("takes metadata in any order of names, joined or not, padded or not", () => {
    expect(
      unlike(metadata, said({ name: "b", value: "x" }, { name: "a-bin", value: "AAE=" }, { name: "a-bin", value: "Ag" })),
    ).toBeUndefined();
    expect(unlike(metadata, said({ name: "a-bin", value: "AAE,Ag==" }, { name: "b", value: "x" }))).toBeUndefined();
    expect(unlike(metadata, said({ name: "a-bin", value: "Ag,AAE" }, { name: "b", value: "x" }))).toContain("fields are");
    expect(unlike(metadata, said({ name: "a-bin", value: "AAE,Ag" }))).toContain("fields are");
  });

  test("compares the status of a refusal if there is one", () => {
    const see = { see: "refused", messages: [], code: 8 } as const;
    expect(unlike(see, { is: "messages", messages: [], error: "no" })).toBeUndefined();
    expect(unlike(see, { is: "error", error: "no" })).toBeUndefined();
    expect(unlike(see, { is: "messages", messages: [], error: "no", code: 8 })).toBeUndefined();
    expect(unlike(see, { is: "messages", messages: [], error: "no", code: 13 })).toBe("the status of the refusal is 13, not 8");
    expect(unlike(see, said())).toContain("accepted");
  });

  test("finds a message that is missing, other, or too many", () => {
    const see = { see: "read", messages: [{ octets: "00" }, { octets: "01" }] } as const;
    expect(unlike(see, said({ octets: "00" }))).toContain("message 2 is missing");
    expect(unlike(see, said({ octets: "00" }, { octets: "02" }))).toBe('message 2: octets is "02", not "01"');
    expect(unlike(see, said({ octets: "00" }, { octets: "01" }, {}))).toContain("message 3 is unexpected");
    expect(unlike(see, { is: "error", error: "no" })).toBe("it was refused: no");
    expect(unlike(see, { is: "unknown" })).toBe("it answered with unknown");
  });
});
