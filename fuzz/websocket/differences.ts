import type { FaultName } from "../../reference/websocket/index.ts";
import type { Theirs } from "./ws.ts";

/**
 * Intended differences between our reader and that of npm `ws`: why we refuse frames that it accepts, by our fault; why it refuses frames
 * that we accept, by its error code; and why both refuse with different Close codes. The tests fail on a difference that is not listed
 * here, and on a listed one that does not occur.
 */

export const ACCEPTED_BY_WS: Partial<Readonly<Record<FaultName, string>>> = {
  lengthNotMinimal: "ws accepts any form of a length; the shortest is required (rfc6455#5.2)",
};

export const REFUSED_BY_WS: Readonly<Record<string, string>> = {};

const EARLY =
  "ws checks text in several frames once it is complete; we check it as it arrives, so we stop before a later fault (rfc6455#8.1)";
/** Key: our fault and Close code, their error and Close code. */
export const CODED_DIFFERENTLY: Readonly<Record<string, string>> = {
  "lengthTopBitSet 1002 WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH 1009":
    "ws treats a length with the highest bit set as too large; the bit must be 0 (rfc6455#5.2)",
  "lengthNotMinimal 1002 WS_ERR_INVALID_UTF8 1007": "ws accepts any form of a length, and reports the fault after it (rfc6455#5.2)",
  "textInvalid 1007 WS_ERR_EXPECTED_MASK 1002": EARLY,
  "textInvalid 1007 WS_ERR_INVALID_OPCODE 1002": EARLY,
  "textInvalid 1007 WS_ERR_UNEXPECTED_RSV_1 1002": EARLY,
  "textInvalid 1007 WS_ERR_UNEXPECTED_RSV_2_3 1002": EARLY,
};

/** Messages that the two read differently, or that only one refuses, recognized by what ws did. */
export const READ_DIFFERENTLY: readonly { readonly why: string; readonly when: (theirs: Theirs) => boolean }[] = [
  {
    why: "after a block with BFINAL set, ws drops the rest of the frame and starts the next with an empty window; the sender may continue, with the same window (rfc7692#7.2.3.4)",
    when: ({ hadFinal }) => hadFinal === true,
  },
  {
    why: "ws drops a message interrupted by a Close, whatever its octets; we refuse invalid UTF-8 as it arrives (rfc6455#8.1)",
    when: ({ cutOff }) => cutOff === true,
  },
];
