import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { instant, NEVER } from "../../reference/core/index.ts";
import { Hedging } from "../../reference/rpc/hedging.ts";
import { Retries, RetryTokens } from "../../reference/rpc/retry.ts";
import { readServiceConfig } from "../../reference/rpc/service-config.ts";
import type { StatusCode } from "../../reference/rpc/status.ts";
import { linter } from "../lint.ts";
import { ATTEMPTS, attemptsOf } from "./make.ts";
import type { AttemptStep, AttemptVector } from "./source/attempts.ts";

/** A call, and what a policy makes of it. */
type Call = {
  failed(status: StatusCode, pushBack: string | undefined, at: number): "goes on" | "ends";
  ended(status: StatusCode): void;
  /** The attempts that are due: for each the number of those before it. */
  due(at: number): number[];
  readonly next: number | undefined;
};

class Hedged implements Call {
  readonly #hedging: Hedging;
  #isOver = false;

  constructor(hedging: Hedging) {
    this.#hedging = hedging;
  }
  get next(): number | undefined {
    const { deadline } = this.#hedging;
    return this.#isOver || deadline === NEVER ? undefined : deadline;
  }
  failed(status: StatusCode, pushBack: string | undefined, at: number): "goes on" | "ends" {
    const verdict = this.#hedging.failed(status, pushBack, instant(at));
    this.#isOver ||= verdict === "ends";
    return verdict;
  }
  ended(status: StatusCode): void {
    this.#isOver = true;
    this.#hedging.ended(status);
  }
  due(at: number): number[] {
    const sent: number[] = [];
    while (!this.#isOver && this.#hedging.take(instant(at))) sent.push(this.#hedging.sent - 1);
    return sent;
  }
}

class Retried implements Call {
  readonly #retries: Retries;
  next: number | undefined;

  constructor(retries: Retries, at: number) {
    this.#retries = retries;
    this.next = at;
  }
  failed(status: StatusCode, pushBack: string | undefined, at: number): "goes on" | "ends" {
    const waitMs = this.#retries.failed(status, pushBack);
    if (waitMs === "stop") return "ends";
    // Waits are fractions of others: thousandths of a millisecond do not matter.
    this.next = at + Math.round(waitMs * 1_000) / 1_000;
    return "goes on";
  }
  ended(status: StatusCode): void {
    this.#retries.ended(status);
  }
  due(at: number): number[] {
    if (this.next === undefined || at < this.next) return [];
    this.next = undefined;
    return [this.#retries.count];
  }
}

/** The steps with what our policies make of them. */
function livedBy({ policy, throttling, random = [], steps }: Omit<AttemptVector, "id">): readonly AttemptStep[] {
  const config = readServiceConfig({ methodConfig: [{ name: [{}], ...policy }], ...(throttling && { retryThrottling: throttling }) });
  const { retryPolicy, hedgingPolicy } = config.methodConfig("/a.B/C");
  const tokens = config.retryThrottling && new RetryTokens(config.retryThrottling);
  const draws = [...random];
  const begun = (at: number): Call =>
    hedgingPolicy === undefined
      ? new Retried(new Retries(retryPolicy!, tokens, () => draws.shift() ?? 0.5), at)
      : new Hedged(new Hedging(hedgingPolicy, tokens, instant(at)));
  let call: Call | undefined;
  return steps.map(({ at, is, status, pushBack }) => {
    if (is === "call") call = begun(at);
    const verdict = is === "failed" ? call!.failed(status as StatusCode, pushBack, at) : "goes on";
    if (is === "ended") call!.ended(status as StatusCode);
    const sends = call!.due(at);
    const { next } = call!;
    return {
      at,
      is,
      ...(status !== undefined && { status }),
      ...(pushBack !== undefined && { pushBack }),
      ...(sends.length > 0 && { sends }),
      ...(next !== undefined && { next }),
      ...(verdict === "ends" && { ends: true as const }),
    };
  });
}

test.each(Object.entries(ATTEMPTS))("%s: the file is as its source makes it, valid, and names are unique", (name, source) => {
  expect(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8")).toBe(attemptsOf(source));
  expect(linter()(`rpc/${name}`)).toEqual([]);
  expect(new Set(source.vectors.map((vector) => vector.name)).size).toBe(source.vectors.length);
});

describe("our policies for further attempts", () => {
  test.each(ATTEMPTS.attempts.vectors)("$note", (vector) => {
    expect(livedBy(vector)).toEqual(vector.steps);
  });
});
