/** A certificate and its key, in PEM. */
export type Certificate = { readonly cert: string; readonly key: string };

let made: Promise<Certificate> | undefined;

/** A self-signed certificate for loopback. It is generated once a process, since that is slow. */
export function selfSigned(): Promise<Certificate> {
  return (made ??= make());
}

async function make(): Promise<Certificate> {
  // Loaded on demand: it is larger than everything else, and most servers do not need it.
  const { generate } = await import("selfsigned");
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    // The mandatory cipher suite of HTTP/2 over TLS 1.2 needs an RSA key (rfc9113#9.2.2).
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
