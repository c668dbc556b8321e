import { field, type Field } from "../../../reference/core/index.ts";
import { streamId, type ErrorCode, type Event, type Side } from "../../../reference/http2/index.ts";
import type { Chance } from "./chance.ts";
import type { End } from "./http2-end.ts";
import { fields, requestOf } from "./http2-messages.ts";
import { changesOf, ownerWeights, type OwnerDeed, type Topic } from "./http2-setup.ts";
import { fieldsText } from "./text.ts";

/** A stream as the program sees it that uses the machine. */
type Used = {
  readonly id: number;
  /** Whether a response of ours may begin, content may follow, or nothing. */
  ours: "head" | "content" | "over";
  /** What content-length still demands of us. */
  owed: number | undefined;
  unread: number;
};

const CODES: readonly [ErrorCode, ...ErrorCode[]] = [
  "NO_ERROR",
  "NO_ERROR",
  "CANCEL",
  "REFUSED_STREAM",
  "INTERNAL_ERROR",
  "HTTP_1_1_REQUIRED",
];
const STATUSES = [200, 200, 200, 204, 304, 404, 500, 999] as const;
const MORE: readonly [Field, ...Field[]] = [
  field("x-long", "v".repeat(300)),
  field("server", "s"),
  field("set-cookie", "a=b"),
  field("authorization", "secret", true),
  field("x-very-long", "w".repeat(17_000)),
  field("x-longest", "z".repeat(40_000)),
];
const PRIORITIES = ["u=0", "u=1", "u=7", "i", "u=2, i", ""] as const;

/** Content: each octet differs from its neighbours, so that a frame in the wrong place shows. */
const CONTENT = Uint8Array.from({ length: 400_000 }, (_, at) => (at * 7 + (at >>> 8) * 13) & 0xff);
const SMALL = [0, 1, 2, 5, 10, 20, 50, 99, 100, 101, 300] as const;
const LARGE = [
  1, 1_000, 1_023, 1_024, 1_025, 4_095, 4_096, 4_097, 10_000, 16_383, 16_384, 16_385, 33_000, 65_535, 65_536, 65_537, 130_000,
] as const;

/** The program that uses a machine: it does what it may at any moment, and now and then what it may not. */
export class Owner {
  readonly side: Side;
  readonly #chance: Chance;
  readonly #topic: Topic;
  readonly #used = new Map<number, Used>();
  readonly #tickets = new Map<number, boolean>();

  constructor(side: Side, chance: Chance, topic: Topic) {
    this.side = side;
    this.#chance = chance;
    this.#topic = topic;
  }

  hear(event: Event): void {
    switch (event.is) {
      case "request":
        this.#used.set(event.stream, { id: event.stream, ours: "head", owed: undefined, unread: 0 });
        break;
      case "opened":
        this.#opened(event.stream, this.#tickets.get(event.ticket) ?? true);
        break;
      case "pushed":
        this.#opened(event.promised, true);
        break;
      case "data": {
        const used = this.#used.get(event.stream);
        if (used !== undefined) used.unread += event.bytes.length;
        break;
      }
      case "reset":
      case "done": {
        const used = this.#used.get(event.stream);
        if (used !== undefined) used.ours = "over";
        break;
      }
      default:
    }
  }
  #opened(id: number, isEnd: boolean): void {
    this.#used.set(id, { id, ours: isEnd ? "over" : "content", owed: undefined, unread: 0 });
  }

  /** One action. */
  act(end: End): void {
    if (end.isOver && !this.#chance.once(4)) return undefined;
    const deed = this.#chance.weighed<OwnerDeed>(ownerWeights(this.#topic));
    const chance = this.#chance;
    switch (deed) {
      case "begin":
        return this.side === "client" ? this.#request(end) : this.#respond(end);
      case "interim":
        return this.#interim(end);
      case "data":
        return this.#data(end);
      case "trailers":
        return this.#trailers(end);
      case "reset":
        return this.#reset(end);
      case "push":
        return this.#push(end);
      case "consume":
        return this.#consume(end);
      case "prioritize": {
        const [id, value] = [this.#any()?.id, chance.one(PRIORITIES)];
        if (id === undefined) return undefined;
        return void end.act(`prioritize ${id} ${value}`, (machine) => machine.prioritize(streamId(id), value));
      }
      case "ping": {
        const octets = chance.octets(8);
        return void end.act("ping", (machine) => machine.ping(octets));
      }
      case "settings": {
        const changed = changesOf(chance, this.side, this.#topic);
        return void end.act(`settings ${JSON.stringify(changed)}`, (machine) => machine.settings(changed));
      }
      case "shutdown":
        return void end.act("shutdown", (machine) => machine.shutdown());
      case "abort": {
        const code = chance.one(CODES);
        return void end.act(`abort ${code}`, (machine) => machine.abort(code));
      }
    }
  }
  /** Reads all content that has arrived. */
  consumeAll(end: End): void {
    for (const used of this.#used.values()) {
      const { id, unread } = used;
      used.unread = 0;
      if (unread > 0) end.act(`consumed ${id} ${unread}`, (machine) => machine.consumed(streamId(id), unread));
    }
  }

  #any(): Used | undefined {
    const other: Used = { id: this.#chance.one([1, 2, 99]), ours: "over", owed: undefined, unread: 0 };
    return this.#chance.any([...this.#used.values()]) ?? (this.#chance.once(30) ? other : undefined);
  }
  /** A stream that waits for this, or rarely one that does not. */
  #waiting(what: Used["ours"]): Used | undefined {
    const found = this.#chance.any([...this.#used.values()].filter(({ ours }) => ours === what));
    return found === undefined && this.#chance.once(12) ? this.#any() : found;
  }
  #more(): Field[] {
    return this.#chance.once(4) ? [this.#chance.one(MORE)] : [];
  }

  #request(end: End): void {
    const chance = this.#chance;
    const isEnd = chance.once(2);
    const request = requestOf(chance, isEnd);
    const list = [...request.fields, ...this.#more()];
    const got = end.act(`request ${isEnd} ${listText(list)}`, (machine) => machine.request(list, isEnd));
    if (got === undefined) return;
    if ("ticket" in got) {
      this.#tickets.set(got.ticket, isEnd);
      return;
    }
    this.#opened(got.stream, isEnd);
    const used = this.#used.get(got.stream);
    if (used !== undefined) used.owed = request.content;
  }
  #respond(end: End): void {
    const chance = this.#chance;
    const used = this.#waiting("head");
    if (used === undefined) return;
    const isEnd = chance.once(4);
    const status = chance.one(STATUSES);
    const content = chance.once(3) ? (isEnd && !chance.once(4) ? 0 : chance.one([0, 5, 20, 100, 9_000])) : undefined;
    const list = [...(content === undefined ? [] : [field("content-length", String(content))]), ...this.#more()];
    const before = used.ours;
    used.ours = isEnd ? "over" : "content";
    used.owed = content;
    let isDone = false;
    end.act(`respond ${used.id} ${status} ${isEnd} ${listText(list)}`, (machine) => {
      machine.respond(streamId(used.id), status, list, isEnd);
      isDone = true;
    });
    if (!isDone) used.ours = before;
  }
  #interim(end: End): void {
    const chance = this.#chance;
    const used = this.#waiting("head");
    if (used === undefined) return;
    const status = chance.one([100, 103, 103, 199]);
    const list = chance.once(2) ? fields(["link", "</a>"]) : this.#more();
    end.act(`interim ${used.id} ${status} ${listText(list)}`, (machine) => machine.interim(streamId(used.id), status, list));
  }
  #data(end: End): void {
    const chance = this.#chance;
    const used = this.#waiting("content");
    if (used === undefined) return;
    const drawn = chance.one(this.#topic.isLarge === true || this.#topic.isQueued === true || chance.once(20) ? LARGE : SMALL);
    const size = used.owed === undefined ? drawn : Math.min(used.owed, drawn);
    const left = used.owed === undefined ? undefined : used.owed - size;
    const isEnd = left === undefined ? chance.once(4) : left === 0 && chance.once(2);
    const from = chance.below(CONTENT.length - size);
    if (isEnd) used.ours = "over";
    if (left !== undefined) used.owed = left;
    end.act(`data ${used.id} ${size} from ${from} ${isEnd}`, (machine) =>
      machine.data(streamId(used.id), CONTENT.subarray(from, from + size), isEnd),
    );
  }
  #trailers(end: End): void {
    const used = this.#waiting("content");
    if (used === undefined || ((used.owed ?? 0) > 0 && !this.#chance.once(12))) return;
    const list = [...fields(["x-sum", "1"]), ...this.#more()];
    let isDone = false;
    end.act(`trailers ${used.id} ${listText(list)}`, (machine) => {
      machine.trailers(streamId(used.id), list);
      isDone = true;
    });
    if (isDone) used.ours = "over";
  }
  #reset(end: End): void {
    const used = this.#any();
    if (used === undefined) return;
    const code = this.#chance.one(CODES);
    used.ours = "over";
    end.act(`reset ${used.id} ${code}`, (machine) => machine.reset(streamId(used.id), code));
  }
  #push(end: End): void {
    if (this.side === "client" && !this.#chance.once(30)) return;
    const chance = this.#chance;
    const parent = this.#any()?.id;
    if (parent === undefined) return;
    const list = [
      ...fields([":method", chance.one(["GET", "GET", "HEAD"])], [":scheme", "http"], [":authority", "a"], [":path", "/p"]),
      ...(chance.once(4) ? fields(["priority", chance.one(PRIORITIES)]) : []),
      ...this.#more(),
    ];
    const promised = end.act(`push ${parent} ${listText(list)}`, (machine) => machine.push(streamId(parent), list));
    if (promised !== undefined) this.#used.set(promised, { id: promised, ours: "head", owed: undefined, unread: 0 });
  }
  /** Content has been read: all of it, or some. */
  #consume(end: End): void {
    const chance = this.#chance;
    const used = chance.any([...this.#used.values()].filter(({ unread }) => unread > 0));
    if (used === undefined) return;
    const count = chance.once(2) ? used.unread : chance.between(1, used.unread);
    used.unread -= count;
    end.act(`consumed ${used.id} ${count}`, (machine) => machine.consumed(streamId(used.id), count));
  }
}

/** Long values are known: their length is enough. */
const listText = (list: readonly Field[]): string =>
  fieldsText(list.map(({ name, value, sensitive }) => ({ name, value: value.length > 40 ? `${value.length} octets` : value, sensitive })));
