import { once } from "node:events";
import { connect as dial, createServer, type AddressInfo, type Server } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { selfSigned } from "../../io/index.ts";
import { connect } from "../http2/index.ts";
import { Http2ClientConnection } from "../http2/client.ts";
import { ConnectFailed } from "../errors.ts";
import { serve } from "../server/serve.ts";

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});
async function listening(server: Server): Promise<number> {
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** `AES128-GCM-SHA256` has no ephemeral key exchange: appendix A of rfc9113 forbids it. */
const FORBIDDEN = "AES128-GCM-SHA256";
const INADEQUATE_SECURITY = 0xc;

test("a server that selects a forbidden cipher suite: gets INADEQUATE_SECURITY, and connect fails with advice (rfc9113#9.2.2)", async () => {
  const certificate = await selfSigned();
  const heard = Promise.withResolvers<Buffer>();
  const server = createTlsServer(
    { ...certificate, ciphers: FORBIDDEN, maxVersion: "TLSv1.2", ALPNProtocols: ["h2"] },
    (socket: TLSSocket) => {
      const pieces: Buffer[] = [];
      socket.on("data", (piece: Buffer) => pieces.push(piece)).on("error", () => {});
      socket.on("close", () => heard.resolve(Buffer.concat(pieces)));
    },
  );
  const port = await listening(server);
  const error: unknown = await connect(`https://127.0.0.1:${port}/`, { tls: { verify: false, ciphers: FORBIDDEN } }).catch(
    (why: unknown) => why,
  );
  expect(error).toBeInstanceOf(ConnectFailed);
  expect((error as ConnectFailed).reason).toBe("tls");
  expect((error as ConnectFailed).message).toContain(`chose ${FORBIDDEN}, which HTTP/2 forbids (rfc9113#9.2.2)`);
  const octets = await heard.promise;
  // The last frame is GOAWAY, with 8 octets; the last four are the code.
  expect(octets.subarray(-17, -13)).toEqual(Buffer.from([0, 0, 8, 7]));
  expect(octets.readUInt32BE(octets.length - 4)).toBe(INADEQUATE_SECURITY);
});

test("a silent server: the client sends nothing, and continues", async () => {
  await using server = await serve(() => ({ status: 200, body: "still here" }), { graceMs: 0 });
  const { port } = server;
  const heard: Buffer[] = [];
  // Stands between the two and records the client's octets.
  const wire = createServer((near) => {
    const far = dial(port, "127.0.0.1");
    near.on("data", (piece: Buffer) => heard.push(piece)).on("error", () => {});
    far.on("error", () => {});
    near.pipe(far).pipe(near);
  });
  const socket = dial(await listening(wire), "127.0.0.1");
  await once(socket, "connect");
  const connection = new Http2ClientConnection({
    socket,
    origin: { scheme: "http", authority: `127.0.0.1:${port}` },
    machine: {},
    stewardship: {},
    drive: { idleMs: 20 },
  });
  await connection.ready;
  /** The number of recorded octets at each call of `silent`. */
  const said: number[] = [];
  const thrice = Promise.withResolvers<void>();
  const silent = connection.silent.bind(connection);
  connection.silent = () => {
    silent();
    if (said.push(Buffer.concat(heard).length) === 3) thrice.resolve();
  };
  await thrice.promise;
  expect(said[2]).toBe(said[1]);
  expect(connection.accepting).toBe(true);
  const response = await connection.request({});
  expect(await response.body.text()).toBe("still here");
  await connection.close(0);
});
