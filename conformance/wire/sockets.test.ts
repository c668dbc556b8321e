import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { survivingWrites } from "./sockets.ts";

/** What a reader receives from a peer that sends its last octets and resets the connection, if the reader's next write is the first to notice. */
async function lastWords(prepare: (socket: Socket) => Socket): Promise<string> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = prepare(connect((server.address() as AddressInfo).port, "127.0.0.1"));
  let heard = "";
  socket.on("error", () => {}).on("data", (chunk: Buffer) => (heard += chunk.toString()));
  const [[peer]] = (await Promise.all([once(server, "connection"), once(socket, "connect")])) as unknown as [[Socket]];
  const over = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  // All in one turn: nothing is read in between.
  peer.write("GOAWAY");
  peer.resetAndDestroy();
  socket.write("PING");
  socket.write("PING");
  await over;
  server.close();
  return heard;
}

test("survivingWrites(): the last octets of the peer arrive although our write fails", async () => {
  expect(await lastWords(survivingWrites)).toBe("GOAWAY");
});

test("without survivingWrites(), they are lost", async () => {
  expect(await lastWords((socket) => socket)).toBe("");
});
