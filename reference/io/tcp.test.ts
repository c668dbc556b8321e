import { describe, expect, test } from "vitest";
import { clearServer, fromUrl, inUrl, listen } from "./tcp.ts";

describe("listen", () => {
  test("port 0: any free port", async () => {
    const server = clearServer(() => {});
    const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
    expect(port).toBeGreaterThan(0);
    server.close();
  });
  test("a port in use: refused with advice", async () => {
    const first = clearServer(() => {});
    const { port } = await listen(first, { host: "127.0.0.1", port: 0 });
    await expect(
      listen(
        clearServer(() => {}),
        { host: "127.0.0.1", port },
      ),
    ).rejects.toThrow(`port ${port} of 127.0.0.1 is in use: choose another, or 0 for any free one`);
    first.close();
  });
  test("an address of another machine: refused with advice", async () => {
    await expect(
      listen(
        clearServer(() => {}),
        { host: "192.0.2.1", port: 0 },
      ),
    ).rejects.toThrow("192.0.2.1 is not an address of this machine");
  });
});

test("addresses in URLs", () => {
  expect([inUrl("::1"), inUrl("127.0.0.1"), inUrl("localhost")]).toEqual(["[::1]", "127.0.0.1", "localhost"]);
  expect([fromUrl("[::1]"), fromUrl("localhost")]).toEqual(["::1", "localhost"]);
});
