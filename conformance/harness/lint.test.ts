import { describe, expect, test } from "vitest";
import type { Case } from "./case.ts";
import type { RequirementFile } from "./coverage.ts";
import { lint } from "./lint.ts";

const requirements: RequirementFile[] = [
  {
    spec: "rfc9113",
    title: "HTTP/2",
    requirements: [
      { id: "6.9.1/zero", level: "MUST", subject: "receiver", text: "t" },
      { id: "6.9.1/one", level: "SHOULD", subject: "receiver", text: "t" },
      { id: "6.9.1/sent", level: "MUST", subject: "sender", text: "t" },
      { id: "6.9.1/may", level: "MAY", subject: "sender", text: "t" },
      { id: "6.9.1/client", level: "MUST", subject: "client", text: "t" },
      { id: "6.9.1/defined", level: "MUST", subject: "receiver", basis: "definition", text: "t" },
      { id: "6.9.1/noticed", level: "MUST", subject: "receiver", basis: "conditional", why: "w", text: "t" },
    ],
  },
];
const context = { requirements, features: { server: ["body"] }, monitors: ["flow-control"], refusals: ["GOAWAY", "closed"] };
const good: Case<unknown, unknown> = {
  id: "http2/window-zero",
  spec: "rfc9113#6.9",
  covers: ["rfc9113#6.9.1/zero"],
  level: "MUST",
  role: "server",
  title: "The server does so.",
  needs: ["body"],
  steps: [{ do: "send", frames: [{ type: "DATA", hex: "00" }] }],
  control: [{ do: "send", frames: [{ type: "DATA", hex: "01" }] }],
  allowed: [{ see: { see: "GOAWAY" } }, { see: { see: "closed" }, by: "rfc9113#5.4.1", verdict: "warn" }],
};
const wrong = (change: Partial<Case<unknown, unknown>>): string[] => lint([{ ...good, ...change }], context);

describe("lint()", () => {
  test.each([
    ["what the other side has to send", "rfc9113#6.9.1/client"],
    ["what the other side may send", "rfc9113#6.9.1/may"],
    ["what a definition lets a peer send", "rfc9113#6.9.1/defined"],
  ] as const)("a MUST to accept rests on %s", (_, ref) => {
    expect(wrong({ covers: [ref], allowed: [{ see: { see: "accepted" } }] })).toEqual([]);
  });

  test("a good case has nothing wrong", () => {
    expect(wrong({})).toEqual([]);
  });

  test.each([
    ["an id that is not words", { id: "http2/Window_Zero" as const }, "its id is not words"],
    ["a section that nobody wrote down", { spec: "rfc9113#6.8" as const }, "is in no requirements file"],
    ["a requirement that does not exist", { covers: ["rfc9113#6.9.1/two"] as const }, "it covers rfc9113#6.9.1/two"],
    ["a looser outcome without a passage", { allowed: [{ see: { see: "GOAWAY" } }, { see: { see: "closed" } }] as const }, "cites nothing"],
    [
      "a looser outcome that cites no section",
      { allowed: [{ see: { see: "GOAWAY" } }, { see: { see: "closed" }, by: "rfc9113" as never }] as const },
      "which is not a section",
    ],
    [
      "the same outcome twice",
      { allowed: [{ see: { see: "closed" } }, { see: { see: "closed" }, by: "rfc9113#5" }] as const },
      "the same outcome twice",
    ],
    [
      "a control whose refusal breaks nothing",
      { level: "SHOULD" as const, controlBreaks: "rfc9113#6.9.1/one" as const },
      "breaks rfc9113#6.9.1/one, which is not a MUST",
    ],
    ["a MUST that says its control is one", { controlBreaks: "rfc9113#6.9.1/zero" as const }, "it is a MUST itself"],
    [
      "a receiver held to a rule for senders",
      { covers: ["rfc9113#6.9.1/sent"] as const },
      "no MUST that it covers makes a server refuse this",
    ],
    [
      "a server held to a rule for clients",
      { covers: ["rfc9113#6.9.1/client"] as const },
      "no MUST that it covers makes a server refuse this",
    ],
    ["a refusal that only a definition asks for", { covers: ["rfc9113#6.9.1/defined"] as const }, "no MUST that it covers makes a server"],
    [
      "a refusal owed by whoever notices",
      { covers: ["rfc9113#6.9.1/noticed"] as const },
      "no MUST that it covers makes a server refuse this",
    ],
    ["a MUST for a SHOULD", { covers: ["rfc9113#6.9.1/one"] as const }, "no MUST that it covers makes a server refuse this"],
    ["a SHOULD for a MAY", { level: "SHOULD" as const, covers: ["rfc9113#6.9.1/may"] as const }, "it is a SHOULD, but covers only MAY"],
    ["no control", { control: [] }, "it has no control"],
    ["a control that makes the same mistake", { control: good.steps }, "its control is the case itself"],
    ["a need that nothing tells", { needs: ["luck"] }, 'it needs "luck"'],
    ["hex that is not whole octets", { steps: [{ do: "bytes", hex: "abc", note: "" }] }, "is not whole octets of hex"],
    [
      "a flood without a bound",
      { group: "abuse" as const, steps: [{ do: "repeat", times: 1e9, frames: [] }] },
      "it repeats 1000000000 times",
    ],
    ["a flood outside the group", { steps: [{ do: "repeat", times: 5000, frames: [] }] }, "outside the group abuse"],
    ["a monitor that nobody wrote", { allowed: [{ see: { see: "holds", monitor: "peace" } }] as const }, 'no monitor "peace"'],
    ["a title that is no sentence", { title: "window zero" }, "not a sentence"],
    ["an inverse that is not there", { inverse: ["http2/nowhere"] }, "its inverse http2/nowhere is no case"],
    ["a long wait", { steps: [{ do: "wait", ms: 60_000 }] }, "it waits 60000 ms"],
  ])("%s", (_, change, line) => {
    expect(wrong(change).join("\n")).toContain(line);
  });

  test("an id is used once", () => {
    expect(lint([good, good], context)).toEqual(["http2/window-zero: its id is used twice"]);
  });

  test("a case that only looks may have itself as its control", () => {
    expect(wrong({ control: good.steps, allowed: [{ see: { see: "accepted" } }] })).toEqual([]);
  });
});
