import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { selfSigned } from "./certificates.ts";
import type { Certificate } from "./make-certificate.ts";
import { reset } from "./reset.ts";
import { listen } from "./tcp.ts";
import { dialTls, isForbidden } from "./tls.ts";
import { tlsServer } from "./tls-server.ts";
import { refusing } from "./testing.ts";

let certificate: Certificate;
let server: Server;
let port: number;
const agreed: (string | false | null)[] = [];

beforeAll(async () => {
  certificate = await selfSigned();
  server = await tlsServer(certificate, ["h2"], {
    ...refusing,
    accept: (socket) => {
      agreed.push(socket.alpnProtocol);
      socket.on("error", () => {}).end("hello");
      socket.resume();
    },
  });
  ({ port } = await listen(server, { host: "127.0.0.1", port: 0 }));
});
afterAll(() => {
  server.close();
});

/** The result of a handshake: the error code, or the socket. */
function outcome(socket: TLSSocket): Promise<TLSSocket | string> {
  return new Promise((resolve) => {
    socket.once("secureConnect", () => resolve(socket));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
const shake = (options: ConnectionOptions): Promise<TLSSocket | string> =>
  outcome(connect({ host: "127.0.0.1", port, ca: certificate.cert, ...options }));
async function open(options: ConnectionOptions): Promise<TLSSocket> {
  const socket = await shake(options);
  if (typeof socket === "string") throw new Error(socket);
  return socket;
}

test.each([
  ["TLSv1.3", "TLS_AES_128_GCM_SHA256", false],
  ["TLSv1.3", "TLS_CHACHA20_POLY1305_SHA256", false],
  ["TLSv1.2", "ECDHE-RSA-AES128-GCM-SHA256", false],
  ["TLSv1.2", "ECDHE-ECDSA-AES256-GCM-SHA384", false],
  ["TLSv1.2", "ECDHE-RSA-CHACHA20-POLY1305", false],
  ["TLSv1.2", "DHE-RSA-AES128-GCM-SHA256", false],
  ["TLSv1.2", "ECDHE-ECDSA-AES128-CCM8", false],
  // No ephemeral key exchange.
  ["TLSv1.2", "AES128-GCM-SHA256", true],
  ["TLSv1.2", "AES256-GCM-SHA384", true],
  ["TLSv1.2", "PSK-AES128-GCM-SHA256", true],
  // No AEAD.
  ["TLSv1.2", "ECDHE-RSA-AES128-SHA256", true],
  ["TLSv1.2", "ECDHE-RSA-AES128-SHA", true],
  ["TLSv1.2", "DHE-RSA-AES256-SHA256", true],
  ["TLSv1.2", "AES128-SHA", true],
  ["TLSv1.2", "DES-CBC3-SHA", true],
  // Unknown suites are forbidden.
  [null, "", true],
])("%s with %s: forbidden is %s", (version, cipher, forbidden) => {
  expect(isForbidden(version, cipher)).toBe(forbidden);
});

test("h2 is negotiated, even if the client prefers http/1.1", async () => {
  const socket = await open({ ALPNProtocols: ["http/1.1", "h2"] });
  expect(socket.alpnProtocol).toBe("h2");
  socket.destroy();
});

test("a client that offers only http/1.1 gets the alert", async () => {
  expect(await shake({ ALPNProtocols: ["http/1.1"] })).toBe("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL");
});

test("a client without ALPN is accepted without a protocol", async () => {
  agreed.length = 0;
  const socket = await open({});
  expect(socket.alpnProtocol).toBe(false);
  const [first] = (await once(socket, "data")) as [Buffer];
  expect(first.toString()).toBe("hello");
  expect(agreed).toEqual([false]);
  socket.destroy();
});

test("TLS 1.2 gets a suite with an ephemeral key and an AEAD", async () => {
  const socket = await open({ ALPNProtocols: ["h2"], maxVersion: "TLSv1.2" });
  expect(socket.getProtocol()).toBe("TLSv1.2");
  expect(isForbidden("TLSv1.2", socket.getCipher().name)).toBe(false);
  socket.destroy();
});

test.each(["AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA256"])("%s is not negotiated", async (ciphers) => {
  expect(await shake({ ALPNProtocols: ["h2"], maxVersion: "TLSv1.2", ciphers })).toBe("ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE");
});

test("versions before TLS 1.2 are refused, whatever the cipher list permits", async () => {
  const ciphers = "DEFAULT@SECLEVEL=0";
  const lax = await tlsServer({ ...certificate, ciphers }, ["h2"], { ...refusing, accept: (socket) => socket.destroy() });
  const place = await listen(lax, { host: "127.0.0.1", port: 0 });
  try {
    const old = await shake({ port: place.port, ALPNProtocols: ["h2"], minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers });
    expect(old).toBe("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
  } finally {
    lax.close();
  }
});

test("our client offers h2, and verifies the certificate", async () => {
  const place = { host: "127.0.0.1", port };
  const trusting = await outcome(dialTls(place, { ca: certificate.cert }, ["h2"]));
  expect((trusting as TLSSocket).alpnProtocol).toBe("h2");
  (trusting as TLSSocket).destroy();
  expect(await outcome(dialTls(place, {}, ["h2"]))).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  const careless = await outcome(dialTls(place, { verify: false }, ["h2"]));
  expect((careless as TLSSocket).authorized).toBe(false);
  (careless as TLSSocket).destroy();
});

test("our client resets the connection under TLS, which the server sees", async () => {
  const seen = Promise.withResolvers<string | undefined>();
  const other = await tlsServer(certificate, ["h2"], {
    ...refusing,
    accept: (socket) => {
      socket.on("error", ({ code }: NodeJS.ErrnoException) => seen.resolve(code)).resume();
      socket.write("hello");
    },
  });
  const place = { host: "127.0.0.1", port: (await listen(other, { host: "127.0.0.1", port: 0 })).port };
  const socket = dialTls(place, { ca: certificate.cert }, ["h2"]);
  try {
    // Then the server has nothing left to write: a write, too, would be told of the reset, and the reader of an end only.
    await once(socket, "data");
    reset(socket);
    expect(await seen.promise).toBe("ECONNRESET");
    expect(socket.destroyed || (await once(socket, "close"))).toBeTruthy();
  } finally {
    other.close();
  }
});

test("a place where nobody listens, and a certificate without the address, fail with their own codes", async () => {
  expect(await outcome(dialTls({ host: "127.0.0.1", port: 1 }, {}, ["h2"]))).toBe("ECONNREFUSED");
  const elsewhere = dialTls({ host: "127.0.0.2", port }, { ca: certificate.cert }, ["h2"]);
  expect(["ERR_TLS_CERT_ALTNAME_INVALID", "ECONNREFUSED"]).toContain(await outcome(elsewhere));
});

test("servername: the certificate must have it", async () => {
  const place = { host: "127.0.0.1", port };
  const named = await outcome(dialTls(place, { ca: certificate.cert, servername: "localhost" }, ["h2"]));
  expect((named as TLSSocket).servername).toBe("localhost");
  (named as TLSSocket).destroy();
  expect(await outcome(dialTls(place, { ca: certificate.cert, servername: "example.org" }, ["h2"]))).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
});

test("a server without a certificate generates one, once a process", async () => {
  const other = await tlsServer({}, ["h2"], { ...refusing, accept: (socket) => socket.destroy() });
  await listen(other, { host: "127.0.0.1", port: 0 });
  try {
    const socket = await outcome(
      dialTls({ host: "localhost", port: (other.address() as AddressInfo).port }, { ca: certificate.cert }, ["h2"]),
    );
    expect((socket as TLSSocket).authorized).toBe(true);
    (socket as TLSSocket).destroy();
    expect(await selfSigned()).toBe(certificate);
  } finally {
    other.close();
  }
});

test("the first protocol of the server that the client offers is negotiated", async () => {
  const both = await tlsServer(certificate, ["h2", "http/1.1"], { ...refusing, accept: (socket) => socket.on("error", () => {}) });
  const place = await listen(both, { host: "127.0.0.1", port: 0 });
  const ask = (protocols: readonly string[]): Promise<TLSSocket | string> =>
    outcome(dialTls({ host: "127.0.0.1", port: place.port }, { ca: certificate.cert }, protocols));
  try {
    for (const [offered, chosen] of [
      [["http/1.1", "h2"], "h2"],
      [["http/1.1"], "http/1.1"],
    ] as const) {
      const socket = (await ask(offered)) as TLSSocket;
      expect(socket.alpnProtocol).toBe(chosen);
      socket.destroy();
    }
    expect(await ask(["spdy/3"])).toBe("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL");
  } finally {
    both.close();
  }
});
