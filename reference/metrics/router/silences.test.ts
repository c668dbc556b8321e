import { describe, expect, test } from "vitest";
import { Labels } from "../model/index.ts";
import { ROUTER_LIMITS } from "./limits.ts";
import { stateOf, type PostedSilence } from "./silences.ts";
import { at, Bench, matchersOf, planFrom } from "./testing.ts";

const A = '{alertname="A"}';
const posted = (more: Partial<PostedSilence> = {}): PostedSilence => ({
  id: "",
  matchers: matchersOf('{i="a"}'),
  startsAt: at(0),
  endsAt: at(100),
  createdBy: "me",
  comment: "",
  ...more,
});

describe("silences", () => {
  test("mute the alerts that match while they are active", () => {
    const bench = new Bench(planFrom({}));
    bench.router.setSilence(posted(), at(0));
    bench.post("A a", "A b");
    expect(bench.until(100).take()).toEqual([`10 all ${A} firing: b`]);
    expect(bench.router.alerts(at(50)).map(({ silencedBy }) => silencedBy)).toEqual([["id-1"], []]);
    expect(bench.until(200).take()).toEqual([`130 all ${A} firing: a b`]);
  });

  test("one that is pending mutes once it has begun", () => {
    const bench = new Bench(planFrom({}));
    bench.router.setSilence(posted({ startsAt: at(50) }), at(0));
    expect(bench.router.silences.mutedBy(Labels.of({ i: "a" }), at(49))).toEqual([]);
    expect(bench.router.silences.mutedBy(Labels.of({ i: "a" }), at(50))).toEqual(["id-1"]);
    expect(bench.router.silences.mutedBy(Labels.of({ i: "a" }), at(100))).toEqual([]);
  });

  test("an active one keeps its id while its end changes, and gets another one with other matchers", () => {
    const { router } = new Bench(planFrom({}));
    router.setSilence(posted(), at(0));
    expect(router.setSilence(posted({ id: "id-1", endsAt: at(200) }), at(10))).toMatchObject({ id: "id-1", endsAt: at(200) });
    expect(router.setSilence(posted({ id: "id-1", matchers: matchersOf('{i="b"}') }), at(20))).toMatchObject({
      id: "id-2",
      startsAt: at(20),
    });
    expect(router.silences.all.map((one) => stateOf(one, at(20)))).toEqual(["expired", "active"]);
  });

  test("expire ends an active one now and makes a pending one empty; a second time it is refused", () => {
    const { router } = new Bench(planFrom({}));
    router.setSilence(posted(), at(0));
    router.setSilence(posted({ startsAt: at(50) }), at(0));
    expect(router.expireSilence("id-1", at(10))).toMatchObject({ startsAt: at(0), endsAt: at(10) });
    expect(router.expireSilence("id-2", at(10))).toMatchObject({ startsAt: at(10), endsAt: at(10) });
    expect(router.expireSilence("id-1", at(11))).toMatchObject({ fault: "expired" });
    expect(router.expireSilence("id-9", at(11))).toMatchObject({ fault: "unknown" });
    expect(router.changes()).toHaveLength(4);
  });

  test.each([
    ["invalid", { matchers: [] }],
    ["invalid", { matchers: matchersOf('{a="",b=~".*"}') }],
    ["invalid", { startsAt: at(100) }],
    ["invalid", { endsAt: at(5) }],
    ["invalid", { comment: "x".repeat(70_000) }],
    ["unknown", { id: "id-7" }],
  ] as const)("%s: %j is refused", (fault, more) => {
    const { router } = new Bench(planFrom({}));
    expect(router.setSilence(posted(more), at(5))).toMatchObject({ fault });
    expect(router.changes()).toEqual([]);
  });

  test("what is past cannot change: an active one with another start gets another id, and so does one that has expired", () => {
    const { router } = new Bench(planFrom({}));
    router.setSilence(posted(), at(0));
    // Within the same second nothing changes.
    expect(router.setSilence(posted({ id: "id-1", startsAt: at(0) + 999 }), at(10))).toMatchObject({ id: "id-1" });
    expect(router.setSilence(posted({ id: "id-1", startsAt: at(1) }), at(10))).toMatchObject({ id: "id-2", startsAt: at(10) });
    expect(router.silences.get("id-1")).toMatchObject({ endsAt: at(10), updatedAt: at(10) });
    expect(router.setSilence(posted({ id: "id-1", endsAt: at(200) }), at(20))).toMatchObject({ id: "id-3", startsAt: at(20) });
    expect(router.silences.get("id-1")).toMatchObject({ endsAt: at(10), updatedAt: at(10) });
  });

  test("a pending one keeps its id while it begins now or later", () => {
    const { router } = new Bench(planFrom({}));
    router.setSilence(posted({ startsAt: at(50) }), at(0));
    expect(router.setSilence(posted({ id: "id-1", startsAt: at(10) }), at(10))).toMatchObject({ id: "id-1", startsAt: at(10) });
    router.setSilence(posted({ startsAt: at(50) }), at(10));
    expect(router.setSilence(posted({ id: "id-2", startsAt: at(9) }), at(10))).toMatchObject({ id: "id-3", startsAt: at(10) });
    expect(router.silences.get("id-2")).toMatchObject({ startsAt: at(10), endsAt: at(10) });
  });

  test("limits: as many silences, matchers and characters as there may be, and no more", () => {
    const limits = { ...ROUTER_LIMITS, silences: 2, matchers: 1, silenceLength: 10 };
    const { router } = new Bench(planFrom({}), { limits });
    expect(router.setSilence(posted({ matchers: matchersOf('{i="a",j="b"}') }), at(0))).toMatchObject({ fault: "invalid" });
    // The name and the value of the matcher, and who made it: four characters.
    expect(router.setSilence(posted({ comment: "1234567" }), at(0))).toMatchObject({ fault: "invalid" });
    expect(router.setSilence(posted({ comment: "123456" }), at(0))).toMatchObject({ id: "id-1" });
    router.setSilence(posted(), at(0));
    expect(router.setSilence(posted(), at(0))).toMatchObject({ fault: "full" });
    expect(router.setSilence(posted({ id: "id-2", endsAt: at(300) }), at(1))).toMatchObject({ id: "id-2" });
  });

  test("one that has expired is forgotten after the retention, and mutes nothing", () => {
    const bench = new Bench(planFrom({}), { retentionMs: 60_000, forgetMs: 10_000 });
    bench.router.setSilence(posted({ endsAt: at(40) }), at(0));
    expect(bench.until(99).router.silences.all).toHaveLength(1);
    expect(bench.until(100).router.silences.all).toHaveLength(0);
    expect(bench.router.silences.mutedBy(Labels.of({ i: "a" }), at(100))).toEqual([]);
  });

  test("a silence that comes, changes or goes counts at once", () => {
    const { router } = new Bench(planFrom({}));
    const muted = (second: number): string[] => router.silences.mutedBy(Labels.of({ i: "a" }), at(second));
    expect(muted(0)).toEqual([]);
    router.setSilence(posted(), at(0));
    expect([muted(0), muted(99), muted(100)]).toEqual([["id-1"], ["id-1"], []]);
    router.expireSilence("id-1", at(10));
    expect(muted(10)).toEqual([]);
    router.restore({ is: "silence", silence: { ...posted(), id: "old", updatedAt: at(0) } });
    expect([muted(10), router.changes().length]).toEqual([["old"], 2]);
  });
});
