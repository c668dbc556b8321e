import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ChainProblem } from "../../tls/index.ts";
import { credential, pemOf, rootPem } from "./handshake/testing.ts";
import { publicKey } from "./signatures.ts";
import { trust } from "./trust.ts";
import { extensionsOf, pathLength } from "./x509-extensions.ts";

const chainOf = (name: string): readonly Uint8Array[] => credential(name).chain;
const servers = trust({ of: "server", authorities: rootPem });
const clients = trust({ of: "client", authorities: rootPem });

describe("trust()", () => {
  test.each(["p256", "p384", "rsa", "rsa-pss", "ed25519", "chained"])("accepts the chain of %s", (name) => {
    expect(servers.check(chainOf(name), "localhost")).toBeUndefined();
    expect(servers.check(chainOf(name), "127.0.0.1")).toBeUndefined();
  });

  test.each<[string, ChainProblem]>([
    ["stranger", "certificateUntrusted"],
    ["leaf-issued", "certificateUntrusted"],
    ["deep", "certificateUntrusted"],
    ["other", "certificateOfOther"],
    ["unsigned", "certificateUnfit"],
    ["below-constrained", "certificateUnfit"],
    ["peculiar", "certificateUnfit"],
    ["client", "certificateUnfit"],
    ["sha1", "certificateUnreadable"],
  ])("refuses the chain of %s: %s", (name, problem) => expect(servers.check(chainOf(name), "localhost")).toBe(problem));

  test("a certificate for servers is none for clients", () => {
    expect(clients.check(chainOf("client"), undefined)).toBeUndefined();
    expect(clients.check(chainOf("p256"), undefined)).toBe("certificateUnfit");
  });

  test("an intermediate certificate that is missing breaks the path, one that nobody needs does not", () => {
    const [own, intermediate] = chainOf("chained") as [Uint8Array, Uint8Array];
    expect(servers.check([own], "localhost")).toBe("certificateUntrusted");
    const more = [...chainOf("deep").slice(1, 2), ...chainOf("rsa"), intermediate, ...chainOf("root")];
    expect(servers.check([own, ...more], "localhost")).toBeUndefined();
  });

  test("a self-signed certificate is trusted only by itself", () => {
    const own = trust({ of: "server", authorities: pemOf("stranger") });
    expect(own.check(chainOf("stranger"), "localhost")).toBeUndefined();
    expect(own.check(chainOf("p256"), "localhost")).toBe("certificateUntrusted");
    expect(own.check(chainOf("stranger"), "other.example")).toBe("certificateOfOther");
  });

  test.each([
    [Date.UTC(2026, 0), "certificateExpired"],
    [Date.UTC(2500, 0), "certificateExpired"],
    [Date.UTC(2100, 0), undefined],
  ])("at %i: %s", (now, problem) => {
    expect(trust({ of: "server", authorities: rootPem, clock: () => now }).check(chainOf("p256"), "localhost")).toBe(problem);
  });

  test("octets that are no certificate are refused, and nothing throws", () => {
    const [own] = chainOf("p256") as [Uint8Array];
    expect(servers.check([], "localhost")).toBe("certificateUnreadable");
    for (let length = 0; length < own.length; length += 7)
      expect(servers.check([own.subarray(0, length)], "localhost")).toBe("certificateUnreadable");
  });

  test("by default the authorities of Node are trusted", () => {
    expect(trust({ of: "server" }).check(chainOf("p256"), "localhost")).toBe("certificateUntrusted");
  });
});

describe("extensionsOf()", () => {
  test("finds every extension with its criticality", () => {
    const read = extensionsOf(chainOf("peculiar")[0]!).map(({ oid, isCritical }) => `${oid} ${isCritical}`);
    expect(read).toEqual(expect.arrayContaining(["2.5.29.15 true", "2.5.29.37 false", "2.5.29.17 false", "1.2.3.4 true"]));
  });

  test("pathLength(): the number of authorities below, if there is one", () => {
    const of = (der: Uint8Array): Uint8Array => extensionsOf(der).find(({ oid }) => oid === "2.5.29.19")!.value;
    expect(pathLength(of(chainOf("chained")[1]!))).toBe(0);
    expect(pathLength(of(chainOf("root")[0]!))).toBeUndefined();
  });

  test("any octets give some list", () => {
    const [own] = chainOf("p256") as [Uint8Array];
    for (let at = 0; at < own.length; at++)
      expect(Array.isArray(extensionsOf(own.map((octet, index) => (index === at ? 255 - octet : octet))))).toBe(true);
  });
});

describe("publicKey()", () => {
  test.each([
    ["p256", ["ecdsa_secp256r1_sha256"]],
    ["p384", ["ecdsa_secp384r1_sha384"]],
    ["ed25519", ["ed25519"]],
    ["rsa", ["rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512"]],
    ["rsa-pss", ["rsa_pss_pss_sha256", "rsa_pss_pss_sha384", "rsa_pss_pss_sha512"]],
  ])("%s: verifies its own signatures, and no others", (name, schemes) => {
    const { sign, chain } = credential(name);
    const key = publicKey(chain[0]!)!;
    expect(key.schemes).toEqual(schemes);
    for (const scheme of key.schemes) {
      const signature = sign(scheme, Buffer.from("content"));
      expect(key.verify(scheme, Buffer.from("content"), signature)).toBe(true);
      expect(key.verify(scheme, Buffer.from("contents"), signature)).toBe(false);
      expect(key.verify(scheme, Buffer.from("content"), signature.subarray(1))).toBe(false);
      expect(key.verify(scheme, Buffer.from("content"), new Uint8Array(0))).toBe(false);
    }
  });

  test("a signature of RSA without its leading zero is none (RFC 8017 §8.1.2)", () => {
    const { sign, chain } = credential("rsa");
    const content = Buffer.from("content");
    let signature: Uint8Array;
    // One signature in 256 begins with a zero: PSS salts each.
    do signature = sign("rsa_pss_rsae_sha256", content);
    while (signature[0] !== 0);
    const key = publicKey(chain[0]!)!;
    expect(key.verify("rsa_pss_rsae_sha256", content, signature)).toBe(true);
    expect(key.verify("rsa_pss_rsae_sha256", content, signature.subarray(1))).toBe(false);
  });

  test("a certificate that cannot be read has none", () => {
    expect(publicKey(new Uint8Array(3))).toBeUndefined();
    expect(new X509Certificate(chainOf("p256")[0]!).subject).toBe("CN=p256");
  });
});
