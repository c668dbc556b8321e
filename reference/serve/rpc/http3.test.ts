import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CallFailed, type Implementation, Status } from "../../rpc/index.ts";
import { openChannel } from "./client.ts";
import { reachTarget } from "./cli/target.ts";
import { runInteropCase } from "./interop-cases.ts";
import type { ChannelOptions } from "./options.ts";
import { implement, serveRpc } from "./server.ts";
import { ECHO, ECHOES, failure } from "./testing.ts";

/** Calls over HTTP/3, which has no other rules for them than HTTP/2. The servers speak nothing else unless a test says so. */

const BIN = fileURLToPath(new URL("../../../bin.js", import.meta.url));

async function pair(
  implementation: Partial<Implementation<typeof ECHO>> = {},
  mine: ChannelOptions = {},
  alpn: readonly ("h2" | "h3")[] = ["h3"],
) {
  const server = await serveRpc([implement(ECHO, { ...ECHOES, ...implementation })], {
    tls: true,
    alpn,
    graceMs: 200,
  });
  const channel = openChannel(server.url, { alpn: ["h3"], tls: { ca: server.certificate! }, graceMs: 200, ...mine });
  return {
    server,
    echo: channel.client(ECHO),
    [Symbol.asyncDispose]: async () => {
      await channel.close();
      await server.close();
    },
  };
}
async function* of(...texts: string[]) {
  for (const text of texts) {
    await Promise.resolve();
    yield text;
  }
}

test("the four kinds of calls", async () => {
  await using at = await pair();
  expect(await at.echo.one("hello")).toBe("HELLO");
  expect(await at.echo.gather(of("a", "b"))).toBe("a+b");
  expect(await Array.fromAsync(at.echo.spread("x,y"))).toEqual(["x", "y"]);
  expect(await Array.fromAsync(at.echo.chat(of("a", "b")))).toEqual(["a!", "b!"]);
});

test("the same server is called over HTTP/2, and by a channel that tries both", async () => {
  for (const alpn of [["h2"], ["h3", "h2"]] as const) {
    await using at = await pair({}, { alpn }, ["h3", "h2"]);
    expect(await at.echo.one("hello")).toBe("HELLO");
  }
});

test("a failure has its status and details, a deadline ends the call, and an abort reaches the handler", async () => {
  const left = Promise.withResolvers<void>();
  await using at = await pair({
    one: (text, call) => {
      if (text === "fail") throw new CallFailed(Status.NOT_FOUND, "gone", { details: Buffer.from("abc") });
      return new Promise((resolve) => {
        call.signal.addEventListener("abort", () => (left.resolve(), resolve("late")));
      });
    },
  });
  expect(await failure(at.echo.one("fail"))).toMatchObject({ status: Status.NOT_FOUND, message: "gone" });
  expect(await failure(at.echo.one("wait", { timeoutMs: 50 }))).toMatchObject({ status: Status.DEADLINE_EXCEEDED });
  await left.promise;
});

test("clear text is refused: HTTP/3 has none", async () => {
  const channel = openChannel("http://127.0.0.1:1/", { alpn: ["h3"] });
  expect((await failure(channel.client(ECHO).one("hello"))).message).toContain("HTTP/3 has no clear text");
  await channel.close();
});

test("serve rpc --tls --http3 answers the interoperability calls over HTTP/3, and rpc call --http3 reaches it", async () => {
  const child = spawn(process.execPath, [BIN, "serve", "rpc", "--dialect", "grpc", "--tls", "--http3", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { url } = JSON.parse(line) as { readonly url: string };
    const open = () => openChannel(url, { dialect: "grpc", alpn: ["h3"], tls: { verify: false }, graceMs: 100 });
    for (const name of ["large_unary", "ping_pong", "custom_metadata", "cancel_after_first_response", "status_code_and_message"] as const)
      await runInteropCase(name, open);
    const { dialect, channel } = await reachTarget(url, { proto: [], protoPath: [], header: [], http3: true, insecure: true });
    expect(dialect).toBe("grpc");
    await channel.close();
  } finally {
    child.kill("SIGTERM");
    await once(child, "close");
  }
});

test.each([
  [["serve", "rpc", "--http3"], "--http3 needs --tls"],
  [["rpc", "list", "http://127.0.0.1:1/", "--http3"], "--http3 needs an https: URL"],
])("%j: exits with an error and says why", async (args, why) => {
  const child = spawn(process.execPath, [BIN, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (text) => (errors += String(text)));
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBeGreaterThan(0);
  expect(errors).toContain(why);
});
