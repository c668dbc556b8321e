import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, type Client } from "../http2/index.ts";
import type { ClientRequest } from "../client/request.ts";
import { peer, ROUTES, routeLines } from "./peer.ts";
import { serve } from "../server/serve.ts";
import type { Server } from "../server/options.ts";

let server: Server;
let client: Client;
beforeAll(async () => {
  server = await serve(peer, { http2: { settings: { enableConnectProtocol: true } } });
  client = await connect(server.url, { http2: { push: true } });
});
afterAll(async () => {
  await client.close();
  await server.close();
});
async function ask(request: ClientRequest): Promise<readonly [status: number, text: string]> {
  const { status, body } = await client.request(request);
  return [status, await body.text()];
}
const get = (path: string) => ask({ path });

describe("paths", () => {
  test("/: the same text, with and without a query", async () => {
    expect(await get("/")).toEqual([200, "Touchstone speaks HTTP/2.\n"]);
    expect(await get("/?anything")).toEqual([200, "Touchstone speaks HTTP/2.\n"]);
  });
  test.each([0, 1, 100_000, 1_048_577, 5_000_000])("/bytes/%i: this many octets, always the same", async (size) => {
    const { status, fields, body } = await client.request({ path: `/bytes/${size}` });
    const octets = Buffer.from(await body.bytes());
    expect([status, fields.get("content-length"), octets.length]).toEqual([200, String(size), size]);
    expect(octets.subarray(0, 11).toString()).toBe("touchstone ".slice(0, size));
  });
  test("/bytes/N: 400 beyond its limit", async () => {
    expect((await get("/bytes/1073741825"))[0]).toBe(400);
  });
  test("/echo: returns the content as it arrives", async () => {
    async function* halves() {
      yield "first ";
      yield "second";
    }
    expect(await ask({ method: "POST", path: "/echo", body: halves() })).toEqual([200, "first second"]);
  });
  test("/echo?json: describes the request", async () => {
    const [, text] = await ask({ method: "PUT", path: "/echo?json", fields: [["X-One", "1"]], body: "abc", trailers: [["x-end", "2"]] });
    expect(JSON.parse(text)).toMatchObject({
      method: "PUT",
      path: "/echo?json",
      scheme: "http",
      fields: [
        ["x-one", "1"],
        ["content-length", "3"],
      ],
      octets: 3,
      trailers: [["x-end", "2"]],
    });
  });
  test("/upload: counts octets", async () => {
    expect(await ask({ method: "POST", path: "/upload", body: new Uint8Array(3_000_000) })).toEqual([200, '{"octets":3000000}\n']);
  });
  test("/drip: ten lines, one after another", async () => {
    const { body } = await client.request({ path: "/drip" });
    let pieces = 0;
    let text = "";
    for await (const chunk of body) {
      pieces++;
      text += Buffer.from(chunk).toString();
    }
    expect(text.split("\n")).toHaveLength(11);
    expect(pieces).toBeGreaterThan(3);
  });
  test("/delay/MS: not before its time, and 400 beyond its limit", async () => {
    const since = performance.now();
    expect(await get("/delay/40")).toEqual([200, "after 40 ms\n"]);
    expect(performance.now() - since).toBeGreaterThanOrEqual(38);
    expect((await get("/delay/60001"))[0]).toBe(400);
  });
  test.each([200, 204, 205, 304, 404, 599])("/status/%i", async (status) => {
    expect((await get(`/status/${status}`))[0]).toBe(status);
  });
  test("/trailers, /early, /push", async () => {
    const trailers = await client.request({ path: "/trailers" });
    await trailers.body.text();
    expect([...(await trailers.body.trailers)]).toEqual([
      ["x-octets", "16"],
      ["x-end", "yes"],
    ]);
    const early = await client.request({ path: "/early" });
    expect(early.interim.map(({ status, fields }) => [status, fields.get("link")])).toEqual([[103, "</style.css>; rel=preload; as=style"]]);
    const push = await client.request({ path: "/push" });
    await push.body.text();
    expect(push.pushes.map(({ request }) => request.path)).toEqual(["/pushed"]);
    expect(await (await push.pushes[0]!.response).body.text()).toBe("this was pushed\n");
  });
  test("another path: 404 with a list of paths, after the content is read", async () => {
    const [status, text] = await get("/elsewhere");
    expect(status).toBe(404);
    for (const { form } of ROUTES) expect(text).toContain(form);
    expect((await ask({ method: "POST", path: "/elsewhere", body: new Uint8Array(2_000_000) }))[0]).toBe(404);
  });
});

describe("methods", () => {
  test("HEAD has the fields of GET", async () => {
    const { status, fields, body } = await client.request({ method: "HEAD", path: "/bytes/5000000" });
    expect([status, fields.get("content-length"), await body.text()]).toEqual([200, "5000000", ""]);
  });
  test("OPTIONS *: returns Allow", async () => {
    const { status, fields } = await client.request({ method: "OPTIONS", path: "*" });
    expect([status, fields.get("allow")?.includes("CONNECT")]).toEqual([204, true]);
  });
  test("CONNECT: echoes, with and without a protocol", async () => {
    expect(await ask({ method: "CONNECT", authority: "example.com:443", body: "there and back" })).toEqual([200, "there and back"]);
    expect(await ask({ method: "CONNECT", protocol: "websocket", path: "/chat", body: "there and back" })).toEqual([200, "there and back"]);
  });
  test("Expect: 100 is sent", async () => {
    const { status, interim, body } = await client.request({
      method: "POST",
      path: "/upload",
      fields: [["expect", "100-continue"]],
      body: "content",
    });
    expect([status, interim.map((each) => each.status), await body.text()]).toEqual([200, [100], '{"octets":7}\n']);
  });
});

test("every path has one line", () => {
  expect(routeLines()).toHaveLength(ROUTES.length);
});

describe("methods", () => {
  test.each([
    ["BREW", "/", 501],
    ["get", "/", 501],
    ["TRACE", "/", 405],
    ["OPTIONS", "/", 204],
    ["OPTIONS", "*", 204],
  ])("%s of %s: %i", async (method, path, status) => {
    const answer = await client.request({ method, path });
    expect([answer.status, answer.fields.has("allow")]).toEqual([status, status !== 501]);
  });
});
