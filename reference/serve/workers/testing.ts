import type { Handler } from "../handler.ts";

/** The module that the tests serve in workers: it says which process answers, waits, or ends its process. */
const handler: Handler = async ({ path }) => {
  if (path === "/end") process.exit(7);
  if (path === "/slow") await new Promise((resolve) => setTimeout(resolve, 300));
  return { status: 200, fields: [["content-type", "text/plain"]], body: String(process.pid) };
};

export default handler;
