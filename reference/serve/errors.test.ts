import { describe, expect, test } from "vitest";
import { fault, streamId } from "../http2/index.ts";
import { ConnectFailed, failureOf, StreamFailed } from "./errors.ts";

describe("what a reset amounts to", () => {
  test("REFUSED_STREAM: nobody has looked at the request, so it may be sent again", () => {
    const { reason, code, retryable } = failureOf("REFUSED_STREAM", "peer");
    expect([reason, code, retryable]).toEqual(["refused", "REFUSED_STREAM", true]);
  });
  test("any other code of the peer's: nobody knows what has been done", () => {
    const { reason, retryable, message } = failureOf("CANCEL", "peer");
    expect([reason, retryable, message]).toEqual(["reset", false, "the peer reset the stream with CANCEL"]);
  });
  test("ours: the rule that was broken, and where it is written", () => {
    const broken = fault("statusMissing", streamId(1));
    const failure = failureOf(broken.code, "us", broken);
    expect([failure.reason, failure.retryable, failure.fault]).toEqual(["fault", false, broken]);
    expect(failure.message).toBe("we refused what the peer sent: it broke rfc9113#8.3.2 (statusMissing)");
  });
});

test("both are errors by name, with their cause where there is one", () => {
  const cause = new Error("below");
  const connect = new ConnectFailed("tls", "above", cause);
  const stream = new StreamFailed("closed", "above", { cause });
  expect([connect.name, connect.cause, stream.name, stream.cause]).toEqual(["ConnectFailed", cause, "StreamFailed", cause]);
  expect("cause" in new ConnectFailed("timeout", "alone")).toBe(false);
});
