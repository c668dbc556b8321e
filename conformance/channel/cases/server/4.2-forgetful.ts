import { all, FENCE, message, ack, first, octets, open, until, type Told } from "../phrases.ts";
import type { Sight, Step } from "../../vocabulary.ts";
import { agent, client, hubCases } from "./phrases.ts";

/** What a hub that keeps the last thousand octets of output sends to clients that return. */

const KEPT = 1_000;
/** No part of it repeats itself at the distance of a thousand octets. */
const LINE = "the quick brown fox jumps over the lazy dog, 0123456789 times\n";
const STREAM = { text: LINE, count: 200 };
const part = (from: number, to: number): string => LINE.repeat(STREAM.count).slice(from, to);
const stream = (on: string, end: number): Sight => ({ see: "rest", on, octets: { text: part(0, end) } });

/** The agent prints the stream in messages of these lengths, each once the hub has the one before. */
function printed(lengths: readonly number[]): { readonly steps: readonly Step[]; readonly end: number } {
  let end = 0;
  const steps = lengths.flatMap((length): Step[] => {
    const from = end;
    end += length;
    return [octets("agent", part(from, end), 1, true), until(message("agent", ack(end)))];
  });
  return { steps: [agent(), ...steps], end };
}

const LENGTHS = {
  "less-than-is-kept": [400, 300, 299],
  "as-much-as-is-kept": [KEPT],
  "one-octet-more-than-is-kept": [KEPT + 1],
  "more-than-is-kept-in-small-parts": [400, 400, 400, 1, 300],
  "more-than-is-kept-in-parts-of-its-half": [500, 500, 500, 1],
  "a-part-that-ends-where-what-is-kept-ends": [700, 300, 250],
  "a-part-that-is-longer-than-what-is-kept": [700, 2_500, 300],
  "parts-that-are-nearly-as-long": [999, 999, 998],
  "much-at-once": [7_777, 10],
} as const;

const returning: readonly Told[] = Object.entries(LENGTHS).flatMap(([id, lengths]) => {
  const { steps, end } = printed(lengths);
  return [1, 10, KEPT - 1, KEPT]
    .filter((rest) => rest <= end)
    .map((rest): Told => ({
      id: `forgets-after-${id}-but-the-last-${rest}`,
      covers: "channel#4.2/rest",
      title: `Sends a returning client the last ${rest} octets of the output (${id.replaceAll("-", " ")}).`,
      steps: [
        ...steps,
        client("a", { query: `client=a&run={run}&from=${end - rest}` }),
        octets("agent", part(end, end + 20)),
        until({ see: "count", on: "a", least: rest + 20, most: rest + 20 }),
      ],
      see: all(first("a", { type: "state", from: end - rest, end, screen: 0 }), stream("a", end + 20)),
    }));
});

const { steps: MUCH, end: END } = printed([600, 600, 600]);

export const cases = hubCases(
  [
    ...returning,
    ...([0, END - KEPT - 1] as const).map((from): Told => ({
      id: `forgets-output-from-${from}`,
      covers: "channel#4.2/rest",
      title: `Continues the output at another offset with a client that returns with ${from}, which is no longer kept.`,
      steps: [...MUCH, client("a", { query: `client=a&run={run}&from=${from}` }), octets("agent", part(END, END + 20)), FENCE],
      see: all(open("a"), stream("a", END + 20)),
    })),
    {
      id: "forgets-the-beginning-of-a-title",
      covers: "channel#4.2/output",
      title: "Continues the output within a title of 3,000 octets, of which less is kept, with all that follows.",
      steps: [
        agent(),
        octets("agent", "\x1b]0;"),
        octets("agent", "t", 3_000),
        until(message("agent", ack(3_004))),
        client("a"),
        octets("agent", "\x07end"),
        until({ see: "holding", on: "a", text: "\x07end" }),
      ],
      see: all(open("a"), { see: "rest", on: "a", octets: { text: `\x1b]0;${"t".repeat(3_000)}\x07end` } }),
    } satisfies Told,
  ].map((told) => ({ ...told, needs: ["forgetful"] })),
);
