import { field, instant } from "../../../reference/core/index.ts";
import { Connection, type ErrorCode, type Event, type StreamId } from "../../../reference/http2/index.ts";
import { LOAD_REPORT } from "../../../reference/rpc/balance/load-report.ts";
import { LOAD_TRAILER, writeEnvelope } from "../../../reference/rpc/index.ts";
import type { Draw } from "./http1-draw.ts";
import { latin1 } from "./serve-handler.ts";
import type { Wire } from "./serve-wire.ts";
import type { World } from "./serve-world.ts";

const CODES: readonly ErrorCode[] = ["CANCEL", "REFUSED_STREAM", "NO_ERROR", "INTERNAL_ERROR", "ENHANCE_YOUR_CALM", "HTTP_1_1_REQUIRED"];
const STATUSES = ["0", "0", "1", "14", "14", "10", "13", "x"] as const;
const PUSH_BACKS = ["0", "40", "700", "-1"] as const;

/** A call as the far server sees it. */
type Call = { readonly stream: StreamId; readonly path: string; hasHead: boolean; isEnded: boolean };

/** The far end of one connection of a channel: a server that answers calls as chance says. */
export class FarServer {
  readonly wire: Wire;
  readonly #world: World;
  readonly #machine: Connection;
  readonly #calls = new Map<StreamId, Call>();
  #read = 0;

  constructor(world: World, wire: Wire) {
    this.#world = world;
    this.wire = wire;
    const { d } = world;
    const settings = d.once(3) ? { maxConcurrentStreams: d.of([0, 1, 1, 2]) } : {};
    this.#machine = new Connection({ side: "server", settings }, instant(world.time.now));
    this.#send();
  }

  /** Reads what the channel has sent, and records the calls. */
  hear(): void {
    const octets = this.wire.all.slice(this.#read);
    if (octets.length === 0) return;
    this.#read = this.wire.all.length;
    for (const event of this.#machine.receive(Buffer.from(octets, "latin1"), instant(this.#world.time.now))) this.#take(event);
    this.#send();
  }
  #take(event: Event): void {
    const say = (words: string): void => this.#world.say(`${this.wire.name} hears ${words}`);
    switch (event.is) {
      case "request": {
        const text = event.fields.map(({ name, value }) => `${name}=${value}`).join("; ");
        const path = event.fields.find(({ name }) => name === ":path")?.value ?? "";
        this.#calls.set(event.stream, { stream: event.stream, path, hasHead: false, isEnded: event.end });
        return say(`${event.stream} ${text} ${event.end}`);
      }
      case "data": {
        this.#machine.consumed(event.stream, event.bytes.length);
        const call = this.#calls.get(event.stream);
        if (call !== undefined) call.isEnded ||= event.end;
        return say(`${event.stream} ${Buffer.from(event.bytes).toString("hex").slice(0, 80)} ${event.end}`);
      }
      case "reset":
        this.#calls.delete(event.stream);
        return say(`${event.stream} reset ${event.code} ${event.by}`);
      case "done":
        this.#calls.delete(event.stream);
        return undefined;
      case "goaway":
      case "closed":
        return say(event.is);
      default:
        return undefined;
    }
  }
  #send(): void {
    for (let all = this.#machine.take(); all.length > 0; all = this.#machine.take()) for (const one of all) this.wire.send(latin1(one));
    for (const event of this.#machine.events()) this.#take(event);
  }

  /** One answer, or a part of one. */
  act(): void {
    const { d } = this.#world;
    const call = d.any([...this.#calls.values()]);
    if (call === undefined || d.once(9)) this.#onConnection(d);
    else if (call.path.endsWith("/Watch")) this.#health(d, call);
    else this.#answer(d, call);
    this.#send();
  }
  #onConnection(d: Draw): void {
    const machine = this.#machine;
    const what = d.weighed({ nothing: 6, settings: 1, shutdown: 1, abort: 0.5, end: 0.5, break: 0.5 });
    if (what === "settings") machine.settings({ maxConcurrentStreams: d.of([0, 1, 2, 100]) });
    else if (what === "shutdown") machine.shutdown();
    else if (what === "abort") machine.abort(d.of(CODES));
    else if (what === "end") this.wire.end();
    else if (what === "break") this.wire.break();
    this.#world.say(`${this.wire.name}: ${what}`);
  }
  #head(call: Call, end: readonly (readonly [string, string])[] = []): void {
    const fields = [["content-type", "application/rpc"] as const, ...end];
    this.#machine.respond(
      call.stream,
      200,
      fields.map(([name, value]) => field(name, value)),
      end.length > 0,
    );
    call.hasHead = true;
  }
  #message(call: Call, octets: Uint8Array): void {
    this.#machine.data(call.stream, writeEnvelope({ isCompressed: false, octets }), false);
  }
  #health(d: Draw, call: Call): void {
    if (!call.hasHead && d.once(5)) this.#head(call, [["rpc-status", d.of(["12", "14", "0"])]]);
    else {
      if (!call.hasHead) this.#head(call);
      this.#message(call, Uint8Array.of(8, d.of([1, 1, 1, 2, 3])));
      if (d.once(6)) this.#machine.trailers(call.stream, [field("rpc-status", "0")]);
    }
  }
  #answer(d: Draw, call: Call): void {
    const say = (words: string): void => this.#world.say(`${this.wire.name} answers ${call.stream} ${words}`);
    const end = (): (readonly [string, string])[] => {
      const load = { cpuUtilization: 0.5, rpsFractional: d.of([100, 300, 0]), eps: d.of([0, 20]) };
      return [
        ["rpc-status", d.of(STATUSES)],
        ...(d.once(4) ? [["rpc-message", "why"] as const] : []),
        ...(d.once(3) ? [["rpc-retry-pushback-ms", d.of(PUSH_BACKS)] as const] : []),
        ...(d.once(3) ? [[LOAD_TRAILER, Buffer.from(LOAD_REPORT.encode(load)).toString("base64")] as const] : []),
        ...(d.once(6) ? [["x-a", "trailer"] as const] : []),
      ];
    };
    const what = d.weighed({ good: 5, head: 1, message: 2, trailers: 2, only: 3, reset: 1.5, cut: 0.5, odd: 0.5 });
    say(what);
    if (what === "reset") this.#machine.reset(call.stream, d.of(CODES));
    else if (what === "only" && !call.hasHead) this.#head(call, end());
    else if (what === "odd" && !call.hasHead)
      this.#machine.respond(call.stream, d.of([200, 404, 503]), [field("content-type", "text/html")], true);
    else {
      if (!call.hasHead) this.#head(call);
      if (what === "good" || what === "message") this.#message(call, Buffer.from(this.wire.name));
      if (what === "cut") this.#machine.data(call.stream, Uint8Array.of(0, 0, 0), true);
      if (what === "good") this.#machine.trailers(call.stream, [field("rpc-status", "0")]);
      if (what === "trailers")
        this.#machine.trailers(
          call.stream,
          end().map(([name, value]) => field(name, value)),
        );
    }
    this.#calls.delete(call.stream);
    if (what === "head" || what === "message") this.#calls.set(call.stream, call);
  }
}
