import type { FaultName } from "../../reference/http1/index.ts";

/**
 * Where our reader and llhttp (in `node:http`, strict) mean to differ: why we refuse what llhttp takes, by our fault, and why llhttp refuses
 * what we take, by its code. A difference that is not here is a mistake of one of the two; one that is here and does not happen any more
 * has to go. Where both take the same octets they read the same messages, but for `READ_OTHERWISE`.
 */

export const TAKEN_BY_LLHTTP: Partial<Readonly<Record<FaultName, string>>> = {
  hostMissing: "llhttp does not look at Host; `node:http` answers 400 above it (rfc9112#3.2)",
  hostRepeated: "llhttp does not look at Host, and `node:http` keeps the first line (rfc9112#3.2 asks for 400)",
  hostInvalid: "llhttp does not look at Host, and neither does `node:http` (rfc9112#3.2 asks for 400)",
  targetInvalid:
    "llhttp takes any visible text for a target, quotes, braces and fragments included, and any form for any method (rfc9112#3.2)",
  requestLineInvalid: "llhttp still reads HTTP/0.9, a request line without a version; we do not",
  connectWithContent: "behind the head of a CONNECT llhttp reads no more; a CONNECT that announces content we refuse (rfc9110#9.3.6)",
  versionInvalid: "llhttp still reads HTTP/0.9, a request line without a version; we do not",
  versionUnsupported: "llhttp reads HTTP/0.9 and HTTP/2.0 in a start line as if it were HTTP/1; we answer 505 (rfc9110#15.6.6)",
  bareLf: "in front of a start line llhttp skips single line ends of any kind; we count CRLF alone as an empty line (rfc9112#2.2)",
  bareCr: "in front of a start line llhttp skips single line ends of any kind; we count CRLF alone as an empty line (rfc9112#2.2)",
  tooManyEmptyLines: "ours is a limit; llhttp skips any number of empty lines",
  targetTooLong: "ours is a limit of 8,192 octets; `node:http` limits the whole head instead",
  fieldsTooLarge: "ours is a limit of 16,384 octets; `node:http` has its own, which this comparison sets higher",
  connectionInvalid: "llhttp looks for the options that it knows, and passes over what is no list of tokens (rfc9110#7.6.1)",
  expectationUnknown: "expectations are above llhttp; we answer 417, which rfc9110#10.1.1 allows",
  codingFromHttp10: "llhttp reads chunks from a sender of HTTP/1.0; for us its framing is faulty, as rfc9112#6.1 says",
  codingUnknown: "llhttp leaves other codings before chunked to its owner; we have none, and answer 501 (rfc9112#6.1)",
  codingInvalid: "llhttp looks at the last name of Transfer-Encoding alone: chunked twice, or with parameters, is chunked to it",
  chunkSizeInvalid: "we read at most sixteen digits of a size; llhttp any number, as long as the value fits",
  chunkExtensionInvalid: "llhttp takes extensions without a name or a value; rfc9112#7.1.1 has none",
  statusLineInvalid: "llhttp takes any octet but CR and LF in a reason, codes below 100, and a line that ends behind the code",
  responseUnasked: "llhttp does not know how many requests wait for an answer",
  switchUnasked: "llhttp does not know what was asked: an unasked 101 is its owner's to refuse (rfc9110#7.8)",
  endedEarly: "llhttp does not know that an interim response is followed by another, nor that an answer is due at all",
};

export const REFUSED_BY_LLHTTP: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: "llhttp knows a list of methods, and refuses all others; any token is a method (rfc9110#9.1)",
  HPE_INVALID_VERSION: "llhttp refuses HTTP/1.2 and above, which are read as HTTP/1.1 (rfc9110#6.2)",
  HPE_CLOSED_CONNECTION:
    "behind a message that closes the connection llhttp calls further octets an error; we do not look at them (rfc9112#9.6)",
  HPE_INVALID_URL: "llhttp takes letters alone for a scheme; dots, digits, plus and hyphen may follow the first (rfc9112#3.2.2)",
  HPE_INVALID_CHUNK_SIZE: "llhttp refuses white space before the semicolon of an extension, which has to be read over (rfc9110#5.6.3)",
  HPE_STRICT: "llhttp refuses white space within a chunk extension, which has to be read over (rfc9110#5.6.3)",
  HPE_INVALID_TRANSFER_ENCODING:
    "llhttp takes chunked only where it ends the value: not with white space or an empty member behind it; and it obeys the field among trailers",
  HPE_INVALID_CONTENT_LENGTH: "llhttp obeys Content-Length among trailers, where it says nothing (rfc9110#6.5.1)",
};

/** Messages that both take and that are not the same: told by a look at the octets. */
export const READ_OTHERWISE: readonly { readonly why: string; readonly when: (octets: string) => boolean }[] = [
  {
    why: "llhttp goes on after a request of HTTP/1.0 whatever Connection says besides keep-alive, and with Proxy-Connection: the end is its owner's to make (rfc9112#9.3)",
    when: (octets) => / HTTP\/1\.0\r\n(?:[^\r]+\r\n)*(?:proxy-)?connection:/i.test(octets),
  },
  {
    why: "Connection of a response that is no list of options means close to us, and what follows is not looked at (rfc9110#7.6.1)",
    when: (octets) => /^HTTP\/1[^]*\r\nconnection:[^\r]*[^\w!#$%&'*+.^`|~, \t\r-]/i.test(octets),
  },
];
