import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { authorization, placeAt, requestField, requireReaching, secretsIn } from "./reach.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-reach-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("requestField()", () => {
  test("a name and a value", () => {
    expect(requestField("X-Team:  a: b ")).toEqual(["X-Team", "a: b"]);
    expect(requestField("X-Empty:")).toEqual(["X-Empty", ""]);
  });
  test.each(["no colon", ": no name", "bad name: x", "X: a\r\nY: b", "X: \u20ac"])("%j is refused", (text) => {
    expect(() => requestField(text)).toThrow("is not a field");
  });
  test("Host, and the fields that cases write themselves, are refused with what to do", () => {
    expect(() => requestField("host: a")).toThrow("--connect-to");
    expect(() => requestField("Content-Length: 3")).toThrow("the cases write this field themselves");
  });
});

describe("authorization()", () => {
  test("user and password, with or without the scheme", () => {
    expect(authorization("user:pass")).toEqual(["Authorization", "Basic dXNlcjpwYXNz"]);
    expect(authorization("basic user:pass")).toEqual(["Authorization", "Basic dXNlcjpwYXNz"]);
  });
  test("a bearer token", () => {
    expect(authorization("bearer abc.def")).toEqual(["Authorization", "Bearer abc.def"]);
  });
  test("a file, which keeps the secret out of the list of processes", () => {
    const file = join(folder, "secret");
    writeFileSync(file, "bearer abc\n");
    expect(authorization(`@${file}`)).toEqual(["Authorization", "Bearer abc"]);
    expect(() => authorization(`@${file}.none`)).toThrow("ENOENT");
  });
  test("anything else is refused with what is possible", () => {
    expect(() => authorization("token")).toThrow("user:password");
  });
});

describe("placeAt()", () => {
  test("a name, an address, an IPv6 address", () => {
    expect(placeAt("localhost:80")).toEqual({ host: "localhost", port: 80 });
    expect(placeAt("[::1]:8443")).toEqual({ host: "::1", port: 8443 });
  });
  test.each(["localhost", ":80", "a:0", "a:99999", "::1:80", "http://a:80"])("%j is refused", (text) => {
    expect(() => placeAt(text)).toThrow("is not HOST:PORT");
  });
});

describe("requireReaching()", () => {
  test("a way that the suite does not support is refused, not ignored", () => {
    expect(() => requireReaching("x", { fields: [["A", "b"]] }, ["place"])).toThrow("The suite x does not support -H and --auth here.");
    expect(() => requireReaching("x", { place: { socket: "/s" } }, ["fields", "place"])).toThrow("--unix-socket");
    expect(() => requireReaching("x", { fields: [["A", "b"]], place: { host: "a", port: 1 } }, ["fields", "place"])).not.toThrow();
  });
});

test("secretsIn() names the values that reports must not show", () => {
  const fields = [
    ["Authorization", "Basic x"],
    ["X-Team", "a"],
    ["X-API-Key", "k"],
  ] as const;
  expect(secretsIn({ fields })).toEqual(["Basic x", "k"]);
});
