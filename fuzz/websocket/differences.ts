import type { FaultName } from "../../reference/websocket/index.ts";
import type { Theirs } from "./ws.ts";

/**
 * Where our reader and the one of npm `ws` mean to differ: why we refuse what it takes, by our fault, why it refuses what we take, by its
 * code, and where both refuse with another code in their Close. A difference that is not here is a mistake of one of the two; one that is
 * here and does not happen any more has to go.
 */

export const TAKEN_BY_WS: Partial<Readonly<Record<FaultName, string>>> = {
  lengthNotMinimal: "ws takes any form of a length; the least octets that do have to be used (rfc6455#5.2)",
};

export const REFUSED_BY_WS: Readonly<Record<string, string>> = {};

const EARLY =
  "text in several frames is looked at by ws when it is whole, and by us as it comes, so that we stop before a fault behind it (rfc6455#8.1)";
/** Our fault with its code, and their error with the code in their Close. */
export const CODED_OTHERWISE: Readonly<Record<string, string>> = {
  "lengthTopBitSet 1002 WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH 1009":
    "to ws a length whose highest bit is set is one that it cannot hold; the bit has to be 0 (rfc6455#5.2)",
  "lengthNotMinimal 1002 WS_ERR_INVALID_UTF8 1007": "ws takes any form of a length, and goes on to what is wrong behind it (rfc6455#5.2)",
  "textInvalid 1007 WS_ERR_EXPECTED_MASK 1002": EARLY,
  "textInvalid 1007 WS_ERR_INVALID_OPCODE 1002": EARLY,
  "textInvalid 1007 WS_ERR_UNEXPECTED_RSV_1 1002": EARLY,
  "textInvalid 1007 WS_ERR_UNEXPECTED_RSV_2_3 1002": EARLY,
};

/** Messages that are not the same, or that one of the two alone refuses: told by what ws did. */
export const READ_OTHERWISE: readonly { readonly why: string; readonly when: (theirs: Theirs) => boolean }[] = [
  {
    why: "behind a block that says that it is the last one ws drops what is left of the frame, and begins the next with an empty window; the sender may go on, and the window is kept (rfc7692#7.2.3.4)",
    when: ({ hadFinal }) => hadFinal === true,
  },
  {
    why: "a message that a Close has cut off ws forgets, whatever its octets were; we have refused those that are no UTF-8 as they came (rfc6455#8.1)",
    when: ({ cutOff }) => cutOff === true,
  },
];
