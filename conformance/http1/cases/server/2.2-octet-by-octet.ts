import { inOctets } from "../in-octets.ts";
import { cases as leniencies } from "./2.2-leniencies.ts";
import { cases as lineEnds } from "./2.2-line-ends.ts";
import { cases as version } from "./2.3-version.ts";
import { cases as requestLine } from "./3-request-line.ts";
import { cases as host } from "./3.2-host.ts";
import { cases as target } from "./3.2-request-target.ts";
import { cases as fields } from "./5-field-syntax.ts";
import { cases as coding } from "./6.1-transfer-encoding.ts";
import { cases as length } from "./6.3-message-body-length.ts";
import { cases as chunks } from "./7.1-chunked.ts";
import { cases as extensions } from "./7.1.1-chunk-extensions.ts";
import { cases as trailers } from "./7.1.2-trailers.ts";
import { cases as persistence } from "./9.3-persistence.ts";
import { cases as limits } from "./rfc9110-5.4-limits.ts";

/** RFC 9112, section 2.2: a server parses what arrives octet by octet as it parses the same octets together. */

export const cases = inOctets(
  leniencies,
  lineEnds,
  version,
  requestLine,
  host,
  target,
  fields,
  coding,
  length,
  chunks,
  extensions,
  // Who waits forever for the rest of a wrong message has not used its trailers either.
  trailers.filter(({ level }) => level !== "MUST NOT"),
  persistence,
  limits,
);
