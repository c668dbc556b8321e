import type { Field } from "../../core/index.ts";

/** Longer than any offer: 6 octets a setting, with room for settings to come. */
const LONGEST = 512;
const BASE64URL = /^[A-Za-z0-9_-]*$/;

/**
 * The SETTINGS payload of a valid offer: h2c among the protocols, HTTP2-Settings exactly once and named in Connection, with complete
 * settings (rfc7540#3.2.1). Undefined for any other, which the server ignores.
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
