import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { inUrl, isForbidden, type Place } from "../io/index.ts";
import type { Http2ClientConnection } from "./client-http2.ts";
import { ConnectFailed } from "./errors.ts";

/** From a socket that is being connected to a connection on which the server has spoken HTTP/2, or to a clear word why there is none. */
export async function reach(
  socket: Socket | TLSSocket,
  place: Place,
  withinMs: number,
  start: () => Http2ClientConnection,
): Promise<Http2ClientConnection> {
  const at = `${inUrl(place.host)}:${place.port}`;
  const late = setTimeout(() => {
    socket.destroy(new ConnectFailed("timeout", `${at} has not answered within ${withinMs / 1_000} seconds: is it the right port?`));
  }, withinMs);
  try {
    await connected(socket, at);
    const connection = start();
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

function connected(socket: Socket | TLSSocket, at: string): Promise<void> {
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
        if (isTls && socket.alpnProtocol !== "h2") {
          socket.on("error", () => {}).destroy();
          reject(new ConnectFailed("notHttp2", `${at} does not offer h2 over TLS: only HTTP/2 is spoken here`));
        } else resolve();
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
