import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "../../peers/index.ts";

/** Stands between our router and the ends of the cases, and passes notifications on in its own wrong way. */

export type Notification = {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: unknown;
};
export type Relaying = {
  /** What becomes of a notification; `ends` are the paths of all ends of its case. */
  readonly changed?: (one: Notification, ends: readonly string[]) => readonly Notification[];
  /** The status that the router gets. */
  readonly status?: (real: number) => number;
  /** Sends again what was answered so. */
  readonly again?: (status: number) => boolean;
  /** One at a time, and none after one that failed. */
  readonly isSerial?: true;
};

/** Starts a relay to the address of the ends (host and port). */
export async function startRelay(
  how: Relaying,
  target: string,
  paths: readonly string[],
): Promise<{ readonly address: string; readonly server: Server }> {
  const queues = new Map<string, Promise<number>>();
  const server = createServer((request, response) => {
    void (async () => {
      const content = await text(request);
      const path = request.url ?? "";
      const { "content-type": type = "", authorization } = request.headers;
      const fields = { "content-type": type, ...(authorization !== undefined && { authorization }) };
      const one: Notification = { method: "POST", path, fields, body: JSON.parse(content) };
      const caseName = path.split("/")[1] ?? "";
      const all = how.changed?.(
        one,
        paths.filter((end) => end.startsWith(`/${caseName}/`)),
      ) ?? [one];
      const send = async (): Promise<number> => {
        const statuses = await Promise.all(all.map((each) => sent(each, target)));
        const [status = 200] = statuses;
        if (how.again?.(status) === true) await sent(all[0]!, target);
        return status;
      };
      const before = queues.get(caseName) ?? Promise.resolve(200);
      const sending = how.isSerial === true ? before.then((status) => (status < 400 ? send() : status)) : send();
      if (how.isSerial === true) queues.set(caseName, sending);
      const status = await sending;
      response.writeHead(how.status?.(status) ?? status).end();
    })().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { address: `127.0.0.1:${portOf(server)}`, server };
}

async function sent({ method, path, fields, body }: Notification, target: string): Promise<number> {
  const response = await fetch(`http://${target}${path}`, { method, headers: fields, body: JSON.stringify(body), redirect: "manual" });
  await response.arrayBuffer();
  return response.status;
}
