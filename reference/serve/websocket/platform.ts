import { createHash, randomFillSync } from "node:crypto";
import type { Random } from "../../core/index.ts";
import { deflateEngine, type EngineOptions } from "../../io/index.ts";
import type { DeflateOptions, DeflatePolicy, Agreement, Engine, Sha1 } from "../../websocket/index.ts";

/** What the protocol needs from its platform: digests, randomness, DEFLATE. */

export const sha1: Sha1 = (text) => createHash("sha1").update(text).digest();
export const random: Random = (into) => randomFillSync(into);

/** How to use permessage-deflate (rfc7692): the parameters to agree on, and how to compress. */
export type Compression = DeflatePolicy &
  Pick<EngineOptions, "level" | "memLevel"> & {
    /** Shorter messages, in octets, are not compressed; 1,024 by default. */
    readonly threshold?: number;
  };

/** One engine for each way to compress: an engine serves any number of connections. */
const engines = new Map<string, Engine>();
function engineOf({ level, memLevel }: Compression): Engine {
  const name = `${level} ${memLevel}`;
  let engine = engines.get(name);
  if (engine === undefined) {
    engine = deflateEngine({ ...(level !== undefined && { level }), ...(memLevel !== undefined && { memLevel }) });
    engines.set(name, engine);
  }
  return engine;
}

/** The parameters for the handshake. */
export function policyOf(wanted: boolean | Compression | undefined): DeflatePolicy | undefined {
  if (wanted === undefined || wanted === false) return undefined;
  if (wanted === true) return {};
  const { level: _level, memLevel: _memLevel, threshold: _threshold, ...policy } = wanted;
  return policy;
}

/** How a connection compresses after the handshake; undefined without an agreement. */
export function deflateOf(wanted: boolean | Compression | undefined, agreed: Agreement | undefined): DeflateOptions | undefined {
  if (agreed === undefined) return undefined;
  const how = typeof wanted === "object" ? wanted : {};
  return { agreed, engine: engineOf(how), ...(how.threshold !== undefined && { threshold: how.threshold }) };
}
