import { constants } from "node:crypto";
import { isIP } from "node:net";
import { connect as tlsConnect, createServer, type SecureVersion, type Server, type TLSSocket } from "node:tls";
import { Misuse } from "../core/index.ts";
import { selfSigned, type Certificate } from "./certificates.ts";
import { TRANSPORT, type Place } from "./tcp.ts";

/** How a server proves who it is: in PEM. Without a certificate it makes one for loopback, signed by itself. */
export type ServerTls = Partial<Certificate> & {
  /** OpenSSL's list for TLS 1.2. What HTTP/2 forbids is refused whatever the list says (rfc9113#9.2.2). */
  readonly ciphers?: string;
};
/** Whom a client believes. */
export type ClientTls = {
  /** Certificates to trust besides those of the system, in PEM. */
  readonly ca?: string;
  /** false takes any certificate: for tests against a server that has signed its own. */
  readonly verify?: boolean;
  /** The name that is asked for, where it is not the host's. */
  readonly servername?: string;
  readonly ciphers?: string;
};

const HANDSHAKE_MS = 10_000;
const OLDEST: SecureVersion = "TLSv1.2";
/** Of TLS 1.2, the suites with an ephemeral key exchange and an AEAD: all others are forbidden (rfc9113#9.2.2, appendix A). */
const PERMITTED = ["ECDHE-ECDSA", "ECDHE-RSA", "DHE-RSA"].flatMap((exchange) =>
  ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map((cipher) => `${exchange}-${cipher}`),
);
const TLS13 = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
const CIPHERS = [...TLS13, ...PERMITTED].join(":");

/** Neither may happen on a connection that speaks HTTP/2 (rfc9113#9.2.1). */
const SECURE_OPTIONS = constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_COMPRESSION;

/** Whether HTTP/2 forbids the suite, by its name in OpenSSL (rfc9113#9.2.2, appendix A). */
export const isForbidden = (version: string | null, cipher: string): boolean =>
  version !== "TLSv1.3" && !/^(?:ECDHE|DHE)-.*(?:GCM|CCM|CCM8|POLY1305)/.test(cipher);

/**
 * A server that agrees to one of `protocols`, the first that the client offers too, and to nothing else: a client that offers others gets
 * the alert no_application_protocol (rfc7301#3.2).
 */
export async function tlsServer(options: ServerTls, protocols: readonly string[], accept: (socket: TLSSocket) => void): Promise<Server> {
  const { cert, key } = options.cert === undefined || options.key === undefined ? await selfSigned() : (options as Certificate);
  const settings = {
    ...TRANSPORT,
    cert,
    key,
    ALPNProtocols: [...protocols],
    minVersion: OLDEST,
    ciphers: options.ciphers ?? CIPHERS,
    honorCipherOrder: true,
    handshakeTimeout: HANDSHAKE_MS,
    secureOptions: SECURE_OPTIONS,
  };
  try {
    return createServer(settings, accept);
  } catch (error) {
    throw new Misuse(
      `this certificate, key or list of ciphers cannot be used (${(error as Error).message}): give PEM, and names of OpenSSL`,
      {
        cause: error,
      },
    );
  }
}

/** Connects with TLS, asking for one of `protocols`. Certificates are checked unless told otherwise. */
export function dialTls(
  { host, port }: Place,
  { ca, verify = true, servername, ciphers }: ClientTls,
  protocols: readonly string[],
): TLSSocket {
  const name = servername ?? (isIP(host) === 0 ? host : undefined);
  const socket = tlsConnect({
    ...TRANSPORT,
    host,
    port,
    ALPNProtocols: [...protocols],
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
