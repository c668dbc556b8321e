import { Labels } from "../model/index.ts";
import type { DeliveryOutcome } from "./delivery.ts";
import { readMatchers } from "./matcher-text.ts";
import type { RouterPlan } from "./plan.ts";
import { DEFAULT_ROUTE, type Route, routeKey, type RouteOptions } from "./route.ts";
import { Router, type RouterOptions } from "./router.ts";

/** Routers on virtual time, in seconds from a fixed moment. */

const START: number = Date.parse("2026-03-02T10:00:00Z");
export const at = (seconds: number): number => START + seconds * 1_000;

export const matchersOf = (text: string) => {
  const read = readMatchers(text);
  if ("fault" in read) throw new Error(read.fault);
  return read.matchers;
};

/** A route of a test: what it leaves out is inherited. */
export type TestRoute = Partial<RouteOptions> & {
  readonly if?: string;
  readonly continues?: boolean;
  readonly routes?: readonly TestRoute[];
};

const BASE: RouteOptions = {
  ...DEFAULT_ROUTE,
  receiver: "all",
  groupBy: new Set(["alertname"]),
  groupWaitMs: 10_000,
  groupIntervalMs: 60_000,
  repeatIntervalMs: 3_600_000,
};

function routeFrom({ if: text = "{}", continues = false, routes = [], ...own }: TestRoute, above?: Route, id = "0"): Route {
  const matchers = matchersOf(text);
  const options = { ...(above?.options ?? BASE), mutedIn: [], activeIn: [], ...own };
  const route: Route = { key: routeKey(above?.key, matchers), id, matchers, continues, options, routes: [] };
  return { ...route, routes: routes.map((one, index) => routeFrom(one, route, `${id}.${index}`)) };
}

export const planFrom = (route: TestRoute, more: Partial<RouterPlan> = {}): RouterPlan => ({
  route: routeFrom(route),
  inhibitRules: [],
  timeIntervals: new Map(),
  receivers: new Map(["all", "page", "mail"].map((name) => [name, [{ kind: "webhook", sendResolved: true }]])),
  resolveTimeoutMs: 300_000,
  ...more,
});

/** One notification in short: `40 all {alertname="A"} firing: a b; resolved: c`, where letters are values of the label `i`. */
export class Bench {
  readonly router: Router;
  readonly seen: string[] = [];
  /** What happens to each attempt. */
  outcome: (attempt: number) => DeliveryOutcome = () => "sent";
  #now = 0;
  #attempts = 0;
  #ids = 0;

  constructor(plan: RouterPlan, options: Partial<RouterOptions> = {}) {
    this.router = new Router(plan, { newId: () => `id-${++this.#ids}`, retentionMs: 432_000_000, forgetMs: 1_800_000, ...options }, at(0));
  }

  /** Lets time pass, and everything that is due happen at its moment. */
  until(seconds: number): this {
    for (;;) {
      const due = Math.max((this.router.deadline - START) / 1_000, this.#now);
      if (due > seconds) break;
      this.#now = due;
      this.router.tick(at(due));
      this.#deliver();
    }
    this.#now = seconds;
    return this;
  }

  /** Posts alerts: `A a` is the alert A with `i="a"`; `-A a` says that it has ended. */
  post(...texts: readonly string[]): string[] {
    const faults = this.router.receive(
      texts.map((text) => {
        const [name = "", i = "", ...more] = text.replace(/^-/, "").split(" ");
        const labels = Labels.of({ alertname: name, i, ...Object.fromEntries(more.map((one) => one.split("="))) });
        const ended = text.startsWith("-") ? { startsAt: at(this.#now - 1), endsAt: at(this.#now) } : {};
        return { labels, annotations: Labels.of({ about: i }), generatorUrl: "", ...ended };
      }),
      at(this.#now),
    );
    return faults;
  }

  /** The notifications since the last call. */
  take(): string[] {
    return this.seen.splice(0);
  }

  #deliver(): void {
    for (const { id, receiver, groupLabels, alerts } of this.router.take()) {
      const outcome = this.outcome(++this.#attempts);
      const named = (isResolved: boolean): string =>
        alerts
          .filter((one) => one.isResolved === isResolved)
          .map(({ labels }) => labels.get("i"))
          .join(" ");
      const parts = [`firing: ${named(false)}`, `resolved: ${named(true)}`].filter((part) => !part.endsWith(": "));
      this.seen.push(`${this.#now} ${receiver} ${groupLabels.toString()} ${parts.join("; ")}${outcome === "sent" ? "" : ` (${outcome})`}`);
      this.router.settle(id, outcome, at(this.#now));
    }
  }
}
