// Gets one https URL with undici over HTTP/2; exits with status 0 if the response is complete.
import { createRequire } from "node:module";

if (process.argv[2] === "--version") {
  console.log(createRequire(import.meta.url)("undici/package.json").version);
} else {
  const { Agent, request } = await import("undici");
  const agent = new Agent({ allowH2: true, connect: { rejectUnauthorized: false }, headersTimeout: 10_000, bodyTimeout: 10_000 });
  try {
    const response = await request(process.argv[2], { dispatcher: agent });
    await response.body.bytes();
    await agent.close();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
    // Exit after Node has written its last frames to the server.
    setTimeout(() => agent.destroy(), 200);
  }
}
