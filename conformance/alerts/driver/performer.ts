import type { Action, Pattern, Step } from "../vocabulary.ts";
import { difference } from "./like.ts";
import type { Answered, Got, Line, Performance } from "./record.ts";
import { filled, type Values } from "./texts.ts";

/** Pauses between questions of the API. */
const POLL_MS = 100;
/** A request of the API that takes longer has no answer. */
const ANSWER_MS = 10_000;
const MOST_SHOWN = 600;

export type PerformerOptions = {
  readonly name: string;
  /** Where the API is. */
  readonly base: string;
  readonly values: Values;
  /** The longest wait for one thing. */
  readonly waitMs: number;
  readonly now: () => number;
  readonly onSignal: (value: number) => void;
};

const shown = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, MOST_SHOWN);

/** Performs the actions of one case, and keeps what comes of them. */
export class CasePerformer {
  readonly #options: PerformerOptions;
  readonly #got: Got[] = [];
  readonly #answers: Record<string, Answered> = {};
  readonly #lines: Line[] = [];
  readonly #waiting = new Set<() => void>();
  #stopped = "";
  #isLate = false;
  #skipped = "";

  constructor(options: PerformerOptions) {
    this.#options = options;
  }

  /** A request arrived at an end of the case. */
  take(got: Got): void {
    this.#got.push(got);
    this.#line(
      "<-",
      `${got.end}: ${got.method} ${got.path}${got.host === "elsewhere" ? " at the other host" : ""} ${shown(got.alerts.length > 0 ? got.alerts : got.body)}`,
    );
    for (const look of this.#waiting) look();
  }

  /** Ends the case early. */
  stop(why: string): void {
    this.#stopped ||= why;
    for (const look of this.#waiting) look();
  }

  async perform(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (this.#stopped !== "" || this.#skipped !== "") return;
      if (step.do !== "router" && step.do !== "sender") await this.#act(step);
    }
  }

  performance(isRefused: boolean): Performance {
    return {
      name: this.#options.name,
      got: this.#got,
      answers: this.#answers,
      lines: this.#lines,
      stopped: this.#stopped,
      isLate: this.#isLate,
      skipped: this.#skipped,
      isRefused,
      values: this.#options.values,
    };
  }

  async #act(action: Action): Promise<void> {
    const { onSignal, values } = this.#options;
    switch (action.do) {
      case "request": {
        const answered = await this.#ask(filled(action, values, this.#answers));
        if (answered === undefined) this.#stopped = `${action.method} ${action.path} is not answered`;
        else if (action.mayFail !== true && (answered.status < 200 || answered.status > 299))
          this.#stopped = `${action.method} ${action.path} is answered with ${answered.status}: ${shown(answered.json)}`;
        return;
      }
      case "await": {
        const { at, count, is = {}, orSkip } = filled(action, values, this.#answers);
        const isThere = await this.#until(() => this.#like(at, is).length >= count);
        if (isThere || this.#stopped !== "") return;
        if (orSkip !== undefined) this.#skipped = orSkip;
        else this.#late(`${count} such requests at ${at} did not come in time: ${shown(is)}; ${this.#like(at, is).length} came`);
        return;
      }
      case "await-answer": {
        const { as, path, is } = filled(action, values, this.#answers);
        const until = this.#options.now() + this.#options.waitMs;
        for (;;) {
          const answered = await this.#ask({ do: "request", as, method: "GET", path }, true);
          const fault = answered === undefined ? "there is no answer" : difference(is, answered.json, answered.at);
          if (fault === undefined || this.#stopped !== "") return this.#note(`${path} is as awaited`);
          if (this.#options.now() > until) return this.#late(`${path} is not as awaited: ${fault}`);
          await new Promise((resolve) => void setTimeout(resolve, POLL_MS));
        }
      }
      case "signal":
        onSignal(action.value);
        return this.#note(`the signal is ${action.value}`);
    }
  }

  #like(end: string, is: Pattern): Got[] {
    return this.#got.filter((one) => one.end === end && difference(is, one, one.at) === undefined);
  }
  #late(why: string): void {
    this.#stopped = why;
    this.#isLate = true;
  }
  #note(means: string): void {
    this.#line("--", means);
  }
  #line(way: Line["way"], means: string): void {
    this.#lines.push({ ms: this.#options.now(), way, means });
  }

  /** Whether it comes true before the wait is over, and before the case is stopped. */
  #until(isDone: () => boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (is: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(is);
      };
      const look = (): void => {
        if (isDone()) end(true);
        else if (this.#stopped !== "") end(false);
      };
      const timer = setTimeout(() => end(false), this.#options.waitMs);
      this.#waiting.add(look);
      look();
    });
  }

  async #ask(action: Extract<Action, { do: "request" }>, isQuiet = false): Promise<Answered | undefined> {
    const { method, path, body, text = body === undefined ? undefined : JSON.stringify(body), type = "application/json" } = action;
    if (!isQuiet) this.#line("->", `${method} ${path} ${shown(text ?? "")}`);
    try {
      const response = await fetch(`${this.#options.base}${path}`, {
        method,
        headers: text === undefined ? {} : { "content-type": type },
        ...(text !== undefined && { body: text }),
        redirect: "manual",
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const content = await response.text();
      const answered: Answered = {
        status: response.status,
        type: response.headers.get("content-type") ?? "",
        json: jsonOf(content),
        at: Date.now(),
        ms: this.#options.now(),
      };
      this.#answers[action.as] = answered;
      if (!isQuiet) this.#line("<-", `${response.status} ${shown(content)}`);
      return answered;
    } catch {
      return undefined;
    }
  }
}

/** The JSON of a content, or its text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
