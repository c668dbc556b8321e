// Gets URLs one after another with undici over one agent, and prints their contents; exits with status 0 if all responses are complete.
import { parseArgs } from "node:util";
import { Agent, request } from "undici";

const { values, positionals } = parseArgs({ options: { head: { type: "boolean" }, post: { type: "string" } }, allowPositionals: true });
const method = values.head === true ? "HEAD" : values.post === undefined ? "GET" : "POST";
const content = values.post === undefined ? {} : { body: values.post, headers: { "content-type": "text/plain" } };
const dispatcher = new Agent({
  allowH2: false,
  connections: 1,
  connect: { rejectUnauthorized: false },
  headersTimeout: 10_000,
  bodyTimeout: 10_000,
});
try {
  for (const url of positionals) {
    const response = await request(url, { dispatcher, method, ...content });
    process.stdout.write(await response.body.bytes());
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
await dispatcher.destroy();
