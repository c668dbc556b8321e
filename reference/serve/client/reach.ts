import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { inUrl, type Place } from "../../io/index.ts";
import { ConnectFailed } from "../errors.ts";
import type { ClientVersion } from "../version.ts";
import { type AnyVersion, UNNEGOTIATED } from "../versions.ts";
import type { AnyClientConnection, Origin } from "./connection.ts";

/** A version, ready to connect. */
export type Offered = { readonly version: AnyVersion; readonly client: ClientVersion };

type Reaching = {
  readonly place: Place;
  readonly origin: Origin;
  /** Ends the attempt; its reason says why. */
  readonly signal: AbortSignal;
  /** The versions that the server may choose: in clear text there is one. */
  readonly offered: readonly Offered[];
};

/** How long an attempt may take, and who may end it before. */
export class AttemptLimit {
  readonly #stop = new AbortController();
  readonly #callers: readonly AbortSignal[];
  readonly #late: NodeJS.Timeout;
  readonly #at: string;

  constructor(place: Place, withinMs: number, callers: readonly (AbortSignal | undefined)[]) {
    this.#at = `${inUrl(place.host)}:${place.port}`;
    this.#callers = callers.filter((caller) => caller !== undefined);
    const words = `${this.#at} has not answered within ${withinMs / 1_000} seconds: is it the right port?`;
    this.#late = setTimeout(() => this.#stop.abort(new ConnectFailed("timeout", words)), withinMs);
    for (const caller of this.#callers) caller.addEventListener("abort", this.#givenUp, { once: true });
    if (this.#callers.some(({ aborted }) => aborted)) this.#givenUp();
  }

  /** Its reason is a `ConnectFailed`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }
  readonly #givenUp = (): void => {
    const cause: unknown = this.#callers.find(({ aborted }) => aborted)?.reason;
    this.#stop.abort(new ConnectFailed("unreachable", `the attempt to connect to ${this.#at} was given up`, cause));
  };
  /** The attempt is over. */
  end(): void {
    clearTimeout(this.#late);
    for (const caller of this.#callers) caller.removeEventListener("abort", this.#givenUp);
  }
}

/** Waits for a socket to connect, agrees on a version, and starts its connection; or explains why not. */
export async function reach(socket: Socket | TLSSocket, { place, origin, offered, signal }: Reaching): Promise<AnyClientConnection> {
  const at = `${inUrl(place.host)}:${place.port}`;
  const stop = (): void => void socket.destroy(signal.reason as ConnectFailed);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const { client } = await connected(socket, offered, at);
    const connection = client.connect(socket, origin);
    if ("encrypted" in socket && !client.permits(socket)) {
      connection.abort("INADEQUATE_SECURITY");
      throw new ConnectFailed(
        "tls",
        `${at} chose ${socket.getCipher().name}, which HTTP/2 forbids (rfc9113#9.2.2): configure ECDHE with AES-GCM there`,
      );
    }
    await connection.ready;
    if (connection.ending !== undefined) throw notSpoken(connection, at);
    return connection;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function connected(socket: Socket | TLSSocket, offered: readonly Offered[], at: string): Promise<Offered> {
  const isTls = "encrypted" in socket;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off("error", failed);
      socket.off("end", ended);
      act();
    };
    const failed = (error: Error): void =>
      settle(() => {
        // Another error while it is being destroyed adds nothing.
        socket.on("error", () => {}).destroy();
        reject(error instanceof ConnectFailed ? error : explain(error, at, offered));
      });
    const ended = (): void => failed(new Error("the server closed the connection"));
    socket.once("error", failed);
    socket.once("end", ended);
    const ready = (): void =>
      settle(() => {
        // Without ALPN it cannot be HTTP/2 (rfc9113#3.2).
        const alpn = isTls ? socket.alpnProtocol || UNNEGOTIATED.alpn : offered[0]?.version.alpn;
        const agreed = offered.find(({ version }) => version.alpn === alpn);
        if (agreed !== undefined) return resolve(agreed);
        // As above.
        socket.on("error", () => {}).destroy();
        return reject(notOffered(offered, at));
      });
    // A connection through another server stands already.
    if (!isTls && !socket.connecting) ready();
    else socket.once(isTls ? "secureConnect" : "connect", ready);
  });
}

function notOffered(offered: readonly Offered[], at: string, cause?: unknown): ConnectFailed {
  const versions = offered.map(({ version }) => version.http).join(" or ");
  const names = offered.map(({ version }) => version.alpn).join(", ");
  return new ConnectFailed("protocol", `${at} does not offer ${versions} over TLS (ALPN ${names})`, cause);
}

function explain(error: NodeJS.ErrnoException, at: string, offered: readonly Offered[]): ConnectFailed {
  const code = error.code ?? "";
  if (code === "ECONNREFUSED") return new ConnectFailed("unreachable", `nothing listens at ${at}: is the server running?`, error);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return new ConnectFailed("unreachable", `the name in ${at} does not resolve`, error);
  if (code === "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL") return notOffered(offered, at, error);
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG") {
    return new ConnectFailed("tls", `${at} does not speak TLS: try http: instead of https:`, error);
  }
  const wanted = refusedCertificate(code, at, error);
  if (wanted !== undefined) return wanted;
  if (/SELF_SIGNED|UNABLE_TO|CERT|ALTNAME/.test(code)) {
    return new ConnectFailed(
      "tls",
      `the certificate of ${at} is not trusted (${code}): pass it as \`tls.ca\`, or \`tls.verify: false\` in a test`,
      error,
    );
  }
  if (/SSL|TLS|EPROTO/.test(code)) return new ConnectFailed("tls", `the TLS handshake with ${at} failed: ${error.message}`, error);
  return new ConnectFailed("unreachable", `cannot connect to ${at}: ${error.message}`, error);
}

/** The server's alert about our certificate (rfc8446#6.2), which in TLS 1.3 arrives after our handshake is complete. */
function refusedCertificate(code: string, at: string, error: unknown): ConnectFailed | undefined {
  if (!/ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code)) return undefined;
  const words = `${at} refuses our certificate, or wants one (${code}): pass one that it trusts as \`tls.cert\` and \`tls.key\``;
  return new ConnectFailed("tls", words, error);
}

function notSpoken({ ending, isForeign, version }: AnyClientConnection, at: string): ConnectFailed {
  const { fault, error } = ending ?? {};
  if (error instanceof ConnectFailed) return error;
  const wanted = refusedCertificate((error as NodeJS.ErrnoException | undefined)?.code ?? "", at, error);
  if (wanted !== undefined) return wanted;
  if (isForeign) return new ConnectFailed("protocol", `${at} answers, but not in ${version}: choose another version by \`alpn\``);
  if (error !== undefined)
    return new ConnectFailed("unreachable", `${at} broke the connection before it spoke ${version}: ${error.message}`, error);
  const why = fault === undefined ? "" : ` (${fault.name}, ${fault.spec})`;
  return new ConnectFailed("protocol", `${at} closed the connection before it spoke ${version}${why}`);
}
