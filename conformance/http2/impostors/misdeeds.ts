import type { FrameSpec } from "../vocabulary.ts";
import { toHex } from "../../wire/octets.ts";
import type { Flaw, Peer } from "./peer.ts";

/** Whether no such frame has been sent yet. */
export const once = (type: FrameSpec["type"], peer: Peer, test: (frame: FrameSpec) => boolean = () => true): boolean =>
  !peer.went.some((frame) => frame.type === type && test(frame));
export const isAck = (frame: FrameSpec): boolean => Array.isArray(frame.flags) && frame.flags.includes("ACK");
/** A flaw in sent frames. */
export const sends = (about: string, rewrite: NonNullable<Flaw["sends"]>): Flaw => ({ about, sends: rewrite });

/** Flaws in sent frames that servers and clients can both have. */
export const MISDEEDS: Readonly<Record<string, Flaw>> = {
  "never-acknowledges": sends("acknowledges no SETTINGS", (frame) => (frame.type === "SETTINGS" && isAck(frame) ? [] : [frame])),
  "acknowledges-once": sends("acknowledges the first SETTINGS only", (frame, peer) =>
    frame.type === "SETTINGS" && isAck(frame) && !once("SETTINGS", peer, isAck) ? [] : [frame],
  ),
  "never-pongs": sends("answers no PING", (frame) => (frame.type === "PING" ? [] : [frame])),
  "pongs-once": sends("answers the first PING only", (frame, peer) => (frame.type === "PING" && !once("PING", peer) ? [] : [frame])),
  "pongs-wrongly": sends("answers PING with other octets", (frame) => [
    frame.type === "PING" ? { ...frame, hex: "0000000000000000" } : frame,
  ]),
  "acknowledges-acknowledgements": {
    about: "answers an acknowledgement of SETTINGS with another",
    meets: (frame, peer) => {
      if (frame.type === "SETTINGS" && frame.ack === true) peer.send({ type: "SETTINGS", flags: ["ACK"] });
      return undefined;
    },
  },
  "answers-pongs": {
    about: "answers the answers to PING",
    meets: (frame, peer) => {
      if (frame.type === "PING" && frame.ack === true) peer.send({ type: "PING", flags: ["ACK"], hex: toHex(frame.payload) });
      return undefined;
    },
  },
  "never-opens-windows": sends("sends no WINDOW_UPDATE", (frame) => (frame.type === "WINDOW_UPDATE" ? [] : [frame])),
  "opens-windows-by-zero": sends("sends WINDOW_UPDATE of 0", (frame) => [
    frame.type === "WINDOW_UPDATE" ? { ...frame, increment: 0 } : frame,
  ]),
  "sets-reserved-bit": sends("sets the reserved bit", (frame) => [frame.type === "HEADERS" ? { ...frame, reservedBit: true } : frame]),
};
