import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Certificate, loopbackCertificate } from "../../harness/subject/certificate.ts";
import { closed } from "../../harness/subject/closed.ts";
import { type Program, startProgram } from "../../harness/subject/program.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { freePort, portOf } from "../../peers/index.ts";
import type { RouterSetup, SenderSetup, Step } from "../vocabulary.ts";
import { ANY, Ends, type OwnEnd } from "./ends.ts";
import { CasePerformer } from "./performer.ts";
import type { Performance } from "./record.ts";
import { routerConfig } from "./router-config.ts";
import { senderConfig, type SenderCase } from "./sender-config.ts";
import { filled } from "./texts.ts";

/** One run of a subject, in which many cases are performed side by side. */

const POLL_MS = 50;
const READY_MS = 2_000;

export type SessionOptions = {
  readonly subject: string | InProcessClient;
  readonly kind: "router" | "sender";
  /** The longest wait for one thing that a case awaits. */
  readonly waitMs: number;
  /** The longest time until the subject answers, or scrapes. */
  readonly startupMs: number;
};

export type SessionResult = { readonly performances: readonly Performance[]; readonly complaint: string; readonly isUp: boolean };

/** Performs the steps of all cases in one run. */
export async function runSession(all: readonly (readonly Step[])[], options: SessionOptions): Promise<SessionResult> {
  const session = new Session(all, options);
  try {
    return await session.run();
  } finally {
    await session.close();
  }
}

class Session {
  readonly #all: readonly (readonly Step[])[];
  readonly #options: SessionOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "touchstone-alerts-"));
  readonly #start = performance.now();
  readonly #performers = new Map<string, CasePerformer>();
  readonly #signals = new Map<string, number>();
  readonly #ends = new Ends(
    () => this.#now(),
    (name, got) => this.#performers.get(name)?.take(got),
  );
  readonly #page = createServer((_, response) => {
    this.#isScraped = true;
    const lines = [...this.#signals].map(([name, value]) => `signal{case="${name}"} ${value}\n`);
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(lines.join(""));
  });
  #isScraped = false;
  #hasEnded = false;
  #program: Program | undefined;

  constructor(all: readonly (readonly Step[])[], options: SessionOptions) {
    this.#all = all;
    this.#options = options;
  }

  async run(): Promise<SessionResult> {
    const port = String(await freePort());
    const base = `http://127.0.0.1:${port}`;
    const config = join(this.#folder, "config.yml");
    writeFileSync(config, this.#options.kind === "router" ? await this.#routers(base) : await this.#senders(base));
    this.#program = startProgram(this.#options.subject, { config, dir: join(this.#folder, "data"), port });
    void this.#program.ended.finally(() => this.#end());
    const isUp = await this.#isUp(base);
    if (isUp) await Promise.all(this.#all.map((steps, at) => this.#performers.get(nameOf(at))?.perform(steps)));
    const complaint = this.#program.complaint();
    const performances = this.#all.map((_, at) => {
      const performer = this.#performers.get(nameOf(at))!;
      if (!isUp) performer.stop(this.#hasEnded ? "the subject has ended" : "the subject does not answer");
      return performer.performance(!isUp && this.#hasEnded);
    });
    return { performances, complaint, isUp };
  }

  async close(): Promise<void> {
    await this.#program?.stop();
    await Promise.all([this.#ends.close(), closed(this.#page)]);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #now(): number {
    return performance.now() - this.#start;
  }
  #end(): void {
    this.#hasEnded = true;
    for (const performer of this.#performers.values()) performer.stop("the subject has ended");
  }

  /** Once its API answers, or the page is scraped. */
  async #isUp(base: string): Promise<boolean> {
    while (!this.#hasEnded && this.#now() < this.#options.startupMs) {
      if (this.#options.kind === "sender" ? this.#isScraped : await isReady(base)) return true;
      await new Promise((resolve) => void setTimeout(resolve, POLL_MS));
    }
    return false;
  }

  #add(name: string, base: string, values: Readonly<Record<string, string>>): void {
    this.#signals.set(name, 1);
    const { waitMs } = this.#options;
    const now = (): number => this.#now();
    const onSignal = (value: number): void => void this.#signals.set(name, value);
    this.#performers.set(name, new CasePerformer({ name, base, values, waitMs, now, onSignal }));
  }

  async #routers(base: string): Promise<string> {
    const cases = this.#all.map((steps, at) => ({ name: nameOf(at), setup: setupOf<RouterSetup>(steps, "router") }));
    const ends: OwnEnd[] = cases.flatMap(({ name, setup: { ends: own = {} } }) =>
      Object.entries({ main: {}, ...own }).map(([end, is]) => ({ caseName: name, name: end, end: is })),
    );
    ends.push({ caseName: ANY, name: "default", end: {} });
    const sink = await this.#ends.listenByPath(ends);
    for (const { name } of cases) this.#add(name, base, { case: name });
    return routerConfig(
      cases.map(({ name, setup }) => ({ name, setup: filled(setup, { case: name }) })),
      sink,
    );
  }

  async #senders(base: string): Promise<string> {
    const setups = this.#all.map((steps) => setupOf<SenderSetup>(steps, "sender"));
    const isSecret = setups.some(({ ends = {} }) => Object.values(ends).some(({ isTls }) => isTls));
    const certificate = isSecret ? await loopbackCertificate() : undefined;
    this.#page.listen(0, "127.0.0.1");
    await once(this.#page, "listening");
    const cases = await Promise.all(setups.map((setup, at) => this.#sender(setup, at, certificate)));
    await this.#ends.listenElsewhere(
      cases.flatMap(({ name, setup: { ends = {} } }) =>
        Object.entries({ main: {}, ...ends }).map(([end, is]) => ({ caseName: name, name: end, end: is })),
      ),
    );
    for (const { name, values } of cases) this.#add(name, base, values);
    return senderConfig(cases, `127.0.0.1:${portOf(this.#page)}`, this.#folder);
  }

  // oxlint-disable-next-line max-params -- a case with its place
  async #sender(setup: SenderSetup, at: number, certificate: Certificate | undefined): Promise<SenderCase> {
    const name = nameOf(at);
    const dir = join(this.#folder, name);
    mkdirSync(dir);
    const { ends = {}, files = {} } = setup;
    const listening = Object.entries({ main: {}, ...ends }).map(
      async ([end, is]) => [end, await this.#ends.listen({ caseName: name, name: end, end: is }, certificate)] as const,
    );
    for (const [file, content] of Object.entries(files))
      writeFileSync(join(dir, file), content.replaceAll("{certificate}", certificate?.cert ?? ""));
    return { name, setup, dir, values: { case: name, dir, ...Object.fromEntries(await Promise.all(listening)) } };
  }
}

/** A name of a case within its run. */
const nameOf = (at: number): string => `case-${at}`;

function setupOf<Setup extends RouterSetup | SenderSetup>(steps: readonly Step[], kind: Setup["do"]): Setup {
  const [first] = steps;
  return (first?.do === kind ? first : { do: kind }) as Setup;
}

async function isReady(base: string): Promise<boolean> {
  try {
    const response = await fetch(`${base}/-/ready`, { signal: AbortSignal.timeout(READY_MS) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
