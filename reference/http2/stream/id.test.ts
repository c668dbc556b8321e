import { expect, test } from "vitest";
import { CONNECTION, MAX_STREAM_ID, nextStreamId, startedBy, startedByClient, streamId } from "./id.ts";

test("streamId(): drops the reserved bit", () => {
  expect([streamId(0xffff_ffff), streamId(0x8000_0000)]).toEqual([MAX_STREAM_ID, CONNECTION]);
});

test("odd identifiers are the client's, even ones the server's", () => {
  expect([startedByClient(streamId(1)), startedByClient(streamId(2))]).toEqual([true, false]);
  expect([startedBy("server", streamId(2)), startedBy("server", streamId(1)), startedBy("client", streamId(1))]).toEqual([
    true,
    false,
    true,
  ]);
});

test("nextStreamId(): begins at 1 and 2, keeps to its side, and runs out", () => {
  expect([nextStreamId("client", CONNECTION), nextStreamId("server", CONNECTION)]).toEqual([1, 2]);
  expect([nextStreamId("client", streamId(7)), nextStreamId("server", streamId(8))]).toEqual([9, 10]);
  expect(nextStreamId("client", streamId(0x7fff_fffd))).toBe(MAX_STREAM_ID);
  expect([nextStreamId("client", MAX_STREAM_ID), nextStreamId("server", streamId(0x7fff_fffe))]).toEqual([undefined, undefined]);
});
