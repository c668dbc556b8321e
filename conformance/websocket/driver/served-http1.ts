import type { Accepted } from "../../harness/subject/client-run.ts";
import { octetsOf, type Values } from "../../wire/http1/build.ts";
import { type ReadRequest, RequestReader, ResponseReader } from "../../wire/http1/read.ts";
import { toLatin1 } from "../../wire/octets.ts";
import { type Ending, endSocket, survivingWrites } from "../../wire/sockets.ts";
import { writeTo } from "../../wire/writes.ts";
import type { Handshake } from "../vocabulary.ts";
import type { Answer } from "./carrier.ts";
import { handshakeLines } from "./handshake.ts";
import { textInWords } from "./said.ts";
import type { ServedCarrier, ServedListener } from "./served-carrier.ts";

/** How the connection preface of HTTP/2 begins (rfc9113#3.4). */
const PREFACE = "PRI ";
/** The fields of a valid response (rfc6455#4.2.2), in sending order. */
const GOOD: Readonly<Record<string, string>> = { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Accept": "{accept}" };

/** Our end of a connection that a client opened, which 101 turns into a WebSocket. */
export class Http1Served implements ServedCarrier {
  readonly name = "http1";
  readonly opens = 101;
  readonly #socket: Accepted;
  readonly #listener: ServedListener;
  readonly #speakHttp2: () => ServedCarrier;
  readonly #reader = new RequestReader();
  readonly #said = new ResponseReader(() => "GET");
  #isRead = false;
  #isOther = false;

  /** `speakHttp2` returns what replaces this carrier if the client begins with the preface of HTTP/2. */
  constructor(socket: Accepted, listener: ServedListener, speakHttp2: () => ServedCarrier) {
    this.#socket = survivingWrites(socket);
    this.#listener = listener;
    this.#speakHttp2 = speakHttp2;
    socket.on("data", this.#receive);
    socket.on("end", () => this.#end("fin"));
    socket.on("close", () => this.#end("fin"));
    socket.on("error", () => this.#end("reset"));
  }

  get request(): ReadRequest | undefined {
    const [request] = this.#reader.requests;
    return request?.complete === true ? request : undefined;
  }
  get response(): Answer | undefined {
    return this.#said.all.find(({ status }) => status === 101 || status >= 200);
  }
  get behind(): Uint8Array {
    return this.#said.tunnel;
  }
  /** An upgrade has no rules of its own. */
  broken(): undefined {
    return undefined;
  }

  build({ start = "HTTP/1.1 101 Switching Protocols", ...rest }: Handshake, values: Values): { octets: Uint8Array; words: string } {
    const octets = octetsOf(handshakeLines(start, GOOD, rest), values);
    return { octets, words: textInWords(octets) };
  }
  begin(octets: Uint8Array): Promise<void> {
    return this.write(octets);
  }
  answered(octets: Uint8Array): void {
    this.#said.push(octets);
  }
  write(octets: Uint8Array): Promise<void> {
    return writeTo(this.#socket, octets);
  }
  leave(): void {
    this.#socket.end();
  }
  end(how: Ending): void {
    endSocket(this.#socket, how);
  }
  drop(): void {
    this.#socket.removeAllListeners("data");
    this.#socket.destroy();
  }

  readonly #receive = (octets: Uint8Array): void => {
    if (this.#isRead) return this.#listener.data(octets);
    const all = Buffer.concat([this.#reader.octets, octets]);
    if (toLatin1(all.subarray(0, PREFACE.length)) === PREFACE) return this.#handOver(all);
    this.#reader.push(octets);
    const { request } = this;
    this.#isRead = request !== undefined;
    this.#listener.asked({ words: textInWords(octets), octets });
    if (request !== undefined) this.#listener.data(this.#reader.octets.subarray(request.headEnd));
  };

  #handOver(octets: Uint8Array): void {
    this.#isOther = true;
    this.#socket.off("data", this.#receive);
    this.#socket.pause();
    this.#socket.unshift(octets);
    this.#listener.becomes(this.#speakHttp2());
    this.#socket.resume();
  }

  #end(how: "fin" | "reset"): void {
    if (!this.#isOther) this.#listener.ended(how, how === "fin" ? "the client closed the connection" : "the client reset the connection");
  }
}
