// An echo client in a browser page. All clients share one browser, which the first one starts (browser.mjs).
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

const [url, path] = process.argv.slice(2);
const HELPER = fileURLToPath(new URL("browser.mjs", import.meta.url));
const ATTEMPTS = 200;
const AGAIN_MS = 50;

/** Connects to the helper, and starts it if none listens. */
async function helper() {
  for (let left = ATTEMPTS; left > 0; left--) {
    const socket = await new Promise((resolve) => {
      const attempt = connect(path, () => resolve(attempt));
      attempt.once("error", () => resolve(undefined));
    });
    if (socket !== undefined) return socket;
    if (left === ATTEMPTS) spawn(process.execPath, [HELPER, path], { detached: true, stdio: "ignore" }).unref();
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  throw new Error("the browser did not start");
}

const socket = await helper();
socket.write(`${url}\n`);
let answer = "";
for await (const octets of socket) answer += octets;
if (answer.trim() !== "clean") {
  console.error(answer.trim() || "the browser is gone");
  process.exitCode = 1;
}
