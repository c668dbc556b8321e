import { expect, test } from "vitest";
import { coverage, type RequirementFile, sections } from "./coverage.ts";

const files: RequirementFile[] = [
  {
    spec: "rfc9113",
    title: "HTTP/2",
    requirements: [
      { id: "6.9.1/a", level: "MUST", subject: "receiver", text: "A." },
      { id: "6.9.1/b", level: "MUST", subject: "receiver", text: "B.", excused: "cannot be seen from outside" },
      { id: "6.9.1/c", level: "SHOULD", subject: "receiver", text: "C." },
    ],
  },
];

test("coverage(): covered with its cases, excused with its reason, or open", () => {
  const entries = coverage(files, [
    { id: "http2/x", covers: ["rfc9113#6.9.1/a"] },
    { id: "http2/y", covers: ["rfc9113#6.9.1/a"] },
  ]);
  expect(entries.map(({ state, cases, why }) => [state, cases, why])).toEqual([
    ["covered", ["http2/x", "http2/y"], undefined],
    ["excused", [], "cannot be seen from outside"],
    ["open", [], undefined],
  ]);
});

test("sections(): includes the sections above each", () => {
  expect([...sections(files)]).toEqual(["rfc9113#6", "rfc9113#6.9", "rfc9113#6.9.1"]);
});
