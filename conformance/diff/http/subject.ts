import { Unreachable } from "../../harness/driver.ts";
import { targetOf, type Target } from "../../harness/subject/transport.ts";
import { fill } from "../../wire/http1/build.ts";
import type { Understanding } from "../entry.ts";
import { requestOf, type Field, type Request, type RequestEntry, valueOf } from "./request.ts";

/** How long to wait for an answer, in milliseconds. */
export const LIMIT_MS = 5_000;
/** The content of the probe: a subject that echoes returns it. */
const PROBE = "touchstone diff";
/** More of a response is not read. */
export const MOST_OCTETS = 1_048_576;

/** What became of one request on a stream of its own. */
export type Reply = {
  /** The final status. */
  readonly status?: number;
  readonly content: Uint8Array;
  readonly end: Understanding["end"];
};
/** Sends one request on a connection of its own. Throws `Unreachable` if there is none after `attempts`, three by default where they take long. */
export type Exchange = (target: Target, request: Request, attempts?: number) => Promise<Reply>;

/** An implementation, with the statuses of its responses to a GET and a POST: any other 4xx or 5xx is a refusal. */
export type Subject = {
  readonly target: Target;
  readonly taken: { readonly GET: number; readonly POST: number };
  readonly echoes: boolean;
};

/** Sends the requests that all others are compared with. Throws `Unreachable` if nothing answers. */
export async function meetOver(exchange: Exchange, url: string, version: string): Promise<Subject> {
  const target = targetOf(url, false);
  const get = await exchange(target, { fields: requestOf("GET") }, 1);
  if (get.status === undefined)
    throw new Unreachable(`${target.authority} did not answer a plain GET in ${version}: is it the right address?`);
  const post = await exchange(target, { fields: requestOf("POST"), content: PROBE });
  return {
    target,
    taken: { GET: get.status, POST: post.status ?? 0 },
    echoes: Buffer.from(post.content).toString("latin1") === PROBE,
  };
}

/** Sends an entry, and returns how it was understood. */
export async function askOver(exchange: Exchange, { target, taken, echoes }: Subject, { request }: RequestEntry): Promise<Understanding> {
  const { status, content, end } = await exchange(target, request);
  if (status === undefined) return { answers: [], isFenceSeen: false, end };
  const isPosted = valueOf(request, ":method") === "POST" && status === taken.POST;
  const isTaken = status < 400 || status === taken.GET || isPosted;
  return { answers: [{ status, isTaken, ...(echoes && isTaken && { octets: content.length }) }], isFenceSeen: false, end };
}

/** The fields for a subject. */
export const filled = (fields: readonly Field[], { scheme, authority, path }: Target): Field[] =>
  fields.map(([name, value]) => [name, fill(value, { scheme, authority, path })]);
