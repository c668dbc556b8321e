import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadContract, type ReadContract } from "./load.ts";
import { MISTAKES } from "./mistakes.ts";
import { problemText } from "./place.ts";
import { WELL_KNOWN } from "./well-known/index.ts";

const FILES: Readonly<Record<string, string>> = { "closed.proto": 'syntax = "proto2";\nenum C { C_A = 0; }\n' };
const reader =
  (files: Readonly<Record<string, string | Uint8Array>>): ReadContract =>
  (path) =>
    files[path];
const problemsOf = (text: string | Uint8Array, files: Readonly<Record<string, string>> = FILES) => {
  const loaded = loadContract(["m.proto"], reader({ ...files, "m.proto": text }));
  return loaded.is === "problems" ? loaded.problems : [];
};
const contractOf = (text: string, files: Readonly<Record<string, string>> = FILES) => {
  const loaded = loadContract(["m.proto"], reader({ ...files, "m.proto": text }));
  if (loaded.is === "problems") throw new Error(loaded.problems.map(problemText).join("\n"));
  return loaded.contract;
};

describe("a contract with one mistake", () => {
  for (const { rule, at, text } of MISTAKES)
    test(`${rule} at ${at}: ${text.split("\n").slice(1).join(" ").trim() || text.trim()}`, () => {
      const problems = problemsOf(text);
      expect(problems.map((problem) => `${problem.rule} ${problem.line}:${problem.column}`)).toContain(`${rule} ${at}`);
      expect(problems[0]?.rule).toBe(rule);
    });
});

describe("a contract", () => {
  test("the well-known ones have no mistakes", () => {
    expect(loadContract(Object.keys(WELL_KNOWN), () => undefined).is).toBe("contract");
  });

  test("names are found from the innermost scope outwards, as in C++", () => {
    const contract = contractOf(`syntax = "proto3"; package a.b;
      message M { message N {} N inner = 1; O outer = 2; a.b.O full = 3; .a.b.M.N dotted = 4; b.O part = 5; }
      message O {}`);
    const types = contract.messages.get("a.b.M")?.fields.map(({ type }) => (type.is === "message" ? type.name : type.is));
    expect(types).toEqual(["a.b.M.N", "a.b.O", "a.b.O", "a.b.M.N", "a.b.O"]);
  });

  test("a public import passes names on, a plain one does not", () => {
    const files = (kind: string) => ({
      "x.proto": 'syntax = "proto3"; message X {}',
      "y.proto": `syntax = "proto3"; import ${kind}"x.proto"; message Y { X x = 1; }`,
    });
    const text = 'syntax = "proto3"; import "y.proto"; message M { X x = 1; }';
    expect(problemsOf(text, files("public "))).toEqual([]);
    expect(problemsOf(text, files("")).map(({ message }) => message)).toEqual(['"X" is in x.proto, which is not imported.']);
  });

  test("files that import each other are a problem that names the circle", () => {
    const files = { "x.proto": 'import "m.proto";' };
    expect(problemsOf('import "x.proto";', files).map(({ message }) => message)).toEqual([
      "The files import each other in a circle: m.proto → x.proto → m.proto.",
    ]);
  });

  test("presence, packing and encoding follow the syntax, or the features of an edition", () => {
    const fields = (text: string) =>
      contractOf(text)
        .messages.get("M")
        ?.fields.map(({ presence, isPacked, isDelimited, isUtf8 }) =>
          [presence, isPacked && "packed", isDelimited && "delimited", isUtf8 && "utf8"].filter(Boolean).join(" "),
        );
    expect(
      fields('syntax = "proto2"; message M { optional int32 a = 1; required int32 b = 2; repeated int32 c = 3; optional group G = 4 {} }'),
    ).toEqual(["explicit", "required", "repeated", "explicit delimited"]);
    expect(
      fields('syntax = "proto3"; message M { int32 a = 1; optional int32 b = 2; repeated int32 c = 3; M d = 4; oneof o { int32 e = 5; } }'),
    ).toEqual(["implicit utf8", "explicit utf8", "repeated packed utf8", "explicit utf8", "explicit utf8"]);
    expect(
      fields(`edition = "2023"; option features.field_presence = IMPLICIT;
      message M { int32 a = 1; int32 b = 2 [features.field_presence = EXPLICIT]; repeated int32 c = 3 [features.repeated_field_encoding = EXPANDED];
        M d = 4 [features.message_encoding = DELIMITED]; int32 e = 5 [features.field_presence = LEGACY_REQUIRED]; }`),
    ).toEqual(["implicit utf8", "explicit utf8", "repeated utf8", "explicit delimited utf8", "required utf8"]);
  });

  test("comments: before, after and apart from their element, without their marks", () => {
    const message = contractOf(`syntax = "proto3";

// Apart.

/* Before
 * the message. */
message M { // After the brace.
  // One line
  // and another.
  int32 a = 1; // After it.
  int32 b = 2;
  // After b, on the next line.

  /** Of c. */
  int32 c = 3;
  int32 d = 4; /* not of e */
  int32 e = 5;
  // At the end.
}
`).messages.get("M");
    expect(message?.comments).toEqual({ leading: "Before\nthe message.", trailing: "After the brace.", detached: ["Apart."] });
    expect(message?.fields.map(({ name, comments }) => [name, comments.leading, comments.trailing])).toEqual([
      ["a", "One line\nand another.", "After it."],
      ["b", "", "After b, on the next line."],
      ["c", "Of c.", ""],
      ["d", "", "not of e"],
      ["e", "", "At the end."],
    ]);
  });

  test("options keep their values; extensions have their full name", () => {
    const { roots } = contractOf(`syntax = "proto3"; package p; import "google/protobuf/descriptor.proto";
      message Rule { string name = 1; repeated int32 list = 2; Rule inner = 3; }
      extend google.protobuf.FieldOptions { Rule rule = 50001; }
      message M { int32 a = 1 [deprecated = true, json_name = "x", (rule).name = "n", (p.rule).inner = { list: [1, -2] name: "a" "b" }]; }`);
    const field = roots[0]?.messages[1]?.fields[0];
    expect(field?.jsonName).toBe("x");
    expect(field?.isDeprecated).toBe(true);
    expect(field?.options.map(({ name, value }) => [name, value])).toEqual([
      ["deprecated", { is: "name", text: "true" }],
      ["json_name", { is: "string", text: "x" }],
      ["(p.rule).name", { is: "string", text: "n" }],
      [
        "(p.rule).inner",
        {
          is: "message",
          fields: [
            {
              name: "list",
              value: {
                is: "list",
                values: [
                  { is: "integer", value: 1n },
                  { is: "integer", value: -2n },
                ],
              },
            },
            { name: "name", value: { is: "string", text: "ab" } },
          ],
        },
      ],
    ]);
  });

  test("methods have their path and kinds; a message may be named stream", () => {
    const service = contractOf(`syntax = "proto3"; package p; message stream {}
      service S {
        rpc A(stream) returns (stream stream);
        rpc B(stream stream) returns (p.stream) { option idempotency_level = NO_SIDE_EFFECTS; option deprecated = true; }
      }`).services.get("p.S");
    expect(service?.methods.map((one) => [one.path, one.requestStream, one.responseStream, one.idempotency, one.isDeprecated])).toEqual([
      ["/p.S/A", false, true, "unknown", false],
      ["/p.S/B", true, false, "no-side-effects", true],
    ]);
  });

  test("an import that no name needs is marked", () => {
    const [file] = contractOf(`syntax = "proto3"; import "google/protobuf/any.proto"; import "google/protobuf/empty.proto";
      message M { google.protobuf.Any a = 1; }`).roots;
    expect(file?.imports.map(({ isUsed }) => isUsed)).toEqual([true, false]);
  });
});

describe("limits", () => {
  test("size, nesting, files and problems", () => {
    const read = reader({ "m.proto": 'import "google/protobuf/any.proto"; message A { message B { message C { message A {} } } }' });
    const rules = (limits: Parameters<typeof loadContract>[2]) => {
      const loaded = loadContract(["m.proto"], read, limits);
      return loaded.is === "problems" ? loaded.problems.map(({ message }) => message) : [];
    };
    expect(rules({ fileOctets: 50 })).toEqual(['"m.proto" is larger than 50 octets.']);
    expect(rules({ nesting: 3 })).toEqual(["It nests deeper than the limit of 3 levels."]);
    expect(rules({ files: 1 })).toEqual(["The contract has more than 1 files."]);
    expect(rules({})).toEqual([]);
    const many = loadContract(["m.proto"], reader({ "m.proto": `message M { ${"optional X x = 1;".repeat(500)} }` }), { problems: 7 });
    expect(many.is === "problems" && many.problems.length).toBe(7);
  });

  test("a long chain of imports is refused without running out of stack", () => {
    const read: ReadContract = (path) => `import "${Number.parseInt(path) + 1}.proto";`;
    const loaded = loadContract(["0.proto"], read);
    expect(loaded.is === "problems" && loaded.problems.map(({ rule }) => rule)).toEqual(["limit"]);
  });

  test("octets that are not UTF-8 are a problem", () => {
    expect(problemsOf(Uint8Array.of(0x2f, 0x2f, 0xff)).map(({ rule }) => rule)).toEqual(["encoding"]);
  });
});

describe("damaged contracts", () => {
  const texts = [...Object.values(WELL_KNOWN), ...MISTAKES.map(({ text }) => text)];

  test("any damage gives a contract or problems with a place in the file, never an exception", () => {
    const damage = fc.record({
      text: fc.constantFrom(...texts),
      at: fc.nat(),
      drop: fc.nat(12),
      add: fc.oneof(
        fc.string({ maxLength: 6 }),
        fc.constantFrom("{", "}", ";", "[", "(", "=", "message", "oneof", "map<", '"', "/*", "-", "max", "0x"),
      ),
    });
    fc.assert(
      fc.property(damage, ({ text, at, drop, add }) => {
        const cut = at % (text.length + 1);
        const damaged = text.slice(0, cut) + add + text.slice(cut + drop);
        const lines = damaged.split("\n").length;
        for (const { file, line, column, message } of problemsOf(damaged)) {
          expect([file, line >= 1 && line <= lines && column >= 1, message.length > 0]).toEqual(["m.proto", true, true]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
