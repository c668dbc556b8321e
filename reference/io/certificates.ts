/** A certificate and its key, in PEM. */
export type Certificate = { readonly cert: string; readonly key: string };

let made: Promise<Certificate> | undefined;

/** A certificate for loopback, signed by itself. Made once a process, since making one takes a while. */
export function selfSigned(): Promise<Certificate> {
  return (made ??= make());
}

async function make(): Promise<Certificate> {
  // Loaded when it is wanted: it is larger than all the rest, and most servers have a certificate or need none.
  const { generate } = await import("selfsigned");
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    // The suite that everybody must have for HTTP/2 over TLS 1.2 asks for an RSA key (rfc9113#9.2.2).
    keyType: "rsa",
    keySize: 2048,
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
  return { cert, key };
}
