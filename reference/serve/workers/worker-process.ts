import type { Worker } from "node:cluster";
import type { FromWorker, Settings, ToWorker, WorkerCounts, WorkersPlace } from "./messages.ts";

/** How long a worker may take to answer a question of ours, in milliseconds. */
const ANSWER_MS = 2_000;
/** How long a worker may take to listen. */
const START_MS = 30_000;
/** Beside the time for requests: until a worker that does not end is killed. */
const KILL_MS = 2_000;

/** One worker, as the primary process sees it. */
export class WorkerProcess {
  readonly pid: number;
  /** Where it listens. Rejects if it cannot. */
  readonly listening: Promise<WorkersPlace>;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #questions = new Map<number, (counts: WorkerCounts | undefined) => void>();
  #question = 0;
  #last: WorkerCounts | undefined;
  #servesSince: number | undefined;
  #isClosing = false;
  #isOver = false;
  #how = "";

  /** `ended` is called once, when the process has ended. */
  constructor(worker: Worker, settings: Settings, ended: (worker: WorkerProcess) => void) {
    this.#worker = worker;
    this.pid = worker.process.pid ?? 0;
    const { promise, resolve, reject } = Promise.withResolvers<WorkersPlace>();
    this.listening = promise;
    // Whoever starts it awaits this; its end may come earlier.
    promise.catch(() => {});
    const late = setTimeout(() => {
      reject(new Error(`worker ${this.pid} does not listen after ${START_MS / 1_000} seconds`));
      this.#kill();
    }, START_MS);
    this.#ended = new Promise((done) => {
      worker.once("exit", (status: number | null, signal: string | null) => {
        clearTimeout(late);
        this.#isOver = true;
        this.#how = signal ?? `status ${status}`;
        for (const answer of this.#questions.values()) answer(undefined);
        reject(new Error(`worker ${this.pid} ended before it listened (${this.#how})`));
        ended(this);
        done();
      });
    });
    worker.on("error", () => this.#kill());
    worker.on("message", (message: FromWorker) => {
      if (message.is === "ready") this.#say({ do: "start", settings });
      else if (message.is === "listening") {
        clearTimeout(late);
        this.#servesSince = performance.now();
        resolve(message.place);
      } else if (message.is === "failed") reject(new Error(message.why));
      else this.#counted(message);
    });
  }

  get hasListened(): boolean {
    return this.#servesSince !== undefined;
  }
  get servedMs(): number {
    return this.#servesSince === undefined ? 0 : performance.now() - this.#servesSince;
  }
  get isClosing(): boolean {
    return this.#isClosing;
  }
  /** The signal or the status that it ended with. */
  get how(): string {
    return this.#how;
  }
  /** Its last known counts. */
  get last(): WorkerCounts | undefined {
    return this.#last;
  }

  /** Its counts; undefined if it does not answer in time. */
  counts(): Promise<WorkerCounts | undefined> {
    if (this.#isOver || !this.hasListened) return Promise.resolve(undefined);
    const question = (this.#question += 1);
    const { promise, resolve } = Promise.withResolvers<WorkerCounts | undefined>();
    const late = setTimeout(() => resolve(undefined), ANSWER_MS);
    this.#questions.set(question, resolve);
    this.#say({ do: "count", question });
    return promise.finally(() => {
      clearTimeout(late);
      this.#questions.delete(question);
    });
  }

  /** Lets it complete its requests, and waits for its end; kills it if it has not ended after `graceMs` and a little more. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    if (this.#isOver) return;
    this.#say({ do: "close" });
    const late = setTimeout(() => this.#kill(), graceMs + KILL_MS);
    await this.#ended;
    clearTimeout(late);
  }

  #counted(message: Extract<FromWorker, { readonly counts: WorkerCounts }>): void {
    this.#last = message.counts;
    if (message.is === "counts") this.#questions.get(message.question)?.(message.counts);
  }

  #say(message: ToWorker): void {
    // A worker that ends just now cannot be told: its end is what counts.
    if (this.#worker.isConnected()) this.#worker.send(message, () => {});
  }
  #kill(): void {
    this.#worker.process.kill("SIGKILL");
  }
}
