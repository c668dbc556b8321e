import { describe, expect, test } from "vitest";
import { addressForLoad, isThisMachine } from "./consent.ts";

describe("addressForLoad()", () => {
  test.each(["http://localhost:8080/", "http://127.3.2.1/", "https://[::1]:8443/"])("%s is this machine: no consent is needed", (text) => {
    expect(addressForLoad(text, "bench sends load", false).href).toBe(text);
  });

  test.each(["http://192.0.2.1/", "http://site.example/", "http://127.0.0.1.example/", "http://localhost.example/"])(
    "%s is another machine: refused with the flag, allowed with it",
    (text) => {
      expect(() => addressForLoad(text, "bench sends load", false)).toThrow(
        `bench sends load, and ${new URL(text).hostname} is not this machine: add --i-operate-this-target if you operate it.`,
      );
      expect(addressForLoad(text, "bench sends load", true).href).toBe(text);
    },
  );

  test("port 99999 is reported with what to write", () => {
    expect(() => addressForLoad("http://127.0.0.1:99999/", "bench sends load", false)).toThrow("with a port from 1 to 65535");
  });
});

test("isThisMachine() takes the host of a URL, and an address without brackets", () => {
  expect(["::1", "[::1]", "localhost", "127.0.0.1", "128.0.0.1", "a"].map(isThisMachine)).toEqual([true, true, true, true, false, false]);
});
