import { randomBytes } from "node:crypto";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTcp, isIP } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Certificate } from "../../harness/subject/certificate.ts";
import { securedBy, type Target } from "../../harness/subject/transport.ts";
import type { Over, Refusal, TlsVersion } from "../vocabulary.ts";

/** What became of one connection. */
export type Met =
  | { readonly is: "answered"; readonly status: number }
  | { readonly is: "refused"; readonly by: Exclude<Refusal, "response">; readonly words: string }
  | { readonly is: "silent" }
  /** The server did not select the protocol. */
  | { readonly is: "absent"; readonly words: string };

export type Dialled = { readonly met: Met; readonly session: Buffer | undefined; readonly isResumed: boolean };

export type Offer = {
  readonly over: Over;
  readonly version?: TlsVersion;
  readonly certificate?: Certificate | undefined;
  readonly session?: Buffer | undefined;
};

/** One connection over TLS with one request, or with the opening of a WebSocket. */
export function dialOnce({ host, port, authority, path, verify }: Target, offer: Offer, timeout: number): Promise<Dialled> {
  const { over, version, certificate, session: resumed } = offer;
  const { rejectUnauthorized, ca } = securedBy(verify);
  const alpn = over === "http2" ? "h2" : "http/1.1";
  const socket = connectTls({
    host,
    port,
    ALPNProtocols: [alpn],
    ...(version !== undefined && { minVersion: version, maxVersion: version }),
    rejectUnauthorized,
    ...(ca !== undefined && { ca }),
    ...(isIP(host) === 0 && { servername: host }),
    ...certificate,
    ...(resumed !== undefined && { session: resumed }),
  });
  return new Promise((resolve) => {
    const state: { session?: Buffer; failure?: NodeJS.ErrnoException; isResumed: boolean; isDone: boolean } = {
      isResumed: false,
      isDone: false,
    };
    const done = (met: Met): void => {
      if (state.isDone) return;
      state.isDone = true;
      clearTimeout(timer);
      // A ticket of TLS 1.3 comes after the handshake, and may come beside the response.
      setImmediate(() => {
        socket.destroy();
        resolve({ met, session: state.session, isResumed: state.isResumed });
      });
    };
    const timer = setTimeout(() => done({ is: "silent" }), timeout);
    const ended = (): void => {
      const code = state.failure?.code ?? "";
      const isAlert = code.includes("ALERT");
      done({
        is: "refused",
        by: isAlert ? "alert" : "end",
        words: isAlert ? code : `the connection ended${code === "" ? "" : ` (${code})`}`,
      });
    };
    socket.on("session", (session: Buffer) => (state.session = session));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      state.failure ??= error;
      ended();
    });
    socket.on("close", ended);
    socket.on("secureConnect", () => {
      state.isResumed = socket.isSessionReused();
      const chosen = socket.alpnProtocol || "http/1.1";
      if (chosen !== alpn) return done({ is: "absent", words: `it did not select ${alpn} by ALPN` });
      if (over === "http2") return askHttp2(socket, { authority, path, done, ended });
      return askHttp1(socket, { authority, path, isUpgrade: over === "websocket", done });
    });
  });
}

type Asking = { readonly authority: string; readonly path: string; readonly done: (met: Met) => void };

function askHttp1(socket: TLSSocket, { authority, path, isUpgrade, done }: Asking & { readonly isUpgrade: boolean }): void {
  const key = randomBytes(16).toString("base64");
  const upgrade = `connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${authority}\r\n${isUpgrade ? upgrade : "connection: close\r\n"}\r\n`);
  let text = "";
  socket.on("data", (octets: Buffer) => {
    text += octets.toString("latin1");
    for (;;) {
      const head = /^HTTP\/1\.[01] (\d{3})[^\n]*\r\n[^]*?\r\n\r\n/.exec(text);
      if (head === null) return undefined;
      const status = Number(head[1]);
      if (status >= 200 || status === 101) return done({ is: "answered", status });
      text = text.slice(head[0].length);
    }
  });
}

function askHttp2(socket: TLSSocket, { authority, path, done, ended }: Asking & { readonly ended: () => void }): void {
  const session = connectHttp2(`https://${authority}`, { createConnection: () => socket });
  const refused = (code: number): void => {
    if (code !== 0) done({ is: "refused", by: "GOAWAY", words: `GOAWAY with code ${code}` });
  };
  // The end of the socket tells more than the errors of the session.
  session.on("goaway", refused).on("error", () => socket.once("close", ended));
  const stream = session.request({ ":path": path });
  stream.on("error", () => {});
  stream.on("response", (fields) => done({ is: "answered", status: Number(fields[":status"]) }));
}

/** Sends a ClientHello and closes; resolves when the transport is closed. */
export function abandon({ host, port }: Target): Promise<void> {
  return new Promise((resolve) => {
    const transport = connectTcp({ host, port });
    transport.on("error", () => {}).once("close", () => resolve());
    const line: Duplex = new Duplex({
      read: () => {},
      write: (octets: Buffer) => {
        transport.end(octets);
        transport.resume();
        line.destroy();
      },
    });
    transport.once("connect", () => connectTls({ socket: line, rejectUnauthorized: false }).on("error", () => {}));
    // A server may wait for the rest of the handshake.
    setTimeout(() => transport.destroy(), 200);
  });
}
