// Static files on node:http, in clear text or with TLS; /echo returns the content of the request.
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { join, normalize } from "node:path";

const [port, root, cert, key] = process.argv.slice(2);
/** Files are read once: we measure the peer, not the disk. */
const files = new Map();
const contentOf = (path) => {
  if (!files.has(path)) {
    try {
      files.set(path, readFileSync(join(root, path)));
    } catch {
      return undefined;
    }
  }
  return files.get(path);
};
const handler = (request, response) => {
  // The module passes the target on unchanged: the application must parse absolute-form.
  const target = (request.url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
  const path = normalize(`/${target.split("?")[0]}`);
  if (path === "/echo") {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    request.pipe(response);
    return;
  }
  if (request.method === "POST") {
    request.resume();
    request.on("end", () => response.end());
    return;
  }
  const content = contentOf(path === "/" ? "/index.html" : path);
  if (content === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": "text/html", "content-length": content.length }).end(content);
};
const server =
  cert === undefined ? http.createServer(handler) : https.createServer({ cert: readFileSync(cert), key: readFileSync(key) }, handler);
server.listen(Number(port), "127.0.0.1");
