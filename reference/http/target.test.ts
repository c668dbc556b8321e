import { expect, test } from "vitest";
import { isAuthority, isHostAndPort, originOf, readTarget, sameAuthority } from "./target.ts";

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
  ["[nothing]", false, false],
  ["[v1.fe80]:80", true, true],
  ["ex%4gmple", false, false],
  ["example.com:65535", true, true],
  ["example.com:65536", true, false],
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
])("sameAuthority(%s, %s, %s) is %s", (one, other, scheme, same) => {
  expect([sameAuthority(one, other, scheme), sameAuthority(other, one, scheme)]).toEqual([same, same]);
});

test("originOf(): equal for all spellings of one origin", () => {
  expect([originOf("HTTPS", "Example.com:443"), originOf("https", "example.com"), originOf("http", "a:443")]).toEqual([
    "https://example.com",
    "https://example.com",
    "http://a:443",
  ]);
});

test.each([
  ["GET", "/", { form: "origin", path: "/" }],
  ["GET", "/a?b=c", { form: "origin", path: "/a?b=c" }],
  ["GET", "//a", { form: "origin", path: "//a" }],
  ["GET", "http://a/b?c", { form: "absolute", scheme: "http", authority: "a", path: "/b?c" }],
  ["GET", "HTTPS://A:1", { form: "absolute", scheme: "https", authority: "A:1", path: "/" }],
  ["GET", "http://a?b", { form: "absolute", scheme: "http", authority: "a", path: "/?b" }],
  ["OPTIONS", "http://a", { form: "absolute", scheme: "http", authority: "a", path: "*" }],
  ["OPTIONS", "http://a/", { form: "absolute", scheme: "http", authority: "a", path: "/" }],
  ["GET", "x:///b", { form: "absolute", scheme: "x", authority: "", path: "/b" }],
  ["OPTIONS", "*", { form: "asterisk" }],
  ["CONNECT", "a:1", { form: "authority", authority: "a:1" }],
  ["CONNECT", "[::1]:443", { form: "authority", authority: "[::1]:443" }],
])("readTarget(%s, %s): finds its form (rfc9112#3.2)", (method, target, form) => {
  expect(readTarget(method, target)).toEqual(form);
});
test.each([
  ["GET", ""],
  ["GET", "*"],
  ["GET", "a"],
  ["GET", "a:1"],
  ["GET", "/a b"],
  ["GET", "/a#b"],
  ["GET", "http:/a"],
  ["GET", "http://"],
  ["GET", "http://u@a/"],
  ["GET", "http://:80/"],
  ["GET", "1http://a/"],
  ["GET", "mailto:a"],
  ["CONNECT", "/"],
  ["CONNECT", "a"],
  ["CONNECT", "http://a:1"],
])("readTarget(%s, %j): is undefined", (method, target) => {
  expect(readTarget(method, target)).toBeUndefined();
});
