import { Misuse } from "../core/index.ts";

/** The versions of HTTP spoken here, by their names in ALPN (rfc7301#6). */
export type Protocol = "h2" | "http/1.1";
export const PROTOCOLS: readonly Protocol[] = ["h2", "http/1.1"];

/** Those that were asked for, in the order of preference; `PROTOCOLS` unless told otherwise. */
export function protocolsOf(asked: readonly Protocol[] = PROTOCOLS): readonly Protocol[] {
  const unknown = asked.find((name) => !PROTOCOLS.includes(name));
  if (unknown !== undefined) throw new Misuse(`"${unknown}" is not spoken here: known are ${PROTOCOLS.join(", ")}`);
  if (asked.length === 0) throw new Misuse(`no protocol is left: give at least one of ${PROTOCOLS.join(", ")}`);
  return asked;
}
