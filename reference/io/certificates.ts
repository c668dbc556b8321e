import { type Certificate, makeCertificate } from "./make-certificate.ts";

let made: Promise<Certificate> | undefined;

const YEAR_MS = 365 * 86_400_000;

/** A self-signed certificate for loopback, valid for a year. It is generated once a process, since that is slow. */
export function selfSigned(): Promise<Certificate> {
  return (made ??= makeCertificate({
    name: "localhost",
    // The mandatory cipher suite of HTTP/2 over TLS 1.2 needs an RSA key (rfc9113#9.2.2).
    key: "rsa",
    valid: [new Date(), new Date(Date.now() + YEAR_MS)],
    hosts: { dns: ["localhost"], ip: ["127.0.0.1", "::1"] },
    purpose: "server",
  }));
}
