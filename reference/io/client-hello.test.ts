import { connect } from "node:tls";
import { Duplex } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { serverNameIn } from "./client-hello.ts";

/** The first octets of a client. */
function hello(servername?: string): Promise<Buffer> {
  return new Promise((resolve) => {
    const line = new Duplex({
      read: () => {},
      write: (octets: Buffer) => {
        resolve(octets);
        line.destroy();
      },
    });
    const socket = connect({ socket: line, rejectUnauthorized: false, ...(servername !== undefined && { servername }) });
    socket.on("error", () => {});
  });
}

/** The same message in records of `size` octets (rfc8446#5.1). */
function inRecords(octets: Buffer, size: number): Buffer {
  const message = octets.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const part = message.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(records);
}

test("the name of a ClientHello is found, however its records are cut", async () => {
  const octets = await hello("Secret.Example");
  const name = { is: "named", name: "secret.example" };
  expect(serverNameIn(octets)).toEqual(name);
  for (const size of [1, 3, 100]) expect(serverNameIn(inRecords(octets, size))).toEqual(name);
  for (let length = 0; length < octets.length; length++) expect(serverNameIn(octets.subarray(0, length))).toEqual({ is: "short" });
});

test("a ClientHello without a name has none", async () => {
  expect(serverNameIn(await hello())).toEqual({ is: "named", name: undefined });
});

test("anything else is invalid, and nothing throws", () => {
  expect(serverNameIn(Buffer.from("GET / HTTP/1.1\r\n"))).toEqual({ is: "invalid" });
  expect(serverNameIn(Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]))).toEqual({ is: "invalid" });
  expect(serverNameIn(Buffer.from([22, 3, 1, 0, 0]))).toEqual({ is: "invalid" });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
      const record = Buffer.concat([Buffer.from([22, 3, 1, 0, body.length + 4, 1, 0, 0, body.length]), body]);
      expect(["named", "invalid"]).toContain(serverNameIn(record).is);
    }),
  );
});
