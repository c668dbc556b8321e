import { constants } from "node:crypto";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect as tlsConnect, createServer, type SecureVersion, type Server, type TLSSocket } from "node:tls";
import { Misuse } from "../core/index.ts";
import { selfSigned, type Certificate } from "./certificates.ts";
import { TRANSPORT, type Place } from "./tcp.ts";

/** A server's certificate and key, in PEM; without them it uses a self-signed one for loopback. */
export type ServerTls = Partial<Certificate> & {
  /** OpenSSL's cipher list for TLS 1.2. HTTP/2 refuses the suites that it forbids, even if the list has them (rfc9113#9.2.2). */
  readonly ciphers?: string;
};
/** Which servers a client trusts. */
export type ClientTls = {
  /** Certificates to trust in addition to those of the system, in PEM. */
  readonly ca?: string;
  /** `false` accepts any certificate, for tests against a self-signed one. */
  readonly verify?: boolean;
  /** The server name (SNI) if it is not the host. */
  readonly servername?: string;
  readonly ciphers?: string;
};

const HANDSHAKE_MS = 10_000;
const OLDEST: SecureVersion = "TLSv1.2";
/** The suites of TLS 1.2 with an ephemeral key exchange and an AEAD; HTTP/2 forbids all others (rfc9113#9.2.2, appendix A). */
const PERMITTED = ["ECDHE-ECDSA", "ECDHE-RSA", "DHE-RSA"].flatMap((exchange) =>
  ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map((cipher) => `${exchange}-${cipher}`),
);
const TLS13 = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
const CIPHERS = [...TLS13, ...PERMITTED].join(":");

/** HTTP/2 forbids both (rfc9113#9.2.1). */
const SECURE_OPTIONS = constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_COMPRESSION;

/** Whether a socket is one of TLS. */
export const isTls = (socket: Duplex): socket is TLSSocket => "encrypted" in socket;

/** Whether HTTP/2 forbids the suite, by its name in OpenSSL (rfc9113#9.2.2, appendix A). */
export const isForbidden = (version: string | null, cipher: string): boolean =>
  version !== "TLSv1.3" && !/^(?:ECDHE|DHE)-.*(?:GCM|CCM|CCM8|POLY1305)/.test(cipher);

/** The certificate of the options, or a self-signed one. */
export const certificateOf = async ({ cert, key }: ServerTls): Promise<Certificate> =>
  cert !== undefined && key !== undefined ? { cert, key } : selfSigned();

/**
 * A TLS server that selects the first of `alpn` that the client offers too. A client that offers others alone gets the alert
 * no_application_protocol (rfc7301#3.2).
 */
export async function tlsServer(options: ServerTls, alpn: readonly string[], accept: (socket: TLSSocket) => void): Promise<Server> {
  const { cert, key } = await certificateOf(options);
  const settings = {
    ...TRANSPORT,
    cert,
    key,
    ALPNProtocols: [...alpn],
    minVersion: OLDEST,
    ciphers: options.ciphers ?? CIPHERS,
    honorCipherOrder: true,
    handshakeTimeout: HANDSHAKE_MS,
    secureOptions: SECURE_OPTIONS,
  };
  try {
    return createServer(settings, accept);
  } catch (error) {
    throw new Misuse(`the certificate, key or cipher list is invalid (${(error as Error).message}): give PEM, and OpenSSL's names`, {
      cause: error,
    });
  }
}

/** Connects with TLS, and offers `alpn`. Verifies the certificate by default. */
export function dialTls({ host, port }: Place, { ca, verify = true, servername, ciphers }: ClientTls, alpn: readonly string[]): TLSSocket {
  const name = servername ?? (isIP(host) === 0 ? host : undefined);
  const socket = tlsConnect({
    ...TRANSPORT,
    host,
    port,
    ALPNProtocols: [...alpn],
    minVersion: OLDEST,
    ciphers: ciphers ?? CIPHERS,
    rejectUnauthorized: verify,
    secureOptions: SECURE_OPTIONS,
    ...(ca !== undefined && { ca }),
    ...(name !== undefined && { servername: name }),
  });
  socket.setNoDelay(true);
  return socket;
}
