/** Extensions of a certificate that Node does not show (rfc5280#4.2). */

export type CertificateExtension = { readonly oid: string; readonly isCritical: boolean; readonly value: Uint8Array };

/** An element of DER: its tag and its content. */
type Element = { readonly tag: number; readonly content: Uint8Array };

const SEQUENCE = 0x30;
const BOOLEAN = 0x01;
const INTEGER = 0x02;
/** The place of the extensions in the signed part: `[3] EXPLICIT`. */
const EXTENSIONS = 0xa3;

/** The elements of a content. OpenSSL has read the certificate before: what is not DER gives less, never too much. */
function elements(content: Uint8Array): readonly Element[] {
  const found: Element[] = [];
  for (let at = 0; at + 2 <= content.length;) {
    const tag = content[at] ?? 0;
    let length = content[at + 1] ?? 0;
    at += 2;
    if (length > 0x80) {
      const more = length & 0x7f;
      length = 0;
      for (const octet of content.subarray(at, at + more)) length = length * 256 + octet;
      at += more;
    }
    found.push({ tag, content: content.subarray(at, at + length) });
    at += length;
  }
  return found;
}

function oidOf(content: Uint8Array): string {
  const [first = 0] = content;
  const arcs = [Math.min(2, Math.floor(first / 40)), first - 40 * Math.min(2, Math.floor(first / 40))];
  let arc = 0;
  for (const octet of content.subarray(1)) {
    arc = arc * 128 + (octet & 0x7f);
    if (octet >= 0x80) continue;
    arcs.push(arc);
    arc = 0;
  }
  return arcs.join(".");
}

/** All extensions of a certificate in DER. */
export function extensionsOf(der: Uint8Array): readonly CertificateExtension[] {
  const [certificate] = elements(der);
  const [signed] = elements(certificate?.content ?? der);
  const holder = elements(signed?.content ?? der).find(({ tag }) => tag === EXTENSIONS);
  const [list] = elements(holder?.content ?? new Uint8Array(0));
  return elements(list?.content ?? new Uint8Array(0)).map(({ content }) => {
    const [oid, ...rest] = elements(content);
    const critical = rest.find(({ tag }) => tag === BOOLEAN);
    return {
      oid: oidOf(oid?.content ?? new Uint8Array(0)),
      isCritical: critical?.content[0] !== undefined && critical.content[0] !== 0,
      value: rest.at(-1)?.content ?? new Uint8Array(0),
    };
  });
}

/** How many authorities may follow one with this basicConstraints, if it says (rfc5280#4.2.1.9). */
export function pathLength(value: Uint8Array): number | undefined {
  const [sequence] = elements(value);
  if (sequence?.tag !== SEQUENCE) return undefined;
  const number = elements(sequence.content).find(({ tag }) => tag === INTEGER);
  return number && number.content.reduce((sum, octet) => sum * 256 + octet, 0);
}

/** Whether a keyUsage permits signatures of handshakes: its first bit (rfc5280#4.2.1.3). */
export const permitsSignatures = (value: Uint8Array): boolean => ((elements(value)[0]?.content[1] ?? 0) & 0x80) !== 0;
