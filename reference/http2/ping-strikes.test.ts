import { expect, test } from "vitest";
import { instant } from "../core/index.ts";
import { PingStrikes } from "./ping-strikes.ts";

const at = (strikes: PingStrikes, times: readonly number[], streams = 1): boolean[] =>
  times.map((ms) => strikes.received(instant(ms), streams));

test("two PINGs that come too early are forgiven, the third is not", () => {
  expect(at(new PingStrikes({ everyMs: 1_000, withoutStreams: false }), [0, 1, 2, 3])).toEqual([true, true, true, false]);
});
test("PINGs that are far enough apart never end", () => {
  expect(at(new PingStrikes({ everyMs: 1_000, withoutStreams: false }), [0, 1_000, 2_000, 3_000, 4_000, 5_000])).not.toContain(false);
});
test("HEADERS or DATA of ours forgive everything", () => {
  const strikes = new PingStrikes({ everyMs: 1_000, withoutStreams: false });
  for (let round = 0; round < 5; round++) {
    expect(at(strikes, [0, 1, 2])).toEqual([true, true, true]);
    strikes.sent();
  }
});
test("without streams two hours are between them, unless the server permits more", () => {
  const times = [0, 10_000, 20_000, 30_000];
  expect(at(new PingStrikes({ everyMs: 1_000, withoutStreams: false }), times, 0)).toEqual([true, true, true, false]);
  expect(at(new PingStrikes({ everyMs: 1_000, withoutStreams: true }), times, 0)).not.toContain(false);
  expect(at(new PingStrikes({ everyMs: 1_000, withoutStreams: false }), [0, 7_200_000, 14_400_000, 21_600_000], 0)).not.toContain(false);
});
