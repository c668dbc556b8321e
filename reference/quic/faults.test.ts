import { expect, test } from "vitest";
import { TransportError } from "./error-code.ts";
import { fault, FAULTS, type FaultName } from "./faults.ts";

const names = Object.keys(FAULTS) as FaultName[];

test("every fault has a scope and a section, and a code if it ends the connection", () => {
  for (const name of names) {
    const rule = fault(name);
    expect(rule.scope === "connection" ? Object.keys(TransportError).includes(rule.code) : !("code" in rule)).toBe(true);
    expect(rule.spec).toMatch(/^rfc\d{4}#\d+(\.\d+)*$/);
  }
});

test("a fault carries the type of the frame that showed it", () => {
  expect(fault("newTokenEmpty", 7)).toEqual({
    is: "fault",
    name: "newTokenEmpty",
    scope: "connection",
    code: "FRAME_ENCODING_ERROR",
    spec: "rfc9000#19.7",
    frame: 7,
  });
  expect(fault("newTokenEmpty")).not.toHaveProperty("frame");
});

/** One line per fault, so that a changed scope or code is one changed line in review. */
test("the faults are the reviewed ones", () => {
  const line = (name: FaultName): string => {
    const rule = fault(name);
    return `${name}: ${rule.scope === "connection" ? rule.code : "discard"} ${rule.spec}`;
  };
  expect(names.map(line).join("\n")).toMatchSnapshot();
});
