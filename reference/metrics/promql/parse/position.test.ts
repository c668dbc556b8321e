import { describe, expect, test } from "vitest";
import { parse } from "./parse.ts";
import { octetsBefore, positionOf, renderFault } from "./position.ts";

const rendered = (text: string): string => {
  const expr = parse(text);
  return expr.is === "fault" ? renderFault(text, expr) : "accepted";
};

describe("positions", () => {
  test("columns count UTF-8 octets, and a line feed starts a line", () => {
    expect(positionOf('"é😀" ~', 6)).toEqual({ line: 1, column: 10 });
    expect(positionOf("a\n+\n  b", 6)).toEqual({ line: 3, column: 3 });
    expect(octetsBefore("é\n😀x", 4)).toBe(7);
  });

  test("carets mark the place", () => {
    expect(rendered("sum(foo) bar")).toBe('1:10: parse error: unexpected identifier "bar"\nsum(foo) bar\n         ^^^');
    expect(rendered('"é😀" ~')).toBe("1:10: parse error: unexpected character: '~'\n\"é😀\" ~\n     ^");
    expect(rendered("a +\n\tb c\n+ d")).toBe('2:4: parse error: unexpected identifier "c"\n\tb c\n\t  ^');
    expect(rendered("m[5m:0s]")).toBe("1:6: parse error: duration must be greater than 0\nm[5m:0s]\n     ^^");
    expect(rendered("a +")).toBe("1:4: parse error: unexpected end of input\na +\n   ^");
  });

  test("the place of a refused character ends after it", () => {
    expect(parse("a + 😀é b")).toMatchObject({ span: { start: 4, end: 6 } });
    expect(parse("a ! b")).toMatchObject({ span: { start: 2, end: 3 } });
    expect(parse("a{ ~ }")).toMatchObject({ span: { start: 3, end: 4 } });
  });

  test("a long line is cut around the marked place", () => {
    const lines = rendered(`${"a + ".repeat(60)}b c${" + d".repeat(60)}`).split("\n");
    expect(lines[1]?.length).toBeLessThan(110);
    expect(lines[1]?.startsWith("…") && lines[1].endsWith("…")).toBe(true);
    expect(lines[1]?.[lines[2]?.indexOf("^") ?? 0]).toBe("c");
  });
});
