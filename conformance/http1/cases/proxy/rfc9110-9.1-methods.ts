import {
  all,
  answer,
  atOrigin,
  awaitAnswer,
  exchange,
  get,
  notForwarded,
  ok,
  permitted,
  request,
  requests,
  send,
  texts,
} from "./phrases.ts";
import type { Case, Text } from "../../vocabulary.ts";

/**
 * RFC 9110, sections 5.1, 7.6 and 9.1: what differs in one octet is not the same. A proxy compares methods, names, values and targets
 * with those that it knows or has just seen, and must forward each as it came.
 */

/** Each octet of GET and POST replaced by its neighbours and by a letter far away, and the method with one octet more or less. */
const near = (method: string): string[] => [
  ...[...method].flatMap((letter, at) =>
    [letter.charCodeAt(0) - 1, letter.charCodeAt(0) + 1, 0x5a].map(
      (octet) => method.slice(0, at) + String.fromCharCode(octet) + method.slice(at + 1),
    ),
  ),
  method.slice(0, -1),
  `${method}S`,
];

const method = (wrong: string, right: string): Case => ({
  id: `http1/proxy-method-${wrong.toLowerCase()}`,
  spec: "rfc9110#9.1",
  covers: ["rfc9110#9.1/case-sensitive", "rfc9112#3.1/case-sensitive", "rfc9110#7.6/unknown-elements"],
  level: "MUST",
  title: `The proxy does not take ${wrong} for ${right}: it forwards it unchanged, or rejects it as unknown.`,
  ...texts({ wrong: request(wrong, "Content-Length: 0"), right: get() }),
  allowed: [
    { see: all(ok, requests(1), atOrigin({ method: wrong })) },
    permitted(all(answer({ status: ["4xx", 501] }), notForwarded), "rfc9110#9.1"),
    permitted(all({ see: "closed after", responses: 0 }, notForwarded), "rfc9112#9.5", "warn"),
  ],
});

/** In the order of the requests of the case. */
type Seen = { readonly target?: string; readonly fields?: readonly (readonly [name: string, value: string])[] };
const kept = ({ seen, ...it }: Pick<Case, "id" | "title" | "spec" | "covers" | "level"> & { readonly seen: readonly Seen[] }): Case => {
  const asked = seen.map(({ target = "", fields = [] }): Text =>
    get(...fields.map(([name, value]) => `${name}: ${value}`)).replace("{path}", `{path}${target}`),
  );
  return {
    ...it,
    ...exchange(
      send(asked[0] ?? ""),
      awaitAnswer,
      ...asked.slice(1).flatMap((text, at) => [send(text), { do: "await", see: answer({ nth: at + 2 }) } as const]),
    ),
    allowed: [
      {
        see: all(
          requests(seen.length),
          ...seen.map(({ target = "", fields = [] }, at) =>
            atOrigin({ nth: at + 1, target: `{path}${RegExp.escape(target)}$`, fields: fields.map(([name, value]) => ({ name, value })) }),
          ),
        ),
      },
    ],
  };
};

const DIGITS = [..."0123456789"];
/** The letter whose octet is a digit's without one bit, as a wrong conversion to lower case takes it. */
const letterOf = (digit: string): string => String.fromCharCode(digit.charCodeAt(0) + 0x20);
const fields = (names: readonly string[], what: string) => names.map((name) => [`x-touchstone-${name}x`, `${what} ${name}`] as const);

/** A value, then others that begin alike, are shorter, longer, and differ in one octet. */
const LIKE = ["text/plain", "text/plai", "text/plain", "text/plainer", "text/plain", "text/plaim", "sext/plain", "", "text/plain"];
const TARGETS = [
  "/like/that",
  "/like/tha",
  "/like/that",
  "/like/that/too",
  "/like/that",
  "/like/thas",
  "/mike/that",
  "/like/that?",
  "/like/that",
];

export const cases: readonly Case[] = [
  ...near("GET").map((wrong) => method(wrong, "GET")),
  ...near("POST").map((wrong) => method(wrong, "POST")),
  kept({
    id: "http1/proxy-names-in-digits-and-letters",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/unknown-forwarded", "rfc9110#7.7/end-to-end-kept"],
    level: "MUST",
    title: "The proxy keeps field names apart that differ in one bit, where that is not the case of a letter.",
    seen: [
      { fields: [...fields(DIGITS, "digit"), ...fields(DIGITS.map(letterOf), "letter")] },
      { fields: [...fields(DIGITS.map(letterOf), "letter"), ...fields(DIGITS, "digit")] },
    ],
  }),
  kept({
    id: "http1/proxy-values-like-the-last",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#7.7/end-to-end-kept"],
    level: "SHOULD NOT",
    title: "The proxy forwards a value as it came, also if it begins like that of the request before.",
    seen: LIKE.filter((value) => value !== "").map((value) => ({
      fields: [
        ["Accept", value],
        ["User-Agent", value],
        ["X-Touchstone-Like", value],
      ],
    })),
  }),
  kept({
    id: "http1/proxy-targets-like-the-last",
    spec: "rfc9112#3.2",
    covers: ["rfc9110#7.7/path-kept"],
    level: "MUST NOT",
    title: "The proxy forwards a target as it came, also if it begins like that of the request before.",
    seen: TARGETS.map((target) => ({ target })),
  }),
];
