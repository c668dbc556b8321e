import {
  breakages,
  type Contract,
  generate,
  LINT_RULES,
  lintContract,
  loadContract,
  type Place,
} from "../../reference/rpc/contract/index.ts";
import type { Target } from "../lib/target.ts";

const FILE = "a.proto";
/** A second file that the input may import: what it says is right. */
const OTHER = { "b.proto": 'syntax = "proto3"; package b; message M { int32 i = 1; } enum E { Z = 0; }' } as const;

const inText = ({ file, line, column }: Place, lines: readonly string[]): boolean =>
  file !== FILE || (line >= 1 && line <= lines.length && column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 1);

/** What can be done with a contract without mistakes. */
function used(contract: Contract): void {
  lintContract(contract, LINT_RULES);
  const [broken] = breakages(contract, contract);
  if (broken !== undefined) throw new Error(`a contract breaks itself: ${broken.rule}`);
  generate(contract, [FILE]);
}

export const target: Target = {
  name: "rpc/contract",
  about: "a file that is damaged in any way is a contract, which can be used, or has problems, whose places are in it",
  maxLength: 800,
  run: (input) => {
    const text = new TextDecoder().decode(input);
    const read = (path: string): Uint8Array | string | undefined => (path === FILE ? input : OTHER[path as keyof typeof OTHER]);
    const loaded = loadContract([FILE], read);
    if (loaded.is === "contract") return used(loaded.contract);
    const lines = text.split("\n");
    if (loaded.problems.length === 0) throw new Error("neither a contract nor a problem");
    for (const problem of loaded.problems)
      if (!inText(problem, lines)) throw new Error(`${problem.line}:${problem.column} is not in the file (${problem.rule})`);
    return undefined;
  },
  seeds: [
    'syntax = "proto3";\npackage a.b;\nimport "b.proto";\nmessage M {\n  optional int32 i = 1 [deprecated = true];\n  map<string, b.M> m = 2;\n  oneof o { string s = 3; bytes y = 4; }\n  reserved 5 to 7, 9;\n  repeated b.E e = 10 [packed = false];\n}\n',
    'syntax = "proto2";\nmessage M {\n  required int32 i = 1 [default = -7];\n  optional group G = 2 { optional float f = 1 [default = 1e-3]; }\n  extensions 100 to max;\n}\nextend M { optional string s = 100; }\n',
    'edition = "2023";\noption features.field_presence = IMPLICIT;\nenum E { option allow_alias = true; A = 0; B = 0; reserved -1, "C"; }\n',
    'syntax = "proto3";\n// A service.\nservice S {\n  // A method.\n  rpc R(stream M) returns (stream M) { option idempotency_level = NO_SIDE_EFFECTS; }\n}\nmessage M { message N { enum E { Z = 0; } } N.E e = 1 [json_name = "f"]; }\n',
    'import weak "b.proto"; import public "google/protobuf/any.proto"; message M { google.protobuf.Any a = 1; string s = 2 [(b.x) = {a: [1, 2] b <c: "d" \'e\'>}]; } /* ',
  ].map((text) => Buffer.from(text)),
  dictionary: [
    "message ",
    "oneof ",
    "map<",
    "stream ",
    "reserved ",
    "extend ",
    "max",
    "0x1f",
    '"\\x0a"',
    "//",
    "/*",
    "*/",
    "inf",
    "-",
    "[default = ",
    "};",
    "package a;",
    "import public ",
  ].map((text) => Buffer.from(text)),
};
