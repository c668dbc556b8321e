import { field, instant, type Field } from "../../../reference/core/index.ts";
import { Connection, type Event, type ExchangeId, type Options } from "../../../reference/http1/index.ts";
import type { Draw } from "./http1-draw.ts";
import { Report, octetsOf } from "./http1-report.ts";

const NAMES = ["X", "x-y", "Content-Type", "Date", "Set-Cookie", "Authorization", "Server", "X-9", "Xa", "n".repeat(70)];
const VALUES = ["a", "b", "", "a b", "\u00e9", "v".repeat(256), "v".repeat(257), "ab", "ba"];
const ODD: readonly (readonly [string, string])[] = [
  ["Connection", "close"],
  ["Connection", "Close"],
  ["connection", "keep-alive"],
  ["Connection", "x"],
  ["Connection", "x, close, y"],
  ["Connection", "upgrade"],
  ["Connection", '"x"'],
  ["Connection", ""],
  ["Upgrade", "x"],
  ["Upgrade", "Y"],
  ["upgrade", "x, y"],
  ["Upgrade", "z"],
  ["Host", "a"],
  ["host", "b"],
  ["Transfer-Encoding", "chunked"],
  ["Content-Length", "x"],
  ["Content-Length", ""],
  ["Content-Length", "0"],
  ["Content-Length", "9007199254740992"],
  ["Expect", "100-continue"],
  ["", "a"],
  ["a b", "a"],
  ["X\u00e9", "a"],
  ["X", " a"],
  ["X", "a "],
  ["X", "a\r\nb"],
  ["X", "\0"],
];

/** The owner of a connection, who acts at random and reports everything. */
export class Owner {
  readonly c: Connection;
  readonly d: Draw;
  readonly report = new Report();
  now = 0;
  /** Exchanges that have begun, the last one at the end. */
  readonly open: ExchangeId[] = [];
  unread = 0;
  isOver = false;

  constructor(d: Draw, options: Options) {
    this.d = d;
    this.c = new Connection(options, instant(0));
    this.settle([]);
  }

  /** Takes all that an input has caused. */
  settle(events: readonly Event[]): void {
    for (let more = events; more.length > 0; more = this.c.events()) {
      this.report.events(more);
      for (const event of more) this.#heed(event);
    }
    this.report.properties(this.c);
  }
  #heed(event: Event): void {
    if (event.is === "request") this.open.push(event.exchange);
    else if (event.is === "data") this.unread += event.bytes.length;
    else if (event.is === "done" || event.is === "failed" || event.is === "unanswered") {
      const at = this.open.indexOf(event.exchange);
      if (at >= 0) this.open.splice(at, 1);
    } else if (event.is === "closed" || event.is === "switched") this.isOver = true;
  }

  hear(text: string): void {
    this.report.say(`> ${JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}… ${text.length}` : text)}`);
    this.settle(this.c.receive(octetsOf(text), instant(this.now)));
  }
  take(): void {
    this.report.sent(this.c.take());
    this.settle(this.c.events());
  }
  act(line: string, act: () => unknown): void {
    this.report.try(line, act);
    this.settle(this.c.events());
  }
  tick(): void {
    this.report.say(`at ${this.now}`);
    this.settle(this.c.tick(instant(this.now)));
  }
  end(): void {
    this.report.say("the peer ends");
    this.settle(this.c.ended(instant(this.now)));
  }
  /** Lets time pass, often exactly to the deadline, or to one millisecond before it. */
  wait(): void {
    const { deadline } = this.c;
    const { d } = this;
    const isDue = Number.isFinite(deadline) && deadline < 1e7 && d.once(2);
    this.now = isDue ? Math.max(this.now, deadline - d.of([0, 0, 1, 0.5])) : this.now + d.of([0, 1, 5, 20, 1_000, 1_001, 30_000]);
    if (!d.once(6)) this.tick();
  }

  /** Mostly an exchange that is open. */
  exchange(): ExchangeId {
    const { d, open } = this;
    if (open.length > 0 && !d.once(12)) return d.once(3) ? d.of(open) : open[0]!;
    return d.between(d.once(6) ? -1 : 1, 4) as ExchangeId;
  }
  fields(lengths: readonly string[] = []): Field[] {
    const { d } = this;
    const list = d.list(2, () => field(d.of(NAMES), d.of(VALUES), d.once(10)));
    if (lengths.length > 0 && d.once(2)) list.push(field(d.of(["Content-Length", "content-length"]), d.of(lengths)));
    if (d.once(3)) list.splice(d.below(list.length + 1), 0, field(...d.of(ODD)));
    return list;
  }
  content(): Uint8Array {
    const { d } = this;
    const size = d.often<number>([
      [2, 0],
      [4, 1],
      [4, 3],
      [2, 5],
      [2, 16],
      [1, 60],
      [1, d.once(12) ? 65_537 : 255],
    ]);
    return new Uint8Array(size).fill(0x61 + d.below(26));
  }
  send(id: ExchangeId): void {
    const { d } = this;
    const [bytes, end] = [this.content(), d.once(2)];
    this.act(`data ${id} ${bytes.length} ${end}`, () => this.c.data(id, bytes, end));
  }
  trail(id: ExchangeId): void {
    const fields = this.fields();
    this.act(`trailers ${id} ${JSON.stringify(fields)}`, () => this.c.trailers(id, fields));
  }
  consume(id: ExchangeId): void {
    const octets = this.d.once(3) ? this.d.below(10) : this.unread;
    this.unread = Math.max(0, this.unread - octets);
    this.act(`consumed ${octets}`, () => this.c.consumed(id, octets));
  }
  abandon(id: ExchangeId): void {
    this.act(`abandon ${id}`, () => this.c.abandon(id));
  }
  shutdown(): void {
    this.act("shutdown", () => this.c.shutdown());
  }
}

/** Pieces of a text: whole, in single octets, or cut anywhere. */
export function* cut(d: Draw, text: string): Generator<string> {
  const manner = d.below(4);
  for (let at = 0; at < text.length;) {
    const size = manner === 0 ? text.length : manner === 1 ? (text.length > 120 ? 7 : 1) : d.between(1, manner === 2 ? 12 : 80);
    yield text.slice(at, at + size);
    at += size;
  }
}
