import { createHash } from "node:crypto";
import { createServer as createHttp, type Server as HttpServer } from "node:http";
import { createServer as createHttp2 } from "node:http2";
import { createServer as createTcp, type Server, type Socket } from "node:net";
import { createServer as createTls, type TLSSocket } from "node:tls";
import { listening, type RunningImpostor } from "../../harness/impostors/listening.ts";
import type { Certificate } from "../../harness/subject/certificate.ts";
import type { Over, TlsVersion } from "../vocabulary.ts";

/** What arrived at our server. */
export type Arrived = {
  connections: number;
  /** The certificates of the clients whose requests arrived, by their fingerprints. */
  readonly requests: (string | undefined)[];
};

export type Listening = {
  readonly over: Over;
  readonly version?: TlsVersion | undefined;
  readonly certificate: Certificate;
  /** The authority of the client certificates that it requests. */
  readonly ca?: string | undefined;
  readonly requires?: boolean;
  /** Called for each request. */
  readonly arrived: () => void;
};

export type RunningServer = RunningImpostor & { readonly seen: Arrived };
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const CLOSE = Buffer.from([0x88, 2, 3, 0xe8]);

/** Answers each request with 200, and closes each WebSocket after it has opened it. */
export function answering(arrived: (socket: TLSSocket) => void): { http1: HttpServer; http2: ReturnType<typeof createHttp2> } {
  const http1 = createHttp((request, response) => {
    arrived(request.socket as TLSSocket);
    response.writeHead(200, { connection: "close", "content-length": "11" }).end("touchstone\n");
  });
  http1.on("upgrade", (request, socket) => {
    arrived(socket as TLSSocket);
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"] ?? ""}${GUID}`)
      .digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    socket.on("error", () => {}).on("data", () => socket.end());
    socket.write(CLOSE);
  });
  const http2 = createHttp2((request, response) => {
    arrived(request.stream.session?.socket as TLSSocket);
    response.writeHead(200, { "content-length": "11" });
    response.end("touchstone\n");
  });
  http2.on("sessionError", () => {});
  return { http1, http2 };
}

/** A server for one run of a client. */
export async function serveClient({ over, version, certificate, ca, requires = false, arrived }: Listening): Promise<RunningServer> {
  const seen: Arrived = { connections: 0, requests: [] };
  const { http1, http2 } = answering((socket) => {
    seen.requests.push(socket.getPeerX509Certificate()?.fingerprint256);
    arrived();
  });
  const server = createTls(
    {
      ...certificate,
      ALPNProtocols: [over === "http2" ? "h2" : "http/1.1"],
      ...(version !== undefined && { minVersion: version, maxVersion: version }),
      ...(ca !== undefined && { ca, requestCert: true, rejectUnauthorized: requires }),
    },
    (socket) =>
      void (over === "http2" ? http2 : http1).emit(
        "connection",
        socket.on("error", () => {}),
      ),
  );
  server.on("tlsClientError", () => {});
  return counting(server, seen, over);
}

/** A server that closes each connection after its first octets. */
export const dropClient = (over: Over): Promise<RunningServer> =>
  counting(
    createTcp((socket: Socket) => socket.on("error", () => {}).once("data", () => socket.destroy())),
    { connections: 0, requests: [] },
    over,
  );

async function counting(server: Server, seen: Arrived, over: Over): Promise<RunningServer> {
  server.on("connection", () => seen.connections++);
  return { ...(await listening(server, over === "websocket" ? "wss" : "https")), seen };
}
