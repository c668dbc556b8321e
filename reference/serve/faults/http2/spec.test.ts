import { describe, expect, it } from "vitest";
import { Misuse } from "../../../core/index.ts";
import { SERVER_FAULTS as FAULTS } from "./index.ts";
import { faultJson, faultLines, parseSpec } from "../spec.ts";

const parseFault = (spec: string) => parseSpec(spec, FAULTS, "HTTP/2");

describe("a fault by name", () => {
  it("has defaults", () => {
    expect(parseFault("reset").values).toEqual({ code: "CANCEL", after: 1, times: 1 });
    expect(parseFault(" http1 ").values).toEqual({});
  });
  it("takes arguments by name, and the first one without a name", () => {
    expect(parseFault("reset:code=REFUSED_STREAM,after=3").values).toEqual({ code: "REFUSED_STREAM", after: 3, times: 1 });
    expect(parseFault("drop:0, how = reset").values).toEqual({ after: 0, how: "reset" });
  });
  it("has numbers within bounds", () => {
    for (const { name, args } of FAULTS)
      for (const [arg, argument] of Object.entries(args)) {
        const said = argument.is === "word" ? argument.words : [argument.from, argument.to];
        for (const value of said) expect(parseFault(`${name}:${arg}=${value}`).values[arg]).toBe(value);
        const wrong = argument.is === "word" ? ["none", ""] : [argument.from - 1, argument.to + 1, "1.5", "0x1", "1e1", ""];
        for (const value of wrong) expect(() => parseFault(`${name}:${arg}=${value}`), `${name}:${arg}=${value}`).toThrow(Misuse);
      }
  });
  it.each([
    ["none", "none", "reset-midway"],
    ["", '""', "reset-midway"],
    ["__proto__", "__proto__", "reset-midway"],
    ["reset:why=CANCEL", "why", "code, after, times"],
    ["reset:__proto__=1", "__proto__", "code, after, times"],
    ["reset:after=0", "after", "1 to 10000"],
    ["reset:code=cancel", "cancel", "REFUSED_STREAM"],
    ["reset:after=1,after=2", "after", "twice"],
    ["http1:1", "http1", "none"],
  ])("is refused in one line that lists what is valid: %s", (spec, wrong, known) => {
    const read = (): unknown => parseFault(spec);
    expect(read).toThrow(Misuse);
    expect(read).toThrow(wrong);
    expect(read).toThrow(known);
    expect(read).not.toThrow("\n");
  });
});

describe("the table of faults", () => {
  it("has each name once, as text and as JSON", () => {
    const names = FAULTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(faultJson(FAULTS).map((one) => (one as { name: string }).name)).toEqual(names);
    expect(
      faultLines(FAULTS)
        .filter((line) => !line.startsWith(" "))
        .map((line) => line.split(" ")[0]),
    ).toEqual(names);
  });
  it("has valid defaults", () => {
    for (const { name, args } of FAULTS)
      for (const [arg, { default: value }] of Object.entries(args)) expect(parseFault(`${name}:${arg}=${value}`).values[arg]).toBe(value);
  });
});
