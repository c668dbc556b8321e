import { expect, test } from "vitest";
import type { JsonValue } from "../../message/index.ts";
import { loadContract } from "../load.ts";
import type { Contract } from "../model.ts";
import { FileDescriptorProto } from "./descriptor.pb.ts";
import { CodeGeneratorRequest } from "./plugin.pb.ts";
import { loadDescriptors } from "./read.ts";
import recorded from "./request.json" with { type: "json" };
import { describeContract } from "./write.ts";

const contractOf = (text: string): Contract => {
  const loaded = loadContract(["m.proto"], (path) => (path === "m.proto" ? text : undefined));
  if (loaded.is === "problems") throw new Error(loaded.problems.map(({ message }) => message).join("\n"));
  return loaded.contract;
};
/** The last file, as JSON. */
const described = (text: string): JsonValue => FileDescriptorProto.toJson(describeContract(contractOf(text)).at(-1)!);

test("a file is described as protoc 3.21.12 describes it", () => {
  const { contract, request } = recorded as { readonly contract: string; readonly request: JsonValue };
  const { sourceCodeInfo: _, ...theirs } = CodeGeneratorRequest.fromJson(request).protoFile.at(-1)!;
  expect(described(contract)).toEqual({ ...(FileDescriptorProto.toJson(theirs) as object), name: "m.proto" });
});

test("a file comes after those that it imports, and names them by their kind", () => {
  const text = `edition = "2024"; import "google/protobuf/any.proto"; import public "google/protobuf/empty.proto";
    import option "google/protobuf/descriptor.proto"; message M { google.protobuf.Any a = 1; }`;
  const files = describeContract(contractOf(text));
  expect(files.map(({ name }) => name)).toEqual([
    "google/protobuf/any.proto",
    "google/protobuf/empty.proto",
    "google/protobuf/descriptor.proto",
    "m.proto",
  ]);
  expect(described(text)).toMatchObject({
    dependency: ["google/protobuf/any.proto", "google/protobuf/empty.proto"],
    publicDependency: [1],
    optionDependency: ["google/protobuf/descriptor.proto"],
    syntax: "editions",
    edition: "EDITION_2024",
  });
});

test("proto2: no syntax, labels, groups, defaults, extensions and their ranges", () => {
  const json = described(`package old;
    message Base { required string name = 1 [default = "a\\"b"]; optional bytes raw = 2 [default = "\\x01\\n\\377'"]; optional double d = 3 [default = -inf];
      optional Kind k = 4 [default = TWO]; repeated group Part = 5 { optional bool b = 1 [default = true]; } extensions 100 to max; }
    enum Kind { ONE = 1; TWO = 2; reserved 5 to 7; }
    extend Base { optional Extra extra = 100; }
    message Extra { extend Base { repeated int32 inner = 101 [packed = true]; } }`);
  expect(json).toMatchObject({
    messageType: [
      {
        field: [
          { label: "LABEL_REQUIRED", defaultValue: 'a"b' },
          { defaultValue: "\\001\\n\\377\\'" },
          { defaultValue: "-inf" },
          { type: "TYPE_ENUM", typeName: ".old.Kind", defaultValue: "TWO" },
          { label: "LABEL_REPEATED", type: "TYPE_GROUP", typeName: ".old.Base.Part" },
        ],
        nestedType: [{ name: "Part", field: [{ defaultValue: "true" }] }],
        extensionRange: [{ start: 100, end: 536_870_912 }],
      },
      { extension: [{ name: "inner", extendee: ".old.Base", options: { packed: true } }] },
    ],
    enumType: [{ reservedRange: [{ start: 5, end: 7 }] }],
    extension: [{ name: "extra", extendee: ".old.Base", type: "TYPE_MESSAGE", typeName: ".old.Extra" }],
  });
  expect(json).not.toHaveProperty("syntax");
});

test("options: those of the language with their parts; extensions are left out", () => {
  const json = described(`edition = "2023"; import "google/protobuf/descriptor.proto"; option features.field_presence = IMPLICIT;
    option features = { enum_type: CLOSED }; option go_package = "x/y";
    extend google.protobuf.FieldOptions { string mine = 50001; }
    message M { int32 a = 1 [(mine) = "x", features.field_presence = EXPLICIT, targets = TARGET_TYPE_FIELD, targets = TARGET_TYPE_ENUM, json_name = "b"]; M m = 2 [features.message_encoding = DELIMITED]; }`);
  expect(json).toMatchObject({
    options: { goPackage: "x/y", features: { fieldPresence: "IMPLICIT", enumType: "CLOSED" } },
    messageType: [
      {
        field: [
          {
            jsonName: "b",
            options: { features: { fieldPresence: "EXPLICIT" }, targets: ["TARGET_TYPE_FIELD", "TARGET_TYPE_ENUM"] },
          },
          { type: "TYPE_MESSAGE", options: { features: { messageEncoding: "DELIMITED" } } },
        ],
      },
    ],
  });
});

test("the oneof of an optional field stands after the others, under a name that is free", () => {
  const json = described(
    'syntax = "proto3"; message M { optional int32 a = 1; oneof _a { string s = 2; } oneof o { int32 i = 3; } map<int32, M> my__map = 4; }',
  );
  expect(json).toMatchObject({
    messageType: [
      {
        oneofDecl: [{ name: "_a" }, { name: "o" }, { name: "X_a" }],
        field: [{ oneofIndex: 2, proto3Optional: true }, { oneofIndex: 0 }, { oneofIndex: 1 }, { typeName: ".M.MyMapEntry" }],
        nestedType: [{ name: "MyMapEntry", options: { mapEntry: true }, field: [{ type: "TYPE_INT32" }, { typeName: ".M" }] }],
      },
    ],
  });
});

test.each([
  [
    "proto2",
    `message M { optional bytes raw = 1 [default = "\\x01\\n\\377'\\"\\\\"]; optional double d = 2 [default = -inf]; repeated group G = 3 {}
      optional E e = 4 [default = B]; required string s = 5 [default = "a\\"b"]; extensions 100 to max; extend M { optional M m = 100; } } enum E { A = 1; B = 2; }`,
  ],
  [
    "editions",
    `edition = "2024"; option features.field_presence = IMPLICIT; export message M { int32 a = 1 [features.field_presence = EXPLICIT];
      M m = 2 [features.message_encoding = DELIMITED]; repeated int32 l = 3 [features.repeated_field_encoding = EXPANDED]; }
      local enum E { option features.enum_type = CLOSED; A = 1; }`,
  ],
  [
    "proto3",
    `syntax = "proto3"; package p; import "google/protobuf/timestamp.proto";
    message Order { map<string, Line> lines = 1; optional int32 count = 2; oneof pay { string card = 3; Kind kind = 4; } repeated sint64 sums = 5;
      google.protobuf.Timestamp at = 6; string long_name = 7 [json_name = "LN", deprecated = true]; reserved 9, 12 to 15; reserved "old";
      message Line { Order parent = 1; } enum Kind { NONE = 0; ONE = 1; } }
    service Shop { rpc Place(stream Order) returns (Order) { option deprecated = true; option idempotency_level = IDEMPOTENT; } }`,
  ],
])("%s: what is written is read again as the same contract", (_, text) => {
  const first = describeContract(contractOf(text));
  const loaded = loadDescriptors(first, ["m.proto"]);
  expect(loaded.is === "contract" && describeContract(loaded.contract)).toEqual(first);
});
