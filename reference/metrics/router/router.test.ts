import { describe, expect, test } from "vitest";
import { Labels } from "../model/index.ts";
import { ROUTER_LIMITS } from "./limits.ts";
import { at, Bench, matchersOf, planFrom } from "./testing.ts";

const A = '{alertname="A"}';
const B = '{alertname="B"}';

describe("groups", () => {
  test("alerts that arrive within group_wait are one notification, later ones come at the next group_interval", () => {
    const bench = new Bench(planFrom({}));
    bench.post("A a", "A b");
    bench.until(5).post("A c");
    bench.until(30).post("A d");
    expect(bench.until(100).take()).toEqual([`10 all ${A} firing: a b c`, `70 all ${A} firing: a b c d`]);
  });

  test("without news nothing is sent until repeat_interval has passed, rounded up to a group_interval", () => {
    const bench = new Bench(planFrom({ repeatIntervalMs: 150_000 }), {});
    for (let second = 0; second <= 400; second += 50) bench.until(second).post("A a");
    expect(bench.until(420).take()).toEqual([`10 all ${A} firing: a`, `190 all ${A} firing: a`, `370 all ${A} firing: a`]);
  });

  test("an alert that ends within group_wait is not notified about", () => {
    const bench = new Bench(planFrom({}));
    bench.post("A a");
    bench.until(5).post("-A a");
    expect(bench.until(200).take()).toEqual([]);
  });

  test("a resolved alert is reported once, at the next group_interval", () => {
    const bench = new Bench(planFrom({}));
    bench.post("A a", "A b");
    bench.until(20).post("-A a");
    expect(bench.until(200).take()).toEqual([`10 all ${A} firing: a b`, `70 all ${A} firing: b; resolved: a`]);
  });

  test("an alert that nobody sends again counts as resolved after resolve_timeout", () => {
    const bench = new Bench(planFrom({}));
    bench.post("A a");
    expect(bench.until(400).take()).toEqual([`10 all ${A} firing: a`, `310 all ${A} resolved: a`]);
  });

  test("alerts with different group labels are in different groups; ... makes each a group", () => {
    const bench = new Bench(planFrom({}));
    bench.post("A a", "B a");
    expect(bench.until(20).take()).toEqual([`10 all ${A} firing: a`, `10 all ${B} firing: a`]);
    const apart = new Bench(planFrom({ groupBy: "all" }));
    apart.post("A a", "A b");
    expect(apart.until(20).take()).toEqual([`10 all {alertname="A", i="a"} firing: a`, `10 all {alertname="A", i="b"} firing: b`]);
  });

  test("an alert that began long ago does not wait for group_wait", () => {
    const bench = new Bench(planFrom({}));
    bench.until(100);
    bench.router.receive(
      [{ labels: Labels.of({ alertname: "A", i: "a" }), annotations: Labels.NONE, generatorUrl: "", startsAt: at(0) }],
      at(100),
    );
    expect(bench.until(101).take()).toEqual([`100 all ${A} firing: a`]);
  });

  test.each([
    [90_000, 110],
    [89_999, 100],
  ])("an alert that began at %i of 100,000 is sent at %i: one that has waited exactly as long waits on", (startsAt, second) => {
    const bench = new Bench(planFrom({}));
    bench.until(100);
    bench.router.receive(
      [{ labels: Labels.of({ alertname: "A", i: "a" }), annotations: Labels.NONE, generatorUrl: "", startsAt: at(0) + startsAt }],
      at(100),
    );
    expect(bench.until(111).take()).toEqual([`${second} all ${A} firing: a`]);
  });

  test("without resolved alerts a receiver hears of a group that fires, and of no other change", () => {
    const receivers = new Map([["all", [{ kind: "webhook", sendResolved: false }] as const]]);
    const bench = new Bench(planFrom({}, { receivers }));
    bench.post("A a", "A b");
    bench.until(20).post("-A a");
    bench.until(80).post("-A b");
    bench.until(200).post("A a");
    expect(bench.until(300).take()).toEqual([`10 all ${A} firing: a b`, `210 all ${A} firing: a`]);
  });

  test("one that fires again soon after it was resolved keeps the timer of its group", () => {
    const bench = new Bench(planFrom({}));
    bench.post("A a");
    bench.until(20).post("-A a");
    // Resolved at 70; the group is removed at 90.
    bench.until(75).post("A a");
    expect(bench.until(135).take().slice(2)).toEqual([`130 all ${A} firing: a`]);
    const later = new Bench(planFrom({}));
    later.post("A a");
    later.until(20).post("-A a");
    later.until(95).post("A a");
    expect(later.until(135).take().slice(2)).toEqual([`105 all ${A} firing: a`]);
  });
});

describe("routes", () => {
  const tree = {
    routes: [
      { if: '{team="x"}', receiver: "page", continues: true },
      { if: '{team=~"x|y"}', receiver: "mail", routes: [{ if: '{deep="1"}', receiver: "page" }] },
      { if: '{team="y"}', receiver: "page" },
    ],
  };
  test.each([
    ["A a", ["all"]],
    ["A a team=x", ["page", "mail"]],
    ["A a team=y", ["mail"]],
    ["A a team=y deep=1", ["page"]],
    ["A a team=z deep=1", ["all"]],
  ])("%s goes to %j", (alert, receivers) => {
    const bench = new Bench(planFrom(tree));
    bench.post(alert);
    expect(bench.until(10).take()).toEqual(receivers.map((name) => `10 ${name} ${A} firing: a`));
    expect(bench.router.alerts(at(10))[0]?.receivers).toEqual(receivers);
  });

  test("a route is mute within its intervals; what fires meanwhile is sent after them", () => {
    const timeIntervals = new Map([["pause", [{ zone: "UTC", times: [{ first: 600, last: 603 }] }]]]);
    const bench = new Bench(planFrom({ routes: [{ if: '{alertname="A"}', mutedIn: ["pause"] }] }, { timeIntervals }));
    bench.post("A a", "B b");
    expect(bench.until(170).take()).toEqual([`10 all ${B} firing: b`]);
    expect(bench.router.groups(at(170)).map(({ mutedBy }) => mutedBy)).toEqual([["pause"], []]);
    expect(bench.until(200).take()).toEqual([`190 all ${A} firing: a`]);
  });

  test("a route with active intervals is mute outside of them", () => {
    const timeIntervals = new Map([["work", [{ zone: "UTC", times: [{ first: 602, last: 1_440 }] }]]]);
    const bench = new Bench(planFrom({ routes: [{ if: '{alertname="A"}', activeIn: ["work"] }] }, { timeIntervals }));
    bench.post("A a");
    expect(bench.until(200).take()).toEqual([`130 all ${A} firing: a`]);
  });
});

describe("inhibition", () => {
  const rules = (equal: readonly string[] = ["i"]) => ({
    inhibitRules: [{ source: matchersOf('{alertname="A"}'), target: matchersOf('{alertname="B"}'), equal }],
  });
  test("a firing source mutes targets with equal labels, and no others", () => {
    const bench = new Bench(planFrom({}, rules()));
    bench.post("A a", "B a", "B b");
    expect(bench.until(20).take()).toEqual([`10 all ${A} firing: a`, `10 all ${B} firing: b`]);
    const [, muted] = bench.router.alerts(at(20));
    expect(muted?.inhibitedBy).toEqual([bench.router.alerts(at(20))[0]?.alert.fingerprint]);
  });
  test("once the source has ended its targets are sent", () => {
    const bench = new Bench(planFrom({}, rules()));
    bench.post("A a", "B a");
    bench.until(20).post("-A a");
    expect(bench.until(100).take()).toEqual([`10 all ${A} firing: a`, `70 all ${A} resolved: a`, `70 all ${B} firing: a`]);
  });
  test("a label that both lack is equal", () => {
    const bench = new Bench(planFrom({}, rules(["none"])));
    bench.post("A a", "B b");
    expect(bench.until(20).take()).toEqual([`10 all ${A} firing: a`]);
  });
  test("an alert that matches both sides does not mute itself, nor another such one", () => {
    const both = { inhibitRules: [{ source: matchersOf('{i=~"a|b"}'), target: matchersOf('{i=~"a|b|c"}'), equal: [] }] };
    const bench = new Bench(planFrom({}, both));
    bench.post("A a", "A b", "A c");
    expect(bench.until(20).take()).toEqual([`10 all ${A} firing: a b`]);
  });
});

describe("deliveries", () => {
  test("an attempt that may succeed later is repeated with growing pauses, and then logged", () => {
    const bench = new Bench(planFrom({}));
    bench.outcome = (attempt) => (attempt <= 2 ? "retry" : "sent");
    bench.post("A a");
    expect(bench.until(200).take()).toEqual([
      `10 all ${A} firing: a (retry)`,
      `10.5 all ${A} firing: a (retry)`,
      `11.25 all ${A} firing: a`,
    ]);
  });
  test("a refused one is given up until the next group_interval", () => {
    const bench = new Bench(planFrom({}));
    bench.outcome = (attempt) => (attempt === 1 ? "refused" : "sent");
    bench.post("A a");
    expect(bench.until(200).take()).toEqual([`10 all ${A} firing: a (refused)`, `70 all ${A} firing: a`]);
    expect(bench.router.counts).toMatchObject({ sent: { webhook: 1 }, failed: { webhook: 1 } });
  });
  test("a group is not looked at while a notification is on its way, however long that takes", () => {
    const { router } = new Bench(planFrom({}));
    router.receive([{ labels: Labels.of({ alertname: "A", i: "a" }), annotations: Labels.NONE, generatorUrl: "" }], at(0));
    router.tick(at(10));
    const [first] = router.take();
    router.receive([{ labels: Labels.of({ alertname: "A", i: "b" }), annotations: Labels.NONE, generatorUrl: "" }], at(20));
    router.tick(at(100));
    expect(router.take()).toEqual([]);
    router.settle(first!.id, "sent", at(101));
    router.tick(at(101));
    expect(router.take().map(({ alerts }) => alerts.length)).toEqual([2]);
  });
  test("a resolved alert is kept until a receiver has heard of it", () => {
    const bench = new Bench(planFrom({}));
    bench.outcome = (attempt) => (attempt === 2 ? "refused" : "sent");
    bench.post("A a");
    bench.until(20).post("-A a");
    expect(bench.until(200).take()).toEqual([`10 all ${A} firing: a`, `70 all ${A} resolved: a (refused)`, `130 all ${A} resolved: a`]);
  });
  test("retries end before the next group_interval begins", () => {
    const bench = new Bench(planFrom({}));
    bench.outcome = () => "retry";
    bench.post("A a");
    const times = bench
      .until(80)
      .take()
      .map((line) => Number.parseFloat(line));
    expect(times.length).toBeGreaterThan(5);
    expect(times.filter((time) => time > 67 && time < 70.5)).toEqual([70]);
  });
  test("each integration of a receiver has its own log; one without send_resolved hears of firing alerts only", () => {
    const receivers = new Map([
      [
        "all",
        [
          { kind: "webhook", sendResolved: true },
          { kind: "email", sendResolved: false },
        ] as const,
      ],
    ]);
    const bench = new Bench(planFrom({}, { receivers }));
    bench.post("A a", "A b");
    bench.until(20).post("-A a");
    bench.until(80).post("-A b");
    bench.until(140).post("A b");
    expect(bench.until(300).take()).toEqual([
      `10 all ${A} firing: a b`,
      `10 all ${A} firing: a b`,
      `70 all ${A} firing: b; resolved: a`,
      `130 all ${A} resolved: b`,
      `190 all ${A} firing: b`,
      `190 all ${A} firing: b`,
    ]);
  });
});

describe("state", () => {
  test("another router with the stored state sends nothing twice, and reports the end of what the first one reported", () => {
    const first = new Bench(planFrom({}));
    first.post("A a", "B b");
    first.until(20);
    const second = new Bench(planFrom({}));
    for (const record of first.router.changes()) second.router.restore(JSON.parse(JSON.stringify(record)));
    second.until(30).post("A a", "-B b");
    expect(second.until(200).take()).toEqual([`40 all ${B} resolved: b`]);
    expect(second.router.snapshot()).toHaveLength(2);
  });
  test("another configuration routes all alerts again and repeats nothing", () => {
    const bench = new Bench(planFrom({}));
    bench.post("A a");
    bench.until(20).take();
    bench.router.configure(planFrom({}), at(20));
    expect(bench.until(60).take()).toEqual([]);
    bench.router.configure(planFrom({ receiver: "mail" }), at(60));
    expect(bench.until(61).take()).toEqual([`60 mail ${A} firing: a`]);
  });
  test("an attempt that ends after another configuration came counts if it succeeded, and is not repeated if it failed", () => {
    for (const outcome of ["sent", "retry"] as const) {
      const { router } = new Bench(planFrom({}));
      router.receive([{ labels: Labels.of({ alertname: "A", i: "a" }), annotations: Labels.NONE, generatorUrl: "" }], at(0));
      router.tick(at(10));
      const [first] = router.take();
      router.configure(planFrom({}), at(11));
      router.settle(first?.id ?? 0, outcome, at(12));
      router.tick(at(30));
      expect(router.take()).toHaveLength(outcome === "sent" ? 0 : 1);
    }
  });
  test("what has ended is forgotten after a time", () => {
    const bench = new Bench(planFrom({}), { retentionMs: 3_600_000 });
    bench.post("A a");
    expect(bench.until(310).router.alerts(at(310))).toEqual([]);
    bench.until(9_000);
    expect([bench.router.groupCount, bench.router.snapshot()]).toEqual([0, []]);
  });
});

test("limits: a group more than the limit is refused; at the limit labels and texts are taken", () => {
  const bench = new Bench(planFrom({ groupBy: "all" }), { limits: { ...ROUTER_LIMITS, groups: 1, labels: 2, alertLength: 17 } });
  // Two labels with 12 characters, and one annotation with 6.
  expect(bench.post("A a")[0]).toContain("at most 17 characters");
  const { router } = new Bench(planFrom({ groupBy: "all" }), { limits: { ...ROUTER_LIMITS, groups: 1, labels: 2, alertLength: 11 } });
  const one = (i: string) => ({ labels: Labels.of({ alertname: i, i }), annotations: Labels.NONE, generatorUrl: "" });
  expect(router.receive([one("")], at(0))[0]).toContain("needs a label");
  expect(router.receive([one("a"), one("b")], at(0))[0]).toContain("at most 11 characters");
  const { router: other } = new Bench(planFrom({ groupBy: "all" }), {
    limits: { ...ROUTER_LIMITS, groups: 1, labels: 2, alertLength: 12 },
  });
  expect(other.receive([one("a"), one("b")], at(0))).toEqual([]);
  expect([other.groupCount, other.counts.refused, other.alerts(at(0)).length]).toEqual([1, 1, 2]);
});

test("limits: an alert more than the limit is refused, and one that is known is not", () => {
  const bench = new Bench(planFrom({}), { limits: { ...ROUTER_LIMITS, alerts: 2, labels: 3, alertLength: 30 } });
  expect(bench.post("A a", "A b", "A c").map((fault) => fault.replace(/.*: /, ""))).toEqual(["there are 2 alerts already"]);
  expect(bench.post("A a", "A b")).toEqual([]);
  expect(bench.post("A a x=1 y=2")[0]).toContain("at most 3 labels");
  expect(bench.post(`A ${"a".repeat(40)}`)[0]).toContain("at most 30 characters");
  expect(bench.router.counts).toMatchObject({ firing: 4, invalid: 2, refused: 1 });
});
