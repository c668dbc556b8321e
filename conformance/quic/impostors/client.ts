import { flawOf } from "../../harness/impostors/named.ts";
import { editServerHello, type Forging, MESSAGE_TYPES } from "../../wire/quic/forgery.ts";
import { editExtensions, message } from "../../wire/quic/hello.ts";
import { RawLine } from "../../wire/quic/udp.ts";
import { CLIENT_FLAWS } from "./client-flaws.ts";
import { Peer } from "./peer.ts";

/** Why it gave up; a command would end with status 1. */
class Failed extends Error {}

/** The types of its three streams of HTTP/3 and one that means nothing, and a request that nobody reads. */
const STREAMS = ["\0\u0004\0", "\u0002", "\u0003", "!"] as const;
const REQUEST = "\u0001\u0002\0\0";

/** A client that asks for something, and takes whatever comes. */
class ClientPeer extends Peer {
  protected override failed(): void {}
  protected override greet(): void {
    if (this.flaw.asks === false) return;
    const most = this.flaw.ignoresLimits === true ? Number.POSITIVE_INFINITY : this.end.theirs.integer("initial_max_streams_uni");
    STREAMS.slice(0, most).forEach((data, at) => this.#within(2 + 4 * at, data));
    if (this.flaw.ignoresLimits === true || this.end.theirs.integer("initial_max_streams_bidi") > 0) this.#within(0, REQUEST);
  }

  /** Sends as much as the credit allows. */
  #within(stream: number, data: string): void {
    const perStream = this.end.theirs.creditOn(stream, "its peer");
    const most =
      this.flaw.ignoresLimits === true ? data.length : Math.min(data.length, perStream, this.end.theirs.integer("initial_max_data"));
    this.send({ type: "STREAM", stream, data: data.slice(0, most) });
  }
}

/** Accepts what TLS does not permit where it can: a wrong ServerHello, and EncryptedExtensions without what belongs in it. */
const credulous: Forging = {
  credulous: true,
  reads: (octets) => {
    if (octets[0] === MESSAGE_TYPES.ServerHello) return editServerHello(octets, { session: "", suite: "1301" });
    if (octets[0] !== MESSAGE_TYPES.EncryptedExtensions) return octets;
    return message(
      MESSAGE_TYPES.EncryptedExtensions,
      editExtensions(octets.subarray(6), { replace: { application_layer_protocol_negotiation: "0003026833" } }),
    );
  },
};

/** It has chosen version 1, to which nothing else is compatible (rfc9368#3). */
const VERSIONS = "0000000100000001";

/** Runs an impostor on a URL until it is aborted. Rejects where a command would exit with another status than 0. */
export async function runClient(name: string, url: string, signal: AbortSignal): Promise<void> {
  const flaw = flawOf(CLIENT_FLAWS, name);
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const running: { peer?: ClientPeer } = {};
  const line = await RawLine.dial(
    { host: hostname, port: Number(port) },
    { ...flaw.connects, parameters: { ...flaw.parameters, set: { version_information: VERSIONS, ...flaw.parameters?.set } } },
    {
      forging: credulous,
      on: (observed) => {
        running.peer?.observe(observed);
        if (observed.is === "closed" && observed.code === "INTERNAL_ERROR") reject(new Failed(observed.words));
        if (flaw.leaves === 0 && observed.is === "established") resolve();
        if (flaw.leaves === 1 && observed.is === "established") reject(new Failed("it left at once"));
      },
    },
  );
  const peer = new ClientPeer(line.end, flaw, () => {});
  running.peer = peer;
  if (flaw.before !== undefined) line.filter = (datagram) => flaw.before?.(datagram, peer) !== false;
  signal.addEventListener("abort", () => reject(new Failed("aborted")), { once: true });
  line.end.start();
  try {
    await promise;
  } finally {
    line.drop();
  }
}
