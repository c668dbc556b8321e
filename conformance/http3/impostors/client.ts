import { flawOf } from "../../harness/impostors/named.ts";
import type { Observed } from "../../wire/http3/end.ts";
import { dialQuic, type QuicLine } from "../../wire/quic/line.ts";
import type { FieldSpec } from "../vocabulary.ts";
import { CLIENT_FLAWS } from "./client-flaws.ts";
import type { ClientFlaw } from "./flaw.ts";
import { Peer } from "./peer.ts";

/** Why the exchange failed; a command would end with status 1. */
class Failed extends Error {}

/** Gets one URL, with its flaw. It checks nothing. */
class ClientPeer extends Peer {
  protected readonly settings = [
    ["QPACK_MAX_TABLE_CAPACITY", 4_096],
    ["QPACK_BLOCKED_STREAMS", 8],
  ] as const;
  readonly #flaw: ClientFlaw;
  readonly #authority: string;
  readonly #settle: (failure?: Failed) => void;
  #stream: number | undefined;

  constructor(
    line: QuicLine,
    flaw: ClientFlaw,
    { authority, settle }: { readonly authority: string; readonly settle: (failure?: Failed) => void },
  ) {
    super(line, flaw, "client");
    this.#flaw = flaw;
    this.#authority = authority;
    this.#settle = settle;
  }

  protected override begun(): void {
    if (this.#flaw.leaves !== undefined) return this.#end(this.#flaw.leaves === 0 ? undefined : new Failed("it left at once"));
    this.#stream = this.wire.open("bidirectional");
    const fields: FieldSpec[] = [
      [":method", "GET"],
      [":scheme", "https"],
      [":authority", this.#authority],
      [":path", "/"],
      ["user-agent", "impostor"],
    ];
    const section = { type: "HEADERS", fields: this.#flaw.request?.(fields) ?? fields } as const;
    if (this.#stream !== undefined) this.wire.send(this.#stream, [section, ...(this.#flaw.appends ?? [])], true);
  }

  protected take(observed: Observed): void {
    if (observed.is === "closed") this.#settle(observed.by === "us" ? undefined : new Failed(observed.words));
    if (!("stream" in observed) || observed.stream !== this.#stream) return;
    if (observed.is === "end") this.#end();
    if (observed.is === "reset") this.#end(new Failed("the response was reset"));
  }

  override react(...[reaction, stream]: Parameters<Peer["react"]>): void {
    super.react(reaction, stream);
    if (reaction !== "ignore") this.#settle(new Failed("it did not like that"));
  }

  #end(failure?: Failed): void {
    if (this.wire.closed === undefined) this.wire.close("H3_NO_ERROR");
    this.#settle(failure);
  }
}

/** Runs an impostor on a URL. Resolves where a command would exit with status 0; rejects otherwise. */
export async function runClient(name: string, url: string, signal: AbortSignal): Promise<void> {
  const flaw = flawOf(CLIENT_FLAWS, name);
  const { hostname, port, host } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const running: { peer?: ClientPeer } = {};
  const line = await dialQuic({
    place: { host: hostname, port: Number(port) },
    trusts: false,
    on: (event) => running.peer?.receive(event),
  });
  running.peer = new ClientPeer(line, flaw, {
    authority: host,
    settle: (failure) => (failure === undefined ? resolve() : reject(failure)),
  });
  signal.addEventListener("abort", () => reject(new Failed("aborted")), { once: true });
  try {
    await promise;
  } finally {
    await line.drop();
  }
}
