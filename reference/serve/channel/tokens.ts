import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { isToken, type Fields } from "../../http/index.ts";
import type { Role } from "../../websocket/channel/index.ts";

/** The secret of each role: agents offer sessions, clients attach to them, watchers only watch. Without `watcher`, no token is for watching. */
export type Tokens = { readonly agent: string; readonly client: string; readonly watcher?: string };

/** The WebSocket subprotocol of the channel. */
export const SUBPROTOCOL = "touchstone.channel";
/** Browsers cannot set header fields, so they offer the token as a second subprotocol, which the server never selects. */
const TOKEN_PROTOCOL = "token.";

const TOKEN_OCTETS = 32;
const SHORTEST = 22;

/** 256 random bits, in base64url. */
export const drawToken = (): string => randomBytes(TOKEN_OCTETS).toString("base64url");
/** Why a token cannot be used; undefined if it can. */
export function tokenProblem(token: string): string | undefined {
  if (token.length < SHORTEST) return `a token needs at least ${SHORTEST} characters: use 256 random bits`;
  return isToken(token) ? undefined : "a token may only contain characters of a subprotocol name, such as those of base64url";
}

/** The tokens of a request, from Authorization and from the offered subprotocols. */
function tokensOf(fields: Fields): string[] {
  const found: string[] = [];
  const bearer = /^bearer +(\S+)$/i.exec(fields.get("authorization") ?? "")?.[1];
  if (bearer !== undefined) found.push(bearer);
  for (const part of fields.all("sec-websocket-protocol").join(",").split(",")) {
    const name = part.trim();
    if (name.startsWith(TOKEN_PROTOCOL)) found.push(name.slice(TOKEN_PROTOCOL.length));
  }
  return found;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Returns a function that finds the role of a request: `anonymous` without a token, `unknown` with an invalid one or several. It compares digests
 * in constant time, with every known token, so its duration reveals nothing about the tokens.
 */
export function authenticator(tokens: Tokens): (fields: Fields) => Role | "anonymous" | "unknown" {
  const known = (["agent", "client", "watcher"] as const).flatMap((role) => {
    const token = tokens[role];
    return token === undefined ? [] : [{ role, digest: digest(token) }];
  });
  return (fields) => {
    const [token, ...others] = tokensOf(fields);
    if (token === undefined) return "anonymous";
    if (others.length > 0) return "unknown";
    const given = digest(token);
    const matches = known.filter((one) => timingSafeEqual(given, one.digest));
    return matches[0]?.role ?? "unknown";
  };
}
