import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authorityOf } from "./authority.ts";
import { selfSigned } from "./certificates.ts";
import type { Certificate } from "./make-certificate.ts";
import { clearServer, dialClear, listen } from "./tcp.ts";
import { dialTls } from "./tls.ts";
import { tlsServer } from "./tls-server.ts";
import { refusing } from "./testing.ts";

/** For localhost, 127.0.0.1 and ::1. */
let certificate: Certificate;
const left: { close(): unknown }[] = [];
let port = 0;
beforeAll(async () => {
  certificate = await selfSigned();
  const server = await tlsServer(certificate, ["h2"], { ...refusing, accept: (socket) => void socket.on("error", () => {}).resume() });
  left.push(server);
  ({ port } = await listen(server, { host: "127.0.0.1", port: 0 }));
});
afterAll(() => {
  for (const each of left) each.close();
});

async function overTls(options: { readonly ca?: string; readonly verify?: boolean }): Promise<(origin: string) => boolean> {
  const socket = dialTls({ host: "127.0.0.1", port }, options, ["h2"]);
  left.push({ close: () => socket.destroy() });
  await once(socket, "secureConnect");
  return authorityOf(socket, { scheme: "https", authority: `127.0.0.1:${port}` });
}

test("verified TLS: the hosts of the certificate, on the same port, and no others", async () => {
  const speaksFor = await overTls({ ca: certificate.cert });
  const hosts = ["127.0.0.1", "localhost", "[::1]", "example.com", "sub.localhost", "127.0.0.2"];
  expect(hosts.filter((host) => speaksFor(`https://${host}:${port}`))).toEqual(["127.0.0.1", "localhost", "[::1]"]);
  expect(speaksFor("https://localhost")).toBe(false);
  expect(speaksFor(`https://localhost:${port + 1}`)).toBe(false);
  expect(speaksFor(`http://localhost:${port}`)).toBe(false);
  expect(speaksFor("https://")).toBe(false);
});

test("unverified TLS: the dialled origin alone", async () => {
  const speaksFor = await overTls({ verify: false });
  expect(speaksFor(`https://127.0.0.1:${port}`)).toBe(true);
  expect(speaksFor(`https://localhost:${port}`)).toBe(false);
});

test("clear text: the dialled origin alone, in any spelling", async () => {
  const server = clearServer((socket) => void socket.resume());
  left.push(server);
  const place = await listen(server, { host: "127.0.0.1", port: 0 });
  const socket = dialClear({ host: "127.0.0.1", port: place.port });
  left.push({ close: () => socket.destroy() });
  await once(socket, "connect");
  const speaksFor = authorityOf(socket, { scheme: "http", authority: "LOCALHOST:80" });
  const origins = ["http://localhost", "http://localhost:8080", "https://localhost", "http://127.0.0.1"];
  expect(origins.filter(speaksFor)).toEqual(["http://localhost"]);
});
