// Static files on node:http2's stream API, in clear text or with TLS.
import { readFileSync } from "node:fs";
import http2 from "node:http2";
import { join, normalize } from "node:path";

const [port, root, cert, key] = process.argv.slice(2);
const server = cert === undefined ? http2.createServer() : http2.createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) });
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
/** Responds, and ignores the error that respond() throws on a stream that the client has reset. */
const answer = (stream, headers, content) => {
  try {
    stream.respond(headers);
    stream.end(content);
  } catch (error) {
    if (error.code !== "ERR_HTTP2_INVALID_STREAM") throw error;
  }
};
server.on("stream", (stream, headers) => {
  stream.on("error", () => stream.destroy());
  // The stream API leaves 100 (Continue) to the application; the compatibility API sends it.
  if (headers.expect === "100-continue") stream.additionalHeaders({ ":status": 100 });
  // It opens no tunnels: 2xx would promise one.
  if (headers[":method"] === "CONNECT") return answer(stream, { ":status": 501 });
  if (headers[":method"] === "POST") {
    stream.resume();
    stream.on("end", () => answer(stream, { ":status": 200 }));
    return;
  }
  const path = normalize(`/${(headers[":path"] ?? "/").split("?")[0]}`);
  const content = contentOf(path === "/" ? "/index.html" : path);
  if (content === undefined) answer(stream, { ":status": 404 });
  else
    answer(
      stream,
      { ":status": 200, "content-type": "text/html", "content-length": String(content.length) },
      headers[":method"] === "HEAD" ? undefined : content,
    );
});
server.on("sessionError", (_, session) => session?.destroy());
server.listen(Number(port), "127.0.0.1");
