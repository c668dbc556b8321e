import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { CallFailed, type AnyDialectName, Status } from "../../../rpc/index.ts";
import type { Server } from "../../server/options.ts";
import { echo } from "../echo.ts";
import { interop } from "../interop.ts";
import { servicesOf } from "../reflect.ts";
import { reflection } from "../reflection/reflection.ts";
import { implement, serveRpc } from "../server.ts";
import { call, type CallCommandOptions } from "./call.ts";
import { describe as describeSymbol, type DescribeOptions, list } from "./explore.ts";

const BIN = fileURLToPath(new URL("../../../../bin.js", import.meta.url));
const SHOP = servicesOf(`
  syntax = "proto3"; package shop.v1; import "google/protobuf/timestamp.proto";
  message Order { string order_name = 1; optional int32 count = 2; oneof how { string card = 3; bytes cash = 4; } google.protobuf.Timestamp at = 5; map<string, int64> sums = 6; }
  service Shop { rpc Place(Order) returns (Order); }
`).get("shop.v1.Shop")!;
const THINGS = servicesOf(`
  package old.v1; import "google/protobuf/any.proto"; import "google/protobuf/duration.proto"; import "google/protobuf/field_mask.proto";
  import "google/protobuf/struct.proto"; import "google/protobuf/wrappers.proto";
  enum Kind { ONE = 1; TWO = 2; }
  message Thing {
    required int64 id = 1; repeated Kind kinds = 2; optional group Part = 3 { optional bool flag = 1; } optional google.protobuf.Any any = 4;
    optional google.protobuf.Any held = 5; optional google.protobuf.Struct value = 6; optional google.protobuf.FieldMask mask = 7;
    optional google.protobuf.Int32Value count = 8; optional google.protobuf.Int64Value size = 9; optional google.protobuf.Duration took = 10;
    extensions 100 to max;
  }
  extend Thing { optional string label = 100; }
  message Owner { optional string name = 1; extend Thing { optional Owner own = 101; } }
  service Things { rpc Keep(Thing) returns (Thing); }
`).get("old.v1.Things")!;
const things = implement(THINGS, { keep: (thing: object) => thing });
/** google.rpc.Status with one google.rpc.ErrorInfo. */
const DETAILS =
  Buffer.from("0805120162", "hex").toString("hex") +
  "1a3d0a28747970652e676f6f676c65617069732e636f6d2f676f6f676c652e7270632e4572726f72496e666f12110a0753544f434b5f301206676f6f642e6f";
const shop = implement(SHOP, {
  place: (order: { readonly orderName: string }) => {
    if (order.orderName === "none") throw new CallFailed(Status.NOT_FOUND, "sold out", { details: Buffer.from(DETAILS, "hex") });
    return order;
  },
});

const running = new Map<AnyDialectName, Promise<Server>>();
/** A server in a dialect, with reflection. */
const server = (dialect: AnyDialectName): Promise<Server> => {
  const services = [echo(), interop(), shop, things];
  const made = running.get(dialect) ?? serveRpc([...services, ...reflection(services)], { dialect, graceMs: 100 });
  running.set(dialect, made);
  return made;
};
const folder = mkdtempSync(join(tmpdir(), "touchstone-rpc-"));
afterAll(async () => {
  for (const one of running.values()) await (await one).close();
  rmSync(folder, { recursive: true });
});

const OPTIONS: CallCommandOptions & DescribeOptions = { proto: [], protoPath: [], header: [], data: [] };
/** What a command prints, and its exit status. */
async function printed(run: () => Promise<number>): Promise<{ readonly status: number; readonly out: string; readonly errors: string }> {
  const out: string[] = [];
  const errors: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((line) => void out.push(String(line)));
  const error = vi.spyOn(console, "error").mockImplementation((line) => void errors.push(String(line)));
  try {
    return { status: await run(), out: out.join("\n"), errors: errors.join("\n") };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

test.each(["grpc-web", "connect"] as const)("call: speaks %s, with reflection", async (dialect) => {
  const { url } = await server(dialect);
  const { out } = await printed(() => call(url, "touchstone.echo.v1.Echo.Unary", { ...OPTIONS, dialect, data: ['{"text":"hi"}'] }));
  expect(JSON.parse(out)).toEqual({ text: "hi" });
});

test.each(["rpc", "grpc"] as const)("call: finds out that the server speaks %s", async (dialect) => {
  const { url } = await server(dialect);
  const { out, errors } = await printed(() =>
    call(url, "touchstone.echo.v1.Echo.Unary", { ...OPTIONS, data: ['{"text":"hi"}'], verbose: true }),
  );
  expect(JSON.parse(out)).toEqual({ text: "hi" });
  expect(errors).toMatch(`touchstone.echo.v1.Echo/Unary, dialect ${dialect}\n`);
  expect(errors).toMatch(/OK \(0\), 1 message; contract [0-9.]+ ms, headers .* first message .* total /);
});

test.each([
  ["Unary", [], ["{}"]],
  ["Collect", ['{"text":"a"}{"text":"b"}', '{"text":"c"}'], ['{"text":"abc","number":3}']],
  ["Repeat", ['{"number":2}'], ['{"number":1}', '{"number":2}']],
  ["Chat", ['{"number":1} {"text":"x"}'], ['{"number":1}', '{"text":"x"}']],
])("call: %s with %j", async (method, data, lines) => {
  const { url } = await server("grpc");
  const { status, out } = await printed(() => call(url, `touchstone.echo.v1.Echo/${method}`, { ...OPTIONS, data, compact: true }));
  expect([status, out.split("\n")]).toEqual([0, lines]);
});

test("call: proto3 JSON in both directions", async () => {
  const { url } = await server("grpc");
  const order = { orderName: "x", count: 0, cash: "AAE=", at: "2026-01-02T03:04:05Z", sums: { a: "9007199254740993" } };
  const { out } = await printed(() => call(url, "shop.v1.Shop/Place", { ...OPTIONS, data: [JSON.stringify(order)] }));
  expect(JSON.parse(out)).toEqual(order);
});

test("call: an Any holds a message of another contract of the server, in both directions; one that nobody has is named", async () => {
  const { url } = await server("grpc");
  const keep = (type: string) => {
    const data = [JSON.stringify({ id: 1, any: { "@type": `type.googleapis.com/${type}`, orderName: "x" } })];
    return printed(() => call(url, "old.v1.Things/Keep", { ...OPTIONS, data }));
  };
  const { out } = await keep("shop.v1.Order");
  expect(JSON.parse(out).any).toEqual({ "@type": "type.googleapis.com/shop.v1.Order", orderName: "x" });
  expect(await keep("nobody.v1.Thing")).toMatchObject({ status: 2, errors: expect.stringContaining("nobody.v1.Thing") });
});

test.each(["grpc", "connect"] as const)("call: extensions, groups, Any and well-known types in %s", async (dialect) => {
  const { url } = await server(dialect);
  const thing = {
    id: "1",
    kinds: ["TWO"],
    part: { flag: true },
    "[old.v1.label]": "x",
    "[old.v1.Owner.own]": { name: "y" },
    any: { "@type": "type.googleapis.com/old.v1.Owner", name: "z" },
    held: { "@type": "type.googleapis.com/google.protobuf.Duration", value: "1.500s" },
    value: { a: [1, null] },
    mask: "aB,c",
    size: "5",
  };
  const { out, errors } = await printed(() => call(url, "old.v1.Things/Keep", { ...OPTIONS, dialect, data: [JSON.stringify(thing)] }));
  expect([errors, JSON.parse(out || "null")]).toEqual(["", thing]);
  const printedThing = await printed(() => describeSymbol(url, "old.v1.Thing", { ...OPTIONS, dialect }));
  expect(printedThing.out).toContain("required int64 id = 1;\n  repeated old.v1.Kind kinds = 2;\n");
  expect(printedThing.out).toContain("extensions 100 to max;");
  expect((await printed(() => describeSymbol(url, "old.v1.label", { ...OPTIONS, dialect }))).out).toBe(
    "extend old.v1.Thing {\n  optional string label = 100;\n}",
  );
  expect((await printed(() => describeSymbol(url, "shop.v1.Order.how", { ...OPTIONS, dialect }))).out).toContain("string card = 3;");
});

test("call: metadata in both directions", async () => {
  const { url } = await server("grpc");
  const header = ["x-grpc-test-echo-initial: one", "x-grpc-test-echo-trailing-bin:AAEC"];
  const { errors } = await printed(() => call(url, "grpc.testing.TestService/UnaryCall", { ...OPTIONS, header, verbose: true }));
  expect(errors).toContain("headers: x-grpc-test-echo-initial: one\n");
  expect(errors).toContain("trailers: x-grpc-test-echo-trailing-bin: AAEC\n");
});

test("call: a failure has its name, number, message and details, and is 64 and the number", async () => {
  const { url } = await server("grpc");
  const { status, errors } = await printed(() => call(url, "shop.v1.Shop/Place", { ...OPTIONS, data: ['{"orderName":"none"}'] }));
  expect(errors).toBe('NOT_FOUND (5): sold out\n  google.rpc.ErrorInfo: {"reason":"STOCK_0","domain":"good.o"}');
  expect(status).toBe(69);
});

test("call: a deadline that passes", async () => {
  const { url } = await server("grpc");
  const data = ['{"responseParameters":[{"size":1,"intervalUs":30000000}]}'];
  const { status, errors } = await printed(() =>
    call(url, "grpc.testing.TestService/StreamingOutputCall", { ...OPTIONS, data, deadline: 1_500 }),
  );
  expect([status, errors]).toEqual([68, "DEADLINE_EXCEEDED (4): The deadline of the call has passed."]);
});

test.each([
  ["touchstone.echo.v1.Echo/Unary", ['{"txt":1}'], "message 1 is not a touchstone.echo.v1.Message"],
  ["touchstone.echo.v1.Echo/Chat", ["{}{"], "message 2 is not JSON"],
  ["touchstone.echo.v1.Echo/Unary", ["{}{}"], "takes one message: --data has more"],
  ["touchstone.echo.v1.Echo/Unary", ["@/nowhere.json"], "the file cannot be read (ENOENT)"],
  ["touchstone.echo.v1.Echo/Une", [], 'touchstone.echo.v1.Echo has no method "Une": it has Unary, Collect, Repeat, Chat'],
  ["touchstone.Echo/Unary", [], 'there is no service "touchstone.Echo": there are grpc.reflection.v1.ServerReflection'],
  ["Unary", [], '"Unary" is not a method: give one such as package.Service/Method'],
])("call %s %j: exits with status 2 and says why", async (method, data, why) => {
  const { url } = await server("grpc");
  const { status, errors } = await printed(() => call(url, method, { ...OPTIONS, data }));
  expect(errors).toContain(why);
  expect(status).toBe(2);
});

test.each([
  [["nocolon"], "give name:value"],
  [["x-bin: ?"], "is Base64"],
])("call with the header %j: exits with status 2", async (header, why) => {
  const { url } = await server("grpc");
  const { status, errors } = await printed(() => call(url, "touchstone.echo.v1.Echo/Unary", { ...OPTIONS, header }));
  expect([status, errors]).toEqual([2, expect.stringContaining(why)]);
});

test("a server that is not there is exit status 3", async () => {
  const { status, errors } = await printed(() => list("http://127.0.0.1:1", undefined, OPTIONS));
  expect([status, errors]).toEqual([3, "touchstone rpc: nothing listens at 127.0.0.1:1: is the server running?"]);
});

test("list: services, and the methods of one", async () => {
  const { url } = await server("rpc");
  const services = await printed(() => list(url, undefined, OPTIONS));
  expect(services.out.split("\n")).toContain("shop.v1.Shop");
  expect((await printed(() => list(url, "shop.v1.Shop", OPTIONS))).out).toBe("shop.v1.Shop/Place");
  expect(await printed(() => list(url, "shop.v1.Order", OPTIONS))).toMatchObject({ status: 2 });
});

test("describe: a method with its messages, a template, and all services", async () => {
  const { url } = await server("grpc");
  const { out } = await printed(() => describeSymbol(url, "shop.v1.Shop/Place", OPTIONS));
  expect(out).toBe(`rpc Place(shop.v1.Order) returns (shop.v1.Order);

message shop.v1.Order {
  string order_name = 1;
  optional int32 count = 2;
  google.protobuf.Timestamp at = 5;
  map<string, int64> sums = 6;
  oneof how {
    string card = 3;
    bytes cash = 4;
  }
}`);
  const template = await printed(() => describeSymbol(url, "shop.v1.Shop.Place", { ...OPTIONS, template: true }));
  expect(JSON.parse(template.out)).toEqual({ orderName: "", count: 0, card: "", cash: "", at: "2000-01-01T00:00:00Z", sums: { key: "0" } });
  expect((await printed(() => describeSymbol(url, undefined, OPTIONS))).out).toContain("service shop.v1.Shop {");
  expect(await printed(() => describeSymbol(url, "shop.v1.Nothing", OPTIONS))).toMatchObject({ status: 2 });
});

test("contracts in files: imports in folders, and a mistake with its place", async () => {
  mkdirSync(join(folder, "inc"));
  writeFileSync(join(folder, "inc", "base.proto"), 'syntax = "proto3"; package touchstone.echo.v1; message Message { string text = 1; }');
  writeFileSync(
    join(folder, "echo.proto"),
    'syntax = "proto3"; package touchstone.echo.v1; import "base.proto"; service Echo { rpc Unary(Message) returns (Message); }',
  );
  writeFileSync(join(folder, "wrong.proto"), 'syntax = "proto3";\nmessage { }');
  const { url } = await server("grpc");
  const files = { ...OPTIONS, proto: [join(folder, "echo.proto")] };
  const options = { ...files, protoPath: [join(folder, "inc")] };
  const { out } = await printed(() => call(url, "touchstone.echo.v1.Echo/Unary", { ...options, data: ['{"text":"file"}'], compact: true }));
  expect(out).toBe('{"text":"file"}');
  expect((await printed(() => list(url, undefined, options))).out).toBe("touchstone.echo.v1.Echo");
  expect(await printed(() => list(url, undefined, files))).toMatchObject({
    status: 2,
    errors: expect.stringMatching(/echo\.proto:1:\d+: There is no file "base\.proto" in the import paths\./),
  });
  const wrong = await printed(() => list(url, undefined, { ...OPTIONS, proto: [join(folder, "wrong.proto")] }));
  expect(wrong).toMatchObject({ status: 2, errors: expect.stringContaining("wrong.proto:2:9: ") });
});

test("a server without reflection: the answer says what to do", async () => {
  const bare = await serveRpc([echo()], { graceMs: 100 });
  const { status, errors } = await printed(() => list(bare.url, undefined, OPTIONS));
  await bare.close();
  expect([status, errors]).toEqual([2, "touchstone rpc: the server has no reflection: give its contract with --proto FILE"]);
});

test("touchstone rpc call: sends what comes on standard input as it comes", async () => {
  const { url } = await server("grpc");
  const args = [BIN, "rpc", "call", url, "touchstone.echo.v1.Echo/Chat", "--data", "@", "--compact"];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write('{"number":1}\n');
  const first = Promise.withResolvers<string>();
  child.stdout.once("data", (line) => first.resolve(String(line)));
  expect(await first.promise).toBe('{"number":1}\n');
  child.stdin.end('{"number":2}');
  expect(await text(child.stdout)).toBe('{"number":2}\n');
});
