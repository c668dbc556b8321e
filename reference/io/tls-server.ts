import { createServer as createPlain, type Server, type Socket } from "node:net";
import { createServer, type Server as SecureServer, type TLSSocket } from "node:tls";
import { Misuse } from "../core/index.ts";
import { selfSigned } from "./certificates.ts";
import type { Certificate } from "./make-certificate.ts";
import { LONGEST_HELLO, serverNameIn } from "./client-hello.ts";
import { TRANSPORT } from "./tcp.ts";
import { authorities, secureSettings, type TlsVersions, withMaterial } from "./tls.ts";

/** The TLS of one server name. */
export type HostTls = Partial<Certificate> &
  TlsVersions & {
    /** OpenSSL's cipher list for TLS 1.2. HTTP/2 refuses the suites that it forbids, even if the list has them (rfc9113#9.2.2). */
    readonly ciphers?: string;
    /** The authorities that certificates of clients must come from, in PEM. */
    readonly ca?: string | readonly string[];
    /**
     * Whether clients must authenticate themselves (rfc8446#4.3.2). `require`, the default with `ca`, serves no other client. `request` serves
     * all, and handlers find the certificate and the verdict in `connection.tls.client`.
     */
    readonly clientCertificate?: "request" | "require";
    /**
     * Called before each connection: the settings from then on, which are valid; undefined to go on with those of before. Connections that are
     * open keep theirs, and no session of before is resumed.
     */
    readonly renew?: () => RenewedTls | undefined;
  };

/** All settings of a server name, in place of those of before. */
export type RenewedTls = Certificate & Omit<HostTls, "renew">;

/** A server's certificate and key, in PEM; without them it uses a self-signed one for loopback. */
export type ServerTls = HostTls & {
  /** Other settings for some server names (SNI); `*.` at the beginning stands for one label. */
  readonly hosts?: Readonly<Record<string, HostTls>>;
};

/** What becomes of connections whose handshake is complete. */
export type TlsAccept = {
  accept(socket: TLSSocket): void;
  /** The client has not authenticated itself as `require` demands, for this reason. */
  refuse(socket: TLSSocket, why: string): void;
};

const HANDSHAKE_MS = 10_000;

/** The certificate of the options, or a self-signed one. */
export const certificateOf = async ({ cert, key }: HostTls): Promise<Certificate> =>
  cert !== undefined && key !== undefined ? { cert, key } : selfSigned();

/**
 * A TLS server that selects the first of `alpn` that the client offers too. A client that offers others alone gets the alert
 * no_application_protocol (rfc7301#3.2).
 */
export async function tlsServer(options: ServerTls, alpn: readonly string[], then: TlsAccept): Promise<Server> {
  const { hosts = {}, ...rest } = options;
  const common = await oneHost(rest, alpn, then, "tls");
  const named = Object.entries(hosts);
  if (named.length === 0) return common;
  const servers = new Map<string, Server>();
  for (const [name, host] of named) {
    if (!/^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name)) throw new Misuse(`tls.hosts: "${name}" is not a host name in lower case`);
    servers.set(name, await oneHost({ ...(await certificateOf(rest)), ...host }, alpn, then, `tls.hosts["${name}"]`));
  }
  return byName(common, servers);
}

/** The entry of `hosts` for a host name; undefined for the settings that all others share. */
export function entryFor(host: string | undefined, hosts: { has(name: string): boolean }): string | undefined {
  const name = host?.toLowerCase().replace(/\.$/, "") ?? "";
  if (hosts.has(name)) return name;
  const wild = `*${name.slice(name.indexOf("."))}`;
  return name.includes(".") && hosts.has(wild) ? wild : undefined;
}

async function oneHost(options: HostTls, alpn: readonly string[], then: TlsAccept, path: string): Promise<Server> {
  const { renew, ...first } = options;
  const make = (settings: RenewedTls): SecureServer => secureServer(settings, alpn, then, path);
  let current = make({ ...first, ...(await certificateOf(first)) });
  if (renew === undefined) return current;
  // Whether a server asks for certificates of clients is settled when it is made.
  const outer = createPlain({ ...TRANSPORT, pauseOnConnect: false }, (socket) => {
    const next = renew();
    if (next !== undefined) current = reporting(make(next));
    current.emit("connection", socket);
  });
  const reporting = (server: SecureServer): SecureServer =>
    server.on("tlsClientError", (error) => void outer.emit("tlsClientError", error));
  reporting(current);
  return outer;
}

function secureServer(options: RenewedTls, alpn: readonly string[], { accept, refuse }: TlsAccept, path: string): SecureServer {
  const { cert, key, ca, clientCertificate = ca === undefined ? undefined : "require", ciphers } = options;
  if (clientCertificate !== undefined && ca === undefined) {
    throw new Misuse(`${path}.clientCertificate needs ${path}.ca: the authorities that the certificates come from, in PEM`);
  }
  const settings = {
    ...TRANSPORT,
    cert,
    key,
    ...secureSettings(ciphers, options),
    ...(ca !== undefined && { ca: authorities(ca) }),
    ALPNProtocols: [...alpn],
    honorCipherOrder: true,
    handshakeTimeout: HANDSHAKE_MS,
    requestCert: clientCertificate !== undefined,
    // Node would drop the connection without a word.
    rejectUnauthorized: false,
  };
  return withMaterial(() =>
    createServer(settings, (socket) => {
      const why = clientCertificate === "require" ? problemOf(socket) : undefined;
      if (why === undefined) accept(socket);
      else refuse(socket, why);
    }),
  );
}

/** Why the client is not authenticated, in a resumed session, too; undefined if it is. */
export function problemOf(socket: TLSSocket): string | undefined {
  if (socket.getPeerX509Certificate() === undefined) return "no certificate";
  if (socket.authorized) return undefined;
  return String(socket.authorizationError ?? "not verified");
}

/**
 * Reads the server name of each connection, and hands it to the server of that name. Each has its own keys for session tickets: a session of one
 * name does not open another. Node can choose a certificate by name, but not whether to ask for one.
 */
function byName(common: Server, servers: ReadonlyMap<string, Server>): Server {
  const outer = createPlain({ ...TRANSPORT, pauseOnConnect: false }, (socket) => readHello(socket));
  for (const server of [common, ...servers.values()]) server.on("tlsClientError", (error) => void outer.emit("tlsClientError", error));
  const readHello = (socket: Socket): void => {
    let octets: Buffer = Buffer.alloc(0);
    const failed = (error: Error): void => void outer.emit("tlsClientError", error);
    const late = setTimeout(() => socket.destroy(), HANDSHAKE_MS);
    const done = (): void => {
      clearTimeout(late);
      socket.off("data", read).off("error", failed).off("close", done).off("end", ended);
    };
    const ended = (): void => void socket.destroy();
    const read = (part: Buffer): void => {
      octets = octets.length === 0 ? part : Buffer.concat([octets, part]);
      const found = serverNameIn(octets);
      if (found.is === "short" && octets.length <= LONGEST_HELLO) return;
      socket.pause();
      done();
      const entry = found.is === "named" ? entryFor(found.name, servers) : undefined;
      socket.unshift(octets);
      ((entry === undefined ? undefined : servers.get(entry)) ?? common).emit("connection", socket);
    };
    socket.on("data", read).once("error", failed).once("close", done).once("end", ended);
  };
  return outer;
}
