import type { Handler } from "../handler.ts";
import type { Server } from "../server/options.ts";
import { type FromWorker, type Settings, type ToWorker, WORKER_MARK, type WorkerCounts } from "./messages.ts";

/** Whether this process is a worker of a pool. */
export const isWorker = (): boolean => process.env[WORKER_MARK] === "1" && process.send !== undefined;

/** This process as a worker of a pool (`pool.ts`): it listens as the primary says, and counts. */
export class Member {
  readonly settings: Settings;
  #server: Pick<Server, "connections"> | undefined;
  #close: () => Promise<void> = async () => {};
  #requests = 0;
  #leaving: Promise<void> | undefined;

  private constructor(settings: Settings) {
    this.settings = settings;
    process.on("message", (message: ToWorker) => this.#receive(message));
    // The primary decides what a signal to the whole group means; one to this process alone ends it gracefully.
    for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
    process.once("SIGTERM", () => void this.#leave());
  }

  /** Waits for the settings of the primary. */
  static async join(): Promise<Member> {
    const settings = await new Promise<Settings>((resolve) => {
      const receive = (message: ToWorker): void => {
        if (message.do !== "start") return;
        process.off("message", receive);
        resolve(message.settings);
      };
      process.on("message", receive);
      say({ is: "ready" });
    });
    return new Member(settings);
  }

  /** The handler, with its requests counted. */
  counted(handler: Handler): Handler {
    return (request, exchange) => {
      this.#requests += 1;
      return handler(request, exchange);
    };
  }

  /** Reports that the server listens. `close` ends it when the primary wants that. */
  serving(server: Pick<Server, "url" | "address" | "port" | "connections" | "close">, close = (): Promise<void> => server.close()): void {
    this.#server = server;
    this.#close = close;
    const { url, address, port } = server;
    say({ is: "listening", place: { url, address, port } });
  }

  /** Reports why it cannot listen, and ends the process. */
  failed(why: string): void {
    say({ is: "failed", why });
    part();
  }

  #receive(message: ToWorker): void {
    if (message.do === "close") void this.#leave();
    else if (message.do === "count") say({ is: "counts", question: message.question, counts: this.#counts() });
  }

  #leave(): Promise<void> {
    this.#leaving ??= this.#end();
    return this.#leaving;
  }
  async #end(): Promise<void> {
    await this.#close();
    say({ is: "leaving", counts: this.#counts() });
    part();
  }

  #counts(): WorkerCounts {
    const { user, system } = process.cpuUsage();
    return {
      pid: process.pid,
      connections: this.#server?.connections ?? 0,
      requests: this.#requests,
      cpuSeconds: (user + system) / 1e6,
      residentOctets: process.memoryUsage.rss(),
    };
  }
}

function say(message: FromWorker): void {
  process.send?.(message);
}

/** Ends the process, which has nothing else to wait for. */
function part(): void {
  if (process.connected) process.disconnect?.();
}
