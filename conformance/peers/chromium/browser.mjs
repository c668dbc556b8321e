// One Chromium for many clients: each writes an address on a line, and reads how its WebSocket ended. Exits after 15 s without a client.
import { rmSync } from "node:fs";
import { createServer, connect } from "node:net";
import { chromium } from "playwright-core";

const [path] = process.argv.slice(2);
const IDLE_MS = 15_000;

/** Whether another helper already listens. */
const isTaken = await new Promise((resolve) => {
  const socket = connect(path, () => (socket.destroy(), resolve(true)));
  socket.once("error", () => resolve(false));
});
if (isTaken) process.exit();
rmSync(path, { force: true });

let idle;
let clients = 0;
const server = createServer((socket) => void serve(socket));
// Two helpers may start at once: the second finds the path taken, and exits.
server.on("error", () => process.exit());
await new Promise((resolve) => server.listen(path, resolve));
const browser = chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--ignore-certificate-errors"] });
const opening = browser.then((one) => one.newPage());
opening.catch(() => process.exit(1));
rest();

function rest() {
  clearTimeout(idle);
  idle = setTimeout(async () => {
    await (await browser).close();
    rmSync(path, { force: true });
    process.exit();
  }, IDLE_MS);
}

async function serve(socket) {
  const id = (clients += 1);
  clearTimeout(idle);
  socket.on("error", () => {});
  const url = await new Promise((resolve) => socket.once("data", (octets) => resolve(octets.toString().trim())));
  const page = await opening;
  // When a client is killed, its WebSocket is closed.
  socket.once("close", () => void page.evaluate((one) => globalThis.sockets?.get(one)?.close(), id).catch(() => {}));
  const ending = await page.evaluate(opened, { id, url }).catch(({ message }) => message);
  socket.end(`${ending}\n`);
  rest();
}

/** Runs in the page. */
function opened({ id, url }) {
  const sockets = (globalThis.sockets ??= new Map());
  const protocols = new URL(url).searchParams.get("protocols")?.split(",") ?? [];
  return new Promise((resolve) => {
    const one = new WebSocket(url, protocols);
    sockets.set(id, one);
    one.binaryType = "arraybuffer";
    one.addEventListener("message", ({ data }) => one.send(data));
    one.addEventListener("close", ({ wasClean, code }) => {
      sockets.delete(id);
      resolve(wasClean ? "clean" : `the connection ended with ${code}`);
    });
  });
}
