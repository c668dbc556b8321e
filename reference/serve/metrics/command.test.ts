import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const BIN = fileURLToPath(new URL("../../../bin.js", import.meta.url));
/** Writes the URL of each loaded module to standard error at the end, so that a pipe that is full for a moment fails no load. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  process.on("exit", () => console.error(loaded.join("\\n")));
`)}`;

function run(node: readonly string[], ...args: string[]): Promise<{ readonly status: number | null; readonly errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...node, BIN, "serve", "metrics", ...args], { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.on("data", (text) => (errors += String(text)));
    child.on("error", reject).on("close", (status) => resolve({ status, errors }));
  });
}

test.each([
  [["--key", "/nowhere"], "touchstone serve metrics: --cert and --key go together: give both."],
  [["--cert", "/nowhere", "--key", "/nowhere"], "touchstone serve metrics: /nowhere cannot be read (ENOENT): give a file in PEM"],
  [["--port", "70000"], "Give a whole number from 0 to 65535."],
  [["--query.max-samples", "0"], "Give a whole number from 1 to 10000000000."],
  [["--fault", "bad-chunk"], "touchstone serve metrics: it has no option --fault"],
])("serve metrics %j: exits with status 2 and says why", async (args, why) => {
  const { status, errors } = await run([], ...args);
  expect(errors).toContain(why);
  expect(status).toBe(2);
});

test("serve metrics --help: loads neither other servers nor its own server", async () => {
  const { status, errors } = await run(["--import", WATCH], "--help");
  expect(status).toBe(0);
  expect(errors).toContain("/reference/serve/metrics/command.ts");
  expect(errors).not.toMatch(/\/reference\/websocket\/|\/reference\/metrics\/promql\/|\/run\.ts/);
});
