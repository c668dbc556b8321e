import type { CodecAnswer, CodecProcess } from "../../../vectors/codec.ts";
import { Decoder, DecoderStreamReader } from "../../../reference/qpack/index.ts";
import type { VectorField } from "../../../vectors/load.ts";
import type { TranscriptLine } from "../../harness/result.ts";
import { fromHex, toHex } from "../../wire/octets.ts";
import { sectionOf } from "../../wire/qpack/section.ts";
import type { EncodeStep, Event, Property } from "../vocabulary.ts";

/** What an encoder is asked: all lists so far, and what its decoder said in between. */
type Asked = { readonly section: readonly VectorField[]; readonly stream: number } | { readonly answers: string };
type Sent = { readonly stream: number; readonly octets: Uint8Array };
/** A section whose acknowledgment the encoder does not have. */
type Open = { readonly stream: number; readonly required: number; readonly entries: readonly number[] };

/** How an exchange ended: with the properties that the encoder broke, and why; or with a refusal, or without a usable answer. */
export type Ended =
  | { readonly is: "done"; readonly broken: ReadonlyMap<Property, string> }
  | { readonly is: "refused"; readonly why: string; readonly code: number | undefined; readonly last: boolean }
  | { readonly is: "trouble"; readonly why: string };

/** No list is larger. */
const MOST = 1 << 24;

/** An encoder that is asked list by list, and our decoder at the other end of a connection on which things come late. */
export class Exchange {
  readonly transcript: TranscriptLine[] = [];
  readonly #child: CodecProcess;
  readonly #step: EncodeStep;
  readonly #asked: Asked[] = [];
  readonly #broken = new Map<Property, string>();
  /** Reads everything at once: it knows the table as the encoder sees it. */
  readonly #shadow: Decoder;
  /** Reads what has arrived, and says so. */
  readonly #decoder: Decoder;
  #instructions: Uint8Array[] = [];
  #sections: Sent[] = [];
  #answers = "";
  #sent = 0;
  #open: Open[] = [];
  #known = 0;
  /** The lowest entry that the table still has. */
  #lowest = 0;
  #earlier = "[]";

  constructor(child: CodecProcess, step: EncodeStep) {
    this.#child = child;
    this.#step = step;
    const limits = { maxTableCapacity: step.capacity, maxBlockedStreams: step.blocked, maxListSize: MOST };
    this.#shadow = new Decoder(limits);
    this.#decoder = new Decoder(limits);
  }

  /** The insertions that the encoder has sent. */
  get inserted(): number {
    return this.#shadow.inserted;
  }

  /** Performs all events, up to the first that the encoder does not answer. */
  async play(): Promise<Ended> {
    for (const [at, event] of this.#step.events.entries()) {
      const ended = await this.#perform(event, at === this.#step.events.length - 1);
      if (ended !== undefined) return ended;
    }
    return { is: "done", broken: this.#broken };
  }

  async #perform(event: Event, last: boolean): Promise<Ended | undefined> {
    if ("send" in event) {
      this.#asked.push({ section: event.send, stream: event.stream });
      this.#sent++;
      return this.#ask(event, last);
    }
    if ("answers" in event) return this.#answer(event.answers, last);
    if ("cancel" in event) {
      this.#sections = this.#sections.filter(({ stream }) => stream !== event.cancel);
      this.#decoder.cancel(event.cancel);
      return this.#answer(toHex(this.#decoder.take()), last);
    }
    for (const octets of this.#instructions.splice(0)) this.#decoder.receive(octets);
    if (event.arrive !== "instructions") for (const { stream, octets } of this.#sections.splice(0)) this.#decoder.decode(stream, octets);
    this.#answers += toHex(this.#decoder.take());
    if (event.arrive === "one way") return undefined;
    const answers = this.#answers;
    this.#answers = "";
    return answers === "" ? undefined : this.#answer(answers, last);
  }

  /** The decoder's instructions reach the encoder. */
  async #answer(answers: string, last: boolean): Promise<Ended | undefined> {
    this.#asked.push({ answers });
    new DecoderStreamReader((one) => {
      if (one.is === "increment") this.#known += one.by;
      else if (one.is === "cancellation") this.#open = this.#open.filter(({ stream }) => stream !== one.streamId);
      else {
        const at = this.#open.findIndex(({ stream }) => stream === one.streamId);
        if (at >= 0) this.#known = Math.max(this.#known, this.#open.splice(at, 1)[0]!.required);
      }
      return undefined;
    }).receive(fromHex(answers));
    return this.#ask(undefined, last);
  }

  /** Asks for everything again: a codec keeps nothing between two requests. */
  async #ask(sent: Extract<Event, { send: unknown }> | undefined, last: boolean): Promise<Ended | undefined> {
    const { capacity, blocked } = this.#step;
    const { answer, sent: line, got } = await this.#child.exchange({ op: "qpack-encode", capacity, blocked, steps: this.#asked });
    this.transcript.push({ at: 0, way: "->", means: line.slice(0, 2_000) }, { at: 0, way: "<-", means: got.slice(0, 2_000) });
    const read = messagesOf(answer, this.#sent);
    if ("is" in read) return read.is === "refused" ? { ...read, last } : read;
    const before = JSON.stringify(read.slice(0, sent === undefined ? undefined : -1));
    if (before !== this.#earlier) return { is: "trouble", why: "it encodes the same lists in another way when it is asked again" };
    this.#earlier = JSON.stringify(read);
    if (sent !== undefined) this.#examine(sent, read.at(-1)!);
    return undefined;
  }

  #examine({ send, stream }: Extract<Event, { send: unknown }>, { instructions, section }: Encoded): void {
    const octets = fromHex(section);
    const before = this.#shadow.inserted;
    if (instructions !== "") {
      if (this.#step.capacity === 0)
        this.#breaks("within capacity", `it sent the instructions ${instructions} although no table is permitted`);
      const { fault: read } = this.#shadow.receive(fromHex(instructions));
      if (read !== undefined) {
        const property = read.name === "capacityBeyondLimit" || read.name === "entryTooLarge" ? "within capacity" : "round trip";
        this.#breaks(property, `its instructions ${instructions.slice(0, 80)} cannot be read: ${read.name}`);
      }
    }
    this.#evicted();
    this.#instructions.push(fromHex(instructions));
    this.#sections.push({ stream, octets });
    const split = sectionOf(octets, { maxCapacity: this.#step.capacity, inserted: this.#shadow.inserted });
    const decoded = this.#shadow.decode(stream, octets);
    if (split === undefined || decoded.is !== "fields") {
      this.#breaks("round trip", `its section ${section.slice(0, 80)} does not decode${decoded.is === "fault" ? `: ${decoded.name}` : ""}`);
      return;
    }
    const got = decoded.fields.map(({ name, value }) => [name, value]);
    if (JSON.stringify(got) !== JSON.stringify(send.map(([name, value]) => [name, value])))
      this.#breaks("round trip", "its section decodes to other fields");
    const entries = split.lines.flatMap(({ refersTo }) => (refersTo?.table === "dynamic" ? [refersTo.index] : []));
    const lowest = entries.length === 0 ? 0 : Math.max(...entries) + 1;
    if (split.required !== lowest)
      this.#breaks("lowest count", `a section requires ${split.required} insertions where ${lowest} are enough`);
    const fresh = this.#shadow.table.slice(0, this.#shadow.inserted - before);
    for (const [at, [name, value, secret]] of send.entries()) {
      if (secret !== true) continue;
      const line = split.lines[at];
      if (line?.never !== true) this.#breaks("never indexed", `${name} is not a literal with the N bit`);
      if (fresh.some((entry) => entry.name === name && entry.value === value))
        this.#breaks("never indexed", `a table gets the value of ${name}`);
    }
    if (split.required > 0) this.#open.push({ stream, required: split.required, entries });
    const risky = new Set(this.#open.filter(({ required }) => required > this.#known).map((one) => one.stream));
    if (risky.size > this.#step.blocked)
      this.#breaks("risks permitted", `${risky.size} streams could be blocked where ${this.#step.blocked} are permitted`);
  }

  /** Entries that have gone must have been acknowledged, and no section without acknowledgment may refer to them. */
  #evicted(): void {
    const now = this.#shadow.inserted - this.#shadow.table.length;
    for (let entry = this.#lowest; entry < now; entry++) {
      if (entry >= this.#known) this.#breaks("evicts evictable", `it evicted entry ${entry}, whose insertion is not acknowledged`);
      const user = this.#open.find(({ entries }) => entries.includes(entry));
      if (user !== undefined)
        this.#breaks(
          "evicts evictable",
          `it evicted entry ${entry}, to which a section of stream ${user.stream} without acknowledgment refers`,
        );
    }
    this.#lowest = now;
  }

  #breaks(property: Property, why: string): void {
    if (!this.#broken.has(property)) this.#broken.set(property, why);
  }
}

type Encoded = { readonly instructions: string; readonly section: string };

/** One message for each list that was sent. */
function messagesOf(
  answer: CodecAnswer,
  count: number,
):
  | readonly Encoded[]
  | { readonly is: "refused"; readonly why: string; readonly code: number | undefined }
  | { readonly is: "trouble"; readonly why: string } {
  if (answer.is === "error") return { is: "refused", why: answer.error, code: undefined };
  if (answer.is !== "messages") return { is: "trouble", why: answer.is === "trouble" ? answer.why : `it answered with ${answer.is}` };
  if (answer.error !== undefined) return { is: "refused", why: answer.error, code: answer.code };
  const all = answer.messages.flatMap(({ instructions, section }) =>
    typeof instructions === "string" && typeof section === "string" ? [{ instructions, section }] : [],
  );
  return all.length === count ? all : { is: "trouble", why: `it answered ${all.length} sections where ${count} were due` };
}
