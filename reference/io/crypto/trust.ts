import { X509Certificate } from "node:crypto";
import tls from "node:tls";
import type { ChainProblem, Trust } from "../../tls/index.ts";
import { identityProblem } from "../identity.ts";
import { certificatesIn } from "./signatures.ts";
import { extensionsOf, pathLength, permitsSignatures } from "./x509-extensions.ts";

type TrustOptions = {
  /** Whose certificates are judged. */
  readonly of: "server" | "client";
  /** The authorities that we trust, in PEM; unless given, those of Node. */
  readonly authorities?: string;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
};

const PURPOSES = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" } as const;
const ANY_PURPOSE = "2.5.29.37.0";
const KEY_USAGE = "2.5.29.15";
const ALTERNATIVE_NAMES = "2.5.29.17";
const BASIC_CONSTRAINTS = "2.5.29.19";
const NAME_CONSTRAINTS = "2.5.29.30";
const POLICIES = "2.5.29.32";
const EXTENDED_KEY_USAGE = "2.5.29.37";
/** Critical extensions that we honour. A certificate with any other is refused (rfc5280#4.2). */
const HONOURED = new Set([KEY_USAGE, ALTERNATIVE_NAMES, BASIC_CONSTRAINTS, POLICIES, EXTENDED_KEY_USAGE]);
/** Signatures with MD5 and SHA-1 prove nothing any more (rfc8446#4.4.2.4). */
const WEAK = /md5|sha1(?!\d)/i;
/** Signatures that one chain may cost, whatever its certificates claim about each other. */
const MOST_CHECKS = 32;

/** Judges chains by the certificate paths that Node's cryptography can check (rfc5280#6.1). There is no revocation, and no constraint on names. */
export function trust({ of, authorities, clock = Date.now }: TrustOptions): Trust {
  const roots = authorities === undefined ? tls.rootCertificates.map((pem) => new X509Certificate(pem)) : certificatesIn(authorities);
  return {
    check: (chain, name) => {
      const read = readAll(chain);
      const [own] = read ?? [];
      if (read === undefined || own === undefined) return "certificateUnreadable";
      const path = new Paths(read.slice(1), roots).find([own]);
      if (path === undefined) return "certificateUntrusted";
      return problemIn(path, PURPOSES[of], clock()) ?? (name !== undefined && isOfOther(own, name) ? "certificateOfOther" : undefined);
    },
  };
}

function readAll(chain: readonly Uint8Array[]): readonly X509Certificate[] | undefined {
  try {
    return chain.map((der) => new X509Certificate(der));
  } catch {
    return undefined;
  }
}

type Path = readonly X509Certificate[];

/** Finds a path to an authority, or to a certificate that is trusted itself, also if the chain is out of order, or has more than it needs (rfc8446#4.4.2). */
class Paths {
  readonly #others: Path;
  readonly #roots: Path;
  #checks = 0;

  constructor(others: Path, roots: Path) {
    this.#others = others;
    this.#roots = roots;
  }

  find(path: Path): Path | undefined {
    const last = path.at(-1);
    if (last === undefined) return undefined;
    if (this.#roots.some(({ raw }) => raw.equals(last.raw))) return path;
    for (const root of this.#roots) if (this.#isBy(last, root)) return [...path, root];
    for (const other of this.#others) {
      if (path.some(({ raw }) => raw.equals(other.raw)) || !this.#isBy(last, other)) continue;
      const found = this.find([...path, other]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #isBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
    if (!certificate.checkIssued(issuer) || this.#checks++ >= MOST_CHECKS) return false;
    return certificate.verify(issuer.publicKey);
  }
}

function problemIn(path: Path, purpose: string, now: number): ChainProblem | undefined {
  for (const [index, certificate] of path.entries()) {
    // What the last one is signed with proves nothing: it is trusted itself.
    const problem = fitness(certificate, index, purpose) ?? (index < path.length - 1 ? weakness(certificate) : undefined);
    if (problem !== undefined) return problem;
    if (now < certificate.validFromDate.getTime() || now > certificate.validToDate.getTime()) return "certificateExpired";
  }
  return undefined;
}

/** What a certificate at this place of the path must permit: to sign for itself at the start, and other certificates after it (rfc5280#6.1.4). */
function fitness(certificate: X509Certificate, index: number, purpose: string): ChainProblem | undefined {
  const extensions = extensionsOf(certificate.raw);
  if (extensions.some(({ oid, isCritical }) => oid === NAME_CONSTRAINTS || (isCritical && !HONOURED.has(oid)))) return "certificateUnfit";
  const purposes = certificate.keyUsage as readonly string[] | undefined;
  if (purposes !== undefined && !purposes.includes(purpose) && !purposes.includes(ANY_PURPOSE)) return "certificateUnfit";
  const find = (oid: string): Uint8Array | undefined => extensions.find((one) => one.oid === oid)?.value;
  if (index === 0) {
    const usage = find(KEY_USAGE);
    return usage !== undefined && !permitsSignatures(usage) ? "certificateUnfit" : undefined;
  }
  if (!certificate.ca) return "certificateUntrusted";
  const most = pathLength(find(BASIC_CONSTRAINTS) ?? new Uint8Array(0));
  return most !== undefined && index - 1 > most ? "certificateUntrusted" : undefined;
}

const weakness = ({ signatureAlgorithm }: X509Certificate): ChainProblem | undefined =>
  signatureAlgorithm !== undefined && WEAK.test(signatureAlgorithm) ? "certificateUnreadable" : undefined;

const isOfOther = (certificate: X509Certificate, name: string): boolean =>
  identityProblem(name, certificate.toLegacyObject()) !== undefined;
