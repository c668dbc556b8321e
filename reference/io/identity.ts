import { checkServerIdentity, type PeerCertificate } from "node:tls";

/**
 * Why the certificate does not name the host, if so. Its common name does not count (rfc9110#4.3.4); Node uses it where the certificate has no
 * DNS name.
 */
export const identityProblem = (host: string, certificate: PeerCertificate): Error | undefined =>
  checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: "" } });
