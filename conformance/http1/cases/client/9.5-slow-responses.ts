import { permitted } from "../phrases.ts";
import type { Case, Step, Text } from "../../vocabulary.ts";
import { accepts, answer, chunk, fails, inChunks, LAST, ok, whole } from "./phrases.ts";

/** RFC 9112, section 9.5: a server may take its time. A second is not much, whatever a client waits for. */

const PAUSE: Step = { do: "wait", ms: 1_000, until: { see: "exit", ok: false } };
const send = (text: Text): Step => ({ do: "send", text });

const slow = (entry: Pick<Case, "id" | "title" | "spec" | "covers" | "steps"> & { readonly text: Text }): Case =>
  accepts({
    control: [answer(entry.text, { close: "end" })],
    // It may close a connection at any time.
    others: [permitted(fails, "rfc9112#9.5", "warn")],
    ...entry,
  });

export const cases: readonly Case[] = [
  slow({
    id: "http1/client-pause-before-response",
    spec: "rfc9112#9.5",
    covers: ["rfc9112#6.3/length"],
    title: "The client waits for a response that takes a second.",
    text: whole(),
    steps: [{ do: "await", see: { see: "request" } }, PAUSE, answer(whole())],
  }),
  slow({
    id: "http1/client-pause-in-content",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length"],
    title: "The client waits for the rest of content that takes a second.",
    text: whole(),
    steps: [answer(whole().slice(0, -5)), PAUSE, send("stone")],
  }),
  slow({
    id: "http1/client-pause-between-chunks",
    spec: "rfc9112#7.1",
    covers: ["rfc9112#7.1/decode"],
    title: "The client waits for a chunk that takes a second.",
    text: inChunks(chunk("touch") + chunk("stone") + LAST),
    steps: [answer(inChunks(chunk("touch"))), PAUSE, send(chunk("stone") + LAST)],
  }),
  slow({
    id: "http1/client-pause-before-close",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/until-close"],
    title: "The client waits for the end of the connection that takes a second.",
    text: `${ok()}touchstone`,
    steps: [answer(`${ok()}touch`), PAUSE, send("stone"), { do: "half-close" }],
  }),
  slow({
    id: "http1/client-pause-in-head",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/octets"],
    title: "The client waits for the rest of a head that takes a second.",
    text: whole(),
    steps: [answer("HTTP/1.1 200 OK\r\n"), PAUSE, send(whole().slice("HTTP/1.1 200 OK\r\n".length))],
  }),
];
