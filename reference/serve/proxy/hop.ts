import type { Fields } from "../../http/index.ts";

/** Which fields are for the next hop alone, and which for the final recipient (rfc9110#7.6.1). */

export type Line = readonly [name: string, value: string];

/** Fields of one connection even if Connection does not name them, since old senders forget to. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);
/** If Connection names these, by mistake or malice, removing them would change the message. */
const KEPT: ReadonlySet<string> = new Set(["content-length", "host"]);

/** The fields to forward: all but those of this connection and those that Connection names, also if it is in the header section (`head`). */
export function endToEnd(fields: Fields, head = fields): Line[] {
  const named = head.get("connection");
  const dropped = named === undefined ? undefined : new Set(named.split(",").map((option) => option.trim().toLowerCase()));
  const list: Line[] = [];
  for (const line of fields) {
    const [name] = line;
    if (HOP_BY_HOP.has(name) || (dropped?.has(name) === true && !KEPT.has(name))) continue;
    list.push(line);
  }
  return list;
}

/** Fields that have a meaning before the content alone: as trailers they must be ignored, and might not be (rfc9110#6.5.1). */
const BEFORE_CONTENT: ReadonlySet<string> = new Set([
  "content-length",
  "host",
  "authorization",
  "content-type",
  "content-encoding",
  "trailer",
]);

/** The trailers to forward, of a message with this header section. */
export const afterContent = (trailers: Fields, head: Fields): Line[] =>
  endToEnd(trailers, head).filter(([name]) => !BEFORE_CONTENT.has(name));

/** Whether a list has a member, regardless of parameters. */
export const isListed = (fields: Fields, name: string, member: string): boolean =>
  fields
    .get(name)
    ?.split(",")
    .some((text) => text.replace(/;.*/s, "").trim().toLowerCase() === member) === true;

/** How often TRACE or OPTIONS may still be forwarded; undefined without a valid limit (rfc9110#7.6.2). */
export function lastHop(method: string, fields: Fields): number | undefined {
  if (method !== "TRACE" && method !== "OPTIONS") return undefined;
  const value = fields.get("max-forwards");
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
