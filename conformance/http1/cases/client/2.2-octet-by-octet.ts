import { inOctets } from "../in-octets.ts";
import { cases as lineEnds } from "./2.2-line-ends.ts";
import { cases as parsing } from "./2.2-message-parsing.ts";
import { cases as version } from "./2.3-version.ts";
import { cases as statusLine } from "./4-status-line.ts";
import { cases as fields } from "./5-field-syntax.ts";
import { cases as coding } from "./6.1-transfer-encoding.ts";
import { cases as length } from "./6.3-message-body-length.ts";
import { cases as chunks } from "./7.1-chunked.ts";
import { cases as extensions } from "./7.1.1-chunk-extensions.ts";
import { cases as trailers } from "./7.1.2-trailers.ts";

/** RFC 9112, section 2.2: a client parses what arrives octet by octet as it parses the same octets together. */

export const cases = inOctets(lineEnds, parsing, version, statusLine, fields, coding, length, chunks, extensions, trailers);
