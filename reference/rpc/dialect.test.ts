import { expect, test } from "vitest";
import { DIALECTS, messageFormat } from "./dialect.ts";

test("each dialect spells every name with its own word", () => {
  const { rpc, grpc } = DIALECTS;
  expect(rpc).toEqual({
    name: "rpc",
    contentType: "application/rpc",
    prefix: "rpc-",
    timeout: "rpc-timeout",
    encoding: "rpc-encoding",
    acceptEncoding: "rpc-accept-encoding",
    status: "rpc-status",
    message: "rpc-message",
    details: "rpc-status-details-bin",
    previousAttempts: "rpc-previous-rpc-attempts",
    pushBack: "rpc-retry-pushback-ms",
    config: "rpc_config",
  });
  expect(Object.values(grpc)).toEqual(Object.values(rpc).map((name) => name.replace("rpc", "grpc")));
});

test.each([
  ["application/rpc", "proto"],
  ["application/rpc+proto", "proto"],
  ["application/rpc+json", "json"],
  ["Application/RPC+Proto", "proto"],
  ["application/rpc; charset=utf-8", "proto"],
  ["application/rpc+json ;x=y", "json"],
  ["application/rpc+", undefined],
  ["application/rpcx", undefined],
  ["application/grpc", undefined],
  ["text/application/rpc", undefined],
  ["", undefined],
])("content type %j: the format is %j", (contentType, format) => {
  expect(messageFormat(contentType, DIALECTS.rpc)).toBe(format);
});

test("the content type of the other dialect is another", () => {
  expect(messageFormat("application/grpc+proto", DIALECTS.grpc)).toBe("proto");
  expect(messageFormat("application/rpc+proto", DIALECTS.grpc)).toBeUndefined();
});
