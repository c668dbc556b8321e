import { generate } from "selfsigned";

export type Certificate = { readonly key: string; readonly cert: string };

/** A self-signed certificate for loopback, valid for a day: clients under test must not verify it. */
export async function loopbackCertificate(): Promise<Certificate> {
  const made = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    keyType: "ec",
    algorithm: "sha256",
    notAfterDate: new Date(Date.now() + 86_400_000),
    extensions: [
      {
        name: "subjectAltName",
        altNames: [
          { type: 7, ip: "127.0.0.1" },
          { type: 2, value: "localhost" },
        ],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}
