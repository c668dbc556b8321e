import { parseTokens, trimSpace } from "../http/index.ts";
import type { Version } from "./contract.ts";
import type { FaultName } from "./faults.ts";
import { Kind } from "./field-names.ts";
import type { FieldLines } from "./field-lines.ts";
import type { Leniency } from "./leniency.ts";

/** How the end of a message is found: no content, a length, chunks, or the end of the connection (rfc9112#6.3). */
export const Framing = { none: 0, length: 1, chunked: 2, close: 3 } as const;
export type Framing = (typeof Framing)[keyof typeof Framing];

/** Where the content of a message ends. `closes`: the connection must not be used afterwards (rfc9112#6.1). */
export type Extent = { readonly framing: Framing; readonly length: number; readonly closes: boolean };
export const NO_CONTENT: Extent = { framing: Framing.none, length: 0, closes: false };
const CHUNKED: Extent = { framing: Framing.chunked, length: -1, closes: false };
const CHUNKED_THEN_CLOSE: Extent = { ...CHUNKED, closes: true };
const UNTIL_CLOSE: Extent = { framing: Framing.close, length: -1, closes: true };

/** The rules of rfc9112#6.3 from the third on: the first two depend on the exchange, not on the fields. */
export function extentOf(lines: FieldLines, version: Version, isRequest: boolean, lenient: Leniency): Extent | FaultName {
  if (lines.transferEncoding >= 0) return byCoding(lines, version, isRequest, lenient);
  if (lines.contentLength >= 0) return byLength(lines, lenient);
  return isRequest ? NO_CONTENT : UNTIL_CLOSE;
}

function byCoding(lines: FieldLines, version: Version, isRequest: boolean, lenient: Leniency): Extent | FaultName {
  if (version === "HTTP/1.0") return "codingFromHttp10";
  const hasLength = lines.contentLength >= 0;
  if (hasLength && !lenient.lengthAndCoding) return "lengthAndCoding";
  // No registered coding has parameters (rfc9112#7.1, #7.2), and an empty list is an error as well.
  const codings = parseTokens(lines.list("transfer-encoding", Kind.transferEncoding, lines.transferEncoding));
  if (codings === undefined || codings.length === 0) return "codingInvalid";
  if (codings.indexOf("chunked") !== codings.lastIndexOf("chunked")) return "codingInvalid";
  if (codings.at(-1) !== "chunked") return isRequest ? "codingNotFinal" : UNTIL_CLOSE;
  if (codings.length > 1 && isRequest) return "codingUnknown";
  return hasLength ? CHUNKED_THEN_CLOSE : CHUNKED;
}

function byLength(lines: FieldLines, lenient: Leniency): Extent | FaultName {
  const first = lines.value(lines.contentLength);
  if (!lines.isRepeated(Kind.contentLength)) {
    const length = readLength(first);
    if (length >= 0) return extent(length);
    if (!first.includes(",")) return "contentLengthInvalid";
  }
  const lengths = lines
    .list("content-length", Kind.contentLength, lines.contentLength)
    .split(",")
    .map((part) => readLength(trimSpace(part)));
  if (lengths.some((length) => length < 0)) return "contentLengthInvalid";
  const [length = 0, ...others] = lengths;
  return lenient.repeatedLength && others.every((other) => other === length) ? extent(length) : "contentLengthRepeated";
}
const extent = (length: number): Extent => (length === 0 ? NO_CONTENT : { framing: Framing.length, length, closes: false });

/** Parses decimal digits, to Infinity beyond the exact integers; -1 for anything else (rfc9110#8.6). */
export function readLength(text: string): number {
  if (text === "") return -1;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : value;
}
