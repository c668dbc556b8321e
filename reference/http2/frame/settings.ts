import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION } from "../stream-id.ts";
import { Flag, FrameType, readU32, writeHead, type Head } from "./head.ts";

/** Identifiers of the parameters (rfc9113#6.5.2, rfc8441#3, rfc9218#2.1). */
export const SettingId = {
  HEADER_TABLE_SIZE: 0x1,
  ENABLE_PUSH: 0x2,
  MAX_CONCURRENT_STREAMS: 0x3,
  INITIAL_WINDOW_SIZE: 0x4,
  MAX_FRAME_SIZE: 0x5,
  MAX_HEADER_LIST_SIZE: 0x6,
  ENABLE_CONNECT_PROTOCOL: 0x8,
  NO_RFC7540_PRIORITIES: 0x9,
} as const;
export type SettingName = keyof typeof SettingId;

/** One parameter as it stands on the wire; identifiers nobody has defined are kept, and ignored by the connection. */
export type Setting = { readonly id: number; readonly value: number };
/** Announces how its sender wants to be spoken to, or acknowledges that (rfc9113#6.5). */
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
  writeHead(w, settings.length * SETTING_LENGTH, FrameType.SETTINGS, ack ? Flag.ACK : 0, CONNECTION);
  for (const { id, value } of settings) w.u16(id).u32(value);
}
