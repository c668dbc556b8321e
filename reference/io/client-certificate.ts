import { X509Certificate } from "node:crypto";
import type { ClientCertificate } from "../http/index.ts";

/** A certificate as handlers see it, with the reason why it is not trusted. */
export function certificateIn(certificate: X509Certificate | Uint8Array, problem: string | undefined): ClientCertificate {
  const read = certificate instanceof X509Certificate ? certificate : new X509Certificate(certificate);
  const { subject, issuer, serialNumber, fingerprint256, subjectAltName, validFromDate, validToDate, raw } = read;
  return {
    subject,
    issuer,
    serialNumber,
    fingerprint: fingerprint256,
    subjectAltName,
    notBefore: validFromDate,
    notAfter: validToDate,
    der: raw,
    isTrusted: problem === undefined,
    problem,
  };
}
