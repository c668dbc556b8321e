import { makeCertificate } from "../../../reference/io/index.ts";

export type Certificate = { readonly key: string; readonly cert: string };

/** A self-signed certificate for loopback, valid for a day: clients under test must not verify it. */
export const loopbackCertificate = (): Promise<Certificate> =>
  makeCertificate({ name: "127.0.0.1", key: "ec", hosts: { dns: ["localhost"], ip: ["127.0.0.1"] } });
