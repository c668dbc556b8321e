import { acceptedWith, app, casesOf, discarded, packet, permitted, PING, type Side } from "../phrases.ts";
import type { Case, Step } from "../../vocabulary.ts";

const update: Step = packet({ level: "application", update: "keys" }, PING);
const fence: Step = { do: "fence" };

/** Key updates (rfc9001#6). */
export function keyUpdates(side: Side): Case[] {
  const { who, id } = side;
  const { after } = casesOf(side);

  return [
    after({
      id: id("key-update"),
      spec: "rfc9001#6.2",
      covers: ["rfc9001#6.2/responds", "rfc9001#6.1/any-time"],
      title: `The ${who} accepts a key update, and answers with the new keys.`,
      steps: [fence, update, { do: "await", see: { see: "key update" } }],
      control: [fence, app(PING)],
      allowed: acceptedWith({ see: "key update" }),
    }),
    after({
      id: id("two-key-updates"),
      spec: "rfc9001#6.2",
      covers: ["rfc9001#6.2/responds"],
      title: `The ${who} accepts a second key update after the first was acknowledged.`,
      steps: [fence, update, { do: "await", see: { see: "key update" } }, fence, { do: "wait", ms: 500 }, update, fence],
      control: [fence, app(PING)],
      allowed: acceptedWith({ see: "key update" }),
    }),
    after({
      id: id("old-keys-after-an-update"),
      spec: "rfc9001#6.4",
      covers: ["rfc9001#6.4/old-keys"],
      title: `The ${who} treats a packet with the keys before an update that comes after packets with the new keys as KEY_UPDATE_ERROR, or discards it.`,
      steps: [fence, update, fence, packet({ level: "application", update: "old" }, PING)],
      control: [fence, update, fence, app(PING)],
      // Once the old keys are gone, nothing can be told from such a packet.
      allowed: side.error("KEY_UPDATE_ERROR", permitted({ see: "discarded" }, "rfc9001#6.5")),
    }),
    after({
      id: id("key-phase-without-its-keys"),
      spec: "rfc9001#6.3",
      covers: ["rfc9001#6.3/not-authentic"],
      title: `The ${who} discards a packet with the other key phase that the next keys do not open.`,
      steps: [fence, packet({ level: "application", update: "bit" }, PING)],
      control: [fence, app(PING)],
      allowed: discarded,
    }),
  ];
}
