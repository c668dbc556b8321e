import { createHash, randomFillSync } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { Fields } from "../../http/index.ts";
import { Drive, now } from "../../io/index.ts";
import { acceptHttp1, Connection, offerHttp1, readHttp1Answer, type Event, type Limits, type ServerPolicy } from "../../websocket/index.ts";
import type { Peer } from "../../websocket/channel/index.ts";
import type { Request, Response } from "../../http/index.ts";
import type { Exchange } from "../exchange.ts";

/** WebSocket connections over HTTP/1.1, as the channel needs them: whole messages in, a peer to send to, and the end. */

export type Listener = {
  text(text: string): void;
  binary(octets: Uint8Array): void;
  /** Once; 1006 where no Close came. */
  closed(code: number): void;
};

/** A connection that stands: to end in good order, or as a broken network would. */
export type Carried = { readonly shutdown: () => void; readonly cut: () => void };

const sha1 = (text: string): Uint8Array => createHash("sha1").update(text).digest();
const random = (into: Uint8Array): Uint8Array => randomFillSync(into);

/** The rest of a Close that has no room for more (rfc6455#5.5). */
const MOST_REASON = 123;

function carry(socket: Duplex, rest: Uint8Array, machine: Connection, open: (peer: Peer) => Listener): Carried {
  let isClosing = false;
  let listener: Listener | undefined;
  const end = (code: number): void => {
    isClosing = true;
    const told = listener;
    listener = undefined;
    told?.closed(code);
  };
  const drive = new Drive<Event, Connection>(socket, machine, {
    handle(events) {
      for (const event of events) {
        if (event.is === "closed") end(event.code);
        else if (event.is === "closing") isClosing = true;
        else if (event.is === "message" && event.kind === "text") listener?.text(event.data);
        else if (event.is === "message") listener?.binary(event.data);
      }
    },
    silent() {},
    gone: () => end(1006),
  });
  listener = open({
    send(message) {
      if (isClosing) return;
      if (typeof message === "string") machine.text(message);
      else machine.binary(message);
      drive.wake();
    },
    close(code, reason) {
      if (isClosing) return;
      isClosing = true;
      machine.close(code, Buffer.from(reason).subarray(0, MOST_REASON).toString());
      drive.wake();
    },
  });
  if (rest.length > 0) drive.feed(rest);
  return {
    shutdown() {
      isClosing = true;
      drive.shutdown();
    },
    cut: () => drive.destroy(),
  };
}

/** Answers a request with an upgrade, or with why not. */
export function upgrade(
  request: Request,
  exchange: Exchange,
  policy: ServerPolicy,
  limits: Partial<Limits>,
  open: (peer: Peer, drop: () => void) => Listener,
): { readonly response: Response; readonly refused?: string } {
  const found = acceptHttp1(request, policy, sha1);
  if (found.is === "refused") {
    const fields = [...found.fields.map(({ name, value }): [string, string] => [name, value]), ["content-type", "text/plain"] as const];
    return { response: { status: found.status, fields, body: `${found.why}\n` }, refused: found.why };
  }
  const fields = [...found.fields.map(({ name, value }): [string, string] => [name, value]), ["upgrade", "websocket"] as const];
  const response = exchange.switchTo(found.status, fields, ({ socket, rest }) => {
    const machine = new Connection({ side: "server", limits }, now());
    const carried: Carried = carry(socket, rest, machine, (peer) => open(peer, () => carried.shutdown()));
  });
  return { response };
}

/** The server has answered with a status of its own. */
export class Declined extends Error {
  override readonly name = "Declined";
  readonly status: number;
  constructor(status: number, why: string) {
    super(`the server answers ${status}${why === "" ? "" : `: ${why}`}`);
    this.status = status;
  }
}

const ANSWER_MS = 10_000;
const MOST_WHY = 500;

/** Opens a connection to a ws: or wss: URL. */
export function dial(
  url: URL,
  wishes: { readonly protocols: readonly string[]; readonly token: string; readonly ca?: string },
  limits: Partial<Limits>,
  open: (peer: Peer) => Listener,
): Promise<Carried> {
  const offer = offerHttp1({ protocols: wishes.protocols }, random);
  const headers: Record<string, string> = { authorization: `Bearer ${wishes.token}` };
  for (const { name, value } of offer.fields) headers[name] = value;
  const place = new URL(url);
  place.protocol = url.protocol === "wss:" || url.protocol === "https:" ? "https:" : "http:";
  const { promise, resolve, reject } = Promise.withResolvers<Carried>();
  const asked = (place.protocol === "https:" ? httpsRequest : httpRequest)(place, {
    headers,
    timeout: ANSWER_MS,
    ...(wishes.ca !== undefined && { ca: wishes.ca }),
  });
  asked.once("error", reject);
  asked.once("timeout", () => asked.destroy(new Error(`no answer in ${ANSWER_MS / 1_000} seconds`)));
  asked.once("response", (response) => {
    let why = "";
    response.setEncoding("latin1");
    response.on("data", (text: string) => (why = (why + text).slice(0, MOST_WHY)));
    response.once("close", () => reject(new Declined(response.statusCode ?? 0, why.trim().replaceAll(/[^\x20-\x7e]/g, " "))));
  });
  asked.once("upgrade", (response, socket, head) => {
    const pairs = response.rawHeaders.flatMap((name, i, all): [string, string][] => (i % 2 === 0 ? [[name, all[i + 1]!]] : []));
    const answer = readHttp1Answer(response.statusCode ?? 0, Fields.from(pairs), offer, sha1);
    if ("is" in answer && answer.is === "established") {
      socket.setTimeout(0);
      return resolve(carry(socket, head, new Connection({ side: "client", limits, random }, now()), open));
    }
    socket.destroy();
    return reject(new Error("the server's handshake is wrong"));
  });
  asked.end();
  return promise;
}
