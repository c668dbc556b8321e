import type { PeerCertificate } from "node:tls";
import { expect, test } from "vitest";
import { identityProblem } from "./identity.ts";

const of = (CN: string, subjectaltname?: string): PeerCertificate =>
  ({ subject: { CN }, ...(subjectaltname !== undefined && { subjectaltname }) }) as PeerCertificate;

test.each([
  ["a.example", of("b", "DNS:a.example")],
  ["A.example", of("b", "DNS:a.EXAMPLE")],
  ["a.b.example", of("b", "DNS:*.b.example")],
  ["127.0.0.1", of("b", "IP Address:127.0.0.1")],
])("%s is named by subjectAltName", (host, certificate) => {
  expect(identityProblem(host, certificate)).toBeUndefined();
});

test.each([
  ["a.example", of("a.example")],
  ["a.example", of("a.example", "IP Address:127.0.0.1")],
  ["a.example", of("a.example", "DNS:b.example")],
  ["a.example", of("*.example")],
  ["127.0.0.1", of("127.0.0.1")],
  ["127.0.0.1", of("b", "DNS:127.0.0.1")],
  ["example", of("b", "DNS:*.example")],
  ["b.a.example", of("b", "DNS:*.example")],
])("%s is not named: a common name does not count, nor does what only comes close (rfc9110#4.3.4)", (host, certificate) => {
  expect(identityProblem(host, certificate)?.message).toContain("does not match");
});
