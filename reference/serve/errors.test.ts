import { describe, expect, test } from "vitest";
import { fault, streamId } from "../http2/index.ts";
import { ConnectFailed, failureOf, StreamFailed } from "./errors.ts";

describe("the failure of a stream that was reset", () => {
  test("REFUSED_STREAM: refused, so the request may be sent again", () => {
    const { reason, errorCode, retryable } = failureOf("REFUSED_STREAM", "peer");
    expect([reason, errorCode, retryable]).toEqual(["refused", "REFUSED_STREAM", true]);
  });
  test("another code of the peer: reset, and the request may not be sent again", () => {
    const { reason, retryable, message } = failureOf("CANCEL", "peer");
    expect([reason, retryable, message]).toEqual(["reset", false, "the peer reset the stream with CANCEL"]);
  });
  test("by us: fault, with the broken rule and its section", () => {
    const broken = fault("statusMissing", streamId(1));
    const failure = failureOf(broken.code, "us", broken);
    expect([failure.reason, failure.retryable, failure.fault]).toEqual(["fault", false, broken]);
    expect(failure.message).toBe("we reset the stream: it broke rfc9113#8.3.2 (statusMissing)");
  });
});

test("ConnectFailed and StreamFailed have a name, and a cause if one is given", () => {
  const cause = new Error("below");
  const connect = new ConnectFailed("tls", "above", cause);
  const stream = new StreamFailed("closed", "above", { cause });
  expect([connect.name, connect.cause, stream.name, stream.cause]).toEqual(["ConnectFailed", cause, "StreamFailed", cause]);
  expect("cause" in new ConnectFailed("timeout", "alone")).toBe(false);
});
