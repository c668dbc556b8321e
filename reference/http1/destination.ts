import { readTarget } from "../http/index.ts";
import type { FaultName } from "./faults.ts";
import type { FieldLines } from "./field-lines.ts";
import { Kind } from "./field-names.ts";
import type { Intake } from "./intake.ts";

/** Where a request goes (rfc9112#3.3). */
export type Destination = { readonly scheme: string; readonly authority: string; readonly path: string };

/** Judges target and Host (rfc9112#3.2); Host even if the target overrides it. `scheme` is the connection's. */
export function destinationOf({ start, memory }: Intake, lines: FieldLines, scheme: string, needsHost: boolean): Destination | FaultName {
  const { method, target } = start;
  let host = "";
  if (lines.host >= 0) {
    host = lines.value(lines.host);
    if (lines.isRepeated(Kind.host)) return "hostRepeated";
    if (!memory.isAuthority(host)) return "hostInvalid";
  } else if (needsHost) return "hostMissing";
  if (target.charCodeAt(0) === 0x2f && method !== "CONNECT") return { scheme, authority: host, path: target };
  const found = readTarget(method, target);
  if (found === undefined) return "targetInvalid";
  switch (found.form) {
    case "absolute":
      return { scheme: found.scheme, authority: found.authority, path: found.path };
    case "authority":
      return { scheme, authority: found.authority, path: "" };
    default:
      return { scheme, authority: host, path: target };
  }
}
