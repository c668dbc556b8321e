import { expect, test } from "vitest";
import { isAuthority, isHostAndPort, originOf, sameAuthority } from "./target.ts";

test.each([
  ["example.com", true, false],
  ["example.com:443", true, true],
  ["example.com:", true, false],
  ["[::1]:80", true, true],
  ["[fe80::1%25eth0]", true, false],
  ["192.0.2.1", true, false],
  ["ex%41mple", true, false],
  ["", true, false],
  [":80", true, false],
  ["user@example.com", false, false],
  ["user:pw@example.com:80", false, false],
  ["exam ple", false, false],
  ["example.com/x", false, false],
  ["example.com?x", false, false],
  ["example.com#x", false, false],
  ["example.com:8x", false, false],
  ["a\u00e9", false, false],
  ["[::1", false, false],
])("authority %j: %s, with host and port: %s", (text, authority, both) => {
  expect([isAuthority(text), isHostAndPort(text)]).toEqual([authority, both]);
});

test.each([
  ["example.com", "EXAMPLE.com", "http", true],
  ["example.com:80", "example.com", "http", true],
  ["example.com:443", "example.com", "https", true],
  ["example.com:", "example.com", "https", true],
  ["example.com:443", "example.com", "http", false],
  ["example.com:8080", "example.com", "http", false],
  ["example.com", "example.org", "http", false],
])("%s and %s under %s are the same place: %s", (one, other, scheme, same) => {
  expect([sameAuthority(one, other, scheme), sameAuthority(other, one, scheme)]).toEqual([same, same]);
});

test("originOf(): the same for every way to write a place", () => {
  expect([originOf("HTTPS", "Example.com:443"), originOf("https", "example.com"), originOf("http", "a:443")]).toEqual([
    "https://example.com",
    "https://example.com",
    "http://a:443",
  ]);
});
