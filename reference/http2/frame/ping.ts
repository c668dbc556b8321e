import type { Writer } from "../../core/index.ts";
import { fault, type Fault } from "../faults.ts";
import { CONNECTION } from "../stream/id.ts";
import { Flag, FrameType, writeHead, type Head } from "./head.ts";

/** Measures round trips and checks that the peer is alive (rfc9113#6.7). `data` is a view of eight bytes. */
export type Ping = { readonly is: "PING"; readonly ack: boolean; readonly data: Uint8Array };
export const PING_LENGTH = 8;

export function read(head: Head, payload: Uint8Array): Ping | Fault {
  if (head.stream !== CONNECTION) return fault("pingOnStream");
  if (payload.length !== PING_LENGTH) return fault("pingLengthNot8");
  return { is: "PING", ack: (head.flags & Flag.ACK) !== 0, data: payload };
}

export function write(w: Writer, { ack, data }: Ping): void {
  writeHead(w, { length: PING_LENGTH, type: FrameType.PING, flags: ack ? Flag.ACK : 0, stream: CONNECTION });
  w.bytes(data);
}
