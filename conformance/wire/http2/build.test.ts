import { describe, expect, test } from "vitest";
import type { FrameSpec } from "./frame-spec.ts";
import { build, type Setting } from "./build.ts";
import { toHex } from "../octets.ts";

const setting: Setting = { stream: (ref) => ref as number, text: (value) => value.replaceAll("{path}", "/x"), tableLimit: 4096 };
/** The field block of a HEADERS. */
const block = (spec: Omit<FrameSpec, "type">): string => toHex(build({ type: "HEADERS", stream: 1, ...spec }, setting)).slice(18);

describe("build(): field blocks with a table's state", () => {
  test("a field is a literal without indexing, unless its form says otherwise", () => {
    expect(block({ fields: [["a", "b"]] })).toBe("0001610162");
    expect(block({ fields: [["a", "b", "indexing"]] })).toBe("4001610162");
    expect(block({ fields: [["a", "b", "never indexed"]] })).toBe("1001610162");
  });

  test("octets go before and after the fields, size updates before all", () => {
    expect(block({ tableSize: [0, 30], blockHead: "82", fields: [["a", "{path}"]], blockTail: "be" })).toBe(
      "20" + "3e" + "82" + "000161022f78" + "be",
    );
  });

  test("a section of a given size has a field that fills it, counted with the subject's own values", () => {
    // (1 + 2 + 32) + (6 + 3 + 32) = 76
    expect(block({ fields: [["a", "{path}"]], sectionSize: 76 })).toBe("000161022f78" + "0006782d66696c6c03616161");
  });

  test("a table size may be the limit of the reading side, or an octet beyond it", () => {
    // 4096 = 31 + 4065
    expect(block({ tableSize: ["limit"] })).toBe("3fe11f");
    expect(block({ tableSize: ["beyond limit"] })).toBe("3fe21f");
    expect(block({ tableSize: [31, 158, 159] })).toBe("3f00" + "3f7f" + "3f8001");
  });
});
