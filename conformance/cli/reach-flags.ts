import { readFileSync } from "node:fs";
import type { CheckOptions } from "../check.ts";
import { WrongUse } from "../harness/driver.ts";
import { authorization, type Place, placeAt, requestField } from "../harness/subject/reach.ts";
import type { Flags } from "./check.ts";

/** How the flags say that a server is reached, and who we are. */
export function reachIn(flags: Flags): Pick<CheckOptions, "ca" | "cert" | "key" | "fields" | "place" | "servername"> {
  const { header = [], auth, sni } = flags;
  const fields = [...header.map(requestField), ...(auth === undefined ? [] : [authorization(auth)])];
  const place = placeIn(flags);
  return {
    ...credentialsIn(flags),
    ...(fields.length > 0 && { fields }),
    ...(place && { place }),
    ...(sni !== undefined && { servername: sni }),
  };
}

/** Where connections go, if not to the host and port of the address. */
export function placeIn({ connectTo, unixSocket }: Flags): Place | undefined {
  if (connectTo !== undefined && unixSocket !== undefined) throw new WrongUse("--connect-to or --unix-socket, not both.");
  if (connectTo !== undefined) return placeAt(connectTo);
  return unixSocket === undefined ? undefined : { socket: unixSocket };
}

/** The contents of the files of --ca, --cert and --key. */
function credentialsIn({ ca, cert, key }: Flags): Pick<CheckOptions, "ca" | "cert" | "key"> {
  const contents: Record<string, string> = {};
  for (const [name, file] of Object.entries({ ca, cert, key })) {
    if (file === undefined) continue;
    try {
      contents[name] = readFileSync(file, "utf8");
    } catch (error) {
      throw new WrongUse(`--${name} ${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give a file in PEM.`);
    }
  }
  return contents;
}
