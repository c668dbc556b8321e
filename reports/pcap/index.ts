import type { CaseResult, Result, TranscriptLine } from "../../conformance/harness/result.ts";
import { cleaned, oneLine } from "../clean.ts";
import { subjectName, suiteName } from "../order.ts";
import { type Packet, pcapng } from "./blocks.ts";
import { Conversation, type Sent } from "./conversation.ts";

/** The suites whose transcripts hold the octets of TCP connections. */
const OVER_TCP = ["http1", "http2", "websocket", "rpc"];
/** In a case for proxies, these lines are from a connection between the proxy and its origin. */
const ORIGIN = /^origin, connection \d+: /;
/** Remarks on the end of a connection. */
const ENDED = /\b(?:closed the connection|connection closed|connection was reset)\b/;

/**
 * The transcripts as a capture for packet analysers, in the pcapng format: those of the cases that did not pass, each on its own connection
 * after that of its control. Of encrypted connections it holds the decrypted octets. Long messages are cut, as in the transcript.
 */
export function toPcap(dirty: readonly Result[]): Uint8Array {
  const results = cleaned(dirty);
  const conversations: Conversation[] = [];
  for (const result of results) {
    const began = BigInt(Date.parse(result.startedAt)) * 1000n;
    let after = 0;
    for (const c of result.cases.filter((one) => isShown(result, one))) {
      for (const [lines, what] of [
        [c.control ?? [], "control of "],
        [c.transcript, ""],
      ] as const) {
        const play = new Play(`${what}${c.id}: ${what === "" ? `${c.verdict}: ` : ""}${c.title}`, result, began + BigInt(after));
        for (const line of lines) play.add(line, conversations);
        after += play.finish();
      }
    }
  }
  const packets = conversations.flatMap((one): Packet[] => one.packets);
  const subjects = results.map((result) => `${suiteName(result)}: ${subjectName(result)}`);
  const about =
    packets.length === 0
      ? `No case without a pass has octets of a TCP connection (suites ${OVER_TCP.join(", ")}).`
      : "One connection for each case that did not pass, after that of its control. 192.0.2.1 is the client, 192.0.2.2 the server; TLS is removed.";
  return pcapng(packets, `touchstone ${results[0]?.tool.version ?? ""}`.trim(), [about, ...subjects].map(oneLine).join("\n"));
}

function isShown({ suite, subject }: Result, { id, verdict }: CaseResult): boolean {
  if (verdict === "pass" || verdict === "skip") return false;
  return OVER_TCP.includes(suite) && subject.role !== "codec" && !id.includes("/http3-");
}

/** One performance of a case: its connections, in the order in which they begin. */
class Play {
  readonly #comment: string;
  readonly #isSubjectClient: boolean;
  readonly #began: bigint;
  readonly #open = new Map<string, Conversation>();
  #lastMicros = 0;

  constructor(comment: string, { subject }: Result, began: bigint) {
    this.#comment = oneLine(comment);
    this.#isSubjectClient = subject.role === "client";
    this.#began = began;
  }
  add({ at, way, means, hex = "", octets }: TranscriptLine, conversations: Conversation[]): void {
    this.#lastMicros = Math.max(this.#lastMicros, Math.round(at * 1000));
    const micros = this.#began + BigInt(this.#lastMicros);
    const place = ORIGIN.exec(means)?.[0] ?? "";
    if (way === "--") {
      if (ENDED.test(means)) this.#open.get(place)?.end(micros);
      return;
    }
    const content = Buffer.from(hex, "hex");
    if (content.length === 0) return;
    let conversation = this.#open.get(place);
    if (conversation === undefined || conversation.isOver) {
      conversation = new Conversation(conversations.length, micros, `${place}${this.#comment}`);
      conversations.push(conversation);
      this.#open.set(place, conversation);
    }
    conversation.send({ by: this.#sender(way, place), octets: content, length: octets ?? content.length }, micros, oneLine(means));
  }
  /** Ends what is open; returns how long the performance took, in microseconds. */
  finish(): number {
    for (const one of this.#open.values()) one.end(this.#began + BigInt(this.#lastMicros));
    return this.#lastMicros;
  }
  #sender(way: "->" | "<-", place: string): Sent["by"] {
    // Towards its origin a proxy is a client.
    const isSubject = way === "<-";
    return isSubject === (this.#isSubjectClient || place !== "") ? "client" : "server";
  }
}
