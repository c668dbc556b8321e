import type { Duplex } from "node:stream";
import { type Ending, endSocket, survivingWrites } from "../../wire/sockets.ts";
import { writeTo } from "../../wire/writes.ts";
import { octetsOf, type Values } from "../../wire/http1/build.ts";
import { Inserter } from "../../wire/http1/insert.ts";
import { ResponseReader } from "../../wire/http1/read.ts";
import { toLatin1 } from "../../wire/octets.ts";
import type { RequestField } from "../../wire/request-fields.ts";
import type { Handshake } from "../vocabulary.ts";
import { type Answer, type Carrier, type Listener } from "./carrier.ts";
import { handshakeText } from "./handshake.ts";
import { textInWords } from "./said.ts";

/** An HTTP/1.1 connection that 101 turns into a WebSocket (rfc6455#4.2.2). */
export class Http1Carrier implements Carrier {
  readonly name = "http1";
  readonly opens = 101;
  readonly #socket: Duplex;
  readonly #listener: Listener;
  readonly #inserter: Inserter;
  readonly #reader = new ResponseReader(() => this.#method);
  /** The method of the handshake: a response to HEAD has no content. */
  #method = "GET";
  #switched = false;
  #ended = false;
  #dropped = false;

  constructor(socket: Duplex, listener: Listener, fields: readonly RequestField[] = []) {
    this.#inserter = new Inserter(fields);
    this.#socket = survivingWrites(socket);
    this.#listener = listener;
    socket.on("data", (octets: Uint8Array) => this.#receive(octets));
    socket.on("end", () => this.#end("fin"));
    socket.on("close", () => this.#end("fin"));
    socket.on("error", () => this.#end("reset"));
  }

  get answer(): Answer | undefined {
    return this.#reader.all.find(({ status }) => status === 101 || status >= 200);
  }
  /** An upgrade has no rules of its own. */
  broken(): undefined {
    return undefined;
  }

  handshake(handshake: Handshake, values: Values): Promise<{ octets: Uint8Array; words: string }> {
    const octets = this.request(octetsOf(handshakeText(handshake), values));
    return Promise.resolve({ octets, words: textInWords(octets) });
  }

  request(octets: Uint8Array): Uint8Array {
    return this.#inserter.insert(octets);
  }

  begin(octets: Uint8Array): Promise<void> {
    if (toLatin1(octets.subarray(0, 5)) === "HEAD ") this.#method = "HEAD";
    return this.write(octets);
  }

  write(octets: Uint8Array): Promise<void> {
    return writeTo(this.#socket, octets);
  }

  end(how: Ending): void {
    endSocket(this.#socket, how);
  }

  drop(): void {
    this.#dropped = true;
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  #receive(octets: Uint8Array): void {
    if (this.#dropped) return;
    if (this.#switched) return this.#listener.data(octets);
    this.#reader.push(octets);
    this.#switched = this.#reader.all.at(-1)?.status === 101;
    this.#listener.answered({ words: textInWords(octets), octets });
    if (this.#switched) this.#listener.data(this.#reader.tunnel);
  }

  #end(how: "fin" | "reset"): void {
    if (this.#ended || this.#dropped) return;
    this.#ended = true;
    this.#reader.end(how);
    this.#listener.ended(how, how === "fin" ? "the connection closed" : "the connection was reset");
  }
}
