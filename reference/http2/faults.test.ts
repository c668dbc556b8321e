import { expect, test } from "vitest";
import { ErrorCode } from "./error-code.ts";
import { fault, FAULTS, type FaultName } from "./faults.ts";
import { id } from "./testing.ts";

const names = Object.keys(FAULTS) as FaultName[];

test("every fault has a scope, a code and a section", () => {
  for (const name of names) {
    const { scope, code, spec } = FAULTS[name];
    expect(["connection", "stream"]).toContain(scope);
    expect(Object.keys(ErrorCode)).toContain(code);
    expect(spec).toMatch(/^rfc\d{4}#\d+(\.\d+)*$/);
  }
});

test("a stream error on stream 0 is a connection error", () => {
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

/** One line per fault, so that a changed scope or code is one changed line in review. */
test("the faults are the reviewed ones", () => {
  expect(names.map((name) => `${name}: ${FAULTS[name].scope} ${FAULTS[name].code} ${FAULTS[name].spec}`).join("\n")).toMatchSnapshot();
});
