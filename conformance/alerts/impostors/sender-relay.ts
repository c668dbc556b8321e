import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { portOf } from "../../peers/index.ts";
import type { Settings } from "./settings.ts";

/** Stands between our sender and one router, and sends alerts on in its own wrong way. */

export type Sending = {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly alerts: readonly Settings[];
};
/** What all relays of one sender know. */
export type Shared = { hasFailed: boolean; readonly seen: Map<string, string> };
export type SenderRelaying = {
  readonly changed?: (sending: Sending, shared: Shared) => Sending;
  /** The content, if it is not the list of alerts. */
  readonly content?: (alerts: readonly Settings[]) => unknown;
  /** Follows redirects with all that it was given. */
  readonly isLeaking?: true;
  /** Sends nothing any more after a request that failed anywhere. */
  readonly isBrittle?: true;
};

/** A router that does not answer in this time has failed. */
const ENOUGH_MS = 200;

/** Starts a relay to a router (host and port). */
export async function startSenderRelay(
  how: SenderRelaying,
  target: string,
  shared: Shared,
): Promise<{ readonly address: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    void (async () => {
      const content = await text(request);
      if (how.isBrittle === true && shared.hasFailed) return void response.writeHead(200).end();
      const alerts = JSON.parse(content) as readonly Settings[];
      const { authorization, ...others } = request.headers;
      const own = Object.entries(others).filter(([name]) => name.startsWith("x-") || name === "content-type");
      const fields = {
        ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
        ...(authorization !== undefined && { authorization }),
      };
      const given: Sending = { method: "POST", path: request.url ?? "", fields, alerts };
      const sending = how.changed?.(given, shared) ?? given;
      const body = JSON.stringify(how.content?.(sending.alerts) ?? sending.alerts);
      const ask = (url: string): Promise<Response> =>
        fetch(url, {
          method: sending.method,
          headers: sending.fields,
          body,
          redirect: "manual",
          ...(how.isBrittle === true && { signal: AbortSignal.timeout(ENOUGH_MS) }),
        });
      let answer = await ask(`http://${target}${sending.path}`);
      const to = answer.headers.get("location");
      if (how.isLeaking === true && to !== null) answer = await ask(to);
      await answer.arrayBuffer();
      if (answer.status >= 400) shared.hasFailed = true;
      return void response.writeHead(answer.status, to === null ? {} : { location: to }).end();
    })().catch(() => {
      shared.hasFailed = true;
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { address: `127.0.0.1:${portOf(server)}`, server };
}
