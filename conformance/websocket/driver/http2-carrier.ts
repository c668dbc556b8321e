import { fill, type Values } from "../../wire/http1/build.ts";
import { framesInWords } from "../../wire/http2/words.ts";
import type { ReadField } from "../../wire/http2/read.ts";
import type { Ending } from "../../wire/sockets.ts";
import type { Handshake } from "../vocabulary.ts";
import { type Answer, type Carrier, type CarrierRule, type Listener } from "./carrier.ts";
import { handshakeFields } from "./http2-handshake.ts";
import type { Http2Streams } from "./http2-streams.ts";
import { StreamWriter } from "./stream-writer.ts";

/** An HTTP/2 stream that extended CONNECT and 200 turn into a WebSocket: END_STREAM is its FIN, RST_STREAM with CANCEL its RST (rfc8441#5). */
export class Http2Carrier implements Carrier {
  readonly name = "http2";
  readonly opens = 200;
  answer: Answer | undefined;
  readonly #streams: Http2Streams;
  readonly #listener: Listener;
  readonly #timeout: number;
  readonly #stream: number;
  readonly #writer: StreamWriter;
  #ended = false;
  /** How it ended, if not with END_STREAM. */
  #reset: string | undefined;

  constructor(streams: Http2Streams, listener: Listener, timeout: number) {
    this.#streams = streams;
    this.#listener = listener;
    this.#timeout = timeout;
    this.#stream = streams.open({
      head: (fields, last) => this.#head(fields, last),
      data: (octets, last) => this.#data(octets, last),
      ended: (how, words) => this.#end(how, words),
      opened: () => this.#writer.flush(),
    });
    this.#writer = new StreamWriter(streams.wire, this.#stream);
  }

  broken(rule: CarrierRule): string | undefined {
    if (rule === "ended in order") return this.#reset;
    const value = this.#streams.wire.theirSettings.get("ENABLE_CONNECT_PROTOCOL");
    return value === 1 ? undefined : `SETTINGS_ENABLE_CONNECT_PROTOCOL is ${value ?? "not there"}`;
  }

  async handshake(handshake: Handshake, values: Values): Promise<{ octets: Uint8Array; words: string }> {
    const { waiting, wire } = this.#streams;
    // A client must have read the server's SETTINGS before extended CONNECT (rfc8441#3).
    await waiting.until(() => wire.hasTheirSettings || this.#streams.over, this.#timeout);
    const fields = handshakeFields(handshake).map(([name, value]) => [name, fill(value, values)] as const);
    const octets = wire.build([{ type: "HEADERS", stream: this.#stream, flags: ["END_HEADERS"], fields }]);
    return { octets, words: framesInWords(octets, () => fields).join(" | ") };
  }

  begin(octets: Uint8Array): Promise<void> {
    return this.#writer.begin(octets);
  }

  write(octets: Uint8Array): Promise<void> {
    return this.#ended ? Promise.resolve() : this.#writer.write(octets);
  }

  end(how: Ending): void {
    if (how === "reset") this.#writer.reset();
    else this.#writer.end();
  }

  drop(): void {
    this.#ended = true;
    this.#writer.stop();
    this.#streams.drop();
  }

  #head(fields: readonly ReadField[], last: boolean): void {
    const status = Number(fields.find(([name]) => name === ":status")?.[1]);
    // Interim responses do not count; 101 does, since HTTP/2 forbids it (rfc9113#8.6) and a server that sends it means it as final.
    if (this.answer === undefined && (status >= 200 || status === 101)) {
      const named = fields.filter(([name]) => !name.startsWith(":"));
      this.answer = { status, fields: named.map(([name, value]) => ({ name, value, line: `${name}: ${value}` })), complete: last };
      this.#listener.answered();
    }
    if (last) this.#last();
  }

  #data(octets: Uint8Array, last: boolean): void {
    this.#listener.data(octets);
    if (last) this.#last();
  }

  #last(): void {
    this.#end("fin", "the stream was ended");
    // Our half ends after theirs, as that of a TCP connection does on its own.
    this.#writer.end();
  }

  #end(how: "fin" | "reset", words: string): void {
    if (this.#ended) return;
    this.#ended = true;
    if (how === "reset") {
      this.#writer.stop();
      this.#reset = words;
    }
    if (this.answer !== undefined) this.answer = { ...this.answer, complete: true };
    this.#listener.ended(how, words);
  }
}
