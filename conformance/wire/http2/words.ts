import { FLAGS, FLAGS_OF, HEAD_LENGTH } from "./numbers.ts";
import { readFrame, type ReadField, type ReadFrame } from "./read.ts";
import { printable, toHex } from "../octets.ts";

/** A frame in words: `HEADERS stream 1 END_STREAM END_HEADERS :status=200 …`. `fields` are those of the section that it completes. */
export function inWords(frame: ReadFrame, fields?: readonly ReadField[]): string {
  const words: string[] = [frame.type.startsWith("0x") ? `frame of type ${frame.type}` : frame.type];
  if (frame.stream !== 0 || needsStream(frame.type)) words.push(`stream ${frame.stream}`);
  words.push(...flagWords(frame));
  if (frame.reservedBit) words.push("(reserved bit set)");
  if (frame.pad !== undefined) words.push(`padding ${frame.pad}${frame.dirtyPad ? " not all zero" : ""}`);
  if (frame.priority !== undefined) {
    const { on, weight, exclusive } = frame.priority;
    words.push(`depends on ${on}${exclusive ? " exclusively" : ""}, weight ${weight}`);
  }
  if (frame.promised !== undefined)
    words.push(frame.type === "PRIORITY_UPDATE" ? `for stream ${frame.promised}` : `promises ${frame.promised}`);
  for (const [name, value] of frame.settings ?? []) words.push(`${name}=${value}`);
  if (frame.type === "PING") words.push(toHex(frame.payload));
  if (frame.increment !== undefined) words.push(`increment ${frame.increment}`);
  if (frame.last !== undefined) words.push(`last stream ${frame.last}`);
  if (frame.code !== undefined) words.push(frame.code);
  if (frame.text !== undefined && frame.text !== "") words.push(`"${printable(frame.text)}"`);
  if (frame.data !== undefined) words.push(dataWords(frame.data));
  if (fields !== undefined) words.push(...fieldWords(fields));
  else if (frame.fragment !== undefined) words.push(`(${frame.fragment.length} octets of a field block)`);
  if (frame.problem !== undefined) words.push(`[${frame.problem}]`);
  return words.join(" ");
}

const needsStream = (type: string): boolean => !["SETTINGS", "PING", "GOAWAY", "PRIORITY_UPDATE"].includes(type);

function flagWords(frame: ReadFrame): string[] {
  const known = FLAGS_OF[frame.type] ?? [];
  const named = known.filter((name) => (frame.flags & FLAGS[name]) !== 0);
  const left = frame.flags & ~known.reduce((sum, name) => sum | FLAGS[name], 0);
  return left === 0 ? named : [...named, `(flags 0x${left.toString(16)})`];
}

function dataWords(data: Uint8Array): string {
  if (data.length === 0) return "0 octets";
  const text = Buffer.from(data.subarray(0, 48)).toString("latin1");
  const shown = /^[\x20-\x7e\r\n\t]+$/.test(text) ? ` "${printable(text, 40)}"` : "";
  return `${data.length} octet${data.length === 1 ? "" : "s"}${data.length <= 48 ? shown : ""}`;
}

const fieldWords = (fields: readonly ReadField[]): string[] =>
  fields.length <= 40
    ? fields.map(([name, value]) => `${printable(name)}=${printable(value)}`)
    : [...fieldWords(fields.slice(0, 40)), `… (${fields.length} fields)`];

/** Octets that we write as frames in words, as a peer reads them by their Length fields. */
export function framesInWords(octets: Uint8Array, fieldsOf?: (frame: ReadFrame) => readonly ReadField[] | undefined): string[] {
  const words: string[] = [];
  let at = 0;
  while (octets.length - at >= HEAD_LENGTH) {
    const length = ((octets[at] ?? 0) << 16) | ((octets[at + 1] ?? 0) << 8) | (octets[at + 2] ?? 0);
    const end = Math.min(octets.length, at + HEAD_LENGTH + length);
    const frame = readFrame(octets.subarray(at, end));
    words.push(inWords(frame, fieldsOf?.(frame)));
    at = end;
  }
  if (at < octets.length) words.push(`${octets.length - at} octets that are not a whole frame`);
  return words;
}
