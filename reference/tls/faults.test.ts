import { expect, test } from "vitest";
import { ALERTS, transportCode } from "./alerts.ts";
import { fault, FAULTS, type FaultName } from "./faults.ts";

const names = Object.keys(FAULTS) as FaultName[];

test("every fault has a code and a section", () => {
  for (const name of names) {
    const { code, spec } = FAULTS[name];
    expect([...Object.keys(ALERTS), "PROTOCOL_VIOLATION", "CRYPTO_BUFFER_EXCEEDED"]).toContain(code);
    expect(spec).toMatch(/^rfc\d{4}#\d+(\.\d+)*$/);
  }
});

test("transportCode(): an alert is 0x0100 and its number, an error of QUIC has its own code", () => {
  const codes = ["missing_extension", "no_application_protocol", "PROTOCOL_VIOLATION", "CRYPTO_BUFFER_EXCEEDED"] as const;
  expect(codes.map(transportCode)).toEqual([0x16d, 0x178, 0x0a, 0x0d]);
  expect(fault("finishedWrong")).toEqual({
    is: "fault",
    name: "finishedWrong",
    code: "decrypt_error",
    spec: "rfc8446#4.4.4",
    error: 0x133,
  });
});

/** One line per fault, so that a changed code is one changed line in review. */
test("the faults are the reviewed ones", () => {
  expect(names.map((name) => `${name}: ${FAULTS[name].code} ${FAULTS[name].spec}`).join("\n")).toMatchSnapshot();
});
