import protobuf from "protobufjs";
import descriptors, { type IFileDescriptorProto } from "protobufjs/ext/descriptor.js";
import { expect, test } from "vitest";
import { servicesOf } from "../reflect.ts";
import { writeFiles } from "./write-files.ts";

const CONTRACT = `
syntax = "proto3";
package shop.v1;
import "google/protobuf/timestamp.proto";
message Order {
  map<string, Order.Line> order_lines = 1;
  optional int32 count = 2;
  oneof payment { string card = 3; Kind kind = 4; }
  optional string note = 5;
  google.protobuf.Timestamp placed = 6;
  repeated sint64 sums = 7;
  string long_name = 8 [json_name = "LN", deprecated = true];
  message Line { Order parent = 1; }
  enum Kind { NONE = 0; ONE = 1; }
  reserved 9, 12 to 15;
  reserved "old";
}
service Shop {
  rpc Place(stream Order) returns (Order) { option deprecated = true; }
  rpc Watch(Order) returns (stream google.protobuf.Timestamp);
}
`;
const filesOf = (root: protobuf.Root) =>
  writeFiles(root).map((octets) => descriptors.FileDescriptorProto.decode(octets) as IFileDescriptorProto);
const described = (contract: string, file?: string) =>
  [...[...servicesOf(contract, file).values()][0]!.descriptors!].map(
    (octets) => descriptors.FileDescriptorProto.decode(octets) as IFileDescriptorProto,
  );

test("a file comes after the files that it imports, with the name that its parser was given", () => {
  const files = described(CONTRACT, "shop/v1/shop.proto");
  expect(files.map(({ name, package: space, syntax, dependency }) => [name, space, syntax, dependency])).toEqual([
    ["google/protobuf/timestamp.proto", "google.protobuf", "proto3", []],
    ["shop/v1/shop.proto", "shop.v1", "proto3", ["google/protobuf/timestamp.proto"]],
  ]);
});

test("a file without a name is named by its package", () => {
  expect(described(CONTRACT).at(-1)!.name).toBe("shop_v1.proto");
});

test("messages: complete names of types, map entries, and `optional` after other oneofs", () => {
  const order = described(CONTRACT).at(-1)!.messageType![0]!;
  expect(order.field!.map(({ name, typeName }) => [name, typeName])).toEqual([
    ["order_lines", ".shop.v1.Order.OrderLinesEntry"],
    ["count", ""],
    ["card", ""],
    ["kind", ".shop.v1.Order.Kind"],
    ["note", ""],
    ["placed", ".google.protobuf.Timestamp"],
    ["sums", ""],
    ["long_name", ""],
  ]);
  expect(order.oneofDecl!.map(({ name }) => name)).toEqual(["payment", "_count", "_note"]);
  expect(order.field!.filter((field) => Object.hasOwn(field, "oneofIndex")).map(({ name, oneofIndex }) => [name, oneofIndex])).toEqual([
    ["count", 1],
    ["card", 0],
    ["kind", 0],
    ["note", 2],
  ]);
  const [entry, line] = order.nestedType!;
  expect([entry!.name, entry!.options!.mapEntry]).toEqual(["OrderLinesEntry", true]);
  expect(entry!.field![1]!.typeName).toBe(".shop.v1.Order.Line");
  expect(line!.field![0]!.typeName).toBe(".shop.v1.Order");
  expect(order.field!.at(-1)).toMatchObject({ jsonName: "LN", options: { deprecated: true } });
  expect(order.reservedRange!.map(({ start, end }) => [start, end])).toEqual([
    [9, 10],
    [12, 16],
  ]);
});

test("services: which sides are streams", () => {
  const [shop] = described(CONTRACT).at(-1)!.service!;
  expect(shop!.method!.map((one) => [one.name, one.inputType, one.outputType, one.clientStreaming, one.serverStreaming])).toEqual([
    ["Place", ".shop.v1.Order", ".shop.v1.Order", true, false],
    ["Watch", ".shop.v1.Order", ".google.protobuf.Timestamp", false, true],
  ]);
});

test("proto2: no syntax, `required`, and extensions with the name of what they extend", () => {
  const { root } = protobuf.parse(`
    syntax = "proto2"; package old;
    message Base { required string name = 1; extensions 100 to 199; }
    extend Base { optional Extra extra = 100; }
    message Extra { extend Base { optional int32 inner = 101; } }
  `);
  const [file] = filesOf(root);
  expect(file!.syntax).toBe("");
  expect(file!.messageType![0]!.field![0]!.label).toBe(2);
  expect(file!.extension!.map(({ name, extendee, typeName }) => [name, extendee, typeName])).toEqual([
    ["extra", ".old.Base", ".old.Extra"],
  ]);
  const extra = file!.messageType![1]! as { readonly extension?: readonly { readonly extendee?: string }[]; readonly field?: unknown[] };
  expect([extra.extension!.map(({ extendee }) => extendee), extra.field]).toEqual([[".old.Base"], []]);
});

test("what is written is read again as the same contract", () => {
  const root = new protobuf.Root();
  root.addJSON(protobuf.common.get("google/protobuf/timestamp.proto")!.nested!);
  protobuf.parse(CONTRACT, root);
  const files = filesOf(root);
  const again = protobuf.Root.fromDescriptor({ file: files });
  expect(filesOf(again)).toEqual(files);
});
