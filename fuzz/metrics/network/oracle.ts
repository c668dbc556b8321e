import { requestOf } from "../../../conformance/wire/remotewrite/build.ts";
import { NO_FEATURES, parse } from "../../../reference/metrics/promql/index.ts";
import { MessageFault, RECEIVE_LIMITS, receiveWrite } from "../../../reference/metrics/remote/index.ts";
import { MemoryStorage } from "../../../reference/metrics/storage/index.ts";
import type { Piece } from "./grammar.ts";

/** What a server must make of a query or request: take it, refuse it, or either. */
export type Expected = { readonly is: "fine" | "unsure" } | { readonly is: "refused"; readonly why: string };

export const expressionOf = (pieces: readonly Piece[]): string => pieces.map((piece) => (piece.do === "word" ? piece.text : "")).join("");

/** Whether the language without flags has the expression; one that only a flag permits is unsure. */
export function expectedOfQuery(text: string): Expected {
  const plain = parse(text, { features: NO_FEATURES });
  if (plain.is !== "fault") return { is: "fine" };
  const all = parse(text);
  return all.is === "fault" ? { is: "refused", why: all.message } : { is: "unsure" };
}

/** The address of a page with its parameters; undefined without a page. */
export function pageOf(pieces: readonly Piece[]): string | undefined {
  const path = pieces.find((piece) => piece.do === "page")?.path;
  const parameters = pieces.flatMap((piece) => (piece.do === "parameter" ? [[piece.name, piece.value]] : []));
  return path === undefined ? undefined : `${path}${parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`}`;
}

export type WriteRequest = { readonly protocol: 1 | 2; readonly content: Uint8Array };

/** The request of the pieces for a metric, with samples that are as old as they say; undefined without a series. */
export function writeOf(pieces: readonly Piece[], metric: string, now: number): WriteRequest | undefined {
  const series = pieces.flatMap((piece) => (piece.do === "series" ? [piece] : []));
  const protocol = series[0]?.protocol;
  if (protocol === undefined) return undefined;
  const shape = pieces.find((piece) => piece.do === "shape")?.shape;
  const packing = pieces.find((piece) => piece.do === "packing")?.packing;
  let content = requestOf(protocol, {
    series: series.map(({ series: { labels, samples = [] } }, at) => ({
      labels: labels.map(([name, value]) => [name, value === "@" ? `${metric}_${at}` : value]),
      samples: samples.map(([value, age]) => [value, now - age]),
    })),
    ...(shape === undefined ? {} : { shape }),
    ...(packing === undefined ? {} : { packing }),
  });
  for (const piece of pieces) {
    if (piece.do === "cut") content = content.slice(0, Math.floor(piece.at * content.length));
    if (piece.do === "octet" && content.length > 0) {
      content = content.slice();
      content[Math.floor(piece.at * content.length)] = Math.floor(piece.to * 256);
    }
  }
  return { protocol, content };
}

const MESSAGES = { 1: "prometheus.WriteRequest", 2: "io.prometheus.write.v2.Request" } as const;

/** Reads a request as the reference does. What it reads after an octet has changed may be anything, and lawful. */
export function expectedOfWrite({ protocol, content }: WriteRequest, pieces: readonly Piece[], now: number): Expected {
  try {
    const { refused } = receiveWrite(new MemoryStorage(), content, MESSAGES[protocol], { now, limits: RECEIVE_LIMITS });
    const isPlain = pieces.every((piece) => piece.do === "series");
    return { is: isPlain && refused.size === 0 ? "fine" : "unsure" };
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    // The texts ask senders for UTF-8; a receiver need not check it.
    return error.message.includes("UTF-8") ? { is: "unsure" } : { is: "refused", why: error.message };
  }
}
