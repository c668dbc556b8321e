import type { Socket } from "node:net";
import type { TranscriptLine } from "../../harness/result.ts";
import { type Head, type Json, Line } from "./line.ts";
import type { Sender } from "./messages.ts";

const parse = (text: string): Json => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
  } catch {
    return {};
  }
};

/** Octets of one message, unless a case says otherwise. */
const PIECE = 32_768;

/** Everything that was seen on one connection. It answers pings, as both sides must. */
export class Party {
  readonly name: string;
  readonly line: Line;
  readonly messages: Json[] = [];
  readonly #note: (line: Omit<TranscriptLine, "at">) => void;
  readonly #poke: () => void;
  /** An agent that the harness plays. */
  isAgent = false;
  isDropped = false;
  answersPings = true;
  head: Head | undefined;
  code: number | undefined;
  reason = "";
  /** The content of a refusal. */
  content = "";
  octets = "";
  /** The octets of the longest message. */
  longest = 0;
  screen = "";
  /** The request came from there. */
  readonly #isSubject: boolean;
  #screenLeft = 0;
  #pings = 0;

  constructor(
    name: string,
    { socket, masks }: { readonly socket: Socket; readonly masks: boolean },
    { note, poke }: { readonly note: (line: Omit<TranscriptLine, "at">) => void; readonly poke: () => void },
  ) {
    this.name = name;
    this.#isSubject = !masks;
    this.#note = note;
    this.#poke = poke;
    this.line = new Line(socket, masks, {
      head: (head) => this.#seen(head.start, () => (this.head = head)),
      text: (text) => this.#seen(text, () => this.#heard(parse(text))),
      octets: (octets) =>
        this.#seen(`${octets.length} octets: ${Buffer.from(octets).toString("latin1").slice(0, 80)}`, () => this.#got(octets)),
      content: (octets) => {
        this.content += Buffer.from(octets).toString();
        this.#poke();
      },
      ended: (code, reason) =>
        this.#seen(`ended with ${code}`, () => {
          this.code = code;
          this.reason = reason;
        }),
    });
  }

  /** The status of the response; 0 before it. */
  get status(): number {
    return Number(this.head?.start.split(" ")[1] ?? 0);
  }
  /** The other side: a hub, unless the request came from there. */
  get sender(): Sender {
    if (!this.#isSubject) return "hub";
    return this.query.has("client") ? "client" : "agent";
  }
  /** The subprotocols that a request offers. */
  get protocols(): string[] {
    return (this.head?.fields.get("sec-websocket-protocol") ?? "").split(",").map((one) => one.trim());
  }
  /** How many tokens a request has. */
  get tokens(): number {
    const bearer = /^bearer +\S+$/i.test(this.head?.fields.get("authorization") ?? "") ? 1 : 0;
    return bearer + this.protocols.filter((one) => one.startsWith("token.")).length;
  }
  /** The query of a request. */
  get query(): URLSearchParams {
    return new URL(this.head?.start.split(" ")[1] ?? "/", "ws://a").searchParams;
  }
  /** The other side sent the request. */
  get isRequest(): boolean {
    return this.#isSubject;
  }
  /** Nothing more of the response comes, if it opens no WebSocket. */
  get isAnswered(): boolean {
    return this.#isSubject || this.status === 101 || this.code !== undefined || this.content.length >= this.#announced;
  }
  get #announced(): number {
    return this.head === undefined ? Number.POSITIVE_INFINITY : Number(this.head.fields.get("content-length") ?? Number.POSITIVE_INFINITY);
  }
  say(text: string): void {
    this.#note({ way: "->", means: `${this.name}: ${text.slice(0, 300)}` });
    this.line.text(text);
  }
  send(octets: Uint8Array, isWhole = false): void {
    this.#note({ way: "->", means: `${this.name}: ${octets.length} octets` });
    if (isWhole) return this.line.octets(octets);
    for (let at = 0; at < octets.length; at += PIECE) this.line.octets(octets.subarray(at, at + PIECE));
  }
  /** Ends the connection, which the control does not hold against the subject. */
  drop(): void {
    this.isDropped = true;
    this.line.drop();
  }
  /** Sends a ping; true once the pong has come. */
  ping(): () => boolean {
    const id = 1_000_000 + ++this.#pings;
    this.line.text(JSON.stringify({ type: "ping", id }));
    return () => this.messages.some((message) => message["type"] === "pong" && message["id"] === id);
  }

  #seen(words: string, act: () => void): void {
    this.#note({ way: "<-", means: `${this.name}: ${words.slice(0, 300)}` });
    act();
    this.#poke();
  }
  #heard(message: Json): void {
    if (this.messages.length === 0 || message["type"] === "state")
      this.#screenLeft = Math.max(this.#screenLeft, Number(message["screen"] ?? 0));
    this.messages.push(message);
    if (message["type"] === "ping" && this.answersPings) this.line.text(JSON.stringify({ type: "pong", id: message["id"] }));
  }
  #got(octets: Uint8Array): void {
    this.longest = Math.max(this.longest, octets.length);
    const text = Buffer.from(octets).toString("latin1");
    const drawn = Math.min(this.#screenLeft, text.length);
    this.#screenLeft -= drawn;
    this.screen += text.slice(0, drawn);
    this.octets += text.slice(drawn);
  }
}
