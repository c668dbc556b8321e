import { createServer, type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { selfSigned } from "../../io/index.ts";
import { configOf } from "./discovery/testing.ts";
import { HttpAccess } from "./http-access.ts";

/** Requests through a proxy: rfc9112#3.2.2 in clear text, rfc9110#9.3.6 over TLS. */

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Proxy_ = { readonly host: string; readonly seen: IncomingMessage[] };
/** A proxy that knows one server: it answers requests itself, and leads every tunnel to `port`. */
async function proxy(port: number, status = 200): Promise<Proxy_> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    response.end("through the proxy");
  });
  server.on("connect", (request, socket, head) => {
    seen.push(request);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    return undefined;
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
async function get(url: string, more: string): Promise<string> {
  const access = new HttpAccess(configOf("http_sd_configs", `{url: "http://h"${more}}`), { connectMs: 5_000, keepMs: 1_000 });
  try {
    const { status, body } = await access.send(url, { fields: [["x-own", "1"]], signal: AbortSignal.timeout(10_000) });
    return `${status} ${Buffer.from(await body.bytes(1_000)).toString()}`;
  } finally {
    await access.close();
  }
}

test("http: the proxy gets the whole URL, the host of the target, and its own credentials", async () => {
  const { host, seen } = await proxy(1);
  const answer = await get(
    "http://target.example:9100/metrics?a=b",
    `, proxy_url: "http://u:p%40@${host}", basic_auth: {username: x, password: y}`,
  );
  expect(answer).toBe("200 through the proxy");
  expect(seen[0]).toMatchObject({
    url: "http://target.example:9100/metrics?a=b",
    headers: {
      host: "target.example:9100",
      "x-own": "1",
      authorization: `Basic ${Buffer.from("x:y").toString("base64")}`,
      "proxy-authorization": `Basic ${Buffer.from("u:p@").toString("base64")}`,
    },
  });
});

test("https: a tunnel, with the fields of proxy_connect_header; what is inside only the target sees", async () => {
  const { cert, key } = await selfSigned();
  const inside: (string | undefined)[] = [];
  const target = createSecureServer({ cert, key }, (request, response) => {
    inside.push(request.headers["proxy-authorization"], request.headers.host);
    response.end("secret");
  });
  await new Promise<void>((resolve) => void target.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    target.closeAllConnections();
    target.close();
  });
  const { host, seen } = await proxy((target.address() as AddressInfo).port);
  const settings = `, proxy_url: "http://u:p@${host}", proxy_connect_header: {X-Route: [a]}, tls_config: {server_name: localhost, ca: ${JSON.stringify(cert)}}`;
  expect(await get("https://target.example/", settings)).toBe("200 secret");
  expect(inside).toEqual([undefined, "target.example"]);
  expect(seen[0]).toMatchObject({ method: "CONNECT", url: "target.example:443", headers: { "x-route": "a" } });
  expect(seen[0]?.headers).toMatchObject({ "proxy-authorization": `Basic ${Buffer.from("u:p").toString("base64")}` });
});

test("a proxy that refuses a tunnel is named", async () => {
  const { host } = await proxy(1, 407);
  await expect(get("https://target.example/", `, proxy_url: "http://u:p@${host}"`)).rejects.toThrow(
    `the proxy http://${host} refuses a connection to target.example:443: it answers with 407`,
  );
});
