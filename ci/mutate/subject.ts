import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ClientRequest, InProcessClient, RunningProxy, StartProxy, Subject } from "../../conformance/harness/subject/subject.ts";
import type { FromSubject, Ready, SubjectAddress, ToSubject } from "./ipc.ts";
import { commandIn, type Order } from "./hooked.ts";

const START_MS = 180_000;
/** The time limit for a graceful exit. */
const STOP_MS = 2_000;

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };
type Question = ToSubject extends infer One ? (One extends { readonly id: number } ? Omit<One, "id"> : never) : never;

/** A mistake may lose all limits: then its process ends, not the machine. */
const HEAP = "--max-old-space-size=1024";

/** An embedded subject in its own process, mutated or not. */
export class ApartSubject {
  readonly #child: ChildProcess;
  readonly #order: Order;
  readonly #waiting = new Map<number, Waiting>();
  #id = 0;
  #serverPid: number | undefined;
  #ready: ((what: Ready) => void) | undefined;
  /** Resolves with a reason if the process ends by itself. */
  readonly ended: Promise<string>;

  private constructor(address: SubjectAddress, order: Order) {
    this.#order = order;
    this.#child = spawn(process.execPath, [HEAP, join(import.meta.dirname, "subject-child.ts"), JSON.stringify(address)], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
      // Its own process group: its child processes end with it.
      detached: true,
      env: { ...process.env, ...order.environment },
    });
    this.ended = new Promise((resolve) => {
      const end = (why: string): void => {
        for (const { reject } of this.#waiting.values()) reject(new Error(why));
        this.#waiting.clear();
        resolve(why);
      };
      this.#child.once("error", (error) => end(`cannot start: ${error.message}`));
      this.#child.once("exit", (code, signal) => end(`ended with ${signal ?? `status ${code}`}`));
      this.#child.on("message", (message: FromSubject) => {
        if (message.is === "ready") {
          if (message.what.is === "server") this.#serverPid = message.what.pid;
          this.#ready?.(message.what);
        } else if (message.is === "failed") end(message.why);
        else if (message.is === "done") this.#take(message.id)?.resolve(message.value);
        else this.#take(message.id)?.reject(new Error(message.why));
      });
    });
  }

  /** Starts it. Throws with a reason if it does not start. */
  static async start(address: SubjectAddress, order: Order): Promise<{ readonly apart: ApartSubject; readonly what: Ready }> {
    const apart = new ApartSubject(address, order);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`does not start within ${START_MS / 1000} s`)), START_MS);
    });
    const ended = apart.ended.then((why) => Promise.reject(new Error(why)));
    // The race below reports the end; after it, nothing handles the rejection.
    ended.catch(() => {});
    try {
      const what = await Promise.race([new Promise<Ready>((resolve) => (apart.#ready = resolve)), ended, late]);
      return { apart, what };
    } catch (error) {
      await apart.kill();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The subject in the form that the harness expects. */
  subject(what: Ready, role: SubjectAddress["role"]): Subject {
    switch (what.is) {
      case "server":
        return { url: what.url, ...(what.starts === true && { start: this.#client(true) }) };
      case "client":
        return { client: this.#client(what.takesRequest) };
      case "proxy":
        return { proxy: this.#proxy };
      case "command": {
        const command = commandIn(this.#order, what.command);
        return role === "codec" ? { codec: command } : role === "client" ? { client: command } : { proxy: command };
      }
    }
  }

  /** Ends it and all its child processes: gracefully if possible, otherwise by force. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      const gone = once(this.#child, "exit");
      this.#tell({ is: "stop" });
      const timer = setTimeout(() => this.#killNow(), STOP_MS);
      await gone;
      clearTimeout(timer);
    }
    this.#killNow();
  }
  #killNow(): void {
    // A server that it started may have another process group.
    for (const group of [this.#child.pid, this.#serverPid]) {
      try {
        if (group !== undefined) process.kill(-group, "SIGKILL");
      } catch {
        // The group is gone already.
      }
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #ask(question: Question): { readonly id: number; readonly answer: Promise<unknown> } {
    const id = ++this.#id;
    const answer = new Promise<unknown>((resolve, reject) => {
      if (!this.#child.connected) return reject(new Error("the subject has ended"));
      this.#waiting.set(id, { resolve, reject });
      this.#tell({ ...question, id });
    });
    return { id, answer };
  }
  #tell(message: ToSubject): void {
    // A process that has ended has rejected its requests.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** The harness sends only a GET to a function with two parameters, so this one has as many as the child's. */
  #client(takesRequest: boolean): InProcessClient {
    const call = (url: string, signal: AbortSignal, request: ClientRequest): Promise<unknown> => {
      const { id, answer } = this.#ask({ is: "call", url, request });
      signal.addEventListener("abort", () => this.#tell({ is: "abort", id }));
      return answer;
    };
    return takesRequest ? call : (url, signal) => call(url, signal, { url, method: "GET" });
  }

  readonly #proxy: StartProxy = async (origin) => {
    const { id, answer } = this.#ask({ is: "start proxy", origin });
    const running = (await answer) as Omit<RunningProxy, "stop">;
    // A proxy whose process has ended needs no stop.
    return { ...running, stop: async () => void (await this.#ask({ is: "stop proxy", of: id }).answer.catch(() => {})) };
  };
}
