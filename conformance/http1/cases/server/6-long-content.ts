import { CHUNKED, LAST } from "../framing-phrases.ts";
import { asLetters, asNumbers, CHUNKS, NUMBERS, NUMBERS_LENGTH } from "../long-phrases.ts";
import { answered, permitted, send, servedWith } from "../phrases.ts";
import type { Allowed, Case, Sight, Step, Text } from "../../vocabulary.ts";

/**
 * RFC 9112, sections 6 and 7: content longer than a server reads or writes at once. It must come back whole: not an octet of it lost,
 * repeated or displaced.
 */

const echo = (...fields: readonly Text[]): Text => ["POST {echo} HTTP/1.1", "Host: {authority}", ...fields, "", ""].join("\r\n");
const byLength: readonly Step[] = [send(echo(`Content-Length: ${NUMBERS_LENGTH}`)), { do: "repeat", ...NUMBERS }];
const inChunks: readonly Step[] = [send(echo(CHUNKED)), { do: "repeat", ...CHUNKS }, send(LAST)];
const short: readonly Step[] = [send(`${echo("Content-Length: 5")}hello`)];

const numbers = (nth = 1): Sight => answered(nth, asNumbers);
const letters = (nth = 1): Sight => answered(nth, asLetters);
/** A server may set a limit, and refuse longer content. */
const whole = (responses: number, ...sights: readonly Sight[]): Allowed => [
  { see: servedWith(responses, ...sights) },
  permitted({ see: "response", status: [413] }, "rfc9110#15.5.14"),
];

type Long = Pick<Case, "id" | "spec" | "covers" | "title" | "steps" | "allowed"> & Partial<Pick<Case, "needs" | "control">>;
const long = (it: Long): Case => ({ level: "MUST", role: "server", needs: ["echo"], control: short, ...it });

export const cases: readonly Case[] = [
  long({
    id: "http1/long-content-by-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    title: "The server reads hundreds of thousands of octets of content as long as declared, in order and without a gap.",
    steps: byLength,
    allowed: whole(2, numbers()),
  }),
  long({
    id: "http1/long-content-in-chunks",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    title: "The server puts the data of many chunks of different sizes together in order and without a gap.",
    steps: inChunks,
    allowed: whole(2, letters()),
  }),
  long({
    id: "http1/long-content-pipelined",
    spec: "rfc9112#9.3.2",
    covers: ["rfc9112#9.3.2/in-order", "rfc9112#6.3/length"],
    needs: ["echo", "pipelining"],
    title: "The server answers three pipelined requests with long content in order, each with all of its content.",
    steps: [...byLength, ...inChunks, ...byLength],
    control: [...short, ...short, ...short],
    allowed: whole(4, numbers(1), letters(2), numbers(3)),
  }),
  long({
    id: "http1/long-content-before-short",
    spec: "rfc9112#9.3.2",
    covers: ["rfc9112#9.3.2/in-order"],
    needs: ["echo", "pipelining"],
    title: "The server answers a short request that follows one with long content.",
    steps: [...byLength, ...short],
    control: [...short, ...short],
    allowed: whole(3, numbers(1), answered(2, { body: "hello" })),
  }),
];
