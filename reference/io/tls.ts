import { constants } from "node:crypto";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect as tlsConnect, createSecureContext, type SecureContextOptions, type SecureVersion, type TLSSocket } from "node:tls";
import { Misuse } from "../core/index.ts";
import { identityProblem } from "./identity.ts";
import type { TlsSessions } from "./tls-sessions.ts";
import { dialClear, TRANSPORT, type Place } from "./tcp.ts";

/** Which servers a client trusts, and how it authenticates itself. */
export type ClientTls = {
  /** The authorities to trust instead of those of the system, in PEM. */
  readonly ca?: string | readonly string[];
  /** `false` accepts any certificate, for tests against a self-signed one. */
  readonly verify?: boolean;
  /** The server name (SNI), and the name that its certificate must have, if that is not the host. */
  readonly servername?: string;
  readonly ciphers?: string;
  /** The client's certificate with its chain, and the key, in PEM: for servers that ask for one (rfc8446#4.4.2). */
  readonly cert?: string;
  readonly key?: string;
  /** `false` makes a full handshake for each connection; by default the connections of one client resume sessions (rfc8446#2.2). */
  readonly resume?: boolean;
};

/** The versions of TLS to speak: both by default. */
export type TlsVersions = { readonly minVersion?: "TLSv1.2" | "TLSv1.3"; readonly maxVersion?: "TLSv1.2" | "TLSv1.3" };
const OLDEST: SecureVersion = "TLSv1.2";
/** The suites of TLS 1.2 with an ephemeral key exchange and an AEAD; HTTP/2 forbids all others (rfc9113#9.2.2, appendix A). */
const PERMITTED = ["ECDHE-ECDSA", "ECDHE-RSA", "DHE-RSA"].flatMap((exchange) =>
  ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"].map((cipher) => `${exchange}-${cipher}`),
);
const TLS13 = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
const CIPHERS = [...TLS13, ...PERMITTED].join(":");

/** HTTP/2 forbids both (rfc9113#9.2.1). */
const SECURE_OPTIONS = constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_COMPRESSION;

/** What clients and servers have in common. */
export const secureSettings = (ciphers: string | undefined, { minVersion = OLDEST, maxVersion }: TlsVersions = {}) =>
  ({
    minVersion,
    ...(maxVersion !== undefined && { maxVersion }),
    ciphers: ciphers ?? CIPHERS,
    secureOptions: SECURE_OPTIONS,
  }) as const;

/** Authorities in the form for Node. */
export const authorities = (ca: string | readonly string[]): string | string[] => (typeof ca === "string" ? ca : [...ca]);

/** Whether a socket is one of TLS. */
export const isTls = (socket: Duplex): socket is TLSSocket => "encrypted" in socket;

/** Whether HTTP/2 forbids the suite, by its name in OpenSSL (rfc9113#9.2.2, appendix A). */
export const isForbidden = (version: string | null, cipher: string): boolean =>
  version !== "TLSv1.3" && !/^(?:ECDHE|DHE)-.*(?:GCM|CCM|CCM8|POLY1305)/.test(cipher);

/** What `make` returns; for a certificate, key or cipher list that OpenSSL cannot use, throws `Misuse`. */
export function withMaterial<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new Misuse(`the certificate, key or cipher list is invalid (${(error as Error).message}): give PEM, and OpenSSL's names`, {
      cause: error,
    });
  }
}

/** A connection of TLS that we dialled, and the TCP connection under it, which can be reset. */
export type DialledTls = TLSSocket & { readonly transport: Duplex };

/** Connects with TLS, and offers `alpn`. Verifies the certificate by default. With `sessions` it resumes one, and keeps those it gets. */
export function dialTls(place: Place, options: ClientTls, alpn: readonly string[], sessions?: TlsSessions): DialledTls {
  const { ca, verify = true, servername, ciphers, cert, key } = options;
  const { host, name: known = host } = place;
  if ((cert === undefined) !== (key === undefined)) throw new Misuse("`tls.cert` and `tls.key` go together: give both");
  const name = servername ?? (isIP(known) === 0 ? known : undefined);
  const session = sessions?.take(place);
  const material: SecureContextOptions = {
    ...secureSettings(ciphers),
    ...(ca !== undefined && { ca: authorities(ca) }),
    ...(cert !== undefined && key !== undefined && { cert, key }),
  };
  const secureContext = withMaterial(() => createSecureContext(material));
  const transport = place.through ?? dialClear(place);
  const socket = tlsConnect({
    ...TRANSPORT,
    socket: transport,
    // What the certificate must name where there is no server name.
    host,
    ALPNProtocols: [...alpn],
    rejectUnauthorized: verify,
    checkServerIdentity: identityProblem,
    secureContext,
    ...(name !== undefined && { servername: name }),
    ...(session !== undefined && { session }),
  });
  sessions?.keep(place, socket);
  return Object.assign(socket, { transport });
}
