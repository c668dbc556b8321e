import { CONNECTION } from "../../../http2/index.ts";
import { GARBAGE_ARGS, garbage } from "../garbage.ts";
import type { Http2Fault, Kit } from "./kit.ts";
import { cut, octets } from "./unit.ts";

const REQUEST = Buffer.from("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
const RESPONSE = Buffer.from("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 9\r\nconnection: close\r\n\r\nHTTP/1.1\n");

/** Octets that are not frames. */
export const raw = (kit: Kit): readonly Http2Fault[] => [
  kit.define("garbage", {
    title: `sends random octets instead of a ${kit.message}`,
    args: { ...GARBAGE_ARGS, after: kit.after },
    start: ({ octets: count, seed, after }, line) =>
      kit.insteadOfMessage({ after, times: 1 }, line, ({ stream }, pass) => {
        // The first octets are the head of a frame that is too long for any client.
        pass(octets(stream, garbage(count, seed, 4)));
      }),
  }),
  kit.define("http1", {
    title:
      kit.side === "server"
        ? "answers the client's preface in HTTP/1.1, and closes the connection"
        : "sends a request of HTTP/1.1 instead of the preface",
    args: {},
    byRequest: false,
    start: () => {
      let hasSpoken = false;
      return {
        outgoing: (_, pass) => {
          if (!hasSpoken) pass(octets(CONNECTION, kit.side === "server" ? RESPONSE : REQUEST));
          hasSpoken = true;
          if (kit.side === "server") pass(cut(CONNECTION, "end"));
        },
      };
    },
  }),
];
