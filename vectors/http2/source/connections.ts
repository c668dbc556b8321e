import type { VectorSource } from "../../write.ts";
import type { ConnectionVector } from "./craft.ts";
import { EXCHANGES } from "./exchanges.ts";
import { MESSAGES } from "./messages.ts";

/** What a connection tells its program, and what it sends for it. */
export const source: VectorSource<ConnectionVector> = {
  about: "What the program of a connection learns, and what its peer gets when the program acts",
  spec: "rfc9113#5.1",
  flags: {
    Message: { why: "parts of messages: interim responses, content, trailers", bug: "WRONG_ORDER" },
    Content: { why: "which messages have content, and how much", bug: "MISSING_CHECK" },
    Reset: { why: "streams that end before their time", bug: "WRONG_SCOPE" },
    Promise: { why: "promised requests and their responses", bug: "MISSING_CHECK" },
    Leave: { why: "GOAWAY: what has been processed, what may be sent again", bug: "WRONG_SCOPE" },
    Ping: { why: "the octets of PING", bug: "WRONG_VALUE" },
    Credit: { why: "content that waits for credit", bug: "ARITHMETIC" },
    Streams: { why: "requests that wait for their turn", bug: "ARITHMETIC" },
    Table: { why: "the table that the peer offers for compression", bug: "OFF_BY_ONE" },
    Breach: { why: "mistakes of the peer that end the connection", bug: "MISSING_CHECK" },
  },
  vectors: [
    ...MESSAGES,
    ...EXCHANGES,
  ],
};
