import { describe, expect, test } from "vitest";
import { Symbols } from "./symbols.ts";

const octets = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("symbols", () => {
  test("a text has one symbol as a name and one as a value of each name", () => {
    const symbols = new Symbols();
    const name = symbols.name("job");
    const other = symbols.name("instance");
    const value = symbols.value(name, "job");
    expect(symbols.name("job")).toBe(name);
    expect(symbols.value(name, "job")).toBe(value);
    expect(new Set([name, other, value, symbols.value(other, "job")]).size).toBe(4);
    expect(symbols.nameOf(value)).toBe(name);
    expect(symbols.nameOf(name)).toBe(0);
  });

  test("octets and their text have the same symbol, ASCII or not", () => {
    const symbols = new Symbols();
    for (const text of ["", "a", "ünïcode", "€", "😀 and more", "\ud800"]) {
      const name = symbols.name(text);
      const bytes = octets(`xx${text}yy`);
      expect(symbols.ofBytes(0, bytes, 2, bytes.length - 2)).toBe(name);
      expect(symbols.text(name)).toBe(text.toWellFormed());
      expect(symbols.textLength(name)).toBe(bytes.length - 4);
    }
  });

  test("an unknown text has no symbol, and finding it adds none", () => {
    const symbols = new Symbols();
    const name = symbols.name("job");
    symbols.value(name, "a");
    const { end } = symbols;
    expect(symbols.findName("jo")).toBe(-1);
    expect(symbols.findValue(name, "b")).toBe(-1);
    expect(symbols.findValue(end, "a")).toBe(-1);
    expect(symbols.end).toBe(end);
  });

  test("a wrong guess does not change the result", () => {
    const symbols = new Symbols();
    const name = symbols.name("job");
    const a = symbols.value(name, "a");
    const b = symbols.value(name, "b");
    expect(symbols.ofBytes(name, octets("b"), 0, 1, a)).toBe(b);
    expect(symbols.ofBytes(name, octets("a"), 0, 1, a)).toBe(a);
    expect(symbols.ofBytes(name, octets("job"), 0, 3, name)).not.toBe(name);
    expect(symbols.ofBytes(name, octets("a"), 0, 1, 9_999)).toBe(a);
  });

  test("100,000 values keep their numbers while the tables grow", () => {
    const symbols = new Symbols();
    const name = symbols.name("pod");
    const numbers = Array.from({ length: 100_000 }, (_, at) => symbols.value(name, `pod-${at}`));
    expect(new Set(numbers).size).toBe(numbers.length);
    const wrong = numbers.filter((number, at) => symbols.findValue(name, `pod-${at}`) !== number || symbols.text(number) !== `pod-${at}`);
    expect(wrong).toEqual([]);
  });
});
