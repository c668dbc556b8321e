// An echo client: it sends back every message of the server, compressed if negotiated. Exits with status 0 after a clean close.
import { WebSocket } from "ws";

const [url] = process.argv.slice(2);
const protocols = new URL(url).searchParams.get("protocols")?.split(",") ?? [];
const socket = new WebSocket(url, protocols, {
  maxPayload: 16 << 20,
  perMessageDeflate: { threshold: 0, clientMaxWindowBits: true },
  rejectUnauthorized: false,
});
let failed = false;
socket.on("message", (content, binary) => socket.send(content, { binary }));
socket.on("error", ({ message }) => {
  failed = true;
  console.error(message);
});
socket.on("close", (code) => {
  process.exitCode = failed || code === 1006 ? 1 : 0;
});
