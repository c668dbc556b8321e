import { framesInPackets } from "../shared/frames-in-packets.ts";
import { refused, SERVER } from "../phrases.ts";
import type { Case } from "../../vocabulary.ts";

/** Which packet may carry which frame (rfc9000#12.4, table 3). */
export const cases: readonly Case[] = [
  ...framesInPackets(SERVER),
  refused({
    id: "quic/new-token-by-client",
    spec: "rfc9000#19.7",
    covers: ["rfc9000#19.7/from-client"],
    title: "The server treats NEW_TOKEN as a connection error of type PROTOCOL_VIOLATION.",
    frames: [{ type: "NEW_TOKEN", token: "00112233" }],
    code: "PROTOCOL_VIOLATION",
  }),
  refused({
    id: "quic/handshake-done-by-client",
    spec: "rfc9000#19.20",
    covers: ["rfc9000#19.20/from-client"],
    title: "The server treats HANDSHAKE_DONE as a connection error of type PROTOCOL_VIOLATION.",
    frames: [{ type: "HANDSHAKE_DONE" }],
    code: "PROTOCOL_VIOLATION",
  }),
];
