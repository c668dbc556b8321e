import { acceptedWith, after, app, discarded, packet, PING } from "../../phrases.ts";
import type { Case, Step } from "../../../vocabulary.ts";

const update: Step = packet({ level: "application", update: "keys" }, PING);
const fence: Step = { do: "fence" };

/** Key updates (rfc9001#6). */
export const cases: readonly Case[] = [
  after({
    id: "quic/key-update",
    spec: "rfc9001#6.2",
    covers: ["rfc9001#6.2/responds", "rfc9001#6.1/any-time"],
    title: "The server accepts a key update, and answers with the new keys.",
    steps: [fence, update, { do: "await", see: { see: "key update" } }],
    control: [fence, app(PING)],
    allowed: acceptedWith({ see: "key update" }),
  }),
  after({
    id: "quic/two-key-updates",
    spec: "rfc9001#6.2",
    covers: ["rfc9001#6.2/responds"],
    title: "The server accepts a second key update after the first was acknowledged.",
    steps: [fence, update, { do: "await", see: { see: "key update" } }, fence, { do: "wait", ms: 500 }, update, fence],
    control: [fence, app(PING)],
    allowed: acceptedWith({ see: "key update" }),
  }),
  after({
    id: "quic/key-phase-without-its-keys",
    spec: "rfc9001#6.3",
    covers: ["rfc9001#6.3/not-authentic"],
    title: "The server discards a packet with the other key phase that the next keys do not open.",
    steps: [fence, packet({ level: "application", update: "bit" }, PING)],
    control: [fence, app(PING)],
    allowed: discarded,
  }),
];
