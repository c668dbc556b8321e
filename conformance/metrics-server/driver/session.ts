import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, portOf } from "../../peers/index.ts";
import { closed } from "../../harness/subject/closed.ts";
import { type Program, startProgram } from "../../harness/subject/program.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import type { RunOf } from "../../harness/together.ts";
import type { Ask, Change, Step } from "../vocabulary.ts";
import type { Answer, CaseRecord } from "./record.ts";
import { READY, RULES_TEXT, settingsOf, targetServer } from "./world.ts";

/** One run of two metrics servers: one with its life cycle API, if its command has a place for that, and one without. */

const POLL_MS = 100;
const LONGEST_MS = 10_000;
export const LIFECYCLE = "--web.enable-lifecycle";

export type SessionOptions = {
  readonly client: string | InProcessClient;
  /** The longest until the servers show their targets, and until a text comes or goes. */
  readonly startupMs: number;
  readonly untilMs: number;
};
export type Wanted = { readonly step: Step; readonly control: Step };
export type SessionResult = RunOf<CaseRecord> & { readonly complaint: string };

/** Performs all steps. Nothing is asked of servers that do not get ready. */
export async function runSession(all: readonly Wanted[], options: SessionOptions): Promise<SessionResult> {
  const session = new Session(options);
  try {
    return await session.run(all);
  } finally {
    await session.close();
  }
}

/** A started server with its files. */
class Subject {
  readonly program: Program;
  readonly base: string;
  readonly #folder: string;
  readonly #target: string;
  readonly #settings: Readonly<Record<string, unknown>>;
  ended = false;

  // oxlint-disable-next-line max-params -- what is started, and where
  constructor(
    client: string | InProcessClient,
    folder: string,
    port: string,
    { target, dead, first }: { target: string; dead: string; first?: string },
    flags: readonly string[],
  ) {
    this.#folder = folder;
    this.#target = target;
    this.base = `http://127.0.0.1:${port}`;
    mkdirSync(join(folder, "data"), { recursive: true });
    this.#settings = settingsOf({ target, dead, first, rules: join(folder, "rules.json") });
    this.write({});
    this.program = startProgram(client, { config: join(folder, "server.json"), dir: join(folder, "data"), port, flags });
    void this.program.ended.finally(() => (this.ended = true));
  }

  /** Writes the first configuration with a change. */
  write({ settings = {}, text, rules = RULES_TEXT }: Change): void {
    const own = JSON.stringify(settings).replaceAll("{target}", this.#target);
    writeFileSync(join(this.#folder, "rules.json"), rules);
    writeFileSync(
      join(this.#folder, "server.json"),
      text ?? JSON.stringify({ ...this.#settings, ...(JSON.parse(own) as object) }, undefined, 1),
    );
  }

  async asked({ method = "GET", path, accept }: Ask): Promise<Answer> {
    try {
      const response = await fetch(this.base + path, {
        method,
        ...(accept !== undefined && { headers: { accept } }),
        signal: AbortSignal.timeout(LONGEST_MS),
      });
      return { path, status: response.status, contentType: response.headers.get("content-type") ?? "", text: await response.text() };
    } catch {
      return { path, status: 0, contentType: "", text: "" };
    }
  }
}

class Session {
  readonly #options: SessionOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "touchstone-server-"));
  readonly #target = targetServer();
  #subjects: Subject[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async run(all: readonly Wanted[]): Promise<SessionResult> {
    this.#target.listen(0, "127.0.0.1");
    await once(this.#target, "listening");
    const target = `127.0.0.1:${portOf(this.#target)}`;
    const places = { target, dead: `127.0.0.1:${await deadPort()}` };
    const start = (name: string, port: string, flags: readonly string[], more = {}): Subject => {
      const subject = new Subject(this.#options.client, join(this.#folder, name), port, { ...places, ...more }, flags);
      this.#subjects.push(subject);
      return subject;
    };
    const port = String(await freePort());
    const server = start("server", port, [LIFECYCLE]);
    const needsPlain = all.some(({ step }) => step.of === "plain");
    const plain = needsPlain ? start("plain", String(await freePort()), [], { first: `127.0.0.1:${port}` }) : server;
    const areReady = (await Promise.all([...new Set([server, plain])].map((one) => this.#isReady(one)))).every(Boolean);
    const complaint = this.#subjects.map(({ program }) => program.complaint()).find((one) => one !== "") ?? "";
    const configs = new Map<Subject, string>();
    for (const one of this.#subjects) configs.set(one, (await one.asked({ path: "/api/v1/status/config" })).text);
    const performed = new Map<string, readonly Answer[]>();
    const perform = async (step: Step): Promise<readonly Answer[]> => {
      const key = JSON.stringify(step);
      const answers = performed.get(key) ?? (await this.#performed(step, step.of === "plain" ? plain : server));
      performed.set(key, answers);
      return answers;
    };
    const records: CaseRecord[] = [];
    // Those without a change come first, all at once.
    const quiet = all
      .flatMap(({ step, control }) => [step, control])
      .filter(({ change, asks }) => change === undefined && asks.every(({ method = "GET" }) => method === "GET"));
    if (areReady) await Promise.all([...new Map(quiet.map((step) => [JSON.stringify(step), step])).values()].map(perform));
    for (const { step, control } of all) {
      const [twin, answers] = areReady ? [await perform(control), await perform(step)] : [[], []];
      const stopped = areReady
        ? ""
        : `the server does not show its targets in ${Math.round(this.#options.startupMs / 1_000)} s${complaint === "" ? "" : ` (it said: ${complaint})`}`;
      records.push({ answers, twin, target, config: configs.get(step.of === "plain" ? plain : server) ?? "", stopped });
    }
    return { records, isRefused: !areReady, complaint };
  }

  async close(): Promise<void> {
    await Promise.all(this.#subjects.map(({ program }) => program.stop()));
    await closed(this.#target);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #isReady(subject: Subject): Promise<boolean> {
    const end = performance.now() + this.#options.startupMs;
    const open = [...READY];
    while (performance.now() < end && !subject.ended) {
      for (const { query, has, lacks } of open.slice(0, 1)) {
        const { status, text } = await subject.asked({ path: `/api/v1/query?query=${encodeURIComponent(query)}` });
        const isThere = status === 200 && (has === undefined || text.includes(has)) && (lacks === undefined || !text.includes(lacks));
        if (isThere) open.shift();
      }
      if (open.length === 0) return true;
      await pause();
    }
    return false;
  }

  async #performed({ change, asks }: Step, subject: Subject): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    if (change !== undefined) {
      subject.write(change);
      answers.push(await subject.asked({ method: change.method ?? "POST", path: "/-/reload" }));
    }
    for (const ask of asks) answers.push(await this.#awaited(ask, subject));
    if (change !== undefined) {
      subject.write({});
      await subject.asked({ method: "POST", path: "/-/reload" });
    }
    return answers;
  }

  /** The first answer that is as the request wants it, or the last. */
  async #awaited(ask: Ask, subject: Subject): Promise<Answer> {
    const { until, unless } = ask;
    const end = performance.now() + this.#options.untilMs;
    for (;;) {
      const answer = await subject.asked(ask);
      const isDone = (until === undefined || answer.text.includes(until)) && (unless === undefined || !answer.text.includes(unless));
      if (isDone || performance.now() > end || subject.ended) return answer;
      await pause();
    }
  }
}

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, POLL_MS));

/** A port where nothing listens. */
async function deadPort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  await closed(server);
  return port;
}
