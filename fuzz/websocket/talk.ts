import { createHash, randomBytes } from "node:crypto";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { securedFor } from "../lib/network.ts";
import type { Rule } from "../lib/rules.ts";
import { FENCE, FENCE_PAYLOAD } from "./oracle.ts";

/** What a peer did in response to a sequence. */
export type Seen = {
  /** `answered`: it answered the final ping. `refused`: it sent a Close frame. `closed`: it closed without one. `silent`: none of these in time. `declined`: no 101. */
  readonly is: "answered" | "refused" | "closed" | "silent" | "declined" | "unreachable";
  /** The code of its Close frame, if any. */
  readonly code?: number;
  /** How the peer's own octets broke the frame layout, and the section of the rule. */
  readonly broken?: { readonly says: string; readonly rule: Rule["ref"] };
};

/** Stop reading a peer after this many octets. */
const MAX_READ = 4 << 20;
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Opens a WebSocket, sends octets and a ping, and waits for the first decisive answer. After a pong it waits `lingerMs` for a Close frame or the end. */
export function talk(url: URL, octets: Uint8Array, limitMs: number, lingerMs = 0): Promise<Seen> {
  return new Promise((resolve) => {
    const socket = open(url);
    const key = randomBytes(16).toString("base64");
    let inbox: Buffer = Buffer.alloc(0);
    let [taken, isOpen, connected] = [0, false, false];
    const done = (seen: Seen): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(seen);
    };
    let timer = setTimeout(() => done({ is: "silent" }), limitMs);
    const answered = (): void => {
      clearTimeout(timer);
      if (lingerMs === 0) done({ is: "answered" });
      else timer = setTimeout(() => done({ is: "answered" }), lingerMs);
    };
    const over = (): void => done({ is: connected ? (isOpen ? "closed" : "declined") : "unreachable" });
    socket.once(url.protocol === "wss:" ? "secureConnect" : "connect", () => {
      connected = true;
      const path = `${url.pathname}${url.search}`;
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      );
    });
    socket.on("error", over);
    socket.on("close", over);
    socket.on("data", (chunk: Buffer) => {
      taken += chunk.length;
      inbox = Buffer.concat([inbox, chunk]);
      if (!isOpen) {
        const end = inbox.indexOf("\r\n\r\n");
        if (end < 0) return;
        const accept = createHash("sha1").update(`${key}${GUID}`).digest("base64");
        const head = inbox.toString("latin1", 0, end);
        if (!head.startsWith("HTTP/1.1 101 ") || !head.includes(accept)) return done({ is: "declined" });
        inbox = inbox.subarray(end + 4);
        isOpen = true;
        socket.write(Buffer.concat([octets, Buffer.from(FENCE.hex, "hex")]));
      }
      for (let frame = read(inbox); frame !== undefined; frame = read(inbox)) {
        if ("says" in frame) return done({ is: "refused", broken: frame });
        if (frame.opcode === 8) return done({ is: "refused", ...(frame.payload.length >= 2 && { code: frame.payload.readUInt16BE(0) }) });
        if (frame.opcode === 10 && frame.payload.toString("hex") === FENCE_PAYLOAD) {
          answered();
          if (lingerMs === 0) return;
        }
        inbox = inbox.subarray(frame.size);
      }
      if (taken > MAX_READ) done({ is: "silent" });
    });
  });
}

type Frame = { readonly opcode: number; readonly payload: Buffer; readonly size: number };
/** The first frame, its fault, or undefined if it is incomplete. */
function read(inbox: Buffer): Frame | NonNullable<Seen["broken"]> | undefined {
  if (inbox.length < 2) return undefined;
  const [first, second] = [inbox[0]!, inbox[1]!];
  const opcode = first & 0x0f;
  if ((first & 0x70) !== 0) return { says: "a frame with a reserved bit set without an extension", rule: "rfc6455#5.2/rsv" };
  if (![0, 1, 2, 8, 9, 10].includes(opcode)) return { says: `a frame with the opcode ${opcode}`, rule: "rfc6455#5.2/reserved-opcode" };
  if (second >= 0x80) return { says: "a masked frame", rule: "rfc6455#5.1/server-masks-not" };
  if (opcode >= 8 && (second > 125 || first < 0x80))
    return { says: "a control frame that is too long or fragmented", rule: "rfc6455#5.5/control-length" };
  const head = second < 126 ? 2 : second === 126 ? 4 : 10;
  if (inbox.length < head) return undefined;
  const length = second < 126 ? second : second === 126 ? inbox.readUInt16BE(2) : Number(inbox.readBigUInt64BE(2));
  if (second >= 126 && length < (second === 126 ? 126 : 65_536))
    return { says: "a length that is not in the shortest form", rule: "rfc6455#5.2/minimal-length" };
  if (inbox.length < head + length) return undefined;
  return { opcode, payload: inbox.subarray(head, head + length), size: head + length };
}

const open = (url: URL): Socket => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (url.protocol === "wss:" ? 443 : 80));
  return url.protocol === "wss:" ? connectTls({ host, port, ALPNProtocols: ["http/1.1"], ...securedFor(url) }) : connectTcp(port, host);
};
