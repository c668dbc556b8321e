import { createHash } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { Unreachable } from "../../harness/driver.ts";
import type { Recorder } from "../../harness/connection/recorder.ts";
import { octetsOf, repeated, type Values } from "../../wire/http1/build.ts";
import { membersOf, type ReadRequest, RequestReader, valuesOf } from "../../wire/http1/read.ts";
import { toLatin1 } from "../../wire/octets.ts";
import { GUID } from "../../wire/websocket/numbers.ts";
import type { Step } from "../vocabulary.ts";
import { saysClose } from "./connection.ts";
import { octetsInWords } from "./describe.ts";
import type { CameRequest } from "./sights.ts";
import { portOf } from "../../peers/index.ts";

/** The origin behind a proxy under test: it records every octet that reaches it, and answers as the case says. */

/** The script of responses; without one, a plain 200 that names its request. */
export type Script = Omit<Extract<Step, { do: "origin" }>, "do">;

/** Suffixes of the paths of the fence: their responses are always plain. */
export const FENCES = { on: "/fence", anew: "/after" } as const;
/** Characters of one write, or one read, that the transcript shows. */
const SHOWN = 400;
/** Octets that one connection may bring to the origin; more end it. */
const MOST_OCTETS = 16_777_216;
const DATE = "Thu, 01 Jan 2026 00:00:00 GMT";

/** The content of the plain response: which request it answers. */
export const plainContent = (method: string, target: string): string => `${method} ${target}`.replaceAll(/[^\x20-\x7e]/g, "?");

function plainAnswer({ method, target, fields, version }: ReadRequest, last: boolean): string {
  const content = plainContent(method, target);
  const end = last || saysClose({ version, fields }) ? "Connection: close\r\n" : "";
  const head = `HTTP/1.1 200 OK\r\nDate: ${DATE}\r\nContent-Type: text/plain\r\n${end}Content-Length: ${content.length}\r\n\r\n`;
  return method === "HEAD" ? head : head + content;
}

const wholeOf = ({ text, more }: Script): string =>
  more === undefined ? text : `${text}${repeated(more.text, more.times)}${more.end ?? ""}`;

/** One connection that the proxy opened. */
class OriginConnection {
  readonly on: number;
  readonly reader = new RequestReader();
  readonly #socket: Socket;
  readonly #scene: OriginScene;
  #seen = 0;
  #answered = 0;
  #continued = 0;
  ended = false;
  /** A 101 was sent: what follows belongs to the other protocol. */
  #switched = false;

  constructor(socket: Socket, on: number, scene: OriginScene) {
    this.on = on;
    this.#socket = socket;
    this.#scene = scene;
    socket.on("data", (octets: Uint8Array) => this.#receive(octets));
    socket.on("end", () => {
      this.#end("fin");
      socket.end();
    });
    socket.on("error", () => this.#end("reset"));
    socket.on("close", () => this.#end("fin"));
  }

  #receive(octets: Uint8Array): void {
    const { recorder } = this.#scene;
    recorder.wire("<-", `origin, connection ${this.on}: ${octetsInWords(octets, SHOWN)}`, octets);
    this.reader.push(octets);
    if (this.reader.length > MOST_OCTETS) this.drop();
    if (this.#switched) return this.#scene.poke();
    for (let one = this.reader.requests[this.#seen]; one !== undefined; one = this.reader.requests[this.#seen]) {
      this.#seen += 1;
      if (!this.#scene.came(one, this)) return;
    }
    this.answer();
    this.#scene.poke();
  }

  #end(how: "fin" | "reset"): void {
    if (this.ended) return;
    this.ended = true;
    this.reader.end(how);
    this.#scene.recorder.remark(`origin, connection ${this.on}: the proxy ${how === "fin" ? "closed" : "reset"} it`);
    this.#scene.poke();
  }

  /** Answers the requests that are due, in order: those of the case by its script, those of the fence plainly. */
  answer(): void {
    for (;;) {
      const request = this.reader.requests[this.#answered];
      if (request === undefined || this.ended) return;
      const fence = this.#scene.isFence(request);
      const script = fence === undefined ? this.#scene.script : undefined;
      if (script?.text === "none") return;
      if (!request.complete && script?.at !== "head") return this.#continue(request);
      this.#answered += 1;
      if (script === undefined) {
        const last = fence === "anew";
        this.write(plainAnswer(request, last), last || saysClose(request) ? "end" : undefined);
      } else this.write(wholeOf(script), script.close);
    }
  }

  /** Sends 100 once to a request that expects it (rfc9110#10.1.1). */
  #continue(request: ReadRequest): void {
    if (this.#continued > this.#answered || !membersOf(request.fields, "expect").includes("100-continue")) return;
    this.#continued = this.#answered + 1;
    this.write("HTTP/1.1 100 Continue\r\n\r\n");
  }

  /** Leaves the response to this request to the case. */
  takeOver(nth: number): void {
    this.#answered = Math.max(this.#answered, nth);
  }

  write(text: string, close?: "end" | "reset"): void {
    const octets = octetsOf(text, { ...this.#scene.values, accept: this.#accept });
    if (text.startsWith("HTTP/1.1 101 ")) {
      this.#switched = true;
      this.reader.halt();
    }
    const { recorder } = this.#scene;
    if (octets.length > 0) {
      recorder.wire("->", `origin, connection ${this.on}: ${octetsInWords(octets, SHOWN)}`, octets);
      this.#socket.write(octets);
    }
    if (close === undefined) return;
    recorder.remark(`origin, connection ${this.on}: ${close === "end" ? "we close it" : "we reset it"}`);
    if (close === "end") this.#socket.end();
    else this.#socket.resetAndDestroy();
  }

  /** The Sec-WebSocket-Accept for the last request (rfc6455#4.2.2). */
  get #accept(): string {
    const [key = ""] = valuesOf(this.reader.requests.at(-1)?.fields ?? [], "sec-websocket-key");
    return createHash("sha1").update(`${key}${GUID}`).digest("base64");
  }

  drop(): void {
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }
}

/** What one performance sees at the origin. */
export class OriginScene {
  readonly values: Values;
  readonly recorder: Recorder;
  readonly poke: () => void;
  readonly connections: OriginConnection[] = [];
  /** In the order of their heads, those of the fence included. */
  readonly #came: { readonly request: ReadRequest; readonly connection: OriginConnection; readonly nth: number }[] = [];
  script: Script | undefined;

  constructor(values: Values, recorder: Recorder, poke: () => void) {
    this.values = values;
    this.recorder = recorder;
    this.poke = poke;
  }

  take(socket: Socket): void {
    this.connections.push(new OriginConnection(socket, this.connections.length + 1, this));
  }

  /** Takes a request; false for one of an earlier performance (a retry, for example), whose connection is then dropped. */
  came(request: ReadRequest, connection: OriginConnection): boolean {
    const token = /\/touchstone-\w+-\d+/.exec(request.target)?.[0];
    const path = this.values["path"] ?? "";
    if (token !== undefined && !path.endsWith(token)) {
      this.recorder.remark(`origin, connection ${connection.on}: a request of an earlier performance; the connection is ended`);
      connection.drop();
      this.connections.splice(this.connections.indexOf(connection), 1);
      return false;
    }
    this.#came.push({ request, connection, nth: connection.reader.requests.indexOf(request) + 1 });
    return true;
  }

  isFence({ target, method, framing }: ReadRequest): keyof typeof FENCES | undefined {
    if (method !== "GET" || framing !== "none") return undefined;
    const path = this.values["path"] ?? "";
    return (["on", "anew"] as const).find((which) => target.endsWith(path + FENCES[which]));
  }

  /** Requests of the case itself. */
  get requests(): CameRequest[] {
    return this.#own.map(({ request, connection }) => ({ request, on: connection.on }));
  }
  get #own() {
    return this.#came.filter(({ request }) => this.isFence(request) === undefined);
  }

  /** Whether the proxy has ended the connection of the n-th request of the case, the last by default. */
  hasEnded(nth: number | undefined): boolean {
    return (nth === undefined ? this.#own.at(-1) : this.#own[nth - 1])?.connection.ended === true;
  }
  /** What came on each connection, as Latin-1 text. */
  get octets(): string[] {
    return this.connections.map(({ reader }) => toLatin1(reader.octets));
  }

  follow(script: Script): void {
    this.script = script;
    for (const connection of this.connections) connection.answer();
  }

  /** Writes octets of the case on the connection of the n-th request (the last by default). */
  send({ text, nth, close }: Omit<Extract<Step, { do: "origin send" }>, "do">): void {
    const of = nth === undefined ? this.#own.at(-1) : this.#own[nth - 1];
    if (of === undefined) return this.recorder.remark("origin: no such request has come, so nothing is written");
    of.connection.takeOver(of.nth);
    of.connection.write(text, close);
  }
}

/** Listens at the address of the proxy's origin; everything that arrives belongs to the current performance. */
export class Origin {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #scene: OriginScene | undefined;

  private constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket: Socket) => {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      // The scene notes how its connections end.
      socket.on("error", () => {});
      socket.once("close", () => this.#sockets.delete(socket));
      if (this.#scene === undefined) socket.destroy();
      else this.#scene.take(socket);
    });
  }

  /** Port 0 chooses a free one. */
  static async listen(host: string, port: number): Promise<Origin> {
    const server = createServer({ noDelay: true, allowHalfOpen: true });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) => {
        const why = error.code === "EADDRINUSE" ? "something listens there already" : error.message;
        reject(new Unreachable(`The origin cannot listen on ${host}:${port}: ${why}. The proxy must forward to an address that is free.`));
      });
      server.listen(port, host, resolve);
    });
    return new Origin(server);
  }

  get port(): number {
    return portOf(this.#server);
  }

  begin(scene: OriginScene): void {
    this.end();
    this.#scene = scene;
  }

  /** Drops every connection, so that nothing leaks into the next performance. */
  end(): void {
    this.#scene = undefined;
    for (const socket of this.#sockets) {
      socket.removeAllListeners("data");
      socket.destroy();
    }
  }

  async close(): Promise<void> {
    this.end();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
