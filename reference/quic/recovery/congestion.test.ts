import { describe, expect, test } from "vitest";
import { after, instant, type Instant } from "../../core/index.ts";
import { BASE_DATAGRAM, NewReno } from "./newreno.ts";
import { Cubic } from "./cubic.ts";
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

describe("CUBIC", () => {
  /** A window of 100 datagrams that has met a loss, and acknowledgments of whole windows, one a round trip of 100 ms. */
  const afterLoss = (): { readonly cubic: Cubic; windowAfter(seconds: number): number } => {
    const cubic = new Cubic();
    const acknowledge = (octets: number, now: number): void =>
      cubic.acknowledged({ octets, sentAt: instant(now), isLimited: true, now: instant(now), rttMs: 100 });
    acknowledge(90 * BASE_DATAGRAM, 1);
    cubic.congested(instant(1), instant(2));
    let now = 100;
    return {
      cubic,
      windowAfter: (seconds) => {
        for (; now < 100 + seconds * 1_000; now += 100) for (let left = cubic.window; left > 0; left -= 1_200) acknowledge(1_200, now);
        return Math.round(cubic.window / BASE_DATAGRAM);
      },
    };
  };
  test("a loss leaves seven tenths, once for all packets sent before", () => {
    const { cubic } = afterLoss();
    expect([cubic.window, cubic.isSlowStart]).toEqual([70 * BASE_DATAGRAM, false]);
    cubic.congested(instant(2), instant(3));
    expect(cubic.window).toBe(70 * BASE_DATAGRAM);
  });
  test("the window comes back to where the loss was after the cube root of what is missing, flat there, and goes beyond", () => {
    const { windowAfter } = afterLoss();
    // K is the cube root of 30 datagrams by 0.4: 4.2 seconds.
    const windows = [1, 2, 3, 4.2, 5, 8].map(windowAfter);
    expect(windows[0]).toBeGreaterThan(82);
    expect([windows[3]! >= 98, windows[3]! <= 101, windows[4]! - windows[3]! <= 2, windows[5]! > 115]).toEqual([true, true, true, true]);
    expect(windows).toEqual(windows.toSorted((a, b) => a - b));
  });
  test("on a short path it is no slower than NewReno", () => {
    const cubic = new Cubic();
    cubic.congested(instant(1), instant(2));
    const before = cubic.window / BASE_DATAGRAM;
    for (let trip = 0; trip < 100; trip++)
      for (let left = cubic.window; left > 0; left -= 1_200)
        cubic.acknowledged({ octets: 1_200, sentAt: instant(3 + trip), isLimited: true, now: instant(3 + trip), rttMs: 1 });
    expect(cubic.window / BASE_DATAGRAM - before).toBeGreaterThan(50);
  });
  test("a second loss below the first makes room, and persistent congestion leaves the least", () => {
    const { cubic, windowAfter } = afterLoss();
    cubic.congested(instant(3), instant(4));
    expect([Math.round(cubic.window / BASE_DATAGRAM), windowAfter(2) < 63]).toEqual([49, true]);
    cubic.persistent();
    expect(cubic.window).toBe(2 * BASE_DATAGRAM);
  });
  test("what the application does not use does not count", () => {
    const cubic = new Cubic();
    cubic.acknowledged({ octets: 1_200, sentAt: instant(11), isLimited: false, now: instant(20), rttMs: 10 });
    expect(cubic.window).toBe(12_000);
  });
});

describe("NewReno", () => {
  test("the window doubles in slow start, and only while it limits the sender", () => {
    const reno = new NewReno();
    expect([reno.window, reno.isSlowStart]).toEqual([12_000, true]);
    reno.acknowledged({ octets: 12_000, sentAt: instant(0), isLimited: false });
    expect(reno.window).toBe(12_000);
    reno.acknowledged({ octets: 12_000, sentAt: instant(0), isLimited: true });
    expect(reno.window).toBe(24_000);
  });

  test("one loss halves it once for all packets sent before, then it grows by a datagram a window", () => {
    const reno = new NewReno();
    reno.acknowledged({ octets: 12_000, sentAt: instant(0), isLimited: true });
    reno.congested(instant(10), instant(20));
    reno.congested(instant(11), instant(21));
    expect([reno.window, reno.isSlowStart]).toEqual([12_000, false]);
    reno.acknowledged({ octets: 12_000, sentAt: instant(20), isLimited: true });
    expect(reno.window).toBe(12_000);
    reno.acknowledged({ octets: 11_999, sentAt: instant(30), isLimited: true });
    expect(reno.window).toBe(12_000);
    reno.acknowledged({ octets: 1, sentAt: instant(30), isLimited: true });
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
