import { describe, expect, test } from "vitest";
import { proxyFor } from "./proxy-choice.ts";

const PROXY = "http://proxy:3128";
const by = (no_proxy: string) => ({ proxy_url: PROXY, no_proxy, proxy_from_environment: false });

describe("no_proxy", () => {
  test.each<[string, string, boolean]>([
    ["", "http://127.0.0.1:1/", true],
    ["x", "http://127.0.0.1:1/", false],
    ["x", "http://localhost/", false],
    ["x", "http://[::1]/", false],
    ["*", "http://a.example/", false],
    ["a.example", "http://a.example/", false],
    ["a.example", "http://b.a.example/", false],
    ["a.example", "http://ba.example/", true],
    [".a.example", "http://a.example/", true],
    [".a.example", "http://b.a.example/", false],
    ["*.a.example", "http://b.a.example/", false],
    ["a.example:8080", "http://a.example:8080/", false],
    ["a.example:8080", "http://a.example/", true],
    ["a.example:443", "https://a.example/", false],
    ["10.0.0.0/8, x", "http://10.1.2.3:9100/", false],
    ["10.0.0.0/8", "http://11.1.2.3/", true],
    ["192.0.2.1", "http://192.0.2.1:9100/", false],
    ["192.0.2.1:80", "http://192.0.2.1:9100/", true],
    ["2001:db8::/32", "http://[2001:db8::1]/", false],
    ["2001:db8::1", "http://[2001:db8::1]:1/", false],
    ["[2001:db8::1]:1", "http://[2001:db8::1]:1/", false],
    ["A.Example", "http://a.EXAMPLE/", false],
  ])("%j and %s", (list, url, isProxied) => {
    expect(proxyFor(url, by(list), {})).toBe(isProxied ? PROXY : undefined);
  });
});

test("the environment has a proxy for each scheme", () => {
  const env = { HTTP_PROXY: "proxy:1", https_proxy: "http://proxy:2", NO_PROXY: "b.example" };
  const choose = (url: string) => proxyFor(url, { proxy_from_environment: true }, env);
  expect([choose("http://a.example/"), choose("https://a.example/"), choose("http://b.example/")]).toEqual([
    "http://proxy:1",
    "http://proxy:2",
    undefined,
  ]);
  expect(proxyFor("http://a.example/", { proxy_from_environment: true }, {})).toBe(undefined);
});
