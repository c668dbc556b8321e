import { describe, expect, test } from "vitest";
import { RULES } from "../http2/rules.ts";
import { RULES as HTTP3 } from "../http3/rules.ts";
import { BINDING, INFERRED } from "../websocket/rules.ts";
import { ruleAt } from "./rules.ts";

/** Those who receive frames: a sentence about one of them makes a peer refuse. */
const RECEIVES = new Set(["receiver", "endpoint", "server", "client"]);

describe("the rules of findings", () => {
  test.each([...Object.entries(RULES), ...Object.entries(HTTP3), ...Object.entries(BINDING)])(
    "%s rests on a MUST for whoever receives it",
    (_, ref) => {
      const { binds, subject = "" } = ruleAt(ref);
      expect([binds, RECEIVES.has(subject)]).toEqual([true, true]);
    },
  );

  test("an inferred rule is one for the sender, or no MUST", () => {
    for (const ref of Object.values(INFERRED)) {
      const { binds, subject } = ruleAt(ref);
      expect(binds && subject !== "sender", ref).toBe(false);
    }
  });

  test("a section alone binds nobody, and an unknown requirement is a mistake of ours", () => {
    expect(ruleAt("rfc9113#10.5")).toMatchObject({ level: "none", binds: false });
    expect(() => ruleAt("rfc9113#6.7/nothing")).toThrow("no requirement rfc9113#6.7/nothing");
  });
});
