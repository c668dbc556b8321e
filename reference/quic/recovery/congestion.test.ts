import { describe, expect, test } from "vitest";
import { after, instant, type Instant } from "../../core/index.ts";
import { BASE_DATAGRAM, NewReno } from "./newreno.ts";
import { Pacer } from "./pacer.ts";
import { Rtt } from "./rtt.ts";

describe("round trips", () => {
  test("the first sample is the estimate, later ones are smoothed", () => {
    const rtt = new Rtt();
    expect([rtt.smoothed, rtt.probeMs, rtt.hasSample]).toEqual([333, 999, false]);
    rtt.sample(100, 20);
    expect([rtt.smoothed, rtt.variation, rtt.min, rtt.probeMs]).toEqual([100, 50, 100, 300]);
    rtt.sample(160, 20);
    expect([rtt.smoothed, rtt.variation, rtt.latest]).toEqual([105, 47.5, 160]);
    expect(rtt.lossDelayMs).toBe(180);
  });

  test("a delay is not taken off where less than the minimum would remain", () => {
    const rtt = new Rtt();
    rtt.sample(100, 0);
    rtt.sample(110, 20);
    expect(rtt.smoothed).toBe(101.25);
    rtt.forgetMin();
    expect(rtt.min).toBe(110);
  });
});

describe("NewReno", () => {
  test("the window doubles in slow start, and only while it limits the sender", () => {
    const reno = new NewReno();
    expect([reno.window, reno.isSlowStart]).toEqual([12_000, true]);
    reno.acknowledged(12_000, instant(0), false);
    expect(reno.window).toBe(12_000);
    reno.acknowledged(12_000, instant(0), true);
    expect(reno.window).toBe(24_000);
  });

  test("one loss halves it once for all packets sent before, then it grows by a datagram a window", () => {
    const reno = new NewReno();
    reno.acknowledged(12_000, instant(0), true);
    reno.congested(instant(10), instant(20));
    reno.congested(instant(11), instant(21));
    expect([reno.window, reno.isSlowStart]).toEqual([12_000, false]);
    reno.acknowledged(12_000, instant(20), true);
    expect(reno.window).toBe(12_000);
    reno.acknowledged(11_999, instant(30), true);
    expect(reno.window).toBe(12_000);
    reno.acknowledged(1, instant(30), true);
    expect(reno.window).toBe(12_000 + BASE_DATAGRAM);
    reno.congested(instant(31), instant(40));
    expect(reno.window).toBe(6_600);
  });

  test("it never falls below two datagrams", () => {
    const reno = new NewReno();
    for (let at = 0; at < 20; at++) reno.congested(instant(at * 10 + 1), instant(at * 10 + 2));
    expect(reno.window).toBe(2 * BASE_DATAGRAM);
    reno.persistent();
    expect([reno.window, reno.isSlowStart]).toEqual([2 * BASE_DATAGRAM, false]);
  });
});

test("on a short path the pacer lets go what is due until a timer rings", () => {
  const pacer = new Pacer();
  const leaving = (at: Instant): number => {
    let count = 0;
    for (; pacer.next(at, 120_000, 1) === at; count++) pacer.sent(BASE_DATAGRAM);
    return count;
  };
  expect(leaving(instant(0))).toBe(10);
  // 125 datagrams a millisecond, for two; not for the ten that have passed.
  expect(leaving(instant(10))).toBe(250);
});

test("the pacer lets ten datagrams go at once, then a window in four fifths of a round trip", () => {
  const pacer = new Pacer();
  let now = instant(0);
  const times: number[] = [];
  for (let count = 0; count < 30; count++) {
    now = pacer.next(now, 12_000, 100);
    times.push(now);
    pacer.sent(BASE_DATAGRAM);
  }
  expect(times.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 0));
  expect(times[29]! - times[19]!).toBeCloseTo(80, 5);
  expect(pacer.next(after(now, 10_000), 12_000, 100)).toBe(after(now, 10_000));
});
