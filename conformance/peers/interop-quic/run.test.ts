import { describe, expect, test } from "vitest";
import { run, type Outcome } from "./run.ts";
import { SCENARIOS, type Scenario, type ScenarioName } from "./scenarios.ts";
import { STACKS } from "./stacks.ts";

/** Our client with our server; the page has the other pairs. */

const [ours] = STACKS;
const scenario = (name: ScenarioName): Scenario => SCENARIOS.find((one) => one.name === name)!;
const between = (one: Scenario): Promise<Outcome> => run(ours!, ours!, one, 20);

test.each(["retry", "resumption", "zerortt", "chacha20"] as const)("our client and server pass %s", async (name) => {
  expect(await between(scenario(name))).toMatchObject({ is: "passed" });
});

describe("files that came by another way do not count", () => {
  test.each([
    ["retry", "handshake", "there was no Retry"],
    ["handshake", "retry", "the server sent Retry"],
    ["chacha20", "handshake", "the suite was 1301"],
    ["resumption", "handshake", "1 connections"],
    ["zerortt", "resumption", "the client sent no 0-RTT packet"],
    ["v2", "handshake", "versions 1"],
    ["http3", "handshakeloss", "3 connections"],
    ["rebindport", "handshake", "the server did not answer at the other port"],
  ] as const)("%s, but both do what %s wants", async (judged, done, why) => {
    const { files, wrong } = scenario(judged);
    const few = files.map((size) => Math.min(size, 5_000));
    const { link } = scenario("handshake");
    expect(await between({ ...scenario(judged), name: done, files: few, link, wrong: wrong! })).toEqual({ is: "failed", why });
  });
  test("nothing comes over a path that loses everything", async () => {
    const lost = { ...scenario("handshake"), link: { ...scenario("handshake").link, loss: 1 }, seconds: 2 };
    expect(await between(lost)).toEqual({ is: "failed", why: "not done after 2 s: 1 of 1 files missing" });
  });
});

test("what a stack cannot be asked is not run", async () => {
  expect(await between(scenario("v2"))).toMatchObject({ is: "not offered" });
});
