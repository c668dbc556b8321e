import { NEVER, type Instant } from "../../../reference/core/index.ts";
import { Connection, type Event, type Fault, type Options } from "../../../reference/http2/index.ts";
import { joined, Pieces, pieceText, type Piece } from "./http2-frames.ts";
import { fieldsText, octetsText, outcome } from "./text.ts";

type Say = (line: string) => void;
/** A machine that never stops writing must not stop the life. */
const MOST_TAKES = 400;

/** One machine of a life: every call writes down what it returns, the events that follow, and what has changed for its owner. */
export class End {
  readonly #machine: Connection;
  readonly #say: Say;
  readonly #onEvent: (event: Event) => void;
  readonly #sent: Pieces;
  #deadline: Instant = NEVER;
  #accepting = false;
  #queued = 0;
  /** Content of ours may be counted as queued or not. */
  #hasSent = false;
  isOver = false;

  constructor(options: Options, now: Instant, { say, onEvent }: { readonly say: Say; readonly onEvent: (event: Event) => void }) {
    this.#machine = new Connection(options, now);
    this.#sent = new Pieces(options.side === "client" ? 24 : 0);
    this.#say = say;
    this.#onEvent = onEvent;
    this.#look();
  }

  get deadline(): Instant {
    return this.#machine.deadline;
  }

  /** An action of the owner. */
  act<Result>(what: string, action: (machine: Connection) => Result): Result | undefined {
    let result: Result | undefined;
    const threw = outcome(() => {
      result = action(this.#machine);
      return "";
    });
    this.#say(`${what}${threw === "" ? "" : ` ${threw}`}${result === undefined ? "" : ` -> ${JSON.stringify(result)}`}`);
    if (what.startsWith("data")) this.#hasSent = true;
    this.#drain(() => this.#machine.events());
    return result;
  }
  /** The peer's octets arrive; the owner reuses their memory afterwards. */
  receive(octets: Uint8Array, now: Instant): void {
    const given = octets.slice();
    this.#drain(() => this.#machine.receive(given, now));
    given.fill(0xee);
  }
  tick(now: Instant): void {
    this.#drain(() => this.#machine.tick(now));
  }
  ended(now: Instant): void {
    this.#say("the transport has ended");
    this.#drain(() => this.#machine.ended(now));
  }
  /** What is to be written, once or until nothing is left. */
  take(isAll: boolean): { readonly octets: Uint8Array; readonly pieces: readonly Piece[] } {
    const parts: Uint8Array[] = [];
    const once = (): number => {
      let taken: readonly Uint8Array[] = [];
      const threw = outcome(() => {
        taken = this.#machine.take();
        return "";
      });
      if (threw !== "") this.#say(`take ${threw}`);
      parts.push(...taken.map((part) => part.slice()));
      this.#drain(() => this.#machine.events());
      return taken.length;
    };
    for (let times = isAll ? MOST_TAKES : 1; times > 0 && once() > 0; times--);
    const octets = joined(parts);
    const pieces = this.#sent.read(octets);
    for (const one of pieces) this.#say(`< ${pieceText(one)}`);
    return { octets, pieces };
  }
  /** The end of the life: nothing may be left of a frame. */
  close(): void {
    if (this.#sent.rest.length > 0) this.#say(`an incomplete frame: ${octetsText(this.#sent.rest)}`);
  }

  #drain(call: () => readonly Event[]): void {
    let events: readonly Event[] = [];
    const threw = outcome(() => {
      events = call();
      return "";
    });
    if (threw !== "") this.#say(threw);
    for (const event of events) {
      this.#say(`* ${eventText(event)}`);
      if (event.is === "closed") this.isOver = true;
      this.#onEvent(event);
    }
    this.#look();
  }
  /** The properties that an owner can read, when they have changed. */
  #look(): void {
    const { deadline, accepting, queued } = this.#machine;
    if (deadline !== this.#deadline) this.#say(`deadline ${deadline}`);
    if (accepting !== this.#accepting) this.#say(`accepting ${accepting}`);
    if (queued !== this.#queued && !this.#hasSent) this.#say(`queued ${queued}`);
    this.#deadline = deadline;
    this.#accepting = accepting;
    this.#queued = queued;
  }
}

const faultText = ({ name, scope, code, stream, spec }: Fault): string => `${name} (${scope} ${stream} ${code} ${spec})`;

function eventText(event: Event): string {
  const parts = Object.entries(event).map(([key, value]) => {
    if (value instanceof Uint8Array) return `${key} ${octetsText(value)}`;
    if (key === "fields") return fieldsText(value as Parameters<typeof fieldsText>[0]);
    if (key === "fault" && value !== undefined) return faultText(value as Fault);
    return key === "is" ? String(value) : `${key} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`;
  });
  return parts.join(", ");
}
