import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { securedFor } from "../lib/network.ts";
import { PREFACE } from "./oracle.ts";

/** What a peer did in response to a sequence. */
export type Seen = {
  /** `answered`: it acknowledged the final PING. `refused`: it sent GOAWAY. `closed`: it closed the connection without GOAWAY. `silent`: none of these in time. */
  readonly is: "answered" | "refused" | "closed" | "silent" | "unreachable";
  readonly code?: number;
  /** How the peer's own octets broke the frame layout. */
  readonly broken?: string;
  /** The peer's SETTINGS by identifier. */
  readonly settings?: ReadonlyMap<number, number>;
};

const SETTINGS_ACK = Buffer.from("000000040100000000", "hex");
const FENCE = Buffer.from("7463687374706e67", "hex");
const PING = Buffer.concat([Buffer.from("000008060000000000", "hex"), FENCE]);
const MAX_FRAME = 16_384;
/** Stop reading a peer after this many octets. */
const MAX_READ = 4 << 20;

/** Sends the preface, octets and a PING on a new connection, and waits for the first decisive answer. */
export function talk(url: URL, octets: Uint8Array, limitMs: number): Promise<Seen> {
  return new Promise((resolve) => {
    const socket = open(url);
    let inbox: Buffer = Buffer.alloc(0);
    let taken = 0;
    const settings = new Map<number, number>();
    const done = (seen: Seen): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...seen, settings });
    };
    const timer = setTimeout(() => done({ is: "silent" }), limitMs);
    let connected = false;
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
      connected = true;
      socket.write(Buffer.concat([PREFACE, SETTINGS_ACK, octets, PING]));
    });
    socket.on("error", () => done({ is: connected ? "closed" : "unreachable" }));
    socket.on("close", () => done({ is: connected ? "closed" : "unreachable" }));
    socket.on("data", (chunk: Buffer) => {
      taken += chunk.length;
      inbox = Buffer.concat([inbox, chunk]);
      while (inbox.length >= 9) {
        const length = inbox.readUIntBE(0, 3);
        if (length > MAX_FRAME)
          return done({ is: "refused", broken: `a frame of ${length} octets, more than SETTINGS_MAX_FRAME_SIZE (rfc9113#4.2)` });
        if (inbox.length < 9 + length) break;
        const type = inbox[3];
        const payload = inbox.subarray(9, 9 + length);
        if (type === 4)
          for (let at = 0; at + 6 <= payload.length; at += 6) settings.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
        if (type === 7) return done({ is: "refused", code: length >= 8 ? payload.readUInt32BE(4) : -1 });
        if (type === 6 && ((inbox[4] ?? 0) & 1) !== 0 && payload.equals(FENCE)) return done({ is: "answered" });
        inbox = inbox.subarray(9 + length);
      }
      if (taken > MAX_READ) done({ is: "silent" });
    });
  });
}

const open = (url: URL): Socket => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  return url.protocol === "https:" ? connectTls({ host, port, ALPNProtocols: ["h2"], ...securedFor(url) }) : connectTcp(port, host);
};
