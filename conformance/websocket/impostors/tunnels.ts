import { type Duplex, duplexPair } from "node:stream";
import { handshakeKey } from "../driver/connection.ts";
import { ResponseReader } from "../../wire/http1/read.ts";
import { fromLatin1 } from "../../wire/octets.ts";

type Field = readonly [name: string, value: string];

/** The flaws of an impostor with the stream that carries its WebSocket over HTTP/2 or HTTP/3. */
export type StreamFlaw = {
  /** Accepts extended CONNECT without having announced it. */
  readonly announces?: false;
  /** Replaces the response to the extended CONNECT. */
  readonly answers?: (fields: Field[]) => void;
  /** Refuses a request because of its fields, with a stream error. */
  readonly refuses?: (fields: ReadonlyMap<string, string>) => boolean;
  /** Ends its streams by a reset; does not end them when the client does; ends the whole connection with one of them. */
  readonly resets?: true;
  readonly holds?: true;
  readonly takesAllAlong?: true;
};

/** What one version sends on its streams. */
export interface StreamWire {
  head(stream: number, fields: readonly Field[]): void;
  data(stream: number, octets: Uint8Array): void;
  end(stream: number): void;
  /** `isMalformed`: because of the request. */
  reset(stream: number, isMalformed: boolean): void;
  close(): void;
}

const CONNECTION_FIELDS = /^(?:upgrade|connection|sec-websocket-accept|content-length)$/i;

/** A stream: our end of the pair whose other end is the impostor, and whether the stream was reset. */
type Carried = { readonly ours: Duplex; readonly theirs: Duplex; opened: boolean; over: boolean };

/**
 * Puts streams before an impostor that speaks HTTP/1.1: an extended CONNECT becomes the handshake that it stands for, 101 becomes 200, and
 * the octets after them travel as content. Every flaw is thus the same over all versions.
 */
export class Tunnels {
  readonly #wire: StreamWire;
  readonly #flaw: StreamFlaw;
  readonly #accept: (tunnel: Duplex) => void;
  readonly #streams = new Map<number, Carried>();

  constructor(wire: StreamWire, flaw: StreamFlaw, accept: (tunnel: Duplex) => void) {
    this.#wire = wire;
    this.#flaw = flaw;
    this.#accept = accept;
  }

  open(stream: number, fields: readonly Field[]): void {
    if (this.#flaw.refuses?.(new Map(fields)) === true) return this.#wire.reset(stream, true);
    const [ours, theirs] = duplexPair();
    const carried: Carried = { ours, theirs, opened: false, over: false };
    this.#streams.set(stream, carried);
    const reader = new ResponseReader(() => "GET");
    ours.on("data", (octets: Uint8Array) => {
      if (carried.opened) return this.#wire.data(stream, octets);
      reader.push(octets);
      const [answer] = reader.all;
      if (answer === undefined) return undefined;
      carried.opened = true;
      const out: Field[] = [[":status", String(answer.status === 101 ? 200 : answer.status)]];
      for (const { name, value } of answer.fields) if (!CONNECTION_FIELDS.test(name)) out.push([name.toLowerCase(), value]);
      this.#flaw.answers?.(out);
      this.#wire.head(stream, out);
      return this.#wire.data(stream, answer.status === 101 ? reader.tunnel : answer.content);
    });
    ours.on("end", () => this.#end(stream, carried));
    // A reset stream is closed, which the impostor notices.
    theirs.on("error", () => {});
    ours.on("error", () => {});
    this.#accept(theirs);
    ours.write(handshakeOf(fields, stream));
  }
  received(stream: number, octets: Uint8Array): void {
    if (octets.length > 0) this.#streams.get(stream)?.ours.write(octets);
  }
  ended(stream: number): void {
    if (this.#flaw.holds !== true) this.#streams.get(stream)?.ours.end();
  }
  reset(stream: number): void {
    const carried = this.#streams.get(stream);
    if (carried === undefined) return;
    carried.over = true;
    this.#streams.delete(stream);
    carried.theirs.destroy();
    if (this.#flaw.takesAllAlong === true) this.#wire.close();
  }
  /** The connection is over. */
  closed(): void {
    for (const { theirs } of this.#streams.values()) theirs.destroy();
  }

  #end(stream: number, carried: Carried): void {
    if (carried.over) return;
    carried.over = true;
    if (this.#flaw.resets === true) this.#wire.reset(stream, false);
    else this.#wire.end(stream);
    if (this.#flaw.takesAllAlong === true) this.#wire.close();
  }
}

/** The HTTP/1.1 handshake that is equivalent to an extended CONNECT. */
function handshakeOf(fields: readonly Field[], stream: number): Uint8Array {
  const named = new Map(fields);
  const regular = fields.filter(([name]) => !/^:|^sec-websocket-version$/.test(name));
  const written = regular.map(
    ([name, value]) =>
      `${name.replace("sec-websocket", "Sec-WebSocket").replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())}: ${value}`,
  );
  const version = named.get("sec-websocket-version");
  const lines = [
    `GET ${named.get(":path") ?? "/"} HTTP/1.1`,
    `Host: ${named.get(":authority") ?? "nobody"}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${handshakeKey(stream)}`,
    ...(version === undefined ? [] : [`Sec-WebSocket-Version: ${version}`]),
    ...written,
  ];
  return fromLatin1(`${lines.join("\r\n")}\r\n\r\n`);
}
