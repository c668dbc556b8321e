import { describe, expect, test } from "vitest";
import type { Case } from "../case.ts";
import { ConnectionDriver, type ConnectionProtocol, performAll } from "./connection-driver.ts";
import { Unreachable } from "../driver.ts";
import { Stage, type Stop } from "./stage.ts";

type Toy = Case<string, string>;

class ToyStage extends Stage<string> {
  readonly done: string[] = [];
  dropped = 0;
  get over(): boolean {
    return false;
  }
  sees(sight: string): boolean {
    return this.done.includes(sight);
  }
}

const toy = (more: Partial<Toy> = {}): Toy => ({
  id: "toy/x",
  spec: "rfc9110#5",
  covers: ["rfc9110#5/x"],
  level: "MUST",
  role: "server",
  title: "The toy plays.",
  steps: ["knock"],
  control: ["greet"],
  allowed: [{ see: "knock" }],
  ...more,
});

/** A protocol whose steps are words that are done at once, and the stages that it set. */
function protocol(more: Partial<ConnectionProtocol<Toy, ToyStage>> = {}) {
  const stages: ToyStage[] = [];
  const made: ConnectionProtocol<Toy, ToyStage> = {
    role: "server",
    probe: async () => ({ features: new Map() }),
    open: () => {
      const stage = new ToyStage(100);
      stage.afterwards(() => (stage.dropped += 1));
      stages.push(stage);
      return stage;
    },
    perform: (steps, stage) =>
      performAll(steps, async (step): Promise<Stop> => {
        stage.recorder.remark(step);
        stage.done.push(step);
        return step === "stumble" ? "it stumbled" : undefined;
      }),
    conclude: async ({ allowed }, stage, stop) => {
      const index = allowed.findIndex(({ see }) => stage.sees(see));
      return index >= 0
        ? { is: "allowed", index, reason: "", observed: "a knock" }
        : { is: "other", reason: stop ?? "nothing", observed: stage.done.join() };
    },
    accepts: async (_, __, stop) => ({ is: stop === undefined ? "accepted" : "refused", reason: stop ?? "" }),
    controlKey: ({ allowed }) => [allowed],
    outcomeInWords: ({ see }) => `seen: ${see}`,
    ...more,
  };
  return { made, stages, driver: new ConnectionDriver(made) };
}

describe("ConnectionDriver", () => {
  test("a case and its control are performed on stages of their own, which are dropped", async () => {
    const { driver, stages } = protocol();
    expect(await driver.play(toy())).toMatchObject({ is: "allowed", index: 0, observed: "a knock" });
    expect(await driver.control(toy())).toMatchObject({ is: "accepted" });
    expect(stages.map(({ done, dropped }) => [done, dropped])).toEqual([
      [["knock"], 1],
      [["greet"], 1],
    ]);
  });

  test("with patience it waits longer, and it reports whether a wait ran out of time", async () => {
    const waits: number[] = [];
    const { driver } = protocol({
      perform: async (_, stage): Promise<Stop> => {
        waits.push(stage.timeout);
        await stage.until(() => false, 1);
        return undefined;
      },
    });
    expect(await driver.play(toy(), 3)).toMatchObject({ timedOut: true });
    await driver.control(toy(), 2);
    expect(await protocol().driver.play(toy())).toMatchObject({ timedOut: false });
    expect(waits).toEqual([300, 200]);
  });

  test("the first step that fails is the last, and says why", async () => {
    const { driver } = protocol();
    const played = await driver.play(toy({ steps: ["stumble", "knock"] }));
    expect(played).toMatchObject({ is: "other", reason: "it stumbled", observed: "stumble" });
    expect(played.transcript.map(({ means }) => means)).toEqual(["stumble"]);
  });

  test("what is thrown is an error of the harness, with the transcript so far", async () => {
    const failing = protocol({ conclude: () => Promise.reject(new Error("out of ink")) });
    const played = await failing.driver.play(toy());
    expect(played).toMatchObject({ is: "error", reason: "out of ink", observed: "nothing" });
    expect(played.transcript.map(({ means }) => means)).toEqual(["knock"]);
    expect(failing.stages[0]?.dropped).toBe(1);
    const closed = protocol({ open: () => Promise.reject(new Unreachable("nobody is there")) });
    expect(await closed.driver.control(toy())).toMatchObject({ is: "error", reason: "nobody is there", transcript: [] });
  });

  test("a stopped attack is no pass unless a new connection is served", async () => {
    const abuse = toy({ group: "abuse" });
    const served = protocol({ serves: async () => undefined });
    expect(await served.driver.play(abuse)).toMatchObject({ is: "allowed" });
    const gone = protocol({ serves: async () => "it ended" });
    const played = await gone.driver.play(abuse);
    expect(played).toMatchObject({ is: "other", reason: "It stopped the attack, but a new connection was not served afterwards." });
    expect(played.transcript.map(({ means }) => means)).toContain("a new connection is not served: it ended");
    expect(gone.stages.map(({ dropped }) => dropped)).toEqual([1, 1]);
    // Any other case is not followed by a second connection.
    await gone.driver.play(toy());
    expect(gone.stages).toHaveLength(3);
  });

  test("performances that must be alone never overlap", async () => {
    let running = 0;
    let most = 0;
    const perform = async (): Promise<Stop> => {
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      running -= 1;
      return undefined;
    };
    const { driver } = protocol({ alone: true, perform });
    await Promise.all([driver.play(toy()), driver.control(toy()), driver.play(toy())]);
    expect(most).toBe(1);
  });

  test("controls with the same steps and the same dependencies have the same key", () => {
    const { driver } = protocol();
    expect(driver.controlKey(toy())).toBe(driver.controlKey(toy({ steps: ["other"] })));
    expect(driver.controlKey(toy())).not.toBe(driver.controlKey(toy({ control: ["other"] })));
    expect(driver.controlKey(toy())).not.toBe(driver.controlKey(toy({ allowed: [{ see: "other" }] })));
    expect(driver.expected(toy())).toEqual(["seen: knock"]);
  });
});
