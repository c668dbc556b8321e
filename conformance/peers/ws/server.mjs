// An echo server that compresses messages of any size. It selects the first offered sub-protocol among chat, echo and superchat.
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { WebSocketServer } from "ws";

const [port, cert, key] = process.argv.slice(2);
/** Answers plain requests with 426 (Upgrade Required), as the package's own server does. */
const refuse = (_, response) => response.writeHead(426, { "content-length": 0 }).end();
const server =
  cert === undefined ? http.createServer(refuse) : https.createServer({ cert: readFileSync(cert), key: readFileSync(key) }, refuse);
const known = ["chat", "echo", "superchat"];
const endpoint = new WebSocketServer({
  server,
  maxPayload: 16 << 20,
  perMessageDeflate: { threshold: 0 },
  handleProtocols: (offered) => [...offered].find((name) => known.includes(name)) ?? false,
});
endpoint.on("connection", (socket) => {
  socket.on("error", () => {});
  socket.on("message", (content, binary) => socket.send(content, { binary }));
});
server.listen(Number(port), "127.0.0.1");
