import type { Accepted, ClientAddress, ClientHost, ClientRun } from "../../harness/subject/client-run.ts";
import { Stage } from "../../harness/connection/stage.ts";
import type { Ending } from "../../harness/subject/subject-process.ts";
import type { Values } from "../../wire/http1/build.ts";
import type { ReadRequest } from "../../wire/http1/read.ts";
import { toLatin1 } from "../../wire/octets.ts";
import type { Ask, Sight } from "../vocabulary.ts";
import { ServedConnection } from "./client-connection.ts";
import { clientMonitor } from "./client-monitors.ts";
import type { ClientRequest } from "../../harness/subject/subject.ts";
import type { Conversation } from "./conversation.ts";
import { type CameRequest, isSeen, type View } from "./sights.ts";

/** A request; `late` after we had ended its connection, so that it can have no response. */
type Came = { readonly request: ReadRequest; readonly connection: ServedConnection; readonly late: boolean };

/** The default path of the first request, and that of the second. */
const PATHS = { first: "/first", second: "/second" } as const;

/** The context of one performance of a case on a client: its connections to us, its exit, and its output. */
export class Http1ClientStage extends Stage<Sight> implements ClientHost {
  readonly connections: ServedConnection[] = [];
  readonly asked: ClientRequest;
  readonly values: Values;
  readonly #came: Came[] = [];
  /** How many of the answerable requests have been answered. */
  answered = 0;
  run: ClientRun | undefined;
  /** How it ended; undefined if it was killed. */
  exit: { readonly ok: boolean } | undefined;
  gone = false;
  /** A step waited in vain: nothing that the client does afterwards makes up for it. */
  missed = false;

  constructor({ authority, secure }: ClientAddress, ask: Ask, timeout: number) {
    super(timeout);
    const scheme = secure ? "https" : "http";
    const path = ask.path ?? PATHS.first;
    this.values = { scheme, authority, path };
    const userinfo = ask.userinfo === undefined ? "" : `${ask.userinfo}@`;
    this.asked = {
      url: `${scheme}://${userinfo}${authority}${path}`,
      method: ask.method ?? "GET",
      ...((ask.twice === true || ask.together === true) && { second: `${scheme}://${authority}${PATHS.second}` }),
      ...(ask.together === true && { together: true }),
    };
  }

  take(socket: Accepted): void {
    const on = this.connections.length + 1;
    if (on > 1) this.recorder.remark(`the client opened connection number ${on}`);
    const made = new ServedConnection(socket, on, this.recorder, (one) => this.#changed(one));
    this.connections.push(made);
    this.afterwards(() => made.drop());
    this.poke();
  }

  /** Requests that can be answered, in the order in which they came. */
  get answerable(): readonly Came[] {
    return this.#came.filter(({ late }) => !late);
  }
  get requests(): readonly CameRequest[] {
    return this.#came.map(({ request, connection }) => ({ request, on: connection.on }));
  }
  get output(): string {
    return this.run?.output ?? "";
  }

  /** What a client prints if it accepts all that we sent: the content of each final response. */
  get content(): string {
    return this.connections
      .flatMap(({ said, reader }) => said.responses.map((response, at) => ({ response, request: reader.requests[at] })))
      .sort((a, b) => this.#place(a.request) - this.#place(b.request))
      .map(({ response }) => toLatin1(response.content))
      .join("");
  }

  get view(): View {
    return {
      conversation: (on) => this.#conversation(on),
      conversations: [],
      requests: this.requests,
      values: this.values,
      like: {},
      fenced: this.gone,
      monitor: (name) => clientMonitor(name, this),
      output: this.output,
      gaveUp: this.gaveUp,
      ...(this.exit === undefined ? {} : { exit: this.exit }),
    };
  }

  sees(sight: Sight): boolean {
    return isSeen(sight, this.view);
  }

  get connected(): boolean {
    return this.connections.length > 0;
  }
  get quiet(): boolean {
    return this.connections.every(({ ended, endedByUs }) => ended !== undefined || endedByUs);
  }
  /** It left every connection and still runs. It counts once the time for its exit is over. */
  get gaveUp(): boolean {
    return !this.gone && this.connected && this.connections.every(({ isLeft }) => isLeft);
  }
  get over(): boolean {
    return this.gone;
  }
  left({ code }: Ending): void {
    if (code !== null) this.exit = { ok: code === 0 };
    this.gone = true;
  }

  #place(request: ReadRequest | undefined): number {
    return this.#came.findIndex((one) => one.request === request);
  }

  #conversation(on: number): Conversation | undefined {
    const one = this.connections[on - 1];
    if (one === undefined) return undefined;
    const { ended, endedByUs } = one;
    const nothing = { responses: [], interim: [], garbage: [], tunnel: new Uint8Array(), upgraded: undefined, sent: [] };
    return { ...nothing, ended, endedByUs };
  }

  #changed(connection: ServedConnection): void {
    const known = this.#came.filter((one) => one.connection === connection).length;
    for (const request of connection.reader.requests.slice(known)) this.#came.push({ request, connection, late: connection.endedByUs });
    connection.endAfterClient();
    this.poke();
  }
}
