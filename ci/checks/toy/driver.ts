import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { once } from "node:events";
import type { Role } from "../../../conformance/harness/case.ts";
import { type Driver, type Feature, type Played, type Twin, Unreachable } from "../../../conformance/harness/driver.ts";
import { SubjectProcess, words } from "../../../conformance/harness/subject/subject-process.ts";
import type { ClientSubject, ProxySubject } from "../../../conformance/harness/subject/subject.ts";
import type { ToyCase } from "./cases.ts";
import { answerTo, exchange, listen } from "./protocol.ts";

const isError = (line: string): boolean => /^error\b/.test(line);

/** Sends a line to the subject, and returns the response. */
type Talk = { readonly say: (line: string) => Promise<string>; readonly close?: () => Promise<void> };

/** Performs the toy's cases for every role: one line per case. */
export class ToyDriver<R extends Role> implements Driver<ToyCase> {
  readonly role: R;
  readonly #talk: Talk;

  constructor(role: R, talk: Talk) {
    this.role = role;
    this.#talk = talk;
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    return { features: new Map() };
  }

  async play({ steps: [step], allowed: [strict] }: ToyCase): Promise<Played> {
    const observed = await this.#say(step?.line ?? "");
    const isSeen = strict.see.see === "line" ? observed === strict.see.line : isError(observed);
    return { is: isSeen ? "allowed" : "other", index: 0, reason: `It answered ${observed}.`, observed, transcript: [] };
  }

  async control({ control: [step] }: ToyCase): Promise<Twin> {
    const observed = await this.#say(step?.line ?? "");
    return { is: isError(observed) ? "refused" : "accepted", reason: observed, transcript: [] };
  }

  controlKey({ control }: ToyCase): string {
    return JSON.stringify(control);
  }

  expected({ allowed: [{ see }] }: ToyCase): string[] {
    return [see.see === "line" ? see.line : "error"];
  }

  async close(): Promise<void> {
    await this.#talk.close?.();
  }

  async #say(line: string): Promise<string> {
    try {
      return await this.#talk.say(line);
    } catch (error) {
      throw new Unreachable(error instanceof Error ? error.message : String(error));
    }
  }
}

export const toServer = (url: string): Talk => ({ say: (line) => exchange(url, line) });

/** Listens, and answers the client's line with ours. */
export const toClient = ({ client }: ClientSubject): Talk => ({
  say: async (line) => {
    const { url, stop } = await listen(() => line);
    try {
      if (typeof client === "function")
        return await client(url, new AbortController().signal, { url, method: "GET" }).then(
          () => "done",
          () => "error",
        );
      const { code } = await new SubjectProcess(words(client.replaceAll("{url}", url)), "ignore").ended;
      return code === 0 ? "done" : "error";
    } finally {
      await stop();
    }
  },
});

export function toCodec(command: string): Talk {
  const [program = "", ...args] = words(command);
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = async (line: string): Promise<string> => {
    child.stdin.write(`${JSON.stringify({ id: 1, line })}\n`);
    const { line: answer } = JSON.parse(String((await lines.next()).value)) as { readonly line: string };
    return answer;
  };
  const close = async (): Promise<void> => {
    child.stdin.end();
    await once(child, "close");
  };
  return { say, close };
}

/** Our origin behind the proxy, which forwards a line. */
export async function throughProxy({ proxy }: ProxySubject): Promise<Talk> {
  const origin = await listen(answerTo);
  const address = origin.url.replace("toy://", "");
  if (typeof proxy === "function") {
    const { url, stop } = await proxy(address);
    return { say: (line) => exchange(url, line), close: () => stop().then(origin.stop) };
  }
  const running = new SubjectProcess(words(proxy.replaceAll("{origin}", address)), "pipe");
  const [url] = (await once(createInterface({ input: running.child.stdout ?? process.stdin }), "line")) as [string];
  return { say: (line) => exchange(url, line), close: () => running.kill().then(origin.stop) };
}
