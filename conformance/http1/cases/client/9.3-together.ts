import type { Case, Outcome, Sight, Step } from "../../vocabulary.ts";
import { permitted } from "../phrases.ts";
import { answer, chunk, CHUNKS, CONTENT, fails, inChunks, lastAnswer, ok, prints, SECOND, whole } from "./phrases.ts";

/**
 * RFC 9112, sections 9.2, 9.3 and 8: a client that makes two requests at once, over one connection or two, gives each its own response.
 * Which of them comes first, and is answered with the first response, is its choice.
 */

const both: Sight = { see: "any", of: [prints(CONTENT + SECOND), prints(SECOND + CONTENT)] };
/** A request that waits for a connection need not be sent on another one. */
const orFails: Outcome = permitted(fails, "rfc9112#9.3.1");
const next: Step = answer(whole(SECOND), { nth: 2 });
const good: readonly Step[] = [answer(whole()), next];

type Entry = Pick<Case, "id" | "title" | "spec" | "covers"> & { readonly first: Step };
const together = ({ first, ...entry }: Entry, ...others: readonly Outcome[]): Case => ({
  ...entry,
  level: "MUST",
  role: "client",
  needs: ["together", "output"],
  ask: { together: true },
  steps: [first, next],
  control: good,
  allowed: [{ see: both }, ...others],
});
const incomplete = (entry: Entry): Case => ({ ...together(entry), needs: ["together", "status"], allowed: [{ see: fails }] });

export const cases: readonly Case[] = [
  together({
    id: "http1/client-together-chunks",
    title: "The client with two requests at once finds the end of a chunked response between them.",
    spec: "rfc9112#9.2",
    covers: ["rfc9112#9.2/order", "rfc9112#7.1/decode"],
    first: answer(inChunks(CHUNKS)),
  }),
  together({
    id: "http1/client-together-cut",
    title: "The client with two requests at once reads their responses octet by octet.",
    spec: "rfc9112#9.2",
    covers: ["rfc9112#9.2/order"],
    first: answer(whole(), { cut: 1 }),
  }),
  together(
    {
      id: "http1/client-together-close",
      title:
        "The client with two requests at once gets the second response on another connection after close, or reports that it got none.",
      spec: "rfc9112#9.6",
      covers: ["rfc9112#9.6/client-obeys"],
      first: lastAnswer(whole(CONTENT, "Connection: close")),
    },
    orFails,
  ),
  together(
    {
      id: "http1/client-together-until-close",
      title: "The client with two requests at once reads a response until its connection closes.",
      spec: "rfc9112#6.3",
      covers: ["rfc9112#6.3/until-close"],
      first: lastAnswer(`${ok()}${CONTENT}`),
    },
    orFails,
  ),
  incomplete({
    id: "http1/client-together-cut-short",
    title: "The client with two requests at once reports that one of the responses is incomplete.",
    spec: "rfc9112#8",
    covers: ["rfc9112#8/recorded", "rfc9112#8/length-incomplete"],
    first: lastAnswer(whole().slice(0, -1)),
  }),
  incomplete({
    id: "http1/client-together-without-last-chunk",
    title: "The client with two requests at once reports that one of the responses lacks its last chunk.",
    spec: "rfc9112#8",
    covers: ["rfc9112#8/recorded", "rfc9112#8/chunked-incomplete"],
    first: lastAnswer(inChunks(chunk(CONTENT))),
  }),
];
