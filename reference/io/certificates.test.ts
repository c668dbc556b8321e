import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { selfSigned } from "./certificates.ts";

test("the certificate covers every name of loopback, has an RSA key, and is made once", async () => {
  const made = await selfSigned();
  const certificate = new X509Certificate(made.cert);
  expect(certificate.checkHost("localhost")).toBe("localhost");
  expect([certificate.checkIP("127.0.0.1"), certificate.checkIP("::1")]).toEqual(["127.0.0.1", "::1"]);
  expect(certificate.publicKey.asymmetricKeyType).toBe("rsa");
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(await selfSigned()).toBe(made);
});
