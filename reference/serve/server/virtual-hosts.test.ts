import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import type { Handler } from "../handler.ts";
import { serve } from "./serve.ts";
import { virtualHosts } from "./virtual-hosts.ts";

const says =
  (body: string): Handler =>
  () => ({ status: 200, body });
const hosts = virtualHosts({
  "Example.com": says("exact"),
  "*.example.com": says("any"),
  "*.deep.example.com": says("deep"),
  "[::1]": says("loopback"),
});

/** Requests another host from a server on loopback. */
const ask = (port: number, host: string): Promise<[status: number | undefined, body: string]> =>
  new Promise((resolve, reject) => {
    const asked = httpRequest({ host: "127.0.0.1", port, headers: { host }, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () => resolve([response.statusCode, body]));
    });
    asked.once("error", reject).end();
  });

describe("virtual hosts", () => {
  test.each([
    ["example.com", "exact"],
    ["EXAMPLE.com:8080", "exact"],
    ["example.com.", "exact"],
    ["www.example.com", "any"],
    ["a.b.example.com:80", "any"],
    ["a.deep.example.com", "deep"],
    ["deep.example.com", "any"],
    ["[::1]:8080", "loopback"],
  ])("a request for %s reaches the handler of its host", async (host, body) => {
    await using server = await serve(hosts, { alpn: ["http/1.1"] });
    expect(await ask(server.port, host)).toEqual([200, body]);
  });

  test.each(["other.example", "example.com.evil.example", "notexample.com"])(
    "a request for %s, which no host serves, is misdirected",
    async (host) => {
      await using server = await serve(hosts);
      expect((await ask(server.port, host))[0]).toBe(421);
    },
  );

  test("`otherwise` handles all other hosts", async () => {
    await using server = await serve(virtualHosts({ "example.com": says("exact") }, says("other")));
    expect(await ask(server.port, "other.example")).toEqual([200, "other"]);
  });

  test.each(["", "*.", "example.com:80", "a/b", "*.*.example.com "])("%j: refused as a host name", (name) => {
    expect(() => virtualHosts({ [name]: says("") })).toThrow(/is not a host name/);
  });
});
