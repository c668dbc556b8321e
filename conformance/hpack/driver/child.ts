import { SubjectProcess, words } from "../../harness/subject-process.ts";
import { Unreachable } from "../../harness/driver.ts";

/** One answer of a codec: decoded fields, encoded blocks, or an error. */
export type CodecAnswer =
  | { readonly is: "fields"; readonly fields: readonly (readonly (readonly [string, string])[])[] }
  | { readonly is: "blocks"; readonly blocks: readonly string[] }
  | { readonly is: "error"; readonly message: string }
  /** What no codec may do: end, hang, or print something that is not an answer. */
  | { readonly is: "broken"; readonly how: string };

export type Exchange = { readonly sent: string; readonly got: string; readonly answer: CodecAnswer };

/** A codec as a child process: JSON lines, one request in, one answer out, one at a time. It is restarted after it breaks. */
export class CodecChild {
  readonly #command: string;
  readonly #timeout: number;
  #running: SubjectProcess | undefined;
  #buffer = "";
  #waiting: ((line: string | undefined) => void) | undefined;
  #id = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(command: string, timeout: number) {
    this.#command = command;
    this.#timeout = timeout;
  }

  /** Sends a request once the one before has been answered. */
  ask(request: Readonly<Record<string, unknown>>): Promise<Exchange> {
    const turn = this.#queue.then(() => this.#exchange(request));
    // The caller gets the failure; the next request is sent all the same.
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async close(): Promise<void> {
    await this.#running?.kill();
    this.#running = undefined;
  }

  async #exchange(request: Readonly<Record<string, unknown>>): Promise<Exchange> {
    const running = (this.#running ??= this.#start());
    const id = ++this.#id;
    const sent = JSON.stringify({ id, ...request });
    const line = await new Promise<string | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), this.#timeout);
      this.#waiting = (got) => {
        clearTimeout(timer);
        resolve(got);
      };
      running.child.stdin?.write(`${sent}\n`);
    });
    this.#waiting = undefined;
    if (running.ending?.problem !== undefined) {
      this.#running = undefined;
      throw new Unreachable(`The codec cannot be started: ${running.ending.problem}. Check "${this.#command}".`);
    }
    const answer: CodecAnswer = line === undefined ? { is: "broken", how: howItBroke(running, this.#timeout) } : read(line, id);
    if (answer.is === "broken") await this.close();
    return { sent, got: line ?? "", answer };
  }

  #start(): SubjectProcess {
    this.#buffer = "";
    const running = new SubjectProcess(words(this.#command), "pipe");
    // It no longer reads because it has ended, which is noticed below.
    running.child.stdin?.on("error", () => {});
    running.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#buffer += text;
      for (let end = this.#buffer.indexOf("\n"); end >= 0; end = this.#buffer.indexOf("\n")) {
        const line = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 1);
        if (this.#running === running) this.#waiting?.(line);
      }
      // A codec that never ends its line must not fill our memory.
      if (this.#buffer.length > LINE) this.#waiting?.(this.#buffer.slice(0, 100));
    });
    void this.#noticeEnd(running);
    return running;
  }

  async #noticeEnd(running: SubjectProcess): Promise<void> {
    await running.ended;
    if (this.#running === running) this.#waiting?.(undefined);
  }
}

const LINE = 16_777_216;

function howItBroke({ ending, complaint }: SubjectProcess, timeout: number): string {
  const said = complaint === "" ? "" : `; it said: ${complaint}`;
  if (ending === undefined) return `it did not answer within ${timeout} ms`;
  return ending.code === null ? `it was ended by ${ending.signal}${said}` : `it ended with status ${ending.code}${said}`;
}

function read(line: string, id: number): CodecAnswer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return { is: "broken", how: `it printed "${line.slice(0, 60)}", which is not JSON` };
  }
  const answer = parsed as { id?: unknown; fields?: unknown; blocks?: unknown; error?: unknown };
  if (answer === null || typeof answer !== "object" || answer.id !== id)
    return { is: "broken", how: `it answered without the id ${id} of the request` };
  if (typeof answer.error === "string") return { is: "error", message: answer.error };
  if (isBlocks(answer.blocks)) return { is: "blocks", blocks: answer.blocks };
  if (isFields(answer.fields)) return { is: "fields", fields: answer.fields };
  return { is: "broken", how: "its answer has neither fields, nor blocks, nor error" };
}

const isBlocks = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((block) => typeof block === "string" && /^(?:[0-9a-f]{2})*$/i.test(block));

const isFields = (value: unknown): value is readonly (readonly (readonly [string, string])[])[] =>
  Array.isArray(value) &&
  value.every(
    (list) =>
      Array.isArray(list) && list.every((field) => Array.isArray(field) && typeof field[0] === "string" && typeof field[1] === "string"),
  );
