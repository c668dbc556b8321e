import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION } from "../stream/id.ts";
import { Flag, FrameType, readU32, writeHead, type Head } from "./head.ts";

/** One parameter on the wire. Unknown identifiers are kept here, and ignored by the connection. */
export type Setting = { readonly id: number; readonly value: number };
/** Announces how the other side shall send, or acknowledges that (rfc9113#6.5). */
export type SettingsFrame = { readonly is: "SETTINGS"; readonly ack: boolean; readonly settings: readonly Setting[] };
const SETTING_LENGTH = 6;

export function read(head: Head, payload: Uint8Array): SettingsFrame | Fault {
  if (head.stream !== CONNECTION) return fault("settingsOnStream");
  const ack = (head.flags & Flag.ACK) !== 0;
  if (ack && payload.length !== 0) return fault("settingsAckNotEmpty");
  if (payload.length % SETTING_LENGTH !== 0) return fault("settingsLengthNotMultipleOf6");
  const settings: Setting[] = [];
  for (let at = 0; at < payload.length; at += SETTING_LENGTH) {
    settings.push({ id: (payload[at]! << 8) | payload[at + 1]!, value: readU32(payload, at + 2) });
  }
  return { is: "SETTINGS", ack, settings };
}

export function write(w: Writer, { ack, settings }: SettingsFrame): void {
  writeHead(w, { length: settings.length * SETTING_LENGTH, type: FrameType.SETTINGS, flags: ack ? Flag.ACK : 0, stream: CONNECTION });
  for (const { id, value } of settings) w.u16(id).u32(value);
}
