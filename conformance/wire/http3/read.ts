import { join, toLatin1 } from "../octets.ts";
import { frameName, type FrameName, settingName, type SettingName } from "./numbers.ts";
import { readVarint } from "./varint.ts";

/** A field as it came; an octet above ASCII is the Latin-1 character with the same number. */
export type ReadField = readonly [name: string, value: string];

/** A frame as it came, decoded as far as possible. A member is absent if the frame does not have it, or is too short for it. */
export type ReadFrame = {
  readonly type: FrameName | `0x${string}`;
  readonly length: number;
  readonly octets: Uint8Array;
  readonly payload: Uint8Array;
  /** Push ID, or the identifier of GOAWAY and PRIORITY_UPDATE. */
  readonly id?: number;
  readonly settings?: readonly (readonly [SettingName | `0x${string}`, number])[];
  /** HEADERS, PUSH_PROMISE: the encoded section. */
  readonly section?: Uint8Array;
  /** PRIORITY_UPDATE: the Priority Field Value. */
  readonly text?: string;
  /** What breaks the layout of the frame, in words. */
  readonly problem?: string;
};

/** Splits received octets, which it may keep, into frames of any content. */
export class FrameCutter {
  #parts: Uint8Array[] = [];
  #held = 0;
  #wanted = 2;

  /** Octets of an incomplete frame. */
  get pending(): number {
    return this.#held;
  }

  push(bytes: Uint8Array): Uint8Array[] {
    if (bytes.length > 0) this.#parts.push(bytes);
    this.#held += bytes.length;
    const whole: Uint8Array[] = [];
    if (this.#held < this.#wanted) return whole;
    const all = join(this.#parts);
    let at = 0;
    for (;;) {
      const end = endOfFrame(all, at);
      // Large frames are joined once, not once for each datagram.
      this.#wanted = end === undefined ? all.length - at + 1 : end - at;
      if (end === undefined || end > all.length) break;
      whole.push(all.slice(at, end));
      at = end;
    }
    this.#parts = at === all.length ? [] : [all.slice(at)];
    this.#held = all.length - at;
    return whole;
  }
}

function endOfFrame(all: Uint8Array, at: number): number | undefined {
  const type = readVarint(all, at);
  const length = type === undefined ? undefined : readVarint(all, at + type.size);
  return type === undefined || length === undefined ? undefined : at + type.size + length.size + length.value;
}

/** Decodes one complete frame. It judges nothing: wrong sizes are reported in `problem`. */
export function readFrame(octets: Uint8Array): ReadFrame {
  const type = readVarint(octets);
  const length = type === undefined ? undefined : readVarint(octets, type.size);
  const payload = octets.subarray((type?.size ?? 0) + (length?.size ?? 0));
  const name = frameName(type?.value ?? 0);
  return { type: name, length: payload.length, octets, payload, ...membersOf(name, payload) };
}

const TOO_SHORT = "the payload is too short";

function membersOf(type: ReadFrame["type"], payload: Uint8Array): Partial<ReadFrame> {
  switch (type) {
    case "HEADERS":
      return { section: payload };
    case "SETTINGS":
      return settingsOf(payload);
    case "CANCEL_PUSH":
    case "GOAWAY":
    case "MAX_PUSH_ID":
    case "PUSH_PROMISE":
    case "PRIORITY_UPDATE":
    case "PRIORITY_UPDATE_PUSH": {
      const id = readVarint(payload);
      if (id === undefined) return { problem: TOO_SHORT };
      const rest = payload.subarray(id.size);
      if (type === "PUSH_PROMISE") return { id: id.value, section: rest };
      if (type.startsWith("PRIORITY")) return { id: id.value, text: toLatin1(rest) };
      return { id: id.value, ...(rest.length > 0 ? { problem: `${rest.length} octets too many` } : {}) };
    }
    default:
      return {};
  }
}

function settingsOf(payload: Uint8Array): Partial<ReadFrame> {
  const settings: (readonly [SettingName | `0x${string}`, number])[] = [];
  let at = 0;
  while (at < payload.length) {
    const id = readVarint(payload, at);
    const value = id === undefined ? undefined : readVarint(payload, at + id.size);
    if (id === undefined || value === undefined) return { settings, problem: TOO_SHORT };
    settings.push([settingName(id.value), value.value]);
    at += id.size + value.size;
  }
  return { settings };
}
