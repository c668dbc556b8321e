import { createServer as createHttp } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { configOf } from "./discovery/testing.ts";
import { HttpAccess } from "./http-access.ts";

/** Requests through a proxy of SOCKS 5 (RFC 1928, RFC 1929). */

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  closing.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

type Play = {
  readonly method?: number;
  readonly status?: number;
  readonly reply?: number;
  readonly version?: number;
  readonly cut?: boolean;
};
/** A proxy that leads every connection to `port`, and notes what it was asked in hexadecimal. Its answers come octet by octet. */
async function proxy(port: number, { method = 0, status = 0, reply = 0, version = 5, cut = false }: Play = {}) {
  const seen: string[] = [];
  const server = createServer((socket) => {
    let step = 0;
    const say = (...octets: number[]): void => {
      for (const octet of octets) socket.write(Uint8Array.of(octet));
    };
    socket.on("error", () => {});
    const take = (data: Buffer): void => {
      seen.push(data.toString("hex"));
      step += 1;
      if (cut) return void socket.end();
      if (step === 1) return say(version, method);
      if (step === 2 && method === 2) return say(1, status);
      socket.off("data", take);
      if (reply !== 0) return say(5, reply, 0, 1, 0, 0, 0, 0, 0, 0);
      const onward = connect(port, "127.0.0.1", () => {
        // The bound address as a name, and then the connection.
        say(5, 0, 0, 3, 2, 0x68, 0x69, 0, 80);
        onward.pipe(socket).pipe(onward);
      });
      onward.on("error", () => socket.destroy());
      return undefined;
    };
    socket.on("data", take);
  });
  return { at: await listening(server), seen };
}
async function target(): Promise<number> {
  const server = createHttp((request, response) => response.setHeader("connection", "close").end(`${request.headers.host}${request.url}`));
  return listening(server);
}
async function get(url: string, proxyUrl: string): Promise<string> {
  const access = new HttpAccess(configOf("http_sd_configs", `{url: "http://h", proxy_url: "${proxyUrl}"}`), {
    connectMs: 3_000,
    keepMs: 1_000,
  });
  try {
    const { status, body } = await access.send(url, { fields: [], signal: AbortSignal.timeout(10_000) });
    return `${status} ${Buffer.from(await body.bytes(1_000)).toString()}`;
  } finally {
    await access.close();
  }
}

describe("a proxy of SOCKS 5", () => {
  test("leads to a name that it looks up itself", async () => {
    const { at, seen } = await proxy(await target());
    expect(await get("http://target.example:9100/metrics?a", `socks5://127.0.0.1:${at}`)).toBe("200 target.example:9100/metrics?a");
    const name = Buffer.from("target.example");
    expect(seen).toEqual(["050100", `05010003${name.length.toString(16).padStart(2, "0")}${name.toString("hex")}238c`]);
  });

  test.each([
    ["http://127.0.0.1/", "05010001" + "7f000001" + "0050"],
    ["http://[2001:db8::1]:8080/", "05010004" + "20010db8000000000000000000000001" + "1f90"],
  ])("%s: an address is sent as one", async (url, request) => {
    const { at, seen } = await proxy(await target());
    await get(url, `socks5://127.0.0.1:${at}`);
    expect(seen[1]).toBe(request);
  });

  test("gets the name and the password of its URL", async () => {
    const { at, seen } = await proxy(await target(), { method: 2 });
    expect(await get("http://t/", `socks5://u:p%40@127.0.0.1:${at}`)).toBe("200 t/");
    expect(seen.slice(0, 2)).toEqual(["05020002", "0101750270" + "40"]);
  });

  test.each<[string, Play, RegExp]>([
    ["refuses the password", { method: 2, status: 1 }, /it refuses the name and the password$/],
    ["wants another way to log in", { method: 255 }, /it accepts none of our ways to log in$/],
    ["cannot reach the host", { reply: 4 }, /it refuses a connection to t:80: the host is unreachable$/],
    ["has a reply of its own", { reply: 99 }, /t:80: reply 99$/],
    ["speaks something else", { version: 4 }, /it does not speak SOCKS 5$/],
    ["hangs up", { cut: true }, /it ends the connection$/],
  ])("that %s is named", async (_, play, error) => {
    const { at } = await proxy(1, play);
    await expect(get("http://t/", `socks5://u:p@127.0.0.1:${at}`)).rejects.toThrow(error);
    await expect(get("http://t/", `socks5://u:p@127.0.0.1:${at}`)).rejects.toThrow(`the proxy 127.0.0.1:${at}: `);
  });
});
