import type { Field } from "../../core/index.ts";
import type { Event } from "../../http1/index.ts";
import type { Switched } from "../handler.ts";

/** A connection that goes on in HTTP/2, and the request that it goes on with (rfc7540#3.2). */
export type Upgraded = Switched & {
  /** The payload of the SETTINGS frame that the client would have sent. */
  readonly settings: Uint8Array;
  readonly request: Extract<Event, { is: "request" }>;
};

/** More than a client has to say: 6 octets for each of the settings, with room for those to come. */
const LONGEST = 512;
const BASE64URL = /^[A-Za-z0-9_-]*$/;

/**
 * The settings of a client that asks for HTTP/2 as the rules want it; undefined where any of them is broken, and the offer is to be passed
 * over: h2c among the protocols, HTTP2-Settings exactly once and named in Connection, whole settings in it (rfc7540#3.2.1).
 */
export function settingsOffered(upgrade: readonly string[], fields: readonly Field[]): Uint8Array | undefined {
  if (!upgrade.includes("h2c")) return undefined;
  let value: string | undefined;
  let isNamed = false;
  for (const line of fields) {
    if (line.name === "http2-settings") {
      if (value !== undefined) return undefined;
      ({ value } = line);
    } else if (line.name === "connection") {
      isNamed ||= line.value.split(",").some((option) => option.trim().toLowerCase() === "http2-settings");
    }
  }
  if (value === undefined || !isNamed || value.length > LONGEST || !BASE64URL.test(value) || value.length % 4 === 1) return undefined;
  const payload = Buffer.from(value, "base64url");
  return payload.length % 6 === 0 ? payload : undefined;
}
