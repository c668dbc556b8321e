import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { portOf } from "../../peers/index.ts";
import { closed } from "../../harness/subject/closed.ts";
import { SubjectProcess, words } from "../../harness/subject/subject-process.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import type { Reply, Step } from "../sender-vocabulary.ts";
import { EXTERNAL, GONE_AFTER, NATIVE_TYPE, nativePageAt, pageAt } from "./page.ts";
import { type Arrived, contentOf, hasSamples, isGood, labelOf, pointsOf, type Record, writes } from "./record.ts";

/** One life of a sender: the harness is the target that it scrapes and the receiver of what it sends. */

/** Scrapes of programs are this far apart, and those of functions, in milliseconds. */
const INTERVAL_MS = { program: 200, function: 100 } as const;
const PATH = "/receive/here?tenant=1";
/** How long a sender may take to end after its signal. */
const GRACE_MS = 10_000;
/** After the end of the target its markers may take this long. */
const MARKERS_MS = 2_500;

export type LifeOptions = { readonly client: string | InProcessClient; readonly step: Step; readonly mostMs: number };

/** Runs a life to its end. */
export async function live(options: LifeOptions): Promise<Record> {
  const life = new Life(options);
  try {
    return await life.run();
  } finally {
    await life.close();
  }
}

const listen = async (server: Server, port = 0): Promise<number> => {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return portOf(server);
};

class Life {
  readonly #options: LifeOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "touchstone-sender-"));
  readonly #target = createServer((request, response) => this.#page(request, response));
  readonly #receiver = createServer((request, response) => void this.#receive(request, response).catch(() => request.socket.destroy()));
  readonly #requests: Arrived[] = [];
  readonly #began = Date.now();
  readonly #start = performance.now();
  #scrapes = 0;
  #given = 0;
  #good = 0;
  #isOver = false;
  #isSecond = false;
  readonly #over = Promise.withResolvers<void>();
  readonly #woken: (() => void)[] = [];
  #url = "";
  #config = "";
  #targetAddress = "";
  #program: { stop(isGraceful: boolean): Promise<void>; readonly complaint: () => string; readonly ended: Promise<unknown> } | undefined;
  #complaint = "";

  constructor(options: LifeOptions) {
    this.#options = options;
  }

  async run(): Promise<Record> {
    const { client, step, mostMs } = this.#options;
    this.#targetAddress = `127.0.0.1:${await listen(this.#target)}`;
    const port = await listen(this.#receiver);
    if (step.awayFor !== undefined) await closed(this.#receiver);
    this.#url = `http://127.0.0.1:${port}${PATH}`;
    this.#config = join(this.#folder, "sender.yml");
    writeFileSync(
      this.#config,
      configOf(this.#url, this.#targetAddress, {
        step,
        intervalMs: INTERVAL_MS[typeof client === "string" ? "program" : "function"],
      }),
    );
    let timer = setTimeout(() => this.#end(), mostMs);
    let scrapesAway = 0;
    let restartedAt: number | undefined;
    this.#begin();
    if (step.awayFor !== undefined) {
      await this.#until(() => this.#scrapes >= (step.awayFor ?? 0));
      scrapesAway = this.#scrapes;
      await listen(this.#receiver, port);
    }
    if (step.restarts === true) {
      await this.#until(() => this.#given >= 3 && this.#scrapes >= 4);
      await this.#stop(true);
      restartedAt = this.#now();
      this.#isSecond = true;
      // Ending in good order may have taken long.
      clearTimeout(timer);
      timer = setTimeout(() => this.#end(), mostMs);
      if (!this.#isOver) this.#begin();
    }
    await this.#over.promise;
    clearTimeout(timer);
    await this.#stop(false);
    const { protocol } = step;
    const requests = [...this.#requests];
    return {
      protocol,
      url: this.#url,
      requests,
      scrapes: this.#scrapes,
      began: this.#began,
      ended: Date.now(),
      restartedAt,
      scrapesAway,
      complaint: this.#complaint,
    };
  }

  async close(): Promise<void> {
    await this.#stop(false);
    await Promise.all([closed(this.#target), closed(this.#receiver)]);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  get #replies(): readonly Reply[] {
    return this.#options.step.replies ?? [];
  }
  #now(): number {
    return performance.now() - this.#start;
  }

  #begin(): void {
    const { client, step } = this.#options;
    const directory = join(this.#folder, "data");
    const places = { config: this.#config, directory, target: this.#targetAddress, protocol: step.protocol };
    this.#program = typeof client === "string" ? command(client, this.#url, places) : inProcess(client, this.#url, places);
    // Unless it was told to: a program that ends by itself sends no more.
    void this.#program.ended.finally(() => (this.#program === undefined ? undefined : this.#end()));
  }

  async #stop(isGraceful: boolean): Promise<void> {
    const program = this.#program;
    this.#program = undefined;
    await program?.stop(isGraceful);
    this.#complaint ||= program?.complaint() ?? "";
  }

  #end(): void {
    this.#isOver = true;
    this.#over.resolve();
    this.#wake();
  }
  #wake(): void {
    for (const one of this.#woken.splice(0)) one();
  }
  async #until(holds: () => boolean): Promise<void> {
    while (!holds() && !this.#isOver) await new Promise<void>((resolve) => void this.#woken.push(resolve));
  }

  #page(request: IncomingMessage, response: ServerResponse): void {
    const vanishes = this.#options.step.vanishes === true;
    this.#scrapes += 1;
    this.#wake();
    if (vanishes && this.#scrapes > GONE_AFTER) {
      if (this.#scrapes === GONE_AFTER + 1) setTimeout(() => this.#end(), MARKERS_MS).unref();
      return void response.writeHead(503).end();
    }
    if (this.#options.step.isNative === true && request.headers.accept?.includes("google.protobuf") === true)
      return void response.writeHead(200, { "content-type": NATIVE_TYPE }).end(nativePageAt(this.#scrapes));
    return void response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(pageAt(this.#scrapes, vanishes));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = this.#now();
    const pieces: Uint8Array[] = [];
    for await (const piece of request) pieces.push(piece as Uint8Array);
    const headers = Array.from(
      { length: request.rawHeaders.length / 2 },
      (_, pair) => [request.rawHeaders[pair * 2]!.toLowerCase(), request.rawHeaders[pair * 2 + 1]!] as const,
    );
    const content = contentOf(request.headers["content-type"] ?? "", Buffer.concat(pieces));
    const arrived = { at, method: request.method ?? "", path: request.url ?? "", headers, status: 0, answeredAt: at, ...content };
    const reply: Reply = hasSamples(arrived) ? this.#reply() : { status: 204 };
    const status = reply === "drop" ? 0 : reply.status;
    this.#requests.push({ ...arrived, status, answeredAt: this.#now() });
    if (reply === "drop") request.socket.destroy();
    else
      response
        .writeHead(status, { ...writtenFields(content.message !== undefined && isGood(status), arrived), ...reply.fields })
        .end(reply.body ?? "");
    if (hasSamples(arrived) && isGood(status) && this.#isPlain) this.#good += 1;
    this.#judgeEnd();
    this.#wake();
  }

  /** The last reply goes on until a sender that is restarted has ended. */
  #reply(): Reply {
    if (this.#options.step.restarts !== true) return this.#replies[this.#given++] ?? { status: 204 };
    this.#given += 1;
    return this.#isSecond ? { status: 204 } : (this.#replies[this.#given - 1] ?? this.#replies.at(-1) ?? { status: 503 });
  }
  get #isPlain(): boolean {
    return this.#options.step.restarts === true ? this.#isSecond : this.#given > this.#replies.length;
  }

  #judgeEnd(): void {
    const { step } = this.#options;
    if (step.vanishes === true) {
      const marks = pointsOf(writes({ requests: this.#requests })).filter(({ isStale }) => isStale);
      const names = new Set(marks.map(({ series }) => labelOf(series, "__name__")));
      const first = step.isNative === true ? "native" : "vanishing";
      if (names.has(first) && names.has("ticks_total")) this.#end();
    } else if (this.#good >= (step.good ?? 3)) this.#end();
  }
}

/** What a receiver of protocol 2 says about a request. */
function writtenFields(isWritten: boolean, { message }: Pick<Arrived, "message">): { [name: string]: string } {
  if (!isWritten || message === undefined || message.symbols.length === 0) return {};
  const count = (kind: "samples" | "histograms"): string => String(message.series.reduce((sum, one) => sum + one[kind].length, 0));
  return {
    "x-prometheus-remote-write-samples-written": count("samples"),
    "x-prometheus-remote-write-histograms-written": count("histograms"),
    "x-prometheus-remote-write-exemplars-written": "0",
  };
}

type Places = { readonly config: string; readonly directory: string; readonly target: string; readonly protocol: 1 | 2 };
type Running = { stop(isGraceful: boolean): Promise<void>; readonly complaint: () => string; readonly ended: Promise<unknown> };
const late = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());

function command(template: string, url: string, { config, directory, target, protocol }: Places): Running {
  const values: { readonly [name: string]: string } = { url, config, dir: directory, target, protocol: String(protocol) };
  const filled = words(template).map((word) =>
    word.replaceAll(/\{(url|config|dir|target|protocol)\}/g, (_, name: string) => values[name] ?? ""),
  );
  const program = new SubjectProcess(filled, "ignore");
  return {
    ended: program.ended,
    complaint: () => program.complaint,
    stop: async (isGraceful) => {
      const { pid } = program.child;
      if (isGraceful && pid !== undefined && program.ending === undefined) {
        process.kill(-pid, "SIGTERM");
        await Promise.race([program.ended, late(GRACE_MS)]);
      }
      await program.kill();
    },
  };
}

function inProcess(client: InProcessClient, url: string, places: Places): Running {
  const abort = new AbortController();
  let complaint = "";
  const ended = client(url, abort.signal, { url, method: "POST", sender: places }).catch((error: unknown) => {
    complaint = error instanceof Error ? error.message : String(error);
  });
  return {
    ended,
    complaint: () => complaint,
    stop: async () => {
      abort.abort();
      await Promise.race([ended, late(GRACE_MS)]);
    },
  };
}

const MESSAGES = { 1: "prometheus.WriteRequest", 2: "io.prometheus.write.v2.Request" } as const;

/** A configuration of Prometheus for this life. */
function configOf(
  url: string,
  target: string,
  { step: { protocol, isNative }, intervalMs }: { readonly step: Step; readonly intervalMs: number },
): string {
  const external = EXTERNAL.map(([name, value]) => `${name}: ${value}`).join(", ");
  const queue = "capacity: 10000, min_shards: 1, max_shards: 1, max_samples_per_send: 1000, batch_send_deadline: 50ms";
  // Older senders do not know the field, and protocol 1 is the default.
  const message = protocol === 1 ? "" : `\n    protobuf_message: ${MESSAGES[protocol]}`;
  return `global: {scrape_interval: ${intervalMs}ms, scrape_timeout: ${intervalMs}ms, external_labels: {${external}}}
scrape_configs:
  - job_name: harness
    static_configs: [{targets: ["${target}"]}]${isNative === true ? "\n    scrape_native_histograms: true" : ""}
remote_write:
  - url: "${url}"${message}${isNative === true ? "\n    send_native_histograms: true" : ""}
    remote_timeout: 5s
    queue_config: {${queue}, min_backoff: 30ms, max_backoff: 1s, retry_on_http_429: true}
    metadata_config: {send_interval: 500ms}
`;
}
