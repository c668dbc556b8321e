import { field, type Field } from "../../core/index.ts";
import type { Content } from "../../http/index.ts";
import { fieldList, has } from "../message/outgoing.ts";
import type { Origin } from "./connection.ts";
import type { ClientRequest } from "./request.ts";

/** The field section of a request, which begins with its pseudo-fields (rfc9113#8.3.1, rfc9114#4.3.1). */
export function requestFields(wanted: ClientRequest, origin: Origin, body: Content | undefined): Field[] {
  const { method = "GET", protocol, priority } = wanted;
  const isTunnel = method === "CONNECT" && protocol === undefined;
  const list = [field(":method", method)];
  if (!isTunnel) list.push(field(":scheme", wanted.scheme ?? origin.scheme));
  list.push(field(":authority", wanted.authority ?? origin.authority));
  if (!isTunnel) list.push(field(":path", wanted.path ?? "/"));
  if (protocol !== undefined) list.push(field(":protocol", protocol));
  list.push(...fieldList(wanted.fields));
  if (wanted.expectMs !== undefined && !has(list, "expect")) list.push(field("expect", "100-continue"));
  if (origin.altUsed !== undefined && !has(list, "alt-used")) list.push(field("alt-used", origin.altUsed));
  if (priority !== undefined) list.push(field("priority", priority));
  if (body instanceof Uint8Array && method !== "CONNECT" && !has(list, "content-length")) {
    list.push(field("content-length", String(body.length)));
  }
  return list;
}
