import { fill, type Values } from "../../wire/http1/build.ts";
import { framesInWords } from "../../wire/http2/words.ts";
import type { Ending } from "../../wire/sockets.ts";
import type { Handshake } from "../vocabulary.ts";
import type { Listener } from "./carrier.ts";
import { handshakeFields } from "./connect-handshake.ts";
import type { Http2Streams } from "./http2-streams.ts";
import { StreamCarrier } from "./stream-carrier.ts";
import { StreamWriter } from "./stream-writer.ts";

/** An HTTP/2 stream as a WebSocket: END_STREAM is its FIN, RST_STREAM with CANCEL its RST (rfc8441#5). */
export class Http2Carrier extends StreamCarrier {
  readonly name = "http2";
  readonly #streams: Http2Streams;
  readonly #timeout: number;
  readonly #stream: number;
  readonly #writer: StreamWriter;

  constructor(streams: Http2Streams, listener: Listener, timeout: number) {
    super(listener);
    this.#streams = streams;
    this.#timeout = timeout;
    this.#stream = streams.open({
      head: (fields, last) => this.head(fields, last),
      data: (octets, last) => this.data(octets, last),
      ended: (how, words) => this.ended(how, words),
      opened: () => this.#writer.flush(),
    });
    this.#writer = new StreamWriter(streams.wire, this.#stream);
  }

  protected get announced(): number | undefined {
    return this.#streams.wire.theirSettings.get("ENABLE_CONNECT_PROTOCOL");
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
    return this.isOver ? Promise.resolve() : this.#writer.write(octets);
  }
  end(how: Ending): void {
    if (how === "reset") this.#writer.reset();
    else this.leave();
  }
  drop(): void {
    this.isOver = true;
    this.stop();
    this.#streams.drop();
  }
  protected leave(): void {
    this.#writer.end();
  }
  protected stop(): void {
    this.#writer.stop();
  }
}
