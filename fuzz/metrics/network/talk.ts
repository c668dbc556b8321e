import { request as requestClear } from "node:http";
import { request as requestTls } from "node:https";
import { securedFor } from "../../lib/network.ts";

/** What a peer did: it answered, or not in time, or could not be reached or ended the connection. */
export type Seen = { readonly is: "answered"; readonly status: number; readonly body: string } | { readonly is: "silent" | "closed" };

/** Stop reading an answer after this many octets. */
const MOST_OCTETS = 16 << 20;

type Request = { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly content?: Uint8Array };

/** One request on a connection of its own. */
export function ask(base: URL, path: string, limitMs: number, { method = "GET", headers = {}, content }: Request = {}): Promise<Seen> {
  const url = new URL(path, base.href.endsWith("/") ? base : `${base.href}/`);
  return new Promise((resolve) => {
    const secured = base.protocol === "https:" ? securedFor(base) : {};
    const sent = (base.protocol === "https:" ? requestTls : requestClear)(url, { method, headers, agent: false, ...secured });
    const done = (seen: Seen): void => {
      clearTimeout(timer);
      resolve(seen);
      sent.destroy();
    };
    const timer = setTimeout(() => done({ is: "silent" }), limitMs);
    sent.on("error", () => done({ is: "closed" }));
    sent.on("response", (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        body += text;
        if (body.length > MOST_OCTETS) done({ is: "silent" });
      });
      response.on("end", () => done({ is: "answered", status: response.statusCode ?? 0, body }));
      response.on("error", () => done({ is: "closed" }));
    });
    sent.end(content);
  });
}
