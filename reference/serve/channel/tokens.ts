import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { isToken, type Fields } from "../../http/index.ts";
import type { Role } from "../../websocket/channel/index.ts";

/** Who may offer sessions, who may attach to them, and, where that is wanted, who may only watch: a secret each. */
export type Tokens = { readonly agent: string; readonly client: string; readonly watcher?: string };

/** The sub-protocol of the channel. */
export const SUB_PROTOCOL = "touchstone.channel";
/** Browsers cannot set fields: they offer the token as a sub-protocol beside the real one. It is never the one that is chosen. */
const TOKEN_PROTOCOL = "token.";

const TOKEN_OCTETS = 32;
const SHORTEST = 22;

/** 256 random bits, in base64url. */
export const drawToken = (): string => randomBytes(TOKEN_OCTETS).toString("base64url");
/** What is wrong with a token that somebody has chosen; undefined when it can be used. */
export function wrongToken(token: string): string | undefined {
  if (token.length < SHORTEST) return `a token has at least ${SHORTEST} characters: draw 256 random bits`;
  return isToken(token) ? undefined : "a token has letters, digits and the signs of a sub-protocol alone, as base64url does";
}

/** The tokens that a request brings: of Authorization, or among its sub-protocols. */
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

/** Identifies requests. The time that it takes says nothing about the tokens: digests are compared, all of their octets, with each. */
export function identifier(tokens: Tokens): (fields: Fields) => Role | "nobody" | "stranger" {
  const known = (["agent", "client", "watcher"] as const).flatMap((role) => {
    const token = tokens[role];
    return token === undefined ? [] : [{ role, digest: digest(token) }];
  });
  return (fields) => {
    const given = tokensOf(fields);
    if (given.length === 0) return "nobody";
    // Who says two things is believed neither.
    if (given.length > 1) return "stranger";
    const told = digest(given[0]!);
    const fits = known.filter((one) => timingSafeEqual(told, one.digest));
    return fits[0]?.role ?? "stranger";
  };
}
