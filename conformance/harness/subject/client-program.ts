import type { ClientRequest, InProcessClient } from "./subject.ts";
import { type Ending, SubjectProcess, words } from "./subject-process.ts";

/** One run of a client. */
export type Program = {
  readonly ended: Promise<Ending>;
  readonly ending: Ending | undefined;
  readonly complaint: string;
  /** What it printed, as Latin-1 text. */
  readonly output: string;
  kill(): Promise<void>;
};

/** The most characters of output that are kept. */
const MOST_OUTPUT = 8_388_608;
/** How long output may take to arrive after the exit, in milliseconds. */
const LAST_OUTPUT = 500;
const IS_PLAIN = /^[\w\-./:%@=,+~]*$/;

/** Replaces `{head:-I}` by the text after the colon if HEAD is requested, otherwise by nothing. */
const onlyFor = (command: string, name: string, asked: boolean): string =>
  command.replaceAll(new RegExp(`\\{${name}:([^{}]*)\\}`, "g"), (_, text: string) => (asked ? text : ""));

/** Whether a command has the placeholder for this. */
export const knows = (command: string, name: "head" | "post" | "second" | "together"): boolean =>
  name === "second" ? command.includes("{url2}") : command.includes(`{${name}:`);

/** The words of the command for one run: an address is one word, whatever is in it. */
export function commandFor(command: string, { url, method, second, together }: ClientRequest): string[] {
  const plain = onlyFor(onlyFor(command, "head", method === "HEAD"), "post", method === "POST");
  const chosen = onlyFor(plain, "together", together === true);
  const split = words(second === undefined ? chosen.replaceAll("{url2}", "") : chosen);
  const inShell = split.length === 3 && split[0] === "sh" && split[1] === "-c";
  const word = (text: string): string => (inShell && !IS_PLAIN.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text);
  return split.map((one) => one.replaceAll("{url2}", () => word(second ?? "")).replaceAll("{url}", () => word(url)));
}

export const startClient = (client: string | InProcessClient, asked: ClientRequest): Program =>
  typeof client === "string" ? startCommand(commandFor(client, asked)) : startFunction(client, asked);

function startCommand(command: readonly string[]): Program {
  const running = new SubjectProcess(command, "pipe");
  const { child } = running;
  // Its input ends at once, because a command may wait for input. It may also exit without reading it.
  child.stdin?.on("error", () => {});
  child.stdin?.end();
  let output = "";
  child.stdout?.setEncoding("latin1").on("data", (text: string) => {
    if (output.length < MOST_OUTPUT) output += text;
  });
  const printed = new Promise<void>((resolve) => {
    if (child.stdout === null) resolve();
    else child.stdout.once("close", resolve).once("error", resolve);
  });
  const ended = running.ended.then(async (ending) => {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([printed, new Promise<void>((resolve) => void (timer = setTimeout(resolve, LAST_OUTPUT)))]);
    clearTimeout(timer);
    return ending;
  });
  return {
    ended,
    get ending() {
      return running.ending;
    },
    get complaint() {
      return running.complaint;
    },
    get output() {
      return output;
    },
    kill: () => running.kill(),
  };
}

function startFunction(client: InProcessClient, asked: ClientRequest): Program {
  const abort = new AbortController();
  let complaint = "";
  let output = "";
  let ending: Ending | undefined;
  const ended = client(asked.url, abort.signal, asked).then(
    (value): Ending => {
      if (typeof value === "string") output = value;
      else if (value instanceof Uint8Array) output = Buffer.from(value).toString("latin1");
      return { code: 0, signal: null };
    },
    (error: unknown): Ending => {
      complaint = error instanceof Error ? error.message : String(error);
      return { code: 1, signal: null };
    },
  );
  void ended.then((how) => (ending = how));
  return {
    ended,
    get ending() {
      return ending;
    },
    get complaint() {
      return complaint;
    },
    get output() {
      return output;
    },
    // A function that ignores its signal is left running.
    kill: async () => abort.abort(),
  };
}
