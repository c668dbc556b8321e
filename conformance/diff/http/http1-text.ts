import { CONTROL_DATA, type Field, type Request, valueOf } from "./request.ts";

/**
 * The request in HTTP/1.1, as a gateway would write it that checks nothing (rfc9112#3): `:authority` becomes Host; another scheme than that of
 * the connection needs the absolute form. Content gets Content-Length, and trailers chunks, unless the fields say how it is framed. Undefined if
 * HTTP/1.1 has no words for it: pseudo-header fields that are absent, repeated, late, or an extension.
 */
export function inHttp1(request: Request): string | undefined {
  const pseudo = request.fields.filter(([name]) => isControl(name));
  const first = request.fields.slice(0, pseudo.length).every(([name]) => isControl(name));
  if (!first || new Set(pseudo.map(([name]) => name)).size < pseudo.length) return undefined;
  const method = valueOf(request, ":method");
  const target = targetOf(request);
  if (method === undefined || target === undefined) return undefined;
  const authority = valueOf(request, ":authority");
  const fields: Field[] = [
    ...(authority === undefined ? [] : [["host", authority] as const]),
    ...request.fields.filter(([name]) => !isControl(name)),
    ...framing(request),
  ];
  return `${method} ${target} HTTP/1.1\r\n${lines(fields)}\r\n${contentIn(request, fields)}`;
}

const isControl = (name: string): boolean => name === ":protocol" || CONTROL_DATA.some((one) => one === name);
const lines = (fields: readonly Field[]): string => fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");

/** The request target (rfc9112#3.2). */
function targetOf(request: Request): string | undefined {
  const [method, scheme, authority, path] = CONTROL_DATA.map((name) => valueOf(request, name));
  if (valueOf(request, ":protocol") !== undefined) return undefined;
  if (method === "CONNECT") return scheme === undefined && path === undefined ? authority : undefined;
  if (scheme === undefined || path === undefined) return undefined;
  return scheme === "{scheme}" ? path : `${scheme}://${authority ?? ""}${path}`;
}

/** How content is framed that has nothing which says so. */
function framing({ fields, content, trailers }: Request): Field[] {
  const has = (wanted: string): boolean => fields.some(([name]) => name === wanted);
  if (has("transfer-encoding") || (has("content-length") && trailers === undefined)) return [];
  if (trailers !== undefined) return [["transfer-encoding", "chunked"]];
  return content === undefined ? [] : [["content-length", String(content.length)]];
}

function contentIn({ content = "", trailers = [] }: Request, fields: readonly Field[]): string {
  const coded = fields.some(([name, value]) => name === "transfer-encoding" && value.toLowerCase().endsWith("chunked"));
  if (!coded) return content;
  const chunk = content === "" ? "" : `${content.length.toString(16)}\r\n${content}\r\n`;
  return `${chunk}0\r\n${lines(trailers)}\r\n`;
}
