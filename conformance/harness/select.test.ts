import { describe, expect, test } from "vitest";
import type { Case } from "./case.ts";
import { near, select } from "./select.ts";

type Selectable = Pick<Case<unknown, unknown>, "id" | "spec" | "level" | "role" | "title" | "group">;
const one = (id: Selectable["id"], spec: Selectable["spec"], level: Selectable["level"] = "MUST", group?: "abuse"): Selectable => ({
  id,
  spec,
  level,
  role: "server",
  title: "",
  ...(group === undefined ? {} : { group }),
});
const cases = [
  one("http2/ping-on-stream", "rfc9113#6.7"),
  one("http2/ping-too-short", "rfc9113#6.7"),
  one("http2/window-zero", "rfc9113#6.9", "SHOULD"),
  one("http2/window-overflow", "rfc9113#6.9.1", "MUST NOT"),
  one("http2/connect-protocol", "rfc8441#4", "MAY"),
  one("http2/ping-flood", "rfc9113#10.5", "MUST", "abuse"),
];
const ids = (selection: Parameters<typeof select>[1]) => select(cases, selection).map(({ id }) => id.slice("http2/".length));

describe("select()", () => {
  test("everything but abuse by default", () => {
    expect(ids({})).toEqual(["ping-on-stream", "ping-too-short", "window-zero", "window-overflow", "connect-protocol"]);
    expect(ids({ abuse: true })).toContain("ping-flood");
    expect(ids({ abuse: true, group: "abuse" })).toEqual(["ping-flood"]);
  });

  test.each([
    ["http2/ping-on-stream", ["ping-on-stream"]],
    ["ping-on-stream", ["ping-on-stream"]],
    ["http2/ping-*", ["ping-on-stream", "ping-too-short"]],
    ["6.9", ["window-zero", "window-overflow"]],
    ["6.9.1", ["window-overflow"]],
    ["6", ["ping-on-stream", "ping-too-short", "window-zero", "window-overflow"]],
    ["RFC 9113 §6.7", ["ping-on-stream", "ping-too-short"]],
    ["rfc9113#6.9.1", ["window-overflow"]],
    ["RFC9113 6.9", ["window-zero", "window-overflow"]],
    ["rfc8441", ["connect-protocol"]],
  ])("--only %s", (pattern, expected) => {
    expect(ids({ only: [pattern] })).toEqual(expected);
  });

  test("a section is matched by its numbers, not by its characters", () => {
    expect(() => ids({ only: ["1"] })).toThrow('No case is about section "1"');
    expect(ids({ only: ["6.7", "4"] })).toEqual(["ping-on-stream", "ping-too-short", "connect-protocol"]);
  });

  test("levels take their negation with them", () => {
    expect(ids({ level: ["must"] })).toEqual(["ping-on-stream", "ping-too-short", "window-overflow"]);
    expect(ids({ level: ["should", "may"] })).toEqual(["window-zero", "connect-protocol"]);
  });

  test("a pattern without a match is refused with similar ids", () => {
    expect(() => ids({ only: ["http2/ping-on-strem"] })).toThrow(/No case is called .*Near it: http2\/ping-on-stream,/);
    expect(() => ids({ only: ["99.1"] })).toThrow(/Sections with cases: rfc8441#4, rfc9113#6\.7/);
    expect(() => ids({ level: ["shall"] })).toThrow("use must, should or may");
    expect(() => ids({ only: ["4"], level: ["must"] })).toThrow("This selection leaves no case");
  });

  test("a selection of abuse alone is refused with --abuse as the reason", () => {
    expect(() => ids({ only: ["http2/ping-flood"] })).toThrow("add --abuse");
  });

  test("near() puts shared words before shared letters", () => {
    expect(near("flood ping", ["http2/flow", "http2/ping-flood", "http2/ping-on-stream"])).toMatch(/^Near it: http2\/ping-flood, /);
  });
});
