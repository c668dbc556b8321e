// An echo client on the WebSocket of Node or of undici: it sends back every message of the server. Exits with status 0 after a clean close.
const [url, own] = process.argv.slice(2);
const { WebSocket } = own === "undici" ? await import("undici") : globalThis;
const protocols = new URL(url).searchParams.get("protocols")?.split(",") ?? [];
const socket = new WebSocket(url, protocols);
socket.binaryType = "arraybuffer";
socket.addEventListener("message", ({ data }) => socket.send(data));
socket.addEventListener("error", ({ message }) => console.error(message ?? "the connection failed"));
socket.addEventListener("close", ({ wasClean }) => {
  process.exitCode = wasClean ? 0 : 1;
});
