import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";

/** Stands before the API of our router, and answers in its own wrong way. */

export type Asked = { readonly method: string; readonly path: string; readonly text: string; readonly type: string };
export type Answer = { readonly status: number; readonly json: unknown };
export type Fronting = (asked: Asked, forward: (asked: Asked) => Promise<Answer>, nth: number) => Promise<Answer>;

/** A server in front of a router: `how` changes requests and answers on their way. */
export function frontOf(how: Fronting, behind: string): Server {
  const counts = new Map<string, number>();
  return createServer((request, response) => {
    void (async () => {
      const content = await text(request);
      const { url: path = "", method = "", headers } = request;
      const nth = (counts.get(path) ?? 0) + 1;
      counts.set(path, nth);
      const asked = { method, path, text: content, type: headers["content-type"] ?? "" };
      const { status, json } = await how(asked, (one) => forwarded(one, behind), nth);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    })().catch(() => response.destroy());
  });
}

async function forwarded({ method, path, text, type }: Asked, behind: string): Promise<Answer> {
  const response = await fetch(new URL(path, behind), {
    method,
    headers: text === "" ? {} : { "content-type": type },
    ...(text !== "" && { body: text }),
  });
  const content = await response.text();
  try {
    return { status: response.status, json: JSON.parse(content) };
  } catch {
    return { status: response.status, json: content };
  }
}
