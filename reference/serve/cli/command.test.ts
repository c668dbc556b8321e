import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as tcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeAuthority } from "../../io/testing.ts";
import { connect as connectAny } from "../client/connect.ts";
import { connect } from "../http2/index.ts";
import { ROUTES } from "./peer.ts";
import { run } from "./testing.ts";
import { serve } from "../server/serve.ts";
import { talk } from "../testing.ts";

test("--json: prints its address as one line, answers, and closes gracefully on SIGTERM", async () => {
  const { child, first, ended } = run("http2", "--port", "0", "--json");
  const place = JSON.parse(await first) as { url: string; host: string; port: number; pid: number };
  expect(place).toEqual({ url: `http://127.0.0.1:${place.port}/`, host: "127.0.0.1", port: place.port, pid: child.pid });
  expect(place.port).toBeGreaterThan(0);
  const client = await connect(place.url);
  const { status, body } = await client.request({ method: "POST", path: "/echo", body: "hello" });
  expect([status, await body.text()]).toEqual([200, "hello"]);
  child.kill("SIGTERM");
  await client.closed;
  const { printed, ...rest } = await ended;
  expect(rest).toEqual({ status: 0, signal: null, errors: "" });
  expect(printed).toHaveLength(1);
});

test("http3: speaks HTTP/3 over UDP, with a self-signed certificate", async () => {
  const { child, first, ended } = run("http3", "--json");
  const { url } = JSON.parse(await first) as { url: string };
  const client = await connectAny(url, { alpn: ["h3"], tls: { verify: false } });
  expect(await (await client.request({ path: "/" })).body.text()).toBe("Touchstone speaks HTTP/3.\n");
  child.kill("SIGTERM");
  await client.closed;
  expect(await ended).toMatchObject({ status: 0, errors: "" });
});

test("http and proxy with TLS: speak HTTP/3 at the same port, unless they have faults", async () => {
  const said = async (...args: string[]): Promise<string> => {
    const { url } = JSON.parse(await run(...args, "--tls", "--json").first) as { url: string };
    await using client = await connectAny(url, { alpn: ["h2"], tls: { verify: false }, graceMs: 0 });
    const alternative = (await client.request()).fields.get("alt-svc");
    if (alternative === undefined) return "TCP alone";
    await using other = await connectAny(url, { alpn: ["h3"], tls: { verify: false }, graceMs: 0 });
    return `${await (await other.request()).body.text()}${alternative.replace(new URL(url).port, "its own port")}`;
  };
  const origin = JSON.parse(await run("http1", "--json").first) as { url: string };
  expect(await said("http")).toBe('Touchstone speaks HTTP/3.\nh3=":its own port"; ma=86400');
  expect(await said("proxy", "--origin", origin.url)).toBe('Touchstone speaks HTTP/1.1.\nh3=":its own port"; ma=86400');
  expect(await said("http", "--fault", "delay:ms=1")).toBe("TCP alone");
});

test("--client-ca: refuses a client without a certificate of that authority", async () => {
  const folder = await mkdtemp(join(tmpdir(), "touchstone-serve-"));
  try {
    const authority = await makeAuthority();
    const mine = await authority.issue();
    await writeFile(join(folder, "ca.pem"), authority.cert);
    const { first } = run("http1", "--tls", "--client-ca", join(folder, "ca.pem"), "--json");
    const { url } = JSON.parse(await first) as { url: string };
    const statusWith = async (certificate?: { cert: string; key: string }): Promise<number> => {
      await using client = await connectAny(url, { graceMs: 0, tls: { verify: false, ...certificate } });
      return (await client.request()).status;
    };
    expect(await statusWith()).toBe(403);
    expect(await statusWith(mine)).toBe(200);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("without --json: prints its address as text, over TLS too", async () => {
  const { child, first, ended } = run("http2", "--tls", "--max-streams", "3", "--window", "70000");
  const url = /^Listening at (https:\/\/127\.0\.0\.1:\d+\/)$/.exec(await first)?.[1];
  const client = await connect(url!, { tls: { verify: false } });
  expect((await client.request()).status).toBe(200);
  await client.close();
  child.kill("SIGINT");
  expect((await ended).status).toBe(0);
});

test.each([
  ["http1", /^505 HTTP\/1\.1 200 /],
  ["http2", /^HTTP\/2 HTTP\/1\.1 505 /],
  ["http", /^HTTP\/2 HTTP\/1\.1 200 /],
])("%s speaks its version only", async (name, spoken) => {
  const { url, port } = JSON.parse(await run(name, "--json").first) as { url: string; port: number };
  const second = await connect(url).then(
    async (client) => {
      await client.request();
      await client.close();
      return "HTTP/2";
    },
    () => "505",
  );
  const first = await talk(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(`${second} ${first.toString()}`).toMatch(spoken);
});

test.each([
  [[], /^$/],
  [["--half-close", "ignore"], / 200 /],
])("a client that ends its half, with the options %j", async (options, answer) => {
  const { port } = JSON.parse(await run("http1", "--json", ...options).first) as { port: number };
  const socket = tcp({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.end("GET /delay/50 HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString()).toMatch(answer);
});

test.each(["http1", "http2"])("a proxy forwards requests to an origin of %s", async (name) => {
  await using origin = await serve(({ version, fields }) => ({ status: 200, body: `${version} ${fields.get("via")}` }), { tls: true });
  const { child, first, ended } = run("proxy", "--json", "--insecure", "--origin", origin.url, "--origin-protocol", name);
  const { url } = JSON.parse(await first) as { url: string };
  const client = await connect(url);
  expect(await (await client.request()).body.text()).toBe(`${name === "http1" ? "HTTP/1.1" : "HTTP/2"} 2 touchstone`);
  await client.close();
  child.kill("SIGTERM");
  expect((await ended).status).toBe(0);
});

test("--fault: misbehaves", async () => {
  const { first } = run("http2", "--json", "--fault", "reset:code=CANCEL,after=1");
  const { url } = JSON.parse(await first) as { url: string };
  const client = await connect(url);
  const outcome = client.request().then(({ body }) => body.text());
  await expect(outcome).rejects.toMatchObject({ name: "StreamFailed", reason: "reset", errorCode: "CANCEL" });
  await client.close();
});

test("--fault: of HTTP/1.1 misbehaves there", async () => {
  const { port } = JSON.parse(await run("http1", "--json", "--fault", "hang-up").first) as { port: number };
  expect((await talk(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")).toString()).toBe("");
  const words = await run("http", "--list-faults").ended;
  expect(words.printed.join("\n")).toMatch(/^HTTP\/2:\n[^]*\nHTTP\/1\.1:\n[^]*\nbad-chunk /m);
});

test("--list-faults: prints text or JSON", async () => {
  const words = await run("http2", "--list-faults").ended;
  expect(words.status).toBe(0);
  expect(words.printed.join("\n")).toMatch(/\breset\b/);
  const json = await run("http2", "--list-faults", "--json").ended;
  expect(JSON.stringify(JSON.parse(json.printed.join("\n")))).toContain('"reset"');
});

test("--help: lists the paths", async () => {
  const { status, printed } = await run("--help").ended;
  expect(status).toBe(0);
  for (const { form, does } of ROUTES) expect(printed.join("\n")).toContain(`  ${form.padEnd(12)}${does}`);
});

test.each([
  [["http9"], /^touchstone serve: There is no peer "http9". Known: http, http1, http2, http3, proxy\.\n$/],
  [["proxy"], /--origin URL belongs to the proxy, which needs it\./],
  [["http2", "--origin", "http://127.0.0.1:1/"], /--origin URL belongs to the proxy, which needs it\./],
  [["proxy", "--origin", "nowhere"], /"nowhere" is not an origin: give an http: or https: URL/],
  [
    ["http1", "--fault", "reset"],
    /HTTP\/1\.1 cannot do "reset", which HTTP\/2 and HTTP\/3 can: speak that alone, or choose from drop, .*bad-chunk/,
  ],
  [["http", "--fault", "bad-chunk"], /HTTP\/2 cannot do "bad-chunk", which HTTP\/1\.1 can/],
  [["http1", "--fault", "no-such-fault"], /HTTP\/1\.1 has no fault "no-such-fault"\. Known: drop, /],
  [["http3", "--fault", "bad-chunk"], /HTTP\/3 cannot do "bad-chunk", which HTTP\/1\.1 can/],
  [["http2", "--client-ca", "/nowhere/ca.pem"], /\/nowhere\/ca\.pem/],
  [["http2", "--client-certificate", "require"], /needs --client-ca FILE/],
  [["proxy", "--origin", "https://127.0.0.1:1/", "--origin-key", "a"], /--origin-cert and --origin-key go together/],
  [["http2", "--cert", "a.pem"], /--cert and --key go together: give both\./],
  [["http2", "--cert", "/nowhere/a.pem", "--key", "/nowhere/a.key"], /\/nowhere\/a\.pem/],
  [["http2", "--port", "70000"], /Give a whole number from 0 to 65535\./],
  [["http2", "--half-close", "ignore"], /--half-close belongs to HTTP\/1\.1/],
  [["http1", "--half-close", "no"], /abort, ignore/],
  [["http2", "--window", "1e3"], /Give a whole number from 0 to 2147483647\./],
  [["http2", "--fault", "no-such-fault"], /no-such-fault/],
])("%j: refused with status 2 and an explanation", async (args, why) => {
  const { status, errors, printed } = await run(...args).ended;
  expect(status).toBe(2);
  expect(errors).toMatch(why);
  expect(printed).toEqual([]);
});

test("a port in use: refused with advice", async () => {
  await using server = await serve(() => ({ status: 200 }));
  const { status, errors } = await run("http2", "--port", String(server.port)).ended;
  expect(status).toBe(2);
  expect(errors).toMatch(/is in use: choose another, or 0 for any free one/);
});
