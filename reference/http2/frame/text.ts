import type { Writer } from "../../core/index.ts";

/** Bytes as Latin-1 text, so that nothing is lost; frames with text contain ASCII. */
export function readText(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

export function writeText(w: Writer, text: string): void {
  const at = w.claim(text.length);
  const bytes = w.octets;
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
}
