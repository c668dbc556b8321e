import { answer, inChunks, LAST, ok } from "./phrases.ts";
import { asLetters, asNumbers, CHUNKS, NUMBERS, NUMBERS_LENGTH } from "../long-phrases.ts";
import type { Case, Step, Text } from "../../vocabulary.ts";

/** RFC 9112, sections 6 and 7: responses longer than a client reads at once. */

const numbers: Step = { do: "repeat", ...NUMBERS };
const end: Step = { do: "half-close" };

type Long = Pick<Case, "id" | "spec" | "covers" | "title" | "steps"> & { readonly body: Text; readonly times: number };
/** No mistake: the case is about what the client prints. */
const long = ({ steps, body, times, ...it }: Long): Case => ({
  ...it,
  level: "MUST",
  role: "client",
  needs: ["output"],
  steps,
  control: steps,
  allowed: [
    {
      see: {
        see: "all",
        of: [
          { see: "exit", ok: true },
          { see: "output", text: body, times },
        ],
      },
    },
  ],
});

export const cases: readonly Case[] = [
  long({
    id: "http1/client-long-content-by-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    title: "The client prints long content as long as declared, in order and without a gap.",
    steps: [answer(ok(`Content-Length: ${NUMBERS_LENGTH}`)), numbers],
    ...asNumbers,
  }),
  long({
    id: "http1/client-long-content-in-chunks",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    title: "The client prints the data of many chunks in order and without a gap.",
    steps: [answer(inChunks("")), { do: "repeat", ...CHUNKS }, { do: "send", text: LAST }],
    ...asLetters,
  }),
  long({
    id: "http1/client-long-content-until-close",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/until-close"],
    title: "The client prints long content up to the end of the connection, in order and without a gap.",
    steps: [answer(ok("Connection: close")), numbers, end],
    ...asNumbers,
  }),
];
