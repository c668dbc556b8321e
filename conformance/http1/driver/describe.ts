import { outcomeWith } from "../../harness/words.ts";
import { printable, toLatin1 } from "../../wire/octets.ts";
import type { FieldSight, Sight, StatusSight } from "../vocabulary.ts";
import type { Conversation } from "./conversation.ts";

/** Sights and observations in words. */

/** Octets as text, with line ends as a case spells them. */
export const octetsInWords = (octets: Uint8Array, limit?: number): string =>
  printable(toLatin1(octets), limit).replaceAll("\\x0d", "\\r").replaceAll("\\x0a", "\\n").replaceAll("\\x09", "\\t");
const statusInWords = (status: StatusSight): string => status.join(" or ");
const ORDINALS = ["", "first", "second", "third", "fourth", "fifth", "sixth"];
const suffix = (nth: number): string => (Math.floor(nth / 10) % 10 === 1 ? "th" : (["th", "st", "nd", "rd"][nth % 10] ?? "th"));
const ordinal = (nth: number): string => ORDINALS[nth] ?? `${nth}${suffix(nth)}`;
const onWords = (on: number | undefined): string => (on === undefined || on === 1 ? "" : ` on connection ${on}`);

const fieldInWords = ({ name, value, pattern, absent, joined }: FieldSight): string => {
  if (absent === true) return `without ${name}`;
  if (value !== undefined) return `with ${name}: ${printable(value)}${joined === true ? " (its lines joined)" : ""}`;
  return pattern === undefined ? `with ${name}` : `with ${name} matching /${pattern}/`;
};
const fieldsInWords = (fields: readonly FieldSight[] | undefined): string[] => (fields ?? []).map(fieldInWords);
const trailersInWords = (fields: readonly FieldSight[] | undefined): string[] =>
  (fields ?? []).map((field) => `${fieldInWords(field)} in the trailers`);

const timesInWords = (times = 1): string => (times === 1 ? "" : `, ${times} times`);
const contentInWords = (body: string, times?: number): string => `with the content "${printable(body, 60)}"${timesInWords(times)}`;

export function sightInWords(sight: Sight): string {
  switch (sight.see) {
    case "response": {
      const { nth = 1, on, status, like, version, body, bodyPattern, complete, framing } = sight;
      const details = [
        ...(status === undefined ? [] : [`with status ${statusInWords(status)}`]),
        ...(like === undefined ? [] : [`like that to ${like === "path" ? "the good request" : "the missing path"}`]),
        ...(version === undefined ? [] : [`in ${version}`]),
        ...fieldsInWords(sight.fields),
        ...trailersInWords(sight.trailers),
        ...(body === undefined ? [] : [body === "" ? "without content" : contentInWords(body, sight.times)]),
        ...(bodyPattern === undefined ? [] : [`with content matching /${printable(bodyPattern, 60)}/`]),
        ...(framing === undefined ? [] : [framing === "none" ? "that can have no content" : `framed by ${framing}`]),
      ];
      return (
        [`a ${complete === true ? "complete " : ""}${nth === 1 ? "" : `${ordinal(nth)} `}response`, ...details].join(" ") + onWords(on)
      );
    }
    case "interim":
      return [`${sight.status} before the ${ordinal(sight.nth ?? 1)} response`, ...fieldsInWords(sight.fields)].join(" ");
    case "error and close":
      return `${refusal(sight)}, and then the end of the connection`;
    case "error and keep-alive":
      return `${refusal(sight)}, while what follows is answered`;
    case "closed after":
      return `the connection ended ${sight.responses === 0 ? "without a response" : `after ${responses(sight.responses)}`}${onWords(sight.on)}`;
    case "connection closed":
      return `the end of the connection${onWords(sight.on)}`;
    case "all answered":
      return `exactly ${responses(sight.responses)}, the last as it should be`;
    case "holds":
      return `${sight.monitor}, in everything it sent`;
    case "request": {
      const { nth = 1, count, method, target, version, body, framing, connection } = sight;
      const details = [
        ...(method === undefined ? [] : [`with the method ${method}`]),
        ...(target === undefined ? [] : [`for ${target}`]),
        ...(version === undefined ? [] : [`in ${version}`]),
        ...fieldsInWords(sight.fields),
        ...trailersInWords(sight.trailers),
        ...(body === undefined ? [] : [contentInWords(body, sight.times)]),
        ...(framing === undefined ? [] : [`framed by ${framing}`]),
        ...(connection === undefined ? [] : [connection === "new" ? "on a new connection" : "on the connection of the one before"]),
      ];
      const what = count === undefined ? `the ${ordinal(nth)} request` : `at least ${count} requests`;
      return [what, ...details].join(" ");
    }
    case "requests":
      return sight.count === 0 ? "no request" : `exactly ${sight.count} request${sight.count === 1 ? "" : "s"}`;
    case "origin octets":
      return `octets at the origin matching /${printable(sight.pattern, 80)}/`;
    case "origin closed":
      return `the end of the connection ${sight.nth === undefined ? "" : `of the ${ordinal(sight.nth)} request `}at the origin`;
    case "exit":
      return sight.ok ? "the command exits with status 0" : "the command exits with a status other than 0";
    case "gave up":
      return "the client ends the connection, and does not exit in time";
    case "output":
      return `the output "${printable(sight.text, 60)}"${timesInWords(sight.times)}`;
    case "tunnel octets":
      return `octets through the tunnel matching /${printable(sight.pattern, 80)}/${onWords(sight.on)}`;
    case "stream reset":
      return `RST_STREAM on stream ${sight.stream}`;
    case "goaway":
      return "GOAWAY";
    case "http2 frame":
      return `${sight.first === true ? "first of all " : ""}the frame ${sight.type}${sight.stream === undefined ? "" : ` on stream ${sight.stream}`}`;
    case "not":
      return `not ${sightInWords(sight.of)}`;
    case "all":
      return sight.of.map(sightInWords).join(", and ");
    case "any":
      if (isEitherWay(sight.of)) return refusal(sight.of[0]);
      return sight.of.map(sightInWords).join(", or ");
  }
}

type Refusal = Extract<Sight, { see: "error and close" | "error and keep-alive" }>;
/** The same refusal, whether or not the connection continues. */
const isEitherWay = (of: readonly Sight[]): of is readonly [Refusal, Refusal] =>
  of.length === 2 && of[0]?.see === "error and close" && of[1]?.see === "error and keep-alive" && refusal(of[0]) === refusal(of[1]);

const responses = (count: number): string => (count === 1 ? "one response" : `${count} responses`);
const refusal = ({ nth = 1, status }: { nth?: number; status?: StatusSight }): string =>
  `${nth === 1 ? "" : `as the ${ordinal(nth)} response `}an error response with ${status === undefined ? "4xx, 501 or 505" : statusInWords(status)}`;

export const outcomeInWords = outcomeWith(sightInWords);

/** Responses listed one by one. */
const LISTED = 6;

/** What arrived on each connection: the statuses in order, octets that are not a response, and its end. */
export function observedInWords(conversations: readonly (Conversation & { readonly on?: number })[], fenced: boolean): string {
  const words = conversations.flatMap((one) => {
    const statuses = one.responses.flatMap(({ status, interim, complete }) => [
      ...interim.map((early) => String(early.status)),
      `${status}${complete ? "" : " (incomplete)"}`,
    ]);
    const shown =
      statuses.length > LISTED ? [...statuses.slice(0, LISTED - 1), `… ${statuses.length - LISTED} more`, statuses.at(-1) ?? ""] : statuses;
    const came = [
      ...shown,
      ...one.interim.map(({ status }) => String(status)),
      ...one.garbage.map(({ octets }) => `"${octetsInWords(octets, 40)}", which is not a response`),
      ...(one.ended === undefined ? [] : [one.ended === "fin" ? "the connection closed" : "the connection was reset"]),
    ];
    const name = one.on === undefined || one.on === 1 ? "" : one.on >= 1000 ? "on a new connection " : `on connection ${one.on} `;
    return came.length === 0 ? [`${name}silence`] : [`${name}${came.join(", ")}`];
  });
  if (words.length === 0) return "nothing";
  return `${words.join("; ")}${fenced ? "; the next message was answered" : ""}`;
}
