/** The answer of a server without HTTP/1.1 to a client of HTTP/1.1. */
const WORDS = "This server speaks HTTP/2 only: over TLS with ALPN h2, in clear text with prior knowledge.\n";
const ANSWER = Buffer.from(
  `HTTP/1.1 505 HTTP Version Not Supported\r\ncontent-type: text/plain\r\ncontent-length: ${WORDS.length}\r\nconnection: close\r\n\r\n${WORDS}`,
);
/** A request line (rfc9112#3). HTTP/2's preface has this form too, with another version (rfc9113#3.4). */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [^ \r\n]+ HTTP\/1\.[01]\r?\n/;
/** Octets in which a request line is searched. */
const LOOK = 8_192;

/** The answer to a client's first octets if they are a request of HTTP/1.1. */
export function refuseHttp1(first: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(first.buffer, first.byteOffset, Math.min(first.length, LOOK)).toString("latin1");
  return REQUEST_LINE.test(text) ? ANSWER : undefined;
}
export const answerHttp1 = (): Uint8Array => ANSWER;

/** The answer to a client that has not authenticated itself by TLS. */
export function answerUnauthenticated(why: string): Uint8Array {
  const words = `This server wants a client certificate that it trusts (${why}).\n`;
  return Buffer.from(
    `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: ${words.length}\r\nconnection: close\r\n\r\n${words}`,
  );
}
