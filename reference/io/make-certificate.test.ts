import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { makeCertificate } from "./make-certificate.ts";

const read = async (...request: Parameters<typeof makeCertificate>) => new X509Certificate((await makeCertificate(...request)).cert);

test("an authority signs certificates of both kinds of key, which carry its name and verify with its key alone", async () => {
  for (const key of ["rsa", "ec"] as const) {
    const made = await makeCertificate({ name: "an authority", key, purpose: "authority" });
    const authority = new X509Certificate(made.cert);
    expect([authority.ca, authority.subject, authority.verify(authority.publicKey)]).toEqual([true, "CN=an authority", true]);
    const leaf = await read({ name: "a server", key: "ec", purpose: "server", issuer: made });
    expect([leaf.ca, leaf.subject, leaf.issuer]).toEqual([false, "CN=a server", "CN=an authority"]);
    expect([leaf.checkIssued(authority), leaf.verify(authority.publicKey), leaf.verify(leaf.publicKey)]).toEqual([true, true, false]);
    const namesake = await read({ name: "an authority", key, purpose: "authority" });
    expect(leaf.verify(namesake.publicKey)).toBe(false);
  }
});

test("the key in PEM is that of the certificate", async () => {
  for (const key of ["rsa", "ec"] as const) {
    const made = await makeCertificate({ name: "localhost", key });
    expect(new X509Certificate(made.cert).checkPrivateKey(createPrivateKey(made.key))).toBe(true);
  }
});

test("names, addresses and an address that stands as a name keep their kind", async () => {
  const hosts = { dns: ["localhost", "127.0.0.1", "*.localhost"], ip: ["127.0.0.2", "::1", "2001:db8::5:0:1", "fe80::"] };
  const made = await read({ name: "x", key: "ec", hosts });
  expect(made.subjectAltName).toBe(
    "DNS:localhost, DNS:127.0.0.1, DNS:*.localhost, IP Address:127.0.0.2, IP Address:0:0:0:0:0:0:0:1, IP Address:2001:DB8:0:0:0:5:0:1, IP Address:FE80:0:0:0:0:0:0:0",
  );
  expect(made.checkIP("127.0.0.1")).toBeUndefined();
  expect((await read({ name: "x", key: "ec" })).subjectAltName).toBeUndefined();
});

test("the purpose decides the extended key usage: of one end, or of both", async () => {
  const usage = async (purpose?: "server" | "client") =>
    (await read({ name: "x", key: "ec", ...(purpose !== undefined && { purpose }) })).keyUsage;
  expect([await usage("server"), await usage("client"), await usage()]).toEqual([
    ["1.3.6.1.5.5.7.3.1"],
    ["1.3.6.1.5.5.7.3.2"],
    ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"],
  ]);
});

test("it is valid for the time that is asked for, otherwise for a day", async () => {
  const valid = [new Date("2020-01-01T00:00:00Z"), new Date("2060-01-02T03:04:05Z")] as const;
  const made = await read({ name: "x", key: "ec", valid });
  expect([made.validFromDate, made.validToDate]).toEqual([...valid]);
  const short = await read({ name: "x", key: "ec" });
  expect(short.validToDate.getTime() - short.validFromDate.getTime()).toBe(86_400_000);
});
