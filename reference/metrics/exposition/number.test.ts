import { describe, expect, test } from "vitest";
import { seeded } from "../../core/index.ts";
import { type Dialect, NO_NUMBER, numberOf, OUT_OF_RANGE, readNumber } from "./number.ts";

const octets = (text: string): Uint8Array => new TextEncoder().encode(`${text}\n`);
function read(text: string, dialect: Dialect = "text", shift = 0): number | string {
  const out = new Float64Array(1);
  const at = readNumber(octets(text), 0, dialect, out, 0, shift);
  if (at === NO_NUMBER) return "no number";
  if (at === OUT_OF_RANGE) return "out of range";
  if (at !== text.length) return `ended at ${at}`;
  return out[0]!;
}

describe("readNumber()", () => {
  test("short numbers equal those of the platform", () => {
    const draw = seeded(7);
    const digits = (count: number): string => Array.from({ length: count }, () => Math.floor(draw() * 10)).join("");
    const texts = Array.from({ length: 20_000 }, () => {
      const whole = digits(1 + Math.floor(draw() * 17));
      const fraction = draw() < 0.5 ? "" : `.${digits(Math.floor(draw() * 12))}`;
      const exponent = draw() < 0.5 ? "" : `e${draw() < 0.5 ? "-" : "+"}${digits(1 + Math.floor(draw() * 2))}`;
      return `${draw() < 0.3 ? "-" : ""}${whole}${fraction}${exponent}`;
    });
    expect(texts.filter((text) => !Object.is(read(text), Number(text)))).toEqual([]);
  });

  test("any finite number reads back from its text", () => {
    const draw = seeded(8);
    const bits = new DataView(new ArrayBuffer(8));
    const wrong: number[] = [];
    for (let i = 0; i < 20_000; i++) {
      bits.setUint32(0, draw() * 2 ** 32);
      bits.setUint32(4, draw() * 2 ** 32);
      const value = bits.getFloat64(0);
      if (Number.isFinite(value) && (!Object.is(read(String(value)), value) || !Object.is(read(value.toExponential()), value)))
        wrong.push(value);
    }
    expect(wrong).toEqual([]);
  });

  test("hexadecimal: exact, rounded to nearest with ties to even, down to the smallest number", () => {
    expect(read("0x1p-2")).toBe(0.25);
    expect(read("-0X1.8P+1")).toBe(-3);
    expect(read("0x.8p0")).toBe(0.5);
    expect(read("0x1.fffffffffffffp1023")).toBe(Number.MAX_VALUE);
    expect(read("0x1p-1074")).toBe(5e-324);
    expect(read("0x1p-1075")).toBe(0);
    expect(read("0x1.8p-1075")).toBe(5e-324);
    expect(read("0x1.00000000000008p0")).toBe(1);
    expect(read("0x1.00000000000018p0")).toBe(1.0000000000000004);
    expect(read("0x1.000000000000081p0")).toBe(1.0000000000000002);
    expect(read("0x1p-99999999999")).toBe(0);
    expect(read("0x0p99999999999")).toBe(0);
    expect(read("0x1p1024")).toBe("out of range");
    expect(read("0x1.fffffffffffff8p1023")).toBe("out of range");
  });

  test.each(["1_000", "1_0.0_1", "0x_1p0", "0x1_0p0", "1e1_0"])("underscores as in Go: %s", (text) => {
    expect(read(text)).toBe(read(text.replaceAll("_", "")));
  });
  test.each(["_1", "1_", "1__0", "1_.5", "1._5", "1_e5", "1e_5", "0_x1p0", "+_1", "0x1p_1", "_"])(
    "other underscores are refused: %s",
    (text) => {
      expect(read(text)).toBe("no number");
    },
  );

  test("timestamps: seconds become milliseconds without a detour through a fraction", () => {
    expect(read("1520879607.789", "real", 3)).toBe(1520879607789);
    expect(read("1604676851.123456789", "real", 3)).toBe(1604676851123.4568);
    expect(read("nan", "real", 3)).toBe("no number");
    expect(read("1e308", "real", 3)).toBe("out of range");
  });

  test("huge exponents: 0 or out of range", () => {
    expect(read("1e-99999999999999999999")).toBe(0);
    expect(read("1e99999999999999999999")).toBe("out of range");
    expect(read("0e99999999999999999999")).toBe(0);
    expect(numberOf("1e1000", "openmetrics")).toBe("range");
  });
});
