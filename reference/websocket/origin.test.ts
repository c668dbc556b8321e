import { describe, expect, test } from "vitest";
import { refusedOrigin, type OriginPolicy } from "./origin.ts";

const lets = (origin: string, policy?: OriginPolicy, scheme = "http", authority = "example.com"): boolean =>
  refusedOrigin(origin, policy, scheme, authority) === undefined;

describe("without a list", () => {
  test.each([
    ["http://example.com", "http", "example.com", true],
    ["http://EXAMPLE.com", "http", "example.COM", true],
    ["http://example.com:80", "http", "example.com", true],
    ["http://example.com", "http", "example.com:80", true],
    ["https://example.com", "https", "example.com:443", true],
    ["http://[::1]:8080", "http", "[::1]:8080", true],
    ["https://example.com", "http", "example.com", false],
    ["http://example.com:8080", "http", "example.com", false],
    ["http://www.example.com", "http", "example.com", false],
    ["http://example.com.evil.example", "http", "example.com", false],
    ["http://evil.example?example.com", "http", "example.com", false],
    ["http://example.com@evil.example", "http", "example.com", false],
    ["null", "http", "example.com", false],
    ["", "http", "example.com", false],
    ["example.com", "http", "example.com", false],
    ["http://evil.example http://example.com", "http", "example.com", false],
  ])("%s at %s://%s: %s", (origin, scheme, authority, isLetIn) => {
    expect(lets(origin, undefined, scheme, authority)).toBe(isLetIn);
  });
});

test("with a list: accepts origins on it, in any spelling, and no others, not even the server's own", () => {
  const list = ["https://app.example", "http://Localhost:3000", "null"];
  expect(["https://app.example", "https://APP.example:443", "http://localhost:3000", "null"].map((origin) => lets(origin, list))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(
    ["http://app.example", "http://example.com", "https://app.example.evil", "http://localhost"].map((origin) => lets(origin, list)),
  ).toEqual([false, false, false, false]);
  expect(lets("http://anybody", ["*"])).toBe(true);
  expect(lets("http://example.com", [])).toBe(false);
});

test("with a function: follows its result", () => {
  expect(lets("http://a.example", (origin) => origin.endsWith(".example"))).toBe(true);
  expect(lets("http://a.other", (origin) => origin.endsWith(".example"))).toBe(false);
});

test("a refusal: explains why", () => {
  expect(refusedOrigin("http://evil.example", undefined, "http", "example.com")).toBe(
    "origin http://evil.example is not http://example.com, and this server allows no others",
  );
  expect(refusedOrigin("http://evil.example", [], "http", "example.com")).toBe("origin http://evil.example is not on this server's list");
  expect(refusedOrigin("http://evil.example", () => false, "http", "example.com")).toBe(
    "origin http://evil.example is not allowed by this server",
  );
});
