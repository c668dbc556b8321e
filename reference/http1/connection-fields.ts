import { parseTokens, trimSpace } from "../http/index.ts";
import { Kind } from "./field-names.ts";
import type { FieldLines } from "./field-lines.ts";

const KEEP_ALIVE: readonly string[] = ["keep-alive"];
const CLOSE: readonly string[] = ["close"];
/** Connection options in lower case; undefined for an invalid list (rfc9110#7.6.1). */
export function connectionOptions(lines: FieldLines): readonly string[] | undefined {
  const value = lines.list("connection", Kind.connection, lines.connection);
  if (value === "keep-alive" || value === "Keep-Alive") return KEEP_ALIVE;
  return value === "close" ? CLOSE : parseTokens(value);
}

/** The protocols of Upgrade in order (rfc9110#7.8). */
export const protocolsOf = (lines: FieldLines): readonly string[] =>
  lines
    .list("upgrade", Kind.upgrade, lines.upgrade)
    .split(",")
    .map(trimSpace)
    .filter((protocol) => protocol !== "");
