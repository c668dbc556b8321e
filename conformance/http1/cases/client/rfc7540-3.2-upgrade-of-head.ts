import type { Case, Text } from "../../vocabulary.ts";
import { accepts, answer, CONTENT, ok } from "./phrases.ts";

/** RFC 7540, section 3.2, and RFC 9113, section 8.1.1: what the client remembers of a request that HTTP/2 answers. */

const AGREED: Text = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
const SETTINGS: Text = "\0\0\0\x04\0\0\0\0\0";
/** On stream 1 the status 200, by its index in the static table, and `content-length: 10`; the stream ends. */
const HEADERS: Text = `\0\0\x06\x01\x05\0\0\0\x01\x88\x0f\x0d\x02${CONTENT.length}`;

export const cases: readonly Case[] = [
  accepts({
    id: "http1/client-upgrade-h2c-of-head",
    spec: "rfc7540#3.2",
    covers: ["rfc7540#3.2/response-on-stream-1", "rfc9113#8.1.1/no-content-accepted", "rfc9112#6.3/no-body"],
    title: "The client that offered h2c with HEAD accepts a response on stream 1 that has a Content-Length and no content.",
    text: AGREED + SETTINGS + HEADERS,
    output: "",
    ask: { method: "HEAD" },
    needs: ["head", "h2c", "clear"],
    control: [answer(ok(`Content-Length: ${CONTENT.length}`))],
  }),
];
