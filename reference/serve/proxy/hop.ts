import type { Fields } from "../../http/index.ts";

/** What a message says to the next hop alone, and what it says to whoever is at the end (rfc9110#7.6.1). */

export type Line = readonly [name: string, value: string];

/** Of one connection whether Connection names them or not, since old senders forget to. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);
/** Named in Connection by mistake or by malice, these would change what the message is. */
const KEPT: ReadonlySet<string> = new Set(["content-length", "host"]);

/** The fields that go on: without those of this connection, and without those that Connection names. */
export function endToEnd(fields: Fields): Line[] {
  const named = fields.get("connection");
  const dropped = named === undefined ? undefined : new Set(named.split(",").map((option) => option.trim().toLowerCase()));
  const list: Line[] = [];
  for (const line of fields) {
    const [name] = line;
    if (HOP_BY_HOP.has(name) || (dropped?.has(name) === true && !KEPT.has(name))) continue;
    list.push(line);
  }
  return list;
}

/** Fields that mean something before the content alone: nobody would heed them behind it, or somebody might (rfc9110#6.5.1). */
const BEFORE_CONTENT: ReadonlySet<string> = new Set([
  "content-length",
  "host",
  "authorization",
  "content-type",
  "content-encoding",
  "trailer",
]);

/** The trailers that go on. */
export const afterContent = (trailers: Fields): Line[] => endToEnd(trailers).filter(([name]) => !BEFORE_CONTENT.has(name));

/** Whether a list has a member, parameters aside. */
export const isListed = (fields: Fields, name: string, member: string): boolean =>
  fields
    .get(name)
    ?.split(",")
    .some((text) => text.split(";", 1)[0]!.trim().toLowerCase() === member) === true;

/** How often TRACE and OPTIONS may still be passed on; undefined where there is no limit, or none that is a number (rfc9110#7.6.2). */
export function lastHop(method: string, fields: Fields): number | undefined {
  if (method !== "TRACE" && method !== "OPTIONS") return undefined;
  const value = fields.get("max-forwards");
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
