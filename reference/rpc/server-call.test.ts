import { expect, test } from "vitest";
import { Fields } from "../http/index.ts";
import { DIALECTS } from "./dialect.ts";
import { openCall, ResponseHeads } from "./server-call.ts";
import { Status } from "./status.ts";

const SETUP = { dialect: DIALECTS.rpc, compressors: new Map() };
const open = (fields: Record<string, string> = {}, { method = "POST", path = "/a.B/C" } = {}) =>
  openCall(
    { method, path, fields: Fields.from(Object.entries({ "content-type": "application/rpc", ...fields })) },
    SETUP,
    (known) => known === "/a.B/C",
  );
const list = (fields: Fields): string[] => [...fields].map(([name, value]) => `${name}: ${value}`);

test("the head of a call has its metadata, its timeout and its encodings", () => {
  const call = open({
    "rpc-timeout": "1500m",
    "rpc-encoding": "gzip",
    "rpc-accept-encoding": "identity, gzip,zstd",
    "x-a": "1",
    te: "trailers",
  });
  if (call.is !== "call") throw new Error("it is a call");
  expect(call).toMatchObject({ timeoutMs: 1_500, encoding: "gzip", accepted: ["gzip", "zstd"] });
  expect([...call.metadata]).toEqual([{ name: "x-a", value: "1" }]);
  expect(open()).toMatchObject({ is: "call", timeoutMs: undefined, encoding: undefined, accepted: [] });
});

test.each([
  [{}, { path: "a.B/C" }, Status.UNIMPLEMENTED, 'The path "a.B/C" does not begin with a slash.'],
  [{}, { path: "/a.B/D" }, Status.UNIMPLEMENTED, "The server has no method /a.B/D."],
  [{ "rpc-timeout": "0S" }, {}, Status.DEADLINE_EXCEEDED, "The deadline had passed when the server received the call."],
  [{ "rpc-timeout": "1" }, {}, Status.INTERNAL, 'The server received an invalid rpc-timeout: "1".'],
  [{ "x-bin": "?" }, {}, Status.INTERNAL, "The metadata x-bin is not valid Base64."],
])("the fields %j at %j fail the call", (fields, head, code, message) => {
  expect(open(fields, head)).toEqual({ is: "failed", status: { code, message } });
});

test("a request that is no call has an HTTP status, whatever else is wrong with it", () => {
  expect(open({ "content-type": "text/plain" }, { path: "?", method: "GET" })).toMatchObject({ is: "http", status: 415 });
  expect(open({}, { path: "?", method: "GET" })).toMatchObject({ is: "http", status: 405 });
});

test("the sections of responses", () => {
  const heads = new ResponseHeads(SETUP);
  const type = ["content-type: application/rpc", "rpc-accept-encoding: identity"];
  expect(list(heads.headers(undefined, undefined))).toEqual(type);
  expect(list(heads.headers("gzip", { a: "1" }))).toEqual([...type, "rpc-encoding: gzip", "a: 1"]);
  expect(list(heads.trailers({ code: 0, message: "" }, undefined))).toEqual(["rpc-status: 0"]);
  expect(list(heads.trailersOnly({ code: 5, message: "no" }, { a: "1" }, { b: "2" }))).toEqual([
    ...type,
    "a: 1",
    "rpc-status: 5",
    "rpc-message: no",
    "b: 2",
  ]);
  expect(() => heads.headers(undefined, { "rpc-status": "0" })).toThrow("belongs to the protocol");
});
