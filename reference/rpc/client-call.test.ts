import { expect, test } from "vitest";
import { Fields } from "../http/index.ts";
import { readHead, readTrailers, RequestHeads } from "./client-call.ts";
import { DIALECTS } from "./dialect.ts";
import { Status } from "./status.ts";

const { rpc, grpc } = DIALECTS;
const heads = new RequestHeads({ dialect: rpc, compressors: new Map(), userAgent: "agent/1" });
const list = (fields: readonly { name: string; value: string }[]): string[] => fields.map(({ name, value }) => `${name}: ${value}`);
const FIXED = ["te: trailers", "content-type: application/rpc", "user-agent: agent/1", "rpc-accept-encoding: identity"];
const PLAIN = { timeoutMs: undefined, encoding: undefined, metadata: undefined, attempts: 0 };

test("a request has the fields of the call; the timeout first, metadata last", () => {
  expect(list(heads.fields(PLAIN))).toEqual(FIXED);
  expect(list(heads.fields({ timeoutMs: 1.5, encoding: "gzip", metadata: { a: "1", "b-bin": Uint8Array.of(1) }, attempts: 2 }))).toEqual([
    "rpc-timeout: 1500000n",
    ...FIXED,
    "rpc-encoding: gzip",
    "rpc-previous-rpc-attempts: 2",
    "a: 1",
    "b-bin: AQ",
  ]);
  expect(() => heads.fields({ ...PLAIN, metadata: { te: "x" } })).toThrow("belongs to the protocol");
});

const head = (status: number, fields: Record<string, string>) => readHead(status, Fields.from(Object.entries(fields)), rpc);

test("the head of a response with messages has its encoding and its metadata", () => {
  const got = head(200, { "content-type": "application/rpc+proto", "rpc-encoding": "gzip", a: "1" });
  if (got.is !== "headers") throw new Error("it has messages");
  expect(got.encoding).toBe("gzip");
  expect(got.metadata.get("a")).toBe("1");
});

test.each([
  [200, { "content-type": "application/rpc", "rpc-status": "5", "rpc-message": "no" }, Status.NOT_FOUND, "no"],
  [404, { "rpc-status": "5" }, Status.NOT_FOUND, ""],
  [503, { "content-type": "text/html" }, Status.UNAVAILABLE, "The response has HTTP status 503, but no rpc-status."],
  [200, { "content-type": "text/html" }, Status.UNKNOWN, 'The response has HTTP status 200, but the content type "text/html".'],
  [
    200,
    { "content-type": "application/rpc+json" },
    Status.UNKNOWN,
    'The response has HTTP status 200, but the content type "application/rpc+json".',
  ],
  [200, {}, Status.UNKNOWN, "The response has HTTP status 200, but the content type is missing."],
  [200, { "content-type": "application/rpc", "x-bin": "?" }, Status.INTERNAL, "The metadata x-bin is not valid Base64."],
  [200, { "rpc-status": "0", "x-bin": "?" }, Status.INTERNAL, "The metadata x-bin is not valid Base64."],
])("a head with the HTTP status %i and the fields %j ends the call", (status, fields, code, message) => {
  const got = head(status, fields);
  expect(got).toMatchObject({ is: "ended", status: { code, message } });
  expect([...got.metadata]).toEqual([]);
});

test("trailers have status, metadata and push-back", () => {
  const fields = Fields.from([
    ["grpc-status", "14"],
    ["grpc-retry-pushback-ms", "100"],
    ["a", "1"],
  ]);
  const got = readTrailers(fields, 200, grpc);
  expect(got).toMatchObject({ status: { code: Status.UNAVAILABLE }, pushBack: "100" });
  expect([...got.metadata]).toEqual([{ name: "a", value: "1" }]);
});

test("metadata that is not Base64 ends the call without any, but with the push-back", () => {
  const fields = { "rpc-status": "14", "rpc-retry-pushback-ms": "100", a: "1", "x-bin": "?" };
  const message = "The metadata x-bin is not valid Base64.";
  const ended = { is: "ended", status: { code: Status.INTERNAL, message } };
  for (const got of [head(200, fields), readTrailers(Fields.from(Object.entries(fields)), 200, rpc)]) {
    expect(got).toMatchObject({ ...ended, pushBack: "100" });
    expect([...got.metadata]).toEqual([]);
  }
  const begun = head(200, { "content-type": "application/rpc", "x-bin": "?" });
  expect(begun).toMatchObject(ended);
  expect([...begun.metadata]).toEqual([]);
});
