import { createHash, randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { buildFrame, plainly } from "../../wire/websocket/build.ts";
import { GUID } from "../../wire/websocket/numbers.ts";
import { FrameCutter, type ReadFrame } from "../../wire/websocket/read.ts";

/** One WebSocket of the harness, on either side of it, written apart from the reference. */

export type Head = { readonly start: string; readonly fields: ReadonlyMap<string, string> };
export type Json = Readonly<Record<string, unknown>>;
/** What happens on a line: a text, octets, or its end. */
export type Listener = {
  readonly head: (head: Head) => void;
  readonly text: (text: string) => void;
  readonly octets: (octets: Uint8Array) => void;
  /** Octets of the content of a response that opens no WebSocket. */
  readonly content?: (octets: Uint8Array) => void;
  readonly ended: (code: number, reason: string) => void;
};

const LAST_MS = 200;
const MOST_HEAD = 16_384;
const END = "\r\n\r\n";
const accept = (key: string): string =>
  createHash("sha1")
    .update(key + GUID)
    .digest("base64");

export class Line {
  readonly #socket: Socket;
  readonly #masks: boolean;
  readonly #listener: Listener;
  readonly #cutter = new FrameCutter();
  readonly #building = plainly();
  #head: Buffer | undefined = Buffer.alloc(0);
  /** Parts of a message in fragments. */
  #parts: Uint8Array[] = [];
  #opcode = 0;
  #code = 1006;
  #reason = "";
  #isRefused = false;
  #isOver = false;
  #isOpen = false;

  /** `masks`: this end is the client of the handshake. */
  constructor(socket: Socket, masks: boolean, listener: Listener) {
    this.#socket = socket;
    this.#masks = masks;
    this.#listener = listener;
    socket.setNoDelay(true);
    socket.on("data", (octets: Buffer) => this.#read(octets));
    socket.on("error", () => {});
    socket.on("close", () => this.#end());
  }

  /** Whether messages may go out. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#isOver;
  }
  request(path: string, fields: Readonly<Record<string, string>>): void {
    const all = {
      upgrade: "websocket",
      connection: "Upgrade",
      "sec-websocket-version": "13",
      "sec-websocket-key": randomBytes(16).toString("base64"),
      ...fields,
    };
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\n${Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`,
    );
  }
  accept({ fields }: Head, protocol: string): void {
    const chosen = (fields.get("sec-websocket-protocol") ?? "").split(",").some((one) => one.trim() === protocol);
    this.#isOpen = true;
    this.#socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept(fields.get("sec-websocket-key") ?? "")}\r\n${chosen ? `Sec-WebSocket-Protocol: ${protocol}\r\n` : ""}\r\n`,
    );
  }
  refuse(status: number): void {
    this.#socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  }
  text(text: string): void {
    this.#write({ opcode: "text", text });
  }
  octets(octets: Uint8Array): void {
    this.#write({ opcode: "binary", hex: Buffer.from(octets).toString("hex") });
  }
  close(code: number): void {
    this.#write({ opcode: "close", code });
  }
  drop(): void {
    this.#socket.destroy();
  }
  /** Ends the connection after what was sent. */
  finish(): void {
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), LAST_MS).unref();
  }

  #write(spec: Parameters<typeof buildFrame>[0]): void {
    if (this.#isOver || this.#socket.destroyed) return;
    this.#socket.write(buildFrame(this.#masks ? spec : { ...spec, mask: "none" }, this.#building));
  }
  #read(octets: Buffer): void {
    if (this.#isRefused) return this.#listener.content?.(octets);
    if (this.#head === undefined) return this.#frames(octets);
    this.#head = Buffer.concat([this.#head, octets]);
    const end = this.#head.indexOf(END);
    if (end < 0) {
      if (this.#head.length > MOST_HEAD) this.drop();
      return;
    }
    const [start = "", ...lines] = this.#head.subarray(0, end).toString("latin1").split("\r\n");
    const rest = this.#head.subarray(end + END.length);
    this.#head = undefined;
    const fields = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      const before = fields.get(name);
      fields.set(name, `${before === undefined ? "" : `${before}, `}${line.slice(colon + 1).trim()}`);
    }
    if (this.#masks) this.#isOpen = start.split(" ")[1] === "101";
    this.#isRefused = this.#masks && !this.#isOpen;
    this.#listener.head({ start, fields });
    if (this.#isRefused) this.#listener.content?.(rest);
    else this.#frames(rest);
  }
  #frames(octets: Uint8Array): void {
    for (const frame of this.#cutter.push(octets)) this.#frame(frame);
  }
  #frame({ opcode, payload, fin, code, reason }: ReadFrame): void {
    if (opcode === 9) return this.#write({ opcode: "pong", hex: Buffer.from(payload).toString("hex") });
    if (opcode === 8) {
      this.#code = code ?? 1005;
      this.#reason = Buffer.from(reason ?? []).toString();
      this.#write({ opcode: "close", ...(code === undefined ? {} : { code }) });
      this.#socket.end();
      return this.#end();
    }
    if (opcode > 2) return undefined;
    if (opcode !== 0) this.#opcode = opcode;
    this.#parts.push(payload);
    if (!fin) return undefined;
    const all = Buffer.concat(this.#parts);
    this.#parts = [];
    if (this.#opcode === 1) this.#listener.text(all.toString());
    else this.#listener.octets(all);
    return undefined;
  }
  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.ended(this.#code, this.#reason);
  }
}
