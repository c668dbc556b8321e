import { describe, expect, test } from "vitest";
import { MAX_WINDOW, ReceiveWindow, widen } from "./window.ts";

test("widen(): up to the maximum, also from below zero", () => {
  expect([widen(0, 5), widen(-44, 44), widen(1, MAX_WINDOW - 1), widen(1, MAX_WINDOW), widen(-1, MAX_WINDOW)]).toEqual([
    5,
    0,
    MAX_WINDOW,
    undefined,
    MAX_WINDOW - 1,
  ]);
});

describe("receive window", () => {
  test("accepts bytes up to its end, and none beyond", () => {
    const window = new ReceiveWindow(10);
    expect([window.take(4), window.take(6), window.take(0), window.take(1), window.left]).toEqual([true, true, true, false, 0]);
  });
  test("credit goes back once half of the window is owed", () => {
    const window = new ReceiveWindow(10);
    window.take(10);
    expect([window.give(4), window.left, window.give(1), window.left, window.give(5)]).toEqual([0, 0, 5, 5, 5]);
    expect(window.left).toBe(10);
  });
  test("a change of the initial size moves it, if need be below zero", () => {
    const window = new ReceiveWindow(10);
    window.take(8);
    window.shift(-5);
    expect([window.left, window.size, window.take(1)]).toEqual([-3, 5, false]);
    expect([window.give(8), window.left]).toEqual([8, 5]);
  });
  test("grows up to the maximum, and announces the difference with the next credit", () => {
    const window = new ReceiveWindow(10);
    window.take(10);
    window.grow(30);
    expect([window.size, window.give(10), window.left]).toEqual([30, 30, 30]);
    window.grow(20);
    expect(window.size).toBe(30);
    window.grow(MAX_WINDOW + 5);
    expect([window.size, window.giveAll(), window.left, window.giveAll()]).toEqual([MAX_WINDOW, MAX_WINDOW - 30, MAX_WINDOW, 0]);
  });
});
