import { fill, type Values } from "../../wire/http1/build.ts";
import { lacking } from "../../wire/request-fields.ts";
import type { Ending } from "../../wire/sockets.ts";
import type { Handshake } from "../vocabulary.ts";
import type { Listener } from "./carrier.ts";
import { handshakeFields } from "./connect-handshake.ts";
import type { Http3Streams } from "./http3-streams.ts";
import { StreamCarrier } from "./stream-carrier.ts";

/** An HTTP/3 stream as a WebSocket: its end is the FIN, a reset with H3_REQUEST_CANCELLED the RST (rfc9220#3). */
export class Http3Carrier extends StreamCarrier {
  readonly name = "http3";
  readonly #streams: Http3Streams;
  readonly #timeout: number;
  readonly #stream: number;
  #isLeft = false;

  /** `stream`: one that is open, and on which nothing was sent. */
  constructor(streams: Http3Streams, stream: number, listener: Listener, timeout: number) {
    super(listener);
    this.#streams = streams;
    this.#timeout = timeout;
    this.#stream = stream;
    streams.listen(stream, {
      head: (fields) => this.head(fields, false),
      data: (octets) => this.data(octets, false),
      ended: (how, words) => (how === "fin" ? this.last() : this.ended(how, words)),
    });
  }

  protected get announced(): number | undefined {
    return this.#streams.wire.theirSettings.get("ENABLE_CONNECT_PROTOCOL");
  }

  async handshake(handshake: Handshake, values: Values): Promise<{ octets: Uint8Array; words: string }> {
    const { waiting, wire } = this.#streams;
    // A client must have read the server's SETTINGS before extended CONNECT (rfc8441#3).
    await waiting.until(() => wire.hasTheirSettings || this.#streams.over, this.#timeout);
    const fields = handshakeFields(handshake).map(([name, value]) => [name, fill(value, values)] as const);
    const all = [...fields, ...lacking(fields, this.#streams.fields)];
    const octets = wire.build([{ type: "HEADERS", fields: all }]);
    return { octets, words: `HEADERS ${all.map(([name, value]) => `${name}=${value}`).join(" ")}` };
  }
  async begin(octets: Uint8Array): Promise<void> {
    this.#streams.wire.carry(this.#stream, octets);
    await this.#streams.wire.flushed();
  }
  async write(octets: Uint8Array): Promise<void> {
    if (this.isOver || this.#isLeft) return;
    this.#streams.wire.content(this.#stream, octets);
    await this.#streams.wire.flushed();
  }
  end(how: Ending): void {
    const { wire } = this.#streams;
    if (how !== "reset") return this.leave();
    this.#isLeft = true;
    wire.stop(this.#stream, "H3_REQUEST_CANCELLED");
    return wire.reset(this.#stream, "H3_REQUEST_CANCELLED");
  }
  drop(): void {
    this.isOver = true;
    this.stop();
    void this.#streams.drop();
  }
  protected leave(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#streams.wire.finish(this.#stream);
  }
  protected stop(): void {
    this.#isLeft = true;
  }
}
