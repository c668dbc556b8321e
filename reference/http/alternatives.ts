/** Where else an origin is served, and for how long that is known (rfc7838#3). */
export type Alternative = {
  /** The ALPN name of its protocol. */
  readonly alpn: string;
  /** Empty for the host of the origin. */
  readonly host: string;
  readonly port: number;
  readonly seconds: number;
};

/** Without `ma` an alternative is fresh for a day (rfc7838#3.1). */
const DAY_SECONDS = 86_400;
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const MEMBER = new RegExp(`[ \\t]*(${TOKEN})=(${QUOTED})((?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))*)[ \\t]*(?:,|$)`, "y");
const PARAMETER = new RegExp(`(${TOKEN})=(${TOKEN}|${QUOTED})`, "g");
const AUTHORITY = /^(\[[\dA-Fa-f:.]+\]|[^:[\]]*):(\d{1,5})$/;

const unquoted = (text: string): string => (text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, "$1") : text);

/** Reads Alt-Svc: alternatives in the server's order, none if all are withdrawn; undefined if the value is malformed (rfc7838#3). */
export function parseAlternatives(text: string): readonly Alternative[] | undefined {
  const value = text.trim();
  // It counts wherever it stands.
  if (value.split(",").some((one) => one.trim() === "clear")) return [];
  const found: Alternative[] = [];
  for (MEMBER.lastIndex = 0; MEMBER.lastIndex < value.length;) {
    const [, id = "", quoted = "", parameters = ""] = MEMBER.exec(value) ?? [];
    if (id === "") return undefined;
    const alternative = read(id, unquoted(quoted), parameters);
    if (alternative === undefined) return undefined;
    found.push(alternative);
  }
  return found.length === 0 ? undefined : found;
}

function read(id: string, authority: string, parameters: string): Alternative | undefined {
  const [, host = "", digits = ""] = AUTHORITY.exec(authority) ?? [];
  const port = Number(digits);
  if (port < 1 || port > 65_535) return undefined;
  let seconds = DAY_SECONDS;
  for (const [, name, given = ""] of parameters.matchAll(PARAMETER)) {
    // Other parameters are ignored (rfc7838#3).
    if (name !== "ma") continue;
    const age = unquoted(given);
    if (!/^\d+$/.test(age)) return undefined;
    seconds = Number(age);
  }
  const alpn = id.replaceAll(/%([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { alpn, host, port, seconds };
}

/** Writes Alt-Svc. ALPN names are those of HTTP, which are tokens. */
export const formatAlternative = ({ alpn, host, port, seconds }: Alternative): string => `${alpn}="${host}:${port}"; ma=${seconds}`;
