import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { inUrl, isForbidden, type Place } from "../../io/index.ts";
import type { AnyClientConnection } from "./connection.ts";
import type { Http2ClientConnection } from "../http2/client.ts";
import { ConnectFailed } from "../errors.ts";
import type { Protocol } from "../versions.ts";

/**
 * From a socket that is being connected to a connection on which one of `protocols` is spoken, or to a clear word why there is none. In clear
 * text there is one protocol; over TLS the server chooses.
 */
export async function reach(
  socket: Socket | TLSSocket,
  place: Place,
  withinMs: number,
  protocols: readonly Protocol[],
  start: (socket: Duplex, protocol: Protocol) => AnyClientConnection,
): Promise<AnyClientConnection> {
  const at = `${inUrl(place.host)}:${place.port}`;
  const late = setTimeout(() => {
    socket.destroy(new ConnectFailed("timeout", `${at} has not answered within ${withinMs / 1_000} seconds: is it the right port?`));
  }, withinMs);
  try {
    const protocol = await connected(socket, protocols, at);
    if (protocol !== "h2") return start(socket, protocol);
    const connection = start(socket, protocol) as Http2ClientConnection;
    if ("encrypted" in socket && isForbidden(socket.getProtocol(), socket.getCipher().name)) {
      connection.machine.abort("INADEQUATE_SECURITY");
      connection.drive.wake();
      throw new ConnectFailed(
        "tls",
        `${at} chose ${socket.getCipher().name}, which HTTP/2 forbids (rfc9113#9.2.2): have it offer ECDHE with AES-GCM`,
      );
    }
    await connection.ready;
    if (connection.ending !== undefined) throw notSpoken(connection, at);
    return connection;
  } finally {
    clearTimeout(late);
  }
}

function connected(socket: Socket | TLSSocket, protocols: readonly Protocol[], at: string): Promise<Protocol> {
  const isTls = "encrypted" in socket;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off("error", failed);
      socket.off("end", ended);
      act();
    };
    const failed = (error: Error): void =>
      settle(() => {
        // It may break again while it is being dropped, and that says nothing new.
        socket.on("error", () => {}).destroy();
        reject(error instanceof ConnectFailed ? error : explain(error, at));
      });
    const ended = (): void => failed(new Error("the server hung up"));
    socket.once("error", failed);
    socket.once("end", ended);
    socket.once(isTls ? "secureConnect" : "connect", () =>
      settle(() => {
        // Who has no ALPN cannot mean HTTP/2 (rfc9113#3.2).
        const agreed = isTls ? socket.alpnProtocol || "http/1.1" : protocols[0];
        const protocol = protocols.find((name) => name === agreed);
        if (protocol !== undefined) return resolve(protocol);
        // That it may break while it is being dropped says nothing new here either.
        socket.on("error", () => {}).destroy();
        return reject(new ConnectFailed("notHttp2", `${at} does not offer h2 over TLS: only HTTP/2 is spoken here`));
      }),
    );
  });
}

function explain(error: NodeJS.ErrnoException, at: string): ConnectFailed {
  const code = error.code ?? "";
  if (code === "ECONNREFUSED") return new ConnectFailed("unreachable", `nobody listens at ${at}: is the server running?`, error);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return new ConnectFailed("unreachable", `the name in ${at} is not known here`, error);
  if (code === "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL") {
    return new ConnectFailed("notHttp2", `${at} refuses h2 over TLS: only HTTP/2 is spoken here`, error);
  }
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG") {
    return new ConnectFailed("tls", `${at} does not speak TLS: try http: instead of https:`, error);
  }
  if (/SELF_SIGNED|UNABLE_TO|CERT|ALTNAME/.test(code)) {
    return new ConnectFailed(
      "tls",
      `the certificate of ${at} is not to be trusted (${code}): give it as \`tls.ca\`, or \`tls.verify: false\` for a test`,
      error,
    );
  }
  if (/SSL|TLS|EPROTO/.test(code)) return new ConnectFailed("tls", `no TLS with ${at}: ${error.message}`, error);
  return new ConnectFailed("unreachable", `cannot connect to ${at}: ${error.message}`, error);
}

function notSpoken({ ending }: Http2ClientConnection, at: string): ConnectFailed {
  const { fault, error } = ending!;
  if (error instanceof ConnectFailed) return error;
  if (fault?.name === "firstFrameNotSettings" || fault?.name === "frameTooLarge") {
    return new ConnectFailed("notHttp2", `${at} answers, but not in HTTP/2: a server in clear text has to know it beforehand`);
  }
  if (error !== undefined)
    return new ConnectFailed("unreachable", `${at} broke the connection before it said anything in HTTP/2: ${error.message}`, error);
  return new ConnectFailed("notHttp2", `${at} hung up before it said anything in HTTP/2`);
}
