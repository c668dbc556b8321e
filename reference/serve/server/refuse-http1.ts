/** What a client of HTTP/1.1 is told until there is a server for it. */
const WORDS = "This server speaks HTTP/2 only: over TLS with ALPN h2, in clear text with prior knowledge.\n";
const ANSWER = Buffer.from(
  `HTTP/1.1 505 HTTP Version Not Supported\r\ncontent-type: text/plain\r\ncontent-length: ${WORDS.length}\r\nconnection: close\r\n\r\n${WORDS}`,
);
/** A request line (rfc9112#3). HTTP/2's preface has the form too, with a version of its own (rfc9113#3.4). */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [^ \r\n]+ HTTP\/1\.[01]\r?\n/;
/** A request line is looked for in so many octets. */
const LOOK = 8_192;

/** The answer to the first octets of a client, where they are a request of HTTP/1.1. */
export function refuseHttp1(first: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(first.buffer, first.byteOffset, Math.min(first.length, LOOK)).toString("latin1");
  return REQUEST_LINE.test(text) ? ANSWER : undefined;
}
export const answerHttp1 = (): Uint8Array => ANSWER;
