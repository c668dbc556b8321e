import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openChannel } from "./client.ts";
import { Health, HEALTH } from "./health.ts";
import { runInteropCase } from "./interop-cases.ts";

const BIN = fileURLToPath(new URL("../../../bin.js", import.meta.url));

test("serve rpc: announces itself, serves its services in the dialect, and stops at SIGTERM", async () => {
  const child = spawn(process.execPath, [BIN, "serve", "rpc", "--dialect", "grpc", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url, dialect } = JSON.parse(line) as { readonly url: string; readonly dialect: string };
  expect(dialect).toBe("grpc");
  const open = () => openChannel(url, { dialect: "grpc", graceMs: 100 });
  await runInteropCase("ping_pong", open);
  await runInteropCase("orca_oob", open);
  await using channel = open();
  const { check } = channel.client(HEALTH) as Record<string, (request: object) => Promise<unknown>>;
  expect(await check!({ service: "touchstone.echo.v1.Echo" })).toMatchObject({ status: Health.SERVING });
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([0, null]);
});

test.each([
  [["--encoding", "br"], 'touchstone serve rpc: the encoding "br" is not known: use gzip, deflate, zstd'],
  [["--dialect", "soap"], '"soap" is no dialect: use rpc, grpc, grpc-web, connect.'],
  [["--fault", "nothing"], "nothing"],
])("serve rpc %j: exits with status 2 and says why", async (args, why) => {
  const child = spawn(process.execPath, [BIN, "serve", "rpc", ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (text) => (errors += String(text)));
  expect(await once(child, "close")).toEqual([2, null]);
  expect(errors).toContain(why);
});
