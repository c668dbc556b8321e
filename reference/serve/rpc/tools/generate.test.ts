import { describe, expect, test } from "vitest";
import { Project } from "./testing.ts";

const SHOP = `syntax = "proto3";
// The contracts of a shop.
package shop.v1;

import "google/protobuf/timestamp.proto";
import "google/protobuf/struct.proto";
import "shop/v1/money.proto";

// What the shop sells.
enum Kind {
  KIND_UNSPECIFIED = 0;
  // Printed paper.
  KIND_BOOK = 1;
  KIND_OLD = 2 [deprecated = true];
}

/*
 * One line of an order.
 *
 * It ends a comment: *\\/ is escaped.
 */
message Item {
  string name = 1; // As on the cover.
  Kind kind = 2;
  Money price = 3;
  int64 count = 4;
  bytes picture = 5;
  repeated string tags = 6;
  map<string, Money> rebates = 7;
  map<int64, int32> a_very_long_name_of_a_field_that_does_not_fit_on_one_line_of_a_hundred_columns = 8;
  optional int32 pages = 9;
  // How it leaves.
  oneof delivery {
    // Where to.
    string address = 10;
    bool collected = 11 [deprecated = true];
  }
  google.protobuf.Timestamp when = 12;
  google.protobuf.Value extra = 13;
  string old_name = 14 [deprecated = true, json_name = "OLD"];
  message Inner { message Deeper { Item item = 1; } Deeper deeper = 1; enum Size { SMALL = 0; LARGE = 1; } Size size = 2; }
  Inner inner = 15;
}

message Nothing {}
message AMessageWithAVeryLongNameThatFormattersHaveToBreakTheLineFor { Item only = 1; }

// Sells.
service Shop {
  // One item.
  rpc Buy(Item) returns (Money);
  rpc List(Nothing) returns (stream Item) { option idempotency_level = NO_SIDE_EFFECTS; }
  // Use Buy.
  rpc BuyMany(stream Item) returns (Money) { option deprecated = true; }
  rpc Talk(stream Item) returns (stream Item);
}
service Empty {}
`;
const MONEY = `syntax = "proto2";
package shop.v1;
message Money { required string currency = 1; optional int64 units = 2 [default = 5]; optional group Parts = 3 { optional int32 x = 1; } }
enum Closed { ONE = 1; TWO = 2; }
`;
/** Names that are words of the language, of its library, or of generated code; fields that every object inherits. */
const NAMES = `syntax = "proto3";
message Uint8Array { string string = 1; bytes constructor = 2; int32 to_string = 3; int32 class = 4; int32 __proto__ = 5; int32 _1 = 6; int32 is = 7; int32 value = 8; }
message string { Uint8Array a = 1; MessageType b = 2; delete c = 3; Foo.Bar d = 4; Foo_Bar e = 5; ReadonlyMap f = 6; }
message MessageType { map<string, MessageType> all = 1; }
message delete {}
message ReadonlyMap { map<string, bytes> bytes = 1; oneof oneof { int32 default = 2; string import = 3; } }
message Foo { message Bar {} }
message Foo_Bar { int32 x = 1; }
message SClient {}
enum enum { type = 0; of = 1; }
enum await { await_A = 0; AWAIT_B = 1; }
service S { rpc Constructor(delete) returns (Foo); rpc toString(delete) returns (SClient); rpc Delete(delete) returns (delete); }
`;
const shop = (): Project => {
  const project = new Project();
  project.write("contracts/shop/v1/shop.proto", SHOP.replace("*\\/", "*\\ /"));
  project.write("contracts/shop/v1/money.proto", MONEY);
  project.write("contracts/names.proto", NAMES);
  return project;
};
const GENERATE = ["rpc", "generate", "-I", "contracts", "contracts/shop/v1/shop.proto", "contracts/names.proto", "--out", "code"];

/** Uses everything: it has to compile, and to print what it should. */
const USE = `import { openChannel, serveRpc, implement, CallFailed, Status } from "@touchstone-suite/touchstone/rpc";
import { Timestamp } from "@touchstone-suite/touchstone/rpc/well-known";
import { Item, Kind, Shop, type ShopClient, type ShopServer } from "./code/shop/v1/shop.pb.ts";
import { Money } from "./code/shop/v1/money.pb.ts";

const handlers: ShopServer = {
  buy: (item) => {
    if (item.count < 0n) throw new CallFailed(Status.INVALID_ARGUMENT, "fewer than none");
    return { currency: "EUR", units: item.count * (item.price?.units ?? 1n) };
  },
  async *list(request, call) {
    void [request, call];
    for (const name of ["a", "b"]) yield { name, kind: Kind.BOOK };
  },
  buyMany: async (items) => {
    let units = 0n;
    for await (const { count } of items) units += count;
    return { currency: "EUR", units };
  },
  async *talk(items) {
    for await (const item of items) {
      const said = item.delivery?.is === "address" ? item.delivery.value.toUpperCase() : "?";
      yield { ...item, name: said };
    }
  },
};
const server = await serveRpc([implement(Shop, handlers)], {});
const channel = openChannel(server.url);
const client: ShopClient = channel.client(Shop);
async function* items() {
  yield { count: 2n, delivery: { is: "address", value: "here" } } as const;
  yield Item.create({ count: 3n });
}
const paid = await client.buy({ name: "x", count: 3n, price: { currency: "EUR", units: 7n } });
console.log(paid.units, (await Array.fromAsync(client.list({}))).map(({ name, kind, tags }) => [name, kind, tags.length]));
console.log((await client.buyMany(items())).units, (await Array.fromAsync(client.talk(items()))).map(({ name, count }) => [name, count]));
console.log(await client.buy({ count: -1n }).catch((error: unknown) => error instanceof CallFailed && error.status === Status.INVALID_ARGUMENT));
const when = Timestamp.fromJson("2026-01-02T03:04:05.5Z");
const json = Item.toJson({ kind: Kind.BOOK, when, extra: { kind: { is: "boolValue", value: true } }, oldName: "o", rebates: new Map([["r", Money.create({ currency: "CHF" })]]) });
console.log(JSON.stringify(json), Item.fromJson(json).when?.nanos);
await channel.close();
await server.close();
`;

describe("touchstone rpc generate", () => {
  test("TypeScript: compiles under the strictest settings, is formatted, and calls all four kinds", () => {
    using project = shop();
    const { status, stdout, stderr } = project.touchstone(...GENERATE);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.trim().split("\n")).toEqual(["code/shop/v1/shop.pb.ts", "code/shop/v1/money.pb.ts", "code/names.pb.ts"]);
    expect(project.isFormatted()).toBe(true);
    project.write("use.ts", USE);
    expect(project.compile(["use.ts", "code/names.pb.ts"])).toBe("");
    expect(project.run("use.ts").trim().split("\n")).toEqual([
      "21n [ [ 'a', 1, 0 ], [ 'b', 1, 0 ] ]",
      "5n [ [ 'HERE', 2n ], [ '?', 3n ] ]",
      "true",
      '{"kind":"KIND_BOOK","rebates":{"r":{"currency":"CHF"}},"when":"2026-01-02T03:04:05.500Z","extra":true,"OLD":"o"} 500000000',
    ]);
  });

  test("JavaScript with declarations: the same program compiles and runs", () => {
    using project = shop();
    expect(project.touchstone(...GENERATE, "--js").status).toBe(0);
    expect(project.isFormatted()).toBe(true);
    project.write("use.ts", USE.replaceAll(".pb.ts", ".pb.js"));
    expect(project.compile(["use.ts", "code/names.pb.d.ts"])).toBe("");
    expect(project.run("use.ts")).toContain("5n [ [ 'HERE', 2n ], [ '?', 3n ] ]");
  });

  test("the text is documented from the contract, and the same each time", () => {
    using project = shop();
    project.touchstone(...GENERATE);
    const text = project.read("code/shop/v1/shop.pb.ts");
    for (const part of [
      "/** What the shop sells. */\nexport const Kind",
      "    /** Printed paper. */\n    BOOK: 1,",
      "/** @deprecated */\n    OLD: 2,",
      "/** As on the cover. */\n  readonly name: string;",
      "readonly pages?: number | undefined;",
      "  /** How it leaves. */\n  readonly delivery?: OneOf<{\n    /** Where to. */\n    readonly address: string;",
      "    /**\n     * Use Buy.\n     *\n     * @deprecated\n     */\n    buyMany: {",
      'idempotency: "no-side-effects",',
    ])
      expect(text).toContain(part);
    project.touchstone(...GENERATE);
    expect(project.read("code/shop/v1/shop.pb.ts")).toBe(text);
  });

  test("a contract with mistakes: every place is named, nothing is written, and the status is 1", () => {
    using project = new Project();
    project.write("bad.proto", 'syntax = "proto3";\nmessage M {\n  int32 a = 1;\n  Missing b = 1;\n}\n');
    const { status, stdout, stderr } = project.touchstone("rpc", "generate", "bad.proto", "--out", "code");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe('bad.proto:4:3: "Missing" is not defined.\n');
    expect(project.touchstone("rpc", "generate", "none.proto", "--out", "code").stderr).toContain("none.proto:1:1: There is no file");
    expect(project.touchstone("rpc", "generate", "bad.proto").status).toBe(2);
  });
});
