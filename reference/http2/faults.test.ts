import { expect, test } from "vitest";
import { ErrorCode } from "./error-code.ts";
import { fault, FAULTS, type FaultName } from "./faults.ts";
import { id } from "./testing.ts";

const names = Object.keys(FAULTS) as FaultName[];

test("every fault says how far it reaches, with which code, and where that is written", () => {
  for (const name of names) {
    const { scope, code, spec } = FAULTS[name];
    expect(["connection", "stream"]).toContain(scope);
    expect(Object.keys(ErrorCode)).toContain(code);
    expect(spec).toMatch(/^rfc\d{4}#\d+(\.\d+)*$/);
  }
});

test("a stream error on stream 0 reaches the whole connection", () => {
  expect(fault("windowOverflow", id(3))).toEqual({
    is: "fault",
    name: "windowOverflow",
    scope: "stream",
    code: "FLOW_CONTROL_ERROR",
    spec: "rfc9113#6.9.1",
    stream: 3,
  });
  expect(fault("windowOverflow").scope).toBe("connection");
  expect(fault("pingOnStream", id(3)).scope).toBe("connection");
});

/** One line a fault, so that a change of scope or code is one changed line in review. */
test("the faults are those reviewed", () => {
  expect(names.map((name) => `${name}: ${FAULTS[name].scope} ${FAULTS[name].code} ${FAULTS[name].spec}`).join("\n")).toMatchSnapshot();
});
