import { randomBytes } from "node:crypto";
import type { Socket } from "node:dgram";
import { bindUdp, credentialOf, now, QUIC_PRIMITIVES } from "../../../reference/io/index.ts";
import { retryTag, V1 } from "../../../reference/quic/index.ts";
import { Server } from "../../../reference/tls/index.ts";
import { join, toHex } from "../octets.ts";
import { RawEnd } from "./end.ts";
import type { Hold } from "./end-options.ts";
import { Forged, type ForgerySpec, forgingOf } from "./forgery.ts";
import { PARAMETERS } from "./names.ts";
import type { Observed, Transcript } from "./observed.ts";
import { anyVersion, type Cut, cut, retry } from "./packets.ts";
import { editParameters, type Parameter, type ParameterSpec, readParameters } from "./parameters.ts";
import { ID_OCTETS, offered, repeating } from "./udp.ts";

/** How a server goes on with the first flight of a client. */
export type AcceptSpec = {
  readonly parameters?: ParameterSpec;
  readonly tls?: ForgerySpec;
  readonly hold?: Hold;
};
/** What a Retry packet has. */
export type RetrySpec = {
  /** In hex; an empty one is not permitted. */
  readonly token: string;
  /** Its source ID is the one that the client has chosen for us. */
  readonly source?: "same";
  /** The last octet of its integrity tag is changed. */
  readonly corrupt?: true;
};

type Certificate = { readonly cert: string; readonly key: string };
type Initial = Extract<Cut, { readonly is: "protected" }>;

/** A server for one client, with its socket. What comes waits until the server is asked to go on. */
export class RawHost {
  readonly #socket: Socket;
  readonly #on: (observed: Observed) => void;
  readonly #transcript: Transcript;
  #to: { readonly address: string; port: number } | undefined;
  #waiting: Uint8Array[] = [];
  #end: RawEnd | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The ID that the client chose first, and the one of the last Retry. */
  #original: Uint8Array | undefined;
  #retried: { readonly token: string; readonly source: Uint8Array } | undefined;
  /** The ID of the Initial packet that the connection began with. */
  #accepted = "";
  #isStopped = false;

  private constructor(socket: Socket, { on, transcript }: { on: (observed: Observed) => void; transcript: Transcript }) {
    this.#socket = socket;
    this.#on = on;
    this.#transcript = transcript;
    socket.on("message", (datagram, { address, port }) => this.#came(datagram, { address, port }));
  }
  static async listen(watching: { on: (observed: Observed) => void; transcript: Transcript }): Promise<RawHost> {
    return new RawHost(await bindUdp({ host: "127.0.0.1", port: 0 }), watching);
  }

  get port(): number {
    return this.#socket.address().port;
  }
  get end(): RawEnd | undefined {
    return this.#end;
  }
  /** The last Initial packet that came. */
  last: Initial | undefined;
  /** The first Initial packet that waits; after a Retry, the first with its token. */
  get first(): Initial | undefined {
    const token = this.#retried?.token;
    return this.#waiting
      .flatMap((datagram) => initialIn(datagram) ?? [])
      .find((initial) => token === undefined || toHex(initial.token) === token);
  }

  #came(datagram: Uint8Array, from: { readonly address: string; port: number }): void {
    if (this.#isStopped) return;
    if (this.#end === undefined) this.#to = from;
    else if (this.#to?.port !== from.port) {
      // The client has begun another connection, which this case does not watch.
      const [packet] = cut(datagram, ID_OCTETS);
      if (packet?.is === "protected" && packet.level === "initial") return;
      this.#to = from;
    }
    const initial = initialIn(datagram);
    if (initial !== undefined) {
      this.last = initial;
      this.#original ??= initial.destination.slice();
      const { token, destination, source } = initial;
      const ids = { destination: toHex(destination), source: toHex(source) };
      this.#on({ is: "initial", token: toHex(token), ...ids, octets: datagram.length });
    }
    if (this.#end !== undefined) {
      if (this.#isKnown(datagram, this.#end)) return this.#end.receive(datagram);
      return this.#transcript.wire("<-", "a datagram to an ID that is not ours", datagram);
    }
    this.#transcript.wire("<-", initial === undefined ? "a datagram" : "an Initial packet", datagram);
    this.#on({ is: "datagram", octets: datagram.length });
    this.#waiting.push(datagram.slice());
  }
  #isKnown(datagram: Uint8Array, end: RawEnd): boolean {
    const [packet] = cut(datagram, ID_OCTETS);
    if (packet?.is !== "protected") return true;
    if (packet.level === "application" && !packet.early) return end.isOwn(datagram.subarray(1));
    return end.isOwn(packet.destination) || toHex(packet.destination) === this.#accepted;
  }
  #transmit(datagram: Uint8Array): void {
    // What cannot be sent is lost like any datagram.
    if (!this.#isStopped && this.#to !== undefined) this.#socket.send(datagram, this.#to.port, this.#to.address, () => {});
  }
  #say(words: string, datagram: Uint8Array): void {
    this.#transcript.wire("->", words, datagram);
    this.#transmit(datagram);
  }

  /** Answers the last Initial packet with a Version Negotiation packet. */
  negotiate(versions: readonly number[], initial: Initial): void {
    const listed = new Uint8Array(4 * versions.length);
    versions.forEach((version, at) => new DataView(listed.buffer).setUint32(4 * at, version));
    const words = versions.map((version) => `0x${version.toString(16)}`).join(", ");
    this.#say(`Version Negotiation: ${words}`, anyVersion(0, initial.source, initial.destination, listed));
  }
  /** Answers an Initial packet with a Retry packet; what came before is forgotten. */
  retry({ token, source, corrupt }: RetrySpec, { destination, source: client }: Initial): void {
    const id = source === "same" ? destination.slice() : new Uint8Array(randomBytes(ID_OCTETS));
    const parts = { destination: client, source: id, token: new Uint8Array(Buffer.from(token, "hex")) };
    const datagram = retry((untagged) => retryTag(QUIC_PRIMITIVES, V1, destination, untagged), parts);
    if (corrupt === true) datagram[datagram.length - 1]! ^= 0xff;
    this.#say(`Retry with a token of ${parts.token.length} octets`, datagram);
    if (corrupt !== true && token !== "" && source === undefined) this.#retried ??= { token, source: id };
  }
  /** Forgets what waits. */
  forget(): void {
    this.#waiting = [];
  }

  /** Begins a connection with the first Initial packet that waits. */
  accept({ parameters: edits = {}, tls: forgery, hold }: AcceptSpec, certificate: Certificate): RawEnd {
    const { first } = this;
    if (first === undefined) throw new Error("no Initial packet waits");
    const source = new Uint8Array(randomBytes(ID_OCTETS));
    const given: Parameter[] = [
      ...offered(source),
      [PARAMETERS.original_destination_connection_id, this.#original ?? first.destination],
      [PARAMETERS.stateless_reset_token, new Uint8Array(randomBytes(16))],
      ...(this.#retried === undefined ? [] : [[PARAMETERS.retry_source_connection_id, this.#retried.source] as const]),
    ];
    const parameters = editParameters(given, edits);
    const credential = credentialOf(certificate);
    const tls = new Forged(
      (primitives) =>
        new Server(
          { primitives, credentials: () => [credential], alpn: ["h3"], parameters: () => parameters, suites: ["TLS_AES_128_GCM_SHA256"] },
          now(),
        ),
      forgingOf(forgery ?? {}),
    );
    const ours = new Map(readParameters(parameters));
    const end = new RawEnd({
      we: "server",
      primitives: QUIC_PRIMITIVES,
      tls,
      now,
      source,
      destination: first.source.slice(),
      transmit: (datagram) => this.#transmit(datagram),
      on: this.#on,
      ours,
      preferred: idIn(ours.get(PARAMETERS.preferred_address)),
      transcript: this.#transcript,
      hold,
    });
    this.#accepted = toHex(first.destination);
    end.firstId(first.destination.slice());
    if (this.#retried !== undefined) end.retry = { token: this.#retried.token, source: toHex(this.#retried.source) };
    this.#end = end;
    this.#timer = repeating(end);
    for (const datagram of this.#waiting.splice(0)) end.receive(datagram);
    return end;
  }

  /** A datagram from another port of ours. */
  async elsewhere(datagram: Uint8Array, words: string): Promise<void> {
    if (this.#to === undefined) return;
    const other = await bindUdp({ host: "127.0.0.1", port: 0 });
    this.#transcript.wire("->", `from another port: ${words}`, datagram);
    const { port, address } = this.#to;
    await new Promise((resolve) => other.send(datagram, port, address, resolve));
    other.close();
  }
  /** A datagram that ends with the stateless reset token of the handshake, or with another (rfc9000#10.3). */
  reset(token: "right" | "wrong"): void {
    const right = this.#end?.ours.get("stateless_reset_token") ?? new Uint8Array(16);
    const last = token === "right" ? right : Uint8Array.from(right, (octet, at) => (at === 15 ? octet ^ 1 : octet));
    const datagram = join([new Uint8Array(randomBytes(RESET_OCTETS)), last]);
    datagram[0] = 0x40 | (datagram[0]! & 0x3f);
    this.#say(`a stateless reset with ${token === "right" ? "its" : "a wrong"} token`, datagram);
  }

  /** Ends the connection without a trace in what is observed. */
  stop(): void {
    if (this.#isStopped) return;
    clearInterval(this.#timer);
    const end = this.#end;
    if (end !== undefined && !end.isOver)
      for (const level of ["application", "handshake", "initial"] as const)
        end.send({ level }, [{ type: "CONNECTION_CLOSE", code: "NO_ERROR" }]);
    this.#isStopped = true;
    this.#socket.close();
  }
}

const RESET_OCTETS = 30;

/** The connection ID in a preferred_address, after two addresses with their ports (rfc9000#18.2). */
function idIn(address: Uint8Array | undefined): Uint8Array | undefined {
  const length = address?.[24];
  return address === undefined || length === undefined || length === 0 ? undefined : address.slice(25, 25 + length);
}

function initialIn(datagram: Uint8Array): Initial | undefined {
  const [packet] = cut(datagram, ID_OCTETS);
  return packet?.is === "protected" && packet.level === "initial" ? packet : undefined;
}
