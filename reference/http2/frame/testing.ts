import { Writer } from "../../core/index.ts";
import { fromHex, toHex } from "../testing.ts";
import { HEAD_LENGTH, readFrame, readHead, writeFrame, type Frame } from "./index.ts";

/** Reads one frame given in hexadecimal, head and payload; refusals give the fault's name and scope. */
export function readHex(text: string): Frame | string {
  const bytes = fromHex(text.replaceAll(" ", ""));
  const got = readFrame(readHead(bytes), bytes.subarray(HEAD_LENGTH));
  return got.is === "fault" ? `${got.name} (${got.scope})` : got;
}
export function writeHex(frame: Frame): string {
  const w = new Writer();
  writeFrame(w, frame);
  return toHex(w.take());
}
