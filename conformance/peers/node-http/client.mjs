// Gets URLs one after another with node:http over one agent, and prints their contents; exits with status 0 if all responses are complete.
import http from "node:http";
import https from "node:https";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({ options: { head: { type: "boolean" }, post: { type: "string" } }, allowPositionals: true });
const method = values.head === true ? "HEAD" : values.post === undefined ? "GET" : "POST";
const agents = { "http:": new http.Agent({ keepAlive: true }), "https:": new https.Agent({ keepAlive: true, rejectUnauthorized: false }) };

const ask = (text) =>
  new Promise((resolve, reject) => {
    const url = new URL(text);
    const { request } = url.protocol === "https:" ? https : http;
    const headers = values.post === undefined ? {} : { "content-type": "text/plain", "content-length": values.post.length };
    const asked = request(url, { method, headers, agent: agents[url.protocol], timeout: 10_000 }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => (response.complete ? resolve(Buffer.concat(parts)) : reject(new Error("the response was cut off"))));
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.on("timeout", () => asked.destroy(new Error("timed out")));
    asked.on("upgrade", (_, socket) => {
      socket.destroy();
      reject(new Error("the protocol was switched unasked"));
    });
    asked.end(values.post);
  });

try {
  for (const url of positionals) {
    process.stdout.write(await ask(url));
    // Returns the connection to the agent.
    await new Promise((resolve) => setImmediate(resolve));
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
for (const agent of Object.values(agents)) agent.destroy();
