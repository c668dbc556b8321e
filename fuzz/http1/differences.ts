import type { FaultName } from "../../reference/http1/index.ts";

/**
 * Intended differences between our reader and llhttp (in `node:http`, strict): why we refuse octets that llhttp accepts, by our fault, and why
 * llhttp refuses octets that we accept, by its error code. The tests fail on a difference that is not listed here, and on a listed one that
 * does not occur. If both accept the same octets, they read the same messages, except for `READ_DIFFERENTLY`.
 */

export const ACCEPTED_BY_LLHTTP: Partial<Readonly<Record<FaultName, string>>> = {
  hostMissing: "llhttp does not check Host; `node:http` answers 400 itself (rfc9112#3.2)",
  hostRepeated: "llhttp does not check Host, and `node:http` keeps the first line (rfc9112#3.2 requires 400)",
  hostInvalid: "neither llhttp nor `node:http` checks the value of Host (rfc9112#3.2 requires 400)",
  targetInvalid:
    "llhttp accepts any visible text as a target, including quotes, braces and fragments, and any form with any method (rfc9112#3.2)",
  requestLineInvalid: "llhttp still reads HTTP/0.9, a request line without a version; we do not",
  connectWithContent: "llhttp stops after the head of a CONNECT; we refuse a CONNECT that announces content (rfc9110#9.3.6)",
  versionInvalid: "llhttp still reads HTTP/0.9, a request line without a version; we do not",
  versionUnsupported: "llhttp reads HTTP/0.9 and HTTP/2.0 in a start line as HTTP/1; we answer 505 (rfc9110#15.6.6)",
  bareLf: "before a start line llhttp skips CR, LF and CRLF; we skip CRLF only (rfc9112#2.2)",
  bareCr: "before a start line llhttp skips CR, LF and CRLF; we skip CRLF only (rfc9112#2.2)",
  tooManyEmptyLines: "we have a limit; llhttp skips any number of empty lines",
  targetTooLong: "our limit is 8,192 octets; `node:http` limits the whole head instead",
  fieldsTooLarge: "our limit is 16,384 octets; this comparison sets a higher one for llhttp",
  connectionInvalid: "llhttp looks for known options only, and ignores a malformed list (rfc9110#7.6.1)",
  expectationUnknown: "llhttp does not handle expectations; we answer 417, which rfc9110#10.1.1 allows",
  codingFromHttp10: "llhttp reads chunks from an HTTP/1.0 sender; we treat its framing as faulty (rfc9112#6.1)",
  codingUnknown: "llhttp leaves other codings before chunked to its caller; we support none and answer 501 (rfc9112#6.1)",
  codingInvalid: "llhttp checks the last name of Transfer-Encoding only: it reads repeated chunked, or chunked with parameters, as chunked",
  chunkSizeInvalid: "we read at most sixteen digits of a size; llhttp reads any number if the value fits",
  chunkExtensionInvalid: "llhttp accepts extensions with an empty name or value, which rfc9112#7.1.1 does not allow",
  statusLineInvalid: "llhttp accepts any octet except CR and LF in a reason, codes below 100, and a line that ends after the code",
  responseUnasked: "llhttp does not track how many requests are open",
  switchUnasked: "llhttp does not track requests: its caller must refuse an unrequested 101 (rfc9110#7.8)",
  endedEarly: "llhttp does not require a final response, neither after an interim response nor after a request",
};

export const REFUSED_BY_LLHTTP: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: "llhttp has a list of methods and refuses all others; any token is a method (rfc9110#9.1)",
  HPE_INVALID_VERSION: "llhttp refuses HTTP/1.2 and above; we read them as HTTP/1.1 (rfc9110#6.2)",
  HPE_CLOSED_CONNECTION:
    "after a message that closes the connection llhttp treats further octets as an error; we ignore them (rfc9112#9.6)",
  HPE_INVALID_URL: "llhttp accepts only letters in a scheme; dots, digits, plus and hyphen may follow the first letter (rfc9112#3.2.2)",
  HPE_INVALID_CHUNK_SIZE: "llhttp refuses white space before the semicolon of an extension, which a recipient must ignore (rfc9110#5.6.3)",
  HPE_STRICT: "llhttp refuses white space within a chunk extension, which a recipient must ignore (rfc9110#5.6.3)",
  HPE_INVALID_TRANSFER_ENCODING:
    "llhttp accepts chunked only at the end of the value, not before white space or an empty member; and it applies the field in trailers",
  HPE_INVALID_CONTENT_LENGTH: "llhttp applies Content-Length in trailers, where it has no meaning (rfc9110#6.5.1)",
};

/** Messages that both accept and read differently, recognized by their octets. */
export const READ_DIFFERENTLY: readonly { readonly why: string; readonly when: (octets: string) => boolean }[] = [
  {
    why: "llhttp continues after an HTTP/1.0 request with any Connection field except keep-alive, and with Proxy-Connection: its caller must close (rfc9112#9.3)",
    when: (octets) => / HTTP\/1\.0\r\n(?:[^\r]+\r\n)*(?:proxy-)?connection:/i.test(octets),
  },
  {
    why: "we treat a malformed Connection field of a response as close, and ignore what follows (rfc9110#7.6.1)",
    when: (octets) => /^HTTP\/1[^]*\r\nconnection:[^\r]*[^\w!#$%&'*+.^`|~, \t\r-]/i.test(octets),
  },
];
