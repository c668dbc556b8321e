import { expect, test } from "vitest";
import { describeContract, FileDescriptorProto } from "../../../rpc/contract/descriptor/index.ts";
import { loadContract } from "../../../rpc/contract/index.ts";
import { ContractFiles } from "./files.ts";

const CONTRACT = `
  syntax = "proto2"; package a.b;
  message Base { required string name = 1; extensions 100 to 199; oneof choice { string one = 2; } enum Kind { NONE = 0; } }
  extend Base { optional string extra = 102; }
  message Extra { extend Base { optional int32 inner = 101; } }
  enum Top { ZERO = 0; }
  service S { rpc Go(Base) returns (Base); }
`;
function written(contract: string): readonly Uint8Array[] {
  const loaded = loadContract(["a_b.proto"], (path) => (path === "a_b.proto" ? contract : undefined));
  return loaded.is === "contract" ? describeContract(loaded.contract).map((file) => FileDescriptorProto.encode(file)) : [];
}
function filesOf(contract: string): ContractFiles {
  const files = new ContractFiles();
  for (const octets of written(contract)) files.add(octets);
  return files;
}

test.each([
  "a.b.Base",
  "a.b.Base.name",
  "a.b.Base.choice",
  "a.b.Base.Kind",
  "a.b.Base.NONE",
  "a.b.extra",
  "a.b.Extra.inner",
  "a.b.Top",
  "a.b.ZERO",
  "a.b.S",
  "a.b.S.Go",
])("the file of %s", (symbol) => {
  expect(filesOf(CONTRACT).bySymbol(symbol)?.name).toBe("a_b.proto");
});

test("a symbol that is not there, or a package, has no file", () => {
  const files = filesOf(CONTRACT);
  expect([files.bySymbol("a.b"), files.bySymbol("a.b.Nothing"), files.byName("other.proto")]).toEqual([undefined, undefined, undefined]);
});

test("extensions of a message, by their numbers", () => {
  const files = filesOf(CONTRACT);
  expect(files.extensionsOf("a.b.Base")).toEqual([101, 102]);
  expect(files.extensionsOf("a.b.Extra")).toEqual([]);
  expect(files.extensionsOf("a.b.Nothing")).toBeUndefined();
  expect(files.byExtension("a.b.Base", 102)?.name).toBe("a_b.proto");
  expect(files.byExtension("a.b.Base", 103)).toBeUndefined();
});

test("a file comes with its imports, once", () => {
  const files = filesOf(
    'syntax = "proto3"; package c; import "google/protobuf/timestamp.proto"; message M { google.protobuf.Timestamp t = 1; }',
  );
  const sent = new Set<string>();
  expect(files.withImports(files.byName("a_b.proto")!, sent)).toHaveLength(2);
  expect(files.withImports(files.byName("google/protobuf/timestamp.proto")!, sent)).toEqual([]);
});

test("the same file twice is one; another file with its name is refused, and so is what is no file", () => {
  const files = filesOf(CONTRACT);
  for (const octets of written(CONTRACT)) files.add(octets);
  const [other] = written('syntax = "proto3"; package a.b; message X {}');
  expect(() => files.add(other!)).toThrow('two contracts have the file name "a_b.proto"');
  expect(() => files.add(Uint8Array.of(0x0a, 0xff))).toThrow("not an encoded FileDescriptorProto");
});
