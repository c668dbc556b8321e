import type { Socket } from "node:net";
import { Http2End } from "../../wire/http2/end.ts";
import type { ErrorName, FieldSpec } from "../../wire/http2/frame-spec.ts";
import { MAGIC } from "../../wire/http2/numbers.ts";
import type { ReadFrame } from "../../wire/http2/read.ts";
import type { Section } from "../../wire/http2/sections.ts";
import { toHex } from "../../wire/octets.ts";
import type { Fields, Part, ProxyFlaw } from "./proxy-flaw.ts";

/** What goes out on a stream, in order. */
type Item =
  | { readonly fields: Fields; readonly end: boolean }
  | { readonly octets: Uint8Array; readonly end: boolean }
  | { readonly reset: ErrorName };

const NONE: ProxyFlaw = { about: "none" };
const IMPATIENT_MS = 250;
const LARGE_FRAME = 40_000;
/** A larger window than a frame that is too large needs. */
const WINDOW = 1_000_000;

/** One stream of one side, and what waits for its window. */
class Outgoing {
  readonly #wire: () => Http2End | undefined;
  readonly #flaw: ProxyFlaw;
  readonly stream: number;
  #items: Item[] = [];
  #isStuck = false;
  /** Nothing is written before this is false. */
  isHeld = false;
  isOver = false;

  constructor(wire: () => Http2End | undefined, stream: number, flaw: ProxyFlaw) {
    this.#wire = wire;
    this.stream = stream;
    this.#flaw = flaw;
  }

  put(item: Item): void {
    if (this.isOver) return;
    this.#items.push(item);
    this.flush();
  }
  flush(): void {
    const wire = this.#wire();
    if (this.isHeld || wire === undefined) return;
    for (let [item] = this.#items; item !== undefined && !this.isOver; [item] = this.#items) {
      if (!this.#write(item, wire)) return;
      this.#items.shift();
    }
  }

  /** Whether all of it is written. */
  #write(item: Item, wire: Http2End): boolean {
    const { stream } = this;
    if ("reset" in item) {
      void wire.send([{ type: "RST_STREAM", stream, code: item.reset }]);
      this.isOver = true;
      return true;
    }
    if ("fields" in item) {
      const flags = item.end ? (["END_HEADERS", "END_STREAM"] as const) : (["END_HEADERS"] as const);
      void wire.send([{ type: "HEADERS", stream, flags, fields: item.fields as readonly FieldSpec[] }]);
      this.isOver = item.end;
      return true;
    }
    if (this.#flaw.ignoresWindows === true || (this.#flaw.ignoresFrameSize === true && item.octets.length >= LARGE_FRAME)) {
      void wire.send([{ type: "DATA", stream, hex: toHex(item.octets), ...(item.end ? { flags: ["END_STREAM"] } : {}) }]);
      this.isOver = item.end;
      return true;
    }
    return this.#pour(item, wire);
  }
  #pour(item: { readonly octets: Uint8Array; readonly end: boolean }, wire: Http2End): boolean {
    let at = 0;
    do {
      if (this.#isStuck) return false;
      const sent = wire.data(this.stream, item.octets.subarray(at), item.end);
      at += sent;
      if (sent === 0 && at < item.octets.length) {
        this.#isStuck = this.#flaw.stuck === true;
        this.#items[0] = { ...item, octets: item.octets.subarray(at) };
        return false;
      }
    } while (at < item.octets.length);
    this.isOver = item.end;
    return true;
  }
}

/** One connection to the origin. */
type Link = { readonly wire: Http2End; readonly calls: Map<number, Call>; isLeaving: boolean; isReady: boolean };
/** One call, on its way through. */
type Call = {
  readonly flaw: ProxyFlaw;
  readonly isFence: boolean;
  readonly head: Fields;
  readonly back: Outgoing;
  out: Outgoing | undefined;
  link: Link | undefined;
  /** What was sent of the request, to send it again. */
  readonly sent: Item[];
  hasHead: boolean;
  requestEnded: boolean;
  again: boolean;
  up: number;
  down: number;
};

/** One connection of a client, and the connections to the origin behind it. */
export class Relay {
  readonly #flaw: ProxyFlaw;
  readonly #front: Http2End;
  readonly #dial: () => Socket;
  readonly #calls = new Map<number, Call>();
  #link: Link | undefined;
  #links = 0;

  /** Serves a connection of a client, until it ends. */
  static serve(client: Socket, flaw: ProxyFlaw, dial: () => Socket): Relay {
    return new Relay(client, flaw, dial);
  }
  private constructor(client: Socket, flaw: ProxyFlaw, dial: () => Socket) {
    this.#flaw = flaw;
    this.#dial = dial;
    this.#front = new Http2End(client, {
      we: "server",
      on: {
        frame: (frame, section) => this.#fromClient(frame, section),
        ended: () => {
          this.#front.drop();
          if (flaw.onCancel === "nothing") return;
          for (const call of this.#calls.values()) call.link?.wire.drop();
          this.#link?.wire.drop();
        },
      },
    });
    void this.#front.send([{ type: "SETTINGS", settings: flaw.ignoresFrameSize === true ? [["INITIAL_WINDOW_SIZE", WINDOW]] : [] }]);
  }

  #fromClient(frame: ReadFrame, section: Section | undefined): void {
    if (frame.type === "WINDOW_UPDATE" || frame.type === "SETTINGS") for (const call of this.#calls.values()) call.back.flush();
    if (section !== undefined && !this.#calls.has(frame.stream)) return this.#begin(section);
    const call = this.#calls.get(frame.stream);
    if (call === undefined) return undefined;
    if (frame.type === "RST_STREAM") this.#cancel(call);
    if (frame.type === "DATA") this.#request(call, frame.data ?? new Uint8Array(), frame.endStream === true);
    return undefined;
  }

  #begin({ stream, fields, endStream }: Section): void {
    const isFence = fields.some(([name, value]) => name === ":path" && value.endsWith(".Fence/Unary"));
    const flaw = isFence ? NONE : this.#flaw;
    const back = new Outgoing(() => this.#front, stream, flaw);
    const open = [...this.#calls.values()].filter((one) => !one.back.isOver);
    const head = flaw.request === undefined ? fields : flaw.request(fields);
    const call: Call = {
      flaw,
      isFence,
      head: typeof head === "number" ? [] : head,
      back,
      out: undefined,
      link: undefined,
      sent: [],
      hasHead: false,
      requestEnded: false,
      again: false,
      up: 0,
      down: 0,
    };
    this.#calls.set(stream, call);
    back.isHeld =
      flaw.waitsForRequest === true || flaw.collects === "response" || (flaw.inOrder === true && open.some((one) => !one.isFence));
    if (typeof head === "number") return back.put({ fields: [[":status", String(head)]], end: true });
    if (flaw.mostCalls !== undefined && open.length >= flaw.mostCalls) return back.put({ reset: "REFUSED_STREAM" });
    if (flaw.impatient !== undefined) this.#hurry(call);
    call.sent.push({ fields: head, end: endStream && flaw.neverEnds !== true });
    if (flaw.collects !== "request" || endStream) this.#send(call);
    return undefined;
  }
  #hurry(call: Call): void {
    setTimeout(() => {
      if (call.hasHead || call.back.isOver) return;
      if (call.flaw.impatient === "reset") return call.back.put({ reset: "CANCEL" });
      call.hasHead = true;
      call.back.put({
        fields: [
          [":status", "200"],
          ["rpc-status", "0"],
          ["grpc-status", "0"],
        ],
        end: true,
      });
    }, IMPATIENT_MS).unref();
  }

  #request(call: Call, octets: Uint8Array, isLast: boolean): void {
    const { flaw } = call;
    call.up += octets.length;
    const passed = flaw.up === undefined ? octets : flaw.up(octets, call.up);
    const end = (isLast || (flaw.emptyEnds === true && octets.length === 0)) && flaw.neverEnds !== true;
    const item = { octets: passed, end };
    call.sent.push(item);
    if (isLast) call.requestEnded = true;
    if (flaw.waitsForRequest === true && isLast) this.#release(call);
    if (call.out !== undefined) call.out.put(item);
    else if (isLast && flaw.collects === "request") this.#send(call);
  }
  #release({ back }: Call): void {
    back.isHeld = false;
    back.flush();
  }

  #cancel(call: Call): void {
    call.back.isOver = true;
    const { onCancel } = call.flaw;
    if (onCancel === "drop") return this.#front.end("close");
    if (onCancel === "nothing") return undefined;
    if (onCancel === "end") call.out?.put({ octets: new Uint8Array(), end: true });
    const wire = call.link?.wire;
    if (call.out !== undefined && wire !== undefined) {
      call.out.isOver = true;
      void wire.send([{ type: "RST_STREAM", stream: call.out.stream, code: "CANCEL" }]);
      call.link?.calls.delete(call.out.stream);
    }
    return undefined;
  }

  /** Sends what there is of the request on a connection to the origin. */
  #send(call: Call): void {
    if (this.#link === undefined || this.#link.isLeaving || this.#link.wire.ended) {
      if (this.#flaw.neverRedials === true && this.#links > 0) return this.#fail(call, "UNAVAILABLE");
      this.#link = this.#connect();
    }
    const link = this.#link;
    const stream = Math.max(link.wire.highestStream, ...link.calls.keys(), -1) + 2;
    const odd = stream % 2 === 0 ? stream - 1 : stream;
    call.link = link;
    call.out = new Outgoing(() => (link.isReady ? link.wire : undefined), odd, call.flaw);
    link.calls.set(odd, call);
    for (const item of call.sent) call.out.put(item);
  }
  #connect(): Link {
    this.#links += 1;
    const wire: Http2End = new Http2End(this.#dial(), {
      we: "client",
      on: {
        frame: (frame, section) => this.#fromOrigin(link, frame, section),
        garbage: () => this.#lost(link),
        ended: () => this.#lost(link),
      },
    });
    const link: Link = { wire, calls: new Map(), isLeaving: false, isReady: false };
    const settings = this.#flaw.ignoresFrameSize === true ? ([["INITIAL_WINDOW_SIZE", WINDOW]] as const) : [];
    void wire.preface(MAGIC, { type: "SETTINGS", settings });
    return link;
  }
  #lost(link: Link): void {
    link.isLeaving = true;
    const calls = [...link.calls.values()];
    link.calls.clear();
    for (const call of calls) this.#fail(call, "INTERNAL_ERROR");
  }

  #fromOrigin(link: Link, frame: ReadFrame, section: Section | undefined): void {
    if (frame.type === "SETTINGS" && frame.ack === false) link.isReady = true;
    if (frame.type === "WINDOW_UPDATE" || frame.type === "SETTINGS") for (const call of link.calls.values()) call.out?.flush();
    if (frame.type === "GOAWAY" && this.#flaw.onGoaway !== "stays") {
      link.isLeaving = true;
      for (const [stream, call] of link.calls)
        if (stream > (frame.last ?? 0) || this.#flaw.onGoaway === "resets") this.#fail(call, "REFUSED_STREAM");
    }
    const call = link.calls.get(frame.stream);
    if (call === undefined) return;
    if (frame.type === "RST_STREAM") {
      link.calls.delete(frame.stream);
      if (!call.back.isOver) this.#fail(call, (frame.code ?? "INTERNAL_ERROR") as ErrorName);
    } else if (section !== undefined) this.#section(call, section);
    else if (frame.type === "DATA") this.#response(call, frame.data ?? new Uint8Array(), frame.endStream === true);
    if (frame.endStream === true) this.#ended(call);
  }

  #section(call: Call, { fields, endStream }: Section): void {
    const { flaw, back } = call;
    const status = fields.find(([name]) => name === ":status")?.[1] ?? "";
    const part: Part = status.startsWith("1") ? "interim" : call.hasHead ? "trailers" : endStream ? "trailers only" : "headers";
    if (flaw.repeatsUnavailable === true && !call.again && fields.some(([name, value]) => name.endsWith("-status") && value === "14"))
      return this.#again(call);
    if (part !== "interim") call.hasHead = true;
    const passed = flaw.response === undefined ? fields : flaw.response(fields, part);
    if (passed === undefined && endStream) return back.put({ octets: new Uint8Array(), end: true });
    if (passed === undefined) return undefined;
    const isSplit = flaw.splitsEnd === true && part === "trailers only";
    back.put({ fields: passed, end: endStream && !isSplit });
    if (isSplit) back.put({ octets: new Uint8Array(), end: true });
    return undefined;
  }
  #response(call: Call, octets: Uint8Array, isLast: boolean): void {
    const { flaw, back } = call;
    call.down += octets.length;
    const passed = flaw.down === undefined ? octets : flaw.down(octets, call.down);
    if (flaw.emptyEnds === true && octets.length === 0 && !isLast) return back.put({ octets, end: true });
    const adds = isLast && flaw.addsTrailers === true;
    back.put({ octets: passed, end: isLast && !adds });
    if (adds) this.#makeOk(call);
    return undefined;
  }
  /** The response is whole: it and the next one may go. */
  #ended(call: Call): void {
    if (call.out !== undefined && call.requestEnded) call.link?.calls.delete(call.out.stream);
    if (call.flaw.collects === "response") this.#release(call);
    if (call.flaw.inOrder !== true) return;
    for (const one of this.#calls.values()) {
      this.#release(one);
      if (!one.back.isOver && !one.isFence) return;
    }
  }

  #makeOk({ back }: Call): void {
    back.put({
      fields: [
        ["rpc-status", "0"],
        ["grpc-status", "0"],
      ],
      end: true,
    });
  }
  #again(call: Call): void {
    call.again = true;
    if (call.out !== undefined) call.link?.calls.delete(call.out.stream);
    this.#send(call);
  }
  #fail(call: Call, code: ErrorName | "UNAVAILABLE"): void {
    const { flaw, back } = call;
    if (flaw.onFailure === "hang" || back.isOver) return;
    if (flaw.onFailure === "drop") return this.#front.end("close");
    if (flaw.onFailure === "again" && !call.again) return this.#again(call);
    back.isHeld = false;
    if (flaw.onFailure === "ok") {
      if (!call.hasHead) back.put({ fields: [[":status", "200"]], end: false });
      return this.#makeOk(call);
    }
    if (call.hasHead) back.put({ reset: code === "UNAVAILABLE" ? "INTERNAL_ERROR" : code });
    else back.put({ fields: [[":status", "502"]], end: true });
    return undefined;
  }
}
