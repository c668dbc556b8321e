import { expect, test } from "vitest";
import { coverage, type RequirementFile, sections, titles } from "./coverage.ts";
import type { Verdict } from "./result.ts";

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

const ran = (id: string, verdict: Verdict, covers = ["rfc9113#6.9.1/a"]) => ({ id, verdict, covers, spec: "rfc9113#6.9.1" as const });

test("coverage(): the requirements that the run is about, by what it says of the subject", () => {
  const stateOf = (...verdicts: Verdict[]) =>
    coverage(
      files,
      verdicts.map((verdict, at) => ran(`http2/${at}`, verdict)),
    )[0]?.state;
  expect(stateOf("pass", "fail", "skip")).toBe("fail");
  expect(stateOf("pass", "unproved")).toBe("pass");
  expect(stateOf("skip", "unproved")).toBe("unproved");
  expect(stateOf("skip", "skip")).toBe("skip");
  expect(stateOf("error")).toBe("unproved");
  expect(coverage(files, [ran("http2/x", "pass"), ran("http2/y", "skip")])).toEqual([
    { requirement: "rfc9113#6.9.1/a", level: "MUST", text: "A.", state: "pass", cases: ["http2/x", "http2/y"] },
  ]);
});

test("titles(): of what the run is about, and the sections above", () => {
  expect(titles(files, [])).toEqual({});
  const found = titles(files, [ran("http2/x", "pass")]);
  expect(Object.keys(found)).toEqual(["rfc9113", "rfc9113#6.9.1", "rfc9113#6.9", "rfc9113#6"]);
});

test("sections(): includes the sections above each", () => {
  expect([...sections(files)]).toEqual(["rfc9113#6", "rfc9113#6.9", "rfc9113#6.9.1"]);
});
