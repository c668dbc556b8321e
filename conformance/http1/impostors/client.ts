import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ClientRequest } from "../../harness/subject/subject.ts";
import { fromLatin1, toLatin1 } from "../../wire/octets.ts";
import { HTTP1_CLIENT_FLAWS, type Http1ClientFlaw } from "./client-flaws.ts";
import { read, type Taken } from "./client-read.ts";
import { flawOf } from "../../harness/impostors/named.ts";

/** Why the exchange failed; the command then ends with status 1. */
class Failed extends Error {}

const CONTENT = "touchstone";
/** How often an impostor that retries repeats a request. */
const RETRIES = 4;
/** How long a client waits for the server to close the connection, in milliseconds. */
const LINGER = 20;

/** A connection with its unread octets. */
class Line {
  readonly #socket: Socket;
  #wake: (() => void) | undefined;
  text = "";
  /** The octets of the last read. */
  pieces = 0;
  end: "fin" | "reset" | undefined;
  isOpen = true;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (octets: Uint8Array) => {
      this.text += toLatin1(octets);
      this.pieces += 1;
      this.#wake?.();
    });
    socket.on("end", () => this.#over("fin"));
    socket.on("error", () => this.#over("reset"));
    socket.on("close", () => this.#over("fin"));
  }

  send(text: string): void {
    this.#socket.write(fromLatin1(text));
  }
  change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
  close(): void {
    this.isOpen = false;
    this.#socket.destroy();
  }

  #over(how: "fin" | "reset"): void {
    this.end ??= how;
    this.#wake?.();
  }
}

/** Requests one or two addresses with its flaw, and returns the contents. */
class ClientImpostor {
  readonly #flaw: Http1ClientFlaw;
  readonly #asked: ClientRequest;
  readonly #signal: AbortSignal | undefined;
  #line: Line | undefined;

  constructor(flaw: Http1ClientFlaw, asked: ClientRequest, signal: AbortSignal | undefined) {
    this.#flaw = flaw;
    this.#asked = asked;
    this.#signal = signal;
  }

  async run(): Promise<string> {
    const { url, second } = this.#asked;
    const { mute, leaves, slams } = this.#flaw;
    try {
      if (mute === true || leaves !== undefined) return await this.#rude(url, mute === true);
      let output = "";
      for (const one of second === undefined ? [url] : [url, second]) output += await this.#get(one);
      if (slams === true) throw new Failed("did not like that");
      return output;
    } finally {
      this.#line?.close();
    }
  }

  /** Sends nothing, forever or for a moment. */
  async #rude(url: string, forEver: boolean): Promise<string> {
    const line = await this.#dial(url);
    if (forEver) while (this.#signal?.aborted !== true && line.end === undefined) await line.change();
    await new Promise((resolve) => void setTimeout(resolve, LINGER));
    if (this.#flaw.leaves !== 0) throw new Failed("left at once");
    return "";
  }

  async #get(url: string): Promise<string> {
    const { retries, asksAgain } = this.#flaw;
    let taken = await this.#exchange(url);
    const most = retries === true ? RETRIES : 0;
    for (let again = 0; taken.isCut && again < most; again++) taken = await this.#exchange(url, true);
    if (retries === true && taken.isCut) throw new Failed("it went wrong again and again");
    if (asksAgain !== undefined && taken.status >= 300)
      taken = await this.#exchange(url, false, asksAgain === "by GET" ? "GET" : undefined);
    return taken.content;
  }

  async #exchange(url: string, anew = false, method: ClientRequest["method"] = this.#asked.method): Promise<Taken> {
    const { clings, keepsRest, neverReuses, bySegment, slams } = this.#flaw;
    const line = anew || this.#line?.isOpen !== true ? await this.#dial(url) : this.#line;
    line.send(this.#requestFor(url, method));
    const before = line.pieces;
    for (;;) {
      const isAll = line.end !== undefined || (bySegment === true && line.pieces > before);
      const found = read(line.text, isAll, method, this.#flaw);
      if (slams === true && line.pieces > before) {
        line.close();
        throw new Failed("dropped it");
      }
      if (found === "refused") throw new Failed("it is not as it likes it");
      if (line.end === "reset" && line.text === "") throw new Failed("the connection was reset");
      if (found !== undefined && found !== "stuck") {
        line.text = keepsRest === true ? found.rest : "";
        const isGood = !found.isLast && (found.rest === "" || keepsRest === true) && line.end === undefined && bySegment !== true;
        const leavesIt = neverReuses === true || (neverReuses === "after POST" && method === "POST");
        if (clings !== true && (!isGood || leavesIt)) line.close();
        return found;
      }
      if (line.end !== undefined) await new Promise(() => {});
      await line.change();
    }
  }

  #requestFor(url: string, method: ClientRequest["method"]): string {
    const { target, request } = this.#flaw;
    const parsed = new URL(url);
    const content = method === "POST" ? CONTENT : "";
    const userinfo = /^\w+:\/\/([^/@]*)@/.exec(url)?.[1];
    const fields = [`Host: ${parsed.host}`, "User-Agent: impostor", ...(method === "POST" ? [`Content-Length: ${content.length}`] : [])];
    const plain = {
      method,
      target: target?.(url) ?? parsed.pathname + parsed.search,
      fields,
      content,
      end: "\r\n",
      version: "HTTP/1.1",
      userinfo,
    };
    const { end, ...made } = { ...plain, ...request?.(plain) };
    return [`${made.method} ${made.target} ${made.version}`, ...made.fields, "", made.content].join(end);
  }

  async #dial(url: string): Promise<Line> {
    const { hostname, port, protocol } = new URL(url);
    const at = { host: hostname, port: Number(port) };
    const tls = protocol === "https:";
    const socket = tls ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at);
    this.#signal?.addEventListener("abort", () => socket.destroy(), { once: true });
    socket.setNoDelay(true);
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.once(tls ? "secureConnect" : "connect", () => {
        socket.off("error", reject);
        resolve();
      });
    });
    this.#line = new Line(socket);
    return this.#line;
  }
}

/** Runs an impostor. Resolves with its output where a command would exit with status 0; rejects otherwise. */
export async function runHttp1Client(name: string, asked: ClientRequest, signal?: AbortSignal): Promise<string> {
  const flaw = flawOf(HTTP1_CLIENT_FLAWS, name);
  return new ClientImpostor(flaw, asked, signal).run();
}
