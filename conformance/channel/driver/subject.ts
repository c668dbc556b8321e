import { createServer, type Server } from "node:net";
import { once } from "node:events";
import { portOf } from "../../peers/index.ts";
import { type Feature, Unreachable } from "../../harness/driver.ts";
import { type Program, startClient } from "../../harness/subject/client-program.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import type { Step } from "../vocabulary.ts";
import type { Party } from "./driver.ts";
import { Hindered, Performance, SUBPROTOCOL } from "./performance.ts";

/** Features of a program that connects to a hub. It is an agent or a client, as its query says. */
export const SUBJECT_FEATURES: Readonly<Record<string, string>> = {
  agent: "its query has a run, and no client: it is an agent",
  client: "its query has a client: it is a client",
  again: "its exit says that it can start another shell",
  final: "its exit says that there is no other shell",
  asks: "its query has asks=N: it asks a silent hub after N milliseconds, and connects again when there is no answer after three times as many",
};

/** How much longer than usual a program may take to start, and to connect. */
const START_FACTOR = 5;

export type SubjectOptions = { readonly client: string | InProcessClient; readonly timeout: number };

/** The harness as the hub of an agent or a client. It starts the program for each performance, with the URL of a session. */
export class SubjectParty implements Party<"client"> {
  readonly role = "client";
  readonly #options: SubjectOptions;
  #performed = 0;

  constructor(options: SubjectOptions) {
    this.#options = options;
  }

  async begin(patience: number): Promise<{ performance: Performance; end(): Promise<void> }> {
    const { client, timeout } = this.#options;
    const words: Record<string, string> = { session: `s-${++this.#performed}` };
    const subject = { words, hasEnded: false };
    const performance: Performance = new Performance({
      timeout: timeout * patience,
      words,
      open: (on, step) => (step.do === "accept" ? accept(on, step, subject) : Promise.reject(new Error("a program connects to us"))),
    });
    const server: Server = createServer((socket) => performance.incoming(socket));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `ws://127.0.0.1:${portOf(server)}/api/ws/sessions/${words["session"]}`;
    const program: Program = startClient(client, { url, method: "GET" });
    void program.ended.finally(() => {
      subject.hasEnded = true;
      performance.waiting.poke();
    });
    const end = async (): Promise<void> => {
      server.close();
      await program.kill();
    };
    return { performance, end };
  }

  async probe(): Promise<{ features: ReadonlyMap<string, Feature> }> {
    const { performance, end } = await this.begin(START_FACTOR);
    try {
      await performance.run([{ do: "accept", name: "hub" }]);
      const { query } = performance.get("hub");
      const kind = query.has("client") ? "client" : query.has("run") ? "agent" : undefined;
      if (kind === undefined) throw new Hindered("its query has neither run= nor client=");
      const asks = query.get("asks");
      const again = kind === "agent" && (await exitsAgain(performance));
      return {
        features: new Map(
          Object.entries(SUBJECT_FEATURES).map(([name, how]) => {
            if (name === "asks") return [name, { has: asks !== null, how: asks === null ? "its query has no asks" : `asks=${asks}` }];
            const has = name === "again" ? again : name === "final" ? kind === "agent" && !again : name === kind;
            const what = kind === "client" ? "it is a client" : again ? "its exit says again" : "its exit does not say again";
            return [name, { has, how: has ? how : name === "client" ? "it is an agent" : what }];
          }),
        ),
      };
    } catch (error) {
      if (!(error instanceof Hindered)) throw error;
      throw new Unreachable(`The program did not behave like an agent or a client: ${error.message}.`);
    } finally {
      performance.close();
      await end();
    }
  }
}

async function exitsAgain(performance: Performance): Promise<boolean> {
  await performance.run([
    { do: "until", sight: { see: "message", on: "hub", like: { type: "offer" } } },
    { do: "say", name: "hub", message: STATE },
    { do: "say", name: "hub", message: { type: "ack", offset: 0 } },
    { do: "until", sight: { see: "holding", on: "hub", text: "ready" } },
    { do: "octets", name: "hub", octets: { text: "exit 0\n" } },
    { do: "until", sight: { see: "message", on: "hub", like: { type: "exit" } } },
  ]);
  return performance.get("hub").messages.some((one) => one["type"] === "exit" && one["again"] === true);
}

/** A state for a program that has just connected. `{run}` is the run of the agent; a client gets the name that the harness gives it. */
export const STATE: Readonly<Record<string, unknown>> = {
  type: "state",
  session: "{session}",
  run: "{run}",
  agent: "here",
  from: 0,
  screen: 0,
  end: 0,
  input: 0,
  known: false,
  window: 65_536,
  cols: 80,
  rows: 24,
  clients: 1,
  owner: true,
};

type Subject = { readonly words: Record<string, string>; readonly hasEnded: boolean };

/** Waits for the next connection of the program, and answers it. The first one names the run, or the client. */
async function accept(on: Performance, step: Extract<Step, { do: "accept" }>, subject: Subject): Promise<void> {
  const { words } = subject;
  const has = (): boolean => on.coming[0]?.head !== undefined;
  for (let left = START_FACTOR; left > 0 && !has() && !subject.hasEnded; left--) await on.until(() => has() || subject.hasEnded);
  const party = on.coming.shift();
  if (party?.head === undefined) throw new Hindered(subject.hasEnded ? "the program ended before it connected" : "it did not connect");
  on.parties.set(step.name, party);
  party.answersPings = step.deaf !== true;
  words["run"] ??= party.query.get("run") ?? "r1";
  words["client"] ??= party.query.get("client") ?? "";
  if (step.status === undefined) party.line.accept(party.head, SUBPROTOCOL);
  else {
    party.isDropped = true;
    party.line.refuse(step.status);
  }
}
