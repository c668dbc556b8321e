import { accepted, app, packet, permitted, PING } from "../phrases.ts";
import { acceptWith, after, CLIENT, clientError, refused } from "../phrases-client.ts";
import { connectionIds } from "../shared/connection-ids.ts";
import { framesInPackets } from "../shared/frames-in-packets.ts";
import { malformedFrames } from "../shared/malformed-frames.ts";
import { streamStates } from "../shared/stream-states.ts";
import type { Case, FrameSpec } from "../../vocabulary.ts";

const TOKEN: FrameSpec = { type: "NEW_TOKEN", token: "00112233445566778899" };

/** Frames that a server sends (rfc9000#12.4, #19). */
export const cases: readonly Case[] = [
  ...framesInPackets(CLIENT),
  ...malformedFrames(CLIENT),
  ...streamStates(CLIENT),
  ...connectionIds(CLIENT),
  refused({
    id: "quic/client-new-token-empty",
    spec: "rfc9000#19.7",
    covers: ["rfc9000#19.7/empty"],
    title: "The client treats NEW_TOKEN with an empty token as a connection error of type FRAME_ENCODING_ERROR.",
    frames: [{ type: "NEW_TOKEN", token: "" }],
    instead: [TOKEN],
    code: "FRAME_ENCODING_ERROR",
  }),
  refused({
    id: "quic/client-new-token-cut",
    spec: "rfc9000#20.1",
    covers: ["rfc9000#20.1/badly-formatted"],
    level: "SHOULD",
    title: "The client treats NEW_TOKEN that ends within its token as a connection error of type FRAME_ENCODING_ERROR.",
    frames: [{ type: "NEW_TOKEN", hex: "05aabb" }],
    instead: [TOKEN],
    code: "FRAME_ENCODING_ERROR",
  }),
  after({
    id: "quic/client-new-token-twice",
    spec: "rfc9000#19.7",
    covers: ["rfc9000#19.7/repeated"],
    title: "The client accepts the same token in two NEW_TOKEN frames.",
    steps: [app(TOKEN), app(TOKEN)],
    control: [app(TOKEN)],
    allowed: accepted,
  }),
  after({
    id: "quic/client-handshake-done-twice",
    spec: "rfc9000#13.3",
    covers: ["rfc9000#13.3/handshake-done-again"],
    title: "The client accepts a second HANDSHAKE_DONE frame.",
    steps: [app({ type: "HANDSHAKE_DONE" })],
    control: [app(PING)],
    allowed: accepted,
  }),
  {
    id: "quic/client-initial-packet-with-a-token",
    spec: "rfc9000#17.2.2",
    covers: ["rfc9000#17.2.2/token-of-server"],
    level: "MUST",
    role: "client",
    title: "The client discards an Initial packet of the server that has a token, or treats it as PROTOCOL_VIOLATION.",
    steps: [acceptWith({ hold: "initial" }), packet({ level: "initial", token: "00112233" }, PING)],
    control: [acceptWith({ hold: "initial" }), packet({ level: "initial" }, PING)],
    allowed: [{ see: { see: "discarded" } }, permitted({ see: "close", code: "PROTOCOL_VIOLATION" }, "rfc9000#17.2.2")],
  },
  after({
    id: "quic/client-bidirectional-streams-beyond-its-limit",
    spec: "rfc9000#4.6",
    covers: ["rfc9000#4.6/stream-limit"],
    title:
      "The client treats STREAM on the first bidirectional stream that it does not permit as a connection error of type STREAM_LIMIT_ERROR.",
    needs: ["few-bidirectional-streams"],
    steps: [app({ type: "STREAM", stream: { limit: "bidirectional streams", plus: 0 }, data: "!" })],
    control: [app(PING)],
    allowed: clientError("STREAM_LIMIT_ERROR"),
  }),
];
