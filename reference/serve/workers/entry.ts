import { pathToFileURL } from "node:url";
import type { Handler } from "../handler.ts";
import { serve } from "../server/serve.ts";
import { isWorker, Member } from "./member.ts";

/** The program of the workers of `serveInWorkers`. */

/** The handler that a module exports by default. Throws if there is none. */
async function handlerIn(url: string): Promise<Handler> {
  const { default: handler } = (await import(url)) as { readonly default?: unknown };
  if (typeof handler !== "function") throw new Error(`${url} has no default export that is a handler`);
  return handler as Handler;
}

if (isWorker() && import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const member = await Member.join();
  const { module = "", options, port, certificate } = member.settings;
  try {
    const handler = await handlerIn(module);
    const tls = certificate === undefined ? options?.tls : { ...(typeof options?.tls === "object" && options.tls), ...certificate };
    member.serving(await serve(member.counted(handler), { ...options, port, ...(tls !== undefined && { tls }) }));
  } catch (error) {
    member.failed((error as Error).message);
  }
}
