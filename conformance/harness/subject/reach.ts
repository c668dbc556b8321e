import { readFileSync } from "node:fs";
import type { RequestField } from "../../wire/request-fields.ts";
import { WrongUse } from "../driver.ts";

/** Where connections go in place of the host and port of the address: elsewhere, or to a Unix socket. */
export type Place = { readonly host: string; readonly port: number } | { readonly socket: string };

/** What a deployment needs besides the address of the server. */
export type Reach = {
  /** Fields that every request has. */
  readonly fields?: readonly RequestField[];
  readonly place?: Place;
};

/** The parts of `Reach` that a suite's servers support; any other is refused, rather than ignored. */
export type Reaching = "fields" | "place" | "socket";

/** A token (rfc9110#5.6.2), and what a value may contain (rfc9110#5.5). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Fields that the cases write themselves: they frame the message or belong to the connection. */
const TAKEN = new Set([
  "connection",
  "content-length",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Parses "Name: value". Throws `WrongUse`. */
export function requestField(text: string): RequestField {
  const colon = text.indexOf(":");
  const [name, value] = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  if (colon < 1 || !TOKEN.test(name) || !VALUE.test(value))
    throw new WrongUse(`-H "${text}" is not a field: write it like 'Name: value', in ISO 8859-1.`);
  if (name.toLowerCase() === "host")
    throw new WrongUse("-H Host: the address names the host of the requests; --connect-to says where the connections go.");
  if (TAKEN.has(name.toLowerCase())) throw new WrongUse(`-H ${name}: the cases write this field themselves.`);
  return [name, value];
}

/** The Authorization field for "user:password", "bearer TOKEN", or a file with one of these as "@FILE". Throws `WrongUse`. */
export function authorization(given: string): RequestField {
  const text = given.startsWith("@") ? contentOf(given.slice(1)) : given;
  const bearer = /^bearer\s+(\S+)$/i.exec(text)?.[1];
  if (bearer !== undefined) return requestField(`Authorization: Bearer ${bearer}`);
  if (!text.includes(":"))
    throw new WrongUse("--auth wants user:password, 'bearer TOKEN', or @FILE for a file that contains one of these.");
  return ["Authorization", `Basic ${Buffer.from(text.replace(/^basic\s+/i, "")).toString("base64")}`];
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new WrongUse(`--auth @${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give a file with user:password.`);
  }
}

const MOST_PORT = 65_535;

/** Parses HOST:PORT or [ADDRESS]:PORT. Throws `WrongUse`. */
export function placeAt(text: string): Place {
  const [, six, name, digits] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port < 1 || port > MOST_PORT)
    throw new WrongUse(`--connect-to ${text} is not HOST:PORT, with a port from 1 to ${MOST_PORT}.`);
  return { host: six ?? name ?? "", port };
}

/** Throws `WrongUse` if the suite's servers cannot be reached this way. */
export function requireReaching(suite: string, { fields = [], place }: Reach, reaching: readonly Reaching[]): void {
  const wanted: readonly (readonly [Reaching, string, boolean])[] = [
    ["fields", "-H and --auth", fields.length > 0],
    ["place", "--connect-to", place !== undefined && "host" in place],
    ["socket", "--unix-socket", place !== undefined && "socket" in place],
  ];
  const missing = wanted.find(([what, , isWanted]) => isWanted && !reaching.includes(what));
  if (missing !== undefined) throw new WrongUse(`The suite ${suite} does not support ${missing[1]} here.`);
}

const SECRET = /auth|cookie|token|secret|key|password|session/i;

/** The values of fields that reports must not show. */
export const secretsIn = ({ fields = [] }: Reach): string[] =>
  fields
    .filter(([name]) => SECRET.test(name))
    .map(([, value]) => value)
    .filter((value) => value !== "");
