import { expect, test } from "vitest";
import { Fields } from "../http/index.ts";
import { readCallStatus, writeCallStatus } from "./call-status.ts";
import { DIALECTS } from "./dialect.ts";
import { Status } from "./status.ts";

const { rpc, grpc } = DIALECTS;
const read = (pairs: [string, string][], http = 200): unknown => readCallStatus(Fields.from(pairs), http, rpc);

test("a status is a number, a message in percent-encoding, and details in Base64", () => {
  const status = { code: Status.NOT_FOUND, message: "no ☃", details: Uint8Array.of(8, 5) };
  const fields = writeCallStatus(status, rpc);
  expect(fields.map(({ name, value }) => [name, value])).toEqual([
    ["rpc-status", "5"],
    ["rpc-message", "no %E2%98%83"],
    ["rpc-status-details-bin", "CAU"],
  ]);
  expect(readCallStatus(new Fields(fields), 200, rpc)).toEqual(status);
});

test("an empty message, and absent details, are not written", () => {
  expect(writeCallStatus({ code: Status.OK, message: "" }, grpc).map(({ name, value }) => [name, value])).toEqual([["grpc-status", "0"]]);
});

test("a status field counts whatever the HTTP status is", () => {
  expect(read([["rpc-status", "8"]], 404)).toEqual({ code: Status.RESOURCE_EXHAUSTED, message: "" });
  expect(read([["grpc-status", "8"]], 404)).toEqual({
    code: Status.UNIMPLEMENTED,
    message: "The response has HTTP status 404, but no rpc-status.",
  });
});

test("an invalid or a repeated status is UNKNOWN, and the message says why", () => {
  expect(
    read([
      ["rpc-status", "x"],
      ["rpc-message", "m"],
    ]),
  ).toEqual({
    code: Status.UNKNOWN,
    message: 'The response has an invalid rpc-status: "x".',
  });
  expect(
    read([
      ["rpc-status", "0"],
      ["rpc-status", "5"],
    ]),
  ).toMatchObject({ code: Status.UNKNOWN, message: expect.stringContaining('"0", "5"') });
});

test("invalid details are left out", () => {
  expect(
    read([
      ["rpc-status", "0"],
      ["rpc-status-details-bin", "*"],
    ]),
  ).toEqual({ code: Status.OK, message: "" });
});
