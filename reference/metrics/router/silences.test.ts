import { describe, expect, test } from "vitest";
import { Labels } from "../model/index.ts";
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
});
