import { constants } from "node:crypto";
import { createSecureServer, type SecureServerOptions } from "node:http2";
import type { AddressInfo } from "node:net";
import { createServer, type TlsOptions } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import { makeCertificate } from "../../../reference/io/index.ts";
import { build } from "../../wire/http2/build.ts";
import type { FrameSpec } from "../../wire/http2/frame-spec.ts";
import type { TlsOffer } from "../vocabulary.ts";
import type { ObservedTls } from "./log.ts";
import { Http2Stage } from "./stage.ts";
import { offerTls } from "./tls.ts";

let pem: { key: string; cert: string };
beforeAll(async () => {
  pem = await makeCertificate({ name: "localhost", key: "rsa" });
});

type Listener = { listen(port: number, host: string, done: () => void): unknown; address(): unknown; close(): unknown };
const offered = async (server: Listener, offer: TlsOffer): Promise<ObservedTls> => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const target = {
    scheme: "https",
    host: "127.0.0.1",
    port,
    authority: `127.0.0.1:${port}`,
    path: "/",
    verify: false,
    fields: [],
  } as const;
  try {
    return (await offerTls(offer, new Http2Stage("server", target, { timeout: 1000 }))).outcome;
  } finally {
    server.close();
  }
};
const http2 = (options: SecureServerOptions = {}): Listener =>
  createSecureServer({ ...pem, ...options }, (_, response) => response.end("x")).on("tlsClientError", () => {});
const plain = (options: TlsOptions = {}): Listener =>
  createServer({ ...pem, ...options }, (socket) => socket.on("error", () => {})).on("tlsClientError", () => {});

describe("offerTls()", () => {
  test("answered: h2 was selected, and a request was answered", async () => {
    expect(await offered(http2(), {})).toBe("answered");
    expect(await offered(http2(), { version: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-GCM-SHA256", curve: "P-256" })).toBe("answered");
  });

  test("refused: no version, or no suite, in common", async () => {
    expect(await offered(http2({ minVersion: "TLSv1.2" }), { version: "TLSv1.1" })).toBe("refused");
    expect(await offered(http2({ ciphers: "ECDHE-RSA-AES128-GCM-SHA256" }), { version: "TLSv1.2", ciphers: "AES128-SHA" })).toBe("refused");
  });

  test("answered over TLS 1.1 by a server that allows it: our library offers it", async () => {
    expect(await offered(http2({ minVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" }), { version: "TLSv1.1" })).toBe("answered");
  });

  test("ended: a renegotiation that the server's library does not allow, while the response goes on", async () => {
    const frames = (...specs: readonly FrameSpec[]): Buffer =>
      Buffer.concat(specs.map((spec) => build(spec, { stream: Number, text: (value) => value })));
    const server = createServer({ ...pem, ALPNProtocols: ["h2"], secureOptions: constants.SSL_OP_NO_RENEGOTIATION }, (socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.write(frames({ type: "SETTINGS" }, { type: "HEADERS", stream: 1, flags: ["END_HEADERS"], fields: [[":status", "200"]] }));
        socket.write(frames({ type: "DATA", stream: 1, data: "x" }));
      });
    });
    expect(await offered(server, { version: "TLSv1.2", renegotiate: true })).toBe("ended");
  });

  test("other protocol: h2 was not selected", async () => {
    expect(await offered(plain({ ALPNProtocols: ["http/1.1"] }), {})).toBe("other protocol");
  });

  test("silent: h2 was selected, and then nothing came", async () => {
    expect(await offered(plain({ ALPNProtocols: ["h2"] }), {})).toBe("silent");
  });
});
