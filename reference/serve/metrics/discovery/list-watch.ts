import { Backoff, type Change, type KubeObject, type ObjectWatch } from "../../../metrics/discovery/index.ts";
import { described } from "../http-access.ts";
import { type Reader, StatusFault } from "./reader.ts";

export type ListWatchOptions = {
  /** The URL of the objects, without a query. */
  readonly url: string;
  readonly selectors: Readonly<Record<string, string>>;
  readonly reader: Reader;
  readonly objects: ObjectWatch<KubeObject>;
  readonly onChanges: (changes: readonly Change<KubeObject>[]) => void;
  readonly onFault: (message: string) => void;
  /** A list is complete, or a watch is there. */
  readonly onGood: () => void;
};

const PAGE = 500;
const LIST_MS = 60_000;
/** Servers end a watch after this time; another one goes on where it was. */
const WATCH_S = 300;
const LATE_S = 60;
const MOST_BACKOFF_MS = 30_000;
/** A line of a watch is one object. */
const MOST_LINE = 16 * 2 ** 20;
const GONE = 410;
const TOO_MANY = 429;

/** Follows one kind of objects of an API server until it is closed. */
export class ListWatch {
  readonly #options: ListWatchOptions;
  readonly #stop = new AbortController();
  readonly #backoff = new Backoff(MOST_BACKOFF_MS, Math.random);
  readonly #running: Promise<void>;
  #wake: (() => void) | undefined;
  /** Nothing has come since the version expired. */
  #hasExpired = false;
  /** The first list is complete. */
  isSynced = false;

  constructor(options: ListWatchOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { objects, onFault } = this.#options;
    while (!this.#stop.signal.aborted) {
      try {
        if (objects.version === "") await this.#list();
        await this.#watch();
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        const status = error instanceof StatusFault ? error.status : 0;
        // Whatever is wrong with the request of a watch, a new list makes another one.
        if (status >= 400 && status < 500 && status !== TOO_MANY) objects.expire();
        if (status === GONE) await this.#again();
        else {
          onFault(described(error));
          await this.#pause(this.#backoff.next());
        }
      }
    }
  }

  /** The version has expired: everything is listed again at once, but not over and over. */
  async #again(): Promise<void> {
    if (this.#hasExpired) await this.#pause(this.#backoff.next());
    this.#hasExpired = true;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #list(): Promise<void> {
    const { objects, reader, onChanges, onGood } = this.#options;
    objects.begin();
    for (let next = ""; ;) {
      const url = this.#url({ limit: String(PAGE), ...(next !== "" && { continue: next }) });
      const { text } = await reader.read(url, { fields: ACCEPT, signal: this.#stop.signal, timeoutMs: LIST_MS });
      const page = objects.page(JSON.parse(text));
      if (page instanceof Error) throw page;
      if ("changes" in page) {
        this.isSynced = true;
        onGood();
        return onChanges(page.changes);
      }
      ({ next } = page);
    }
  }

  /** Follows one watch to its end, which is no fault. */
  async #watch(): Promise<void> {
    const { objects, reader, onChanges, onGood } = this.#options;
    const query = { watch: "1", allowWatchBookmarks: "true", resourceVersion: objects.version, timeoutSeconds: String(WATCH_S) };
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout((WATCH_S + LATE_S) * 1_000)]);
    const pieces = await reader.stream(this.#url(query), { fields: ACCEPT, signal });
    onGood();
    let lines = 0;
    for await (const line of linesOf(pieces)) {
      const read = objects.line(line);
      if (read.is === "fault") throw new Error(read.message);
      if (read.is === "expired") return this.#again();
      if (read.is === "changes") onChanges(read.changes);
      lines += 1;
      this.#hasExpired = false;
      this.#backoff.reset();
    }
    // A server that ends each watch at once must not be asked without a pause.
    if (lines === 0) await this.#pause(this.#backoff.next());
    return undefined;
  }

  #url(query: Readonly<Record<string, string>>): string {
    const { url, selectors } = this.#options;
    return `${url}?${new URLSearchParams({ ...selectors, ...query })}`;
  }
}

const ACCEPT = [["accept", "application/json"]] as const;

/** The lines of a stream that are not empty; the last one may lack its end. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const [first = "", ...lines] = decoder.decode(piece, { stream: true }).split("\n");
    parts.push(first);
    length += first.length;
    for (const line of lines) {
      if (length > 0) yield parts.join("");
      parts = [line];
      ({ length } = line);
    }
    if (length > MOST_LINE) throw new Error(`a line of the watch is longer than ${MOST_LINE} characters`);
  }
  if (length > 0) yield parts.join("");
}
