import { once } from "node:events";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import type { RpcServeOptions } from "./options.ts";
import { implement, serveRpc } from "./server.ts";
import { ECHO, ECHOES } from "./testing.ts";

/** The version that a client gets that offers one of them; undefined if the handshake fails. */
async function agreed(port: number, offered: string): Promise<string | false | undefined | null> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: [offered] });
  try {
    await once(socket, "secureConnect");
    return socket.alpnProtocol;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

test.each<[dialect: RpcServeOptions["dialect"], versions: readonly (string | undefined)[]]>([
  [undefined, ["h2", undefined]],
  ["grpc", ["h2", undefined]],
  [
    ["rpc", "grpc"],
    ["h2", undefined],
  ],
  ["connect", ["h2", "http/1.1"]],
  [
    ["rpc", "grpc-web"],
    ["h2", "http/1.1"],
  ],
])("over TLS a server of the dialect %j agrees to %j", async (dialect, versions) => {
  await using server = await serveRpc([implement(ECHO, ECHOES)], { tls: true, graceMs: 100, ...(dialect !== undefined && { dialect }) });
  expect([await agreed(server.port, "h2"), await agreed(server.port, "http/1.1")]).toEqual(versions);
});
