import { printable, toHex } from "../octets.ts";
import type { ReadField, ReadFrame } from "./read.ts";

const SHOWN_FIELDS = 40;
const SHOWN_OCTETS = 48;

/** A frame in words: `HEADERS :status=200 …`. `fields` are those of its section. */
export function inWords(frame: ReadFrame, fields?: readonly ReadField[]): string {
  const words: string[] = [frame.type.startsWith("0x") ? `frame of type ${frame.type} with ${frame.length} octets` : frame.type];
  if (frame.id !== undefined) words.push(String(frame.id));
  for (const [name, value] of frame.settings ?? []) words.push(`${name}=${value}`);
  if (frame.text !== undefined && frame.text !== "") words.push(`"${printable(frame.text)}"`);
  if (frame.type === "DATA") words.push(dataWords(frame.payload));
  if (fields !== undefined) words.push(...fieldWords(fields));
  else if (frame.section !== undefined) words.push(`(${frame.section.length} octets of a field section)`);
  if (frame.problem !== undefined) words.push(`[${frame.problem}]`);
  return words.join(" ");
}

function dataWords(data: Uint8Array): string {
  if (data.length === 0) return "0 octets";
  const text = Buffer.from(data.subarray(0, SHOWN_OCTETS)).toString("latin1");
  const shown = data.length <= SHOWN_OCTETS && /^[\x20-\x7e\r\n\t]+$/.test(text) ? ` "${printable(text, 40)}"` : "";
  return `${data.length} octet${data.length === 1 ? "" : "s"}${shown}`;
}

const fieldWords = (fields: readonly ReadField[]): string[] => [
  ...fields.slice(0, SHOWN_FIELDS).map(([name, value]) => `${printable(name)}=${printable(value)}`),
  ...(fields.length > SHOWN_FIELDS ? [`… (${fields.length} fields)`] : []),
];

/** Octets that are not read as frames. */
export const octetsInWords = (octets: Uint8Array): string =>
  octets.length <= SHOWN_OCTETS ? `octets ${toHex(octets)}` : `${octets.length} octets`;
