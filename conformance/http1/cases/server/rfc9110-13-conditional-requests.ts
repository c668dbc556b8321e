import type { RequirementRef } from "../../../harness/case.ts";
import type { Allowed, Case, Sight, Text } from "../../vocabulary.ts";
import { answered, get, head, likePath, permitted, post, refusedWith, request, send, servedWith } from "../phrases.ts";

/** RFC 9110, sections 8.4, 8.8 and 13: validators and conditional requests, to servers that send validators. The page itself is never changed. */

/** A tag that no representation has. */
const OTHER = '"touchstone-has-no-such-tag"';
const host = "Host: {authority}";

/** The page itself: the conditions are true, or ignored. */
const whole: Allowed = [{ see: servedWith(2, likePath()) }];
const notModified: Allowed = [{ see: servedWith(2, answered(1, { status: [304], framing: "none" })) }];
/** The method is not performed; another error than 412 does not say why. */
const failed: Allowed = [{ see: refusedWith([412]) }, permitted(refusedWith(["4xx"]), "rfc9110#13.1.1", "warn")];
const neither: Sight = { see: "not", of: answered(1, { status: [304, 412] }) };

type Condition = Pick<Case, "id" | "title" | "allowed"> & {
  /** MUST by default. */
  readonly level?: Case["level"];
  readonly needs: readonly string[];
  readonly covers: readonly [RequirementRef, ...RequirementRef[]];
  /** The fields of the request, and those of its twin. */
  readonly wrong: readonly Text[];
  readonly right: readonly Text[];
};

const conditions: readonly Condition[] = [
  // If-None-Match.
  {
    id: "http1/if-none-match-weak",
    title: "The server answers 304 where If-None-Match has its entity tag as a weak one.",
    needs: ["etag"],
    covers: ["rfc9110#13.1.2/weak-comparison", "rfc9110#13.1.2/if-none-match"],
    wrong: ["If-None-Match: W/{etag}"],
    right: [`If-None-Match: W/${OTHER}`],
    allowed: notModified,
  },
  {
    id: "http1/if-none-match-in-a-list",
    title: "The server answers 304 where If-None-Match has its entity tag among others.",
    needs: ["etag"],
    covers: ["rfc9110#13.1.2/evaluated", "rfc9110#13.1.2/if-none-match"],
    wrong: [`If-None-Match: ${OTHER}, {etag}, "a,b"`],
    right: [`If-None-Match: ${OTHER}, "a,b"`],
    allowed: notModified,
  },
  {
    id: "http1/if-none-match-asterisk",
    title: "The server answers 304 to If-None-Match with an asterisk, since the resource exists.",
    needs: ["etag"],
    covers: ["rfc9110#13.1.2/evaluated", "rfc9110#13.1.2/if-none-match"],
    wrong: ["If-None-Match: *"],
    right: [`If-None-Match: ${OTHER}`],
    allowed: notModified,
  },
  {
    id: "http1/if-none-match-other",
    title: "The server sends the page where If-None-Match has only other entity tags.",
    needs: ["etag"],
    covers: ["rfc9110#13.1.2/evaluated"],
    wrong: [`If-None-Match: ${OTHER}`],
    right: [],
    allowed: whole,
  },
  {
    id: "http1/if-none-match-over-date",
    title: "The server ignores If-Modified-Since beside If-None-Match.",
    needs: ["etag", "modified"],
    covers: ["rfc9110#13.1.3/if-none-match-first", "rfc9110#13.2.2/order"],
    wrong: [`If-None-Match: ${OTHER}`, "If-Modified-Since: {modified}"],
    right: [`If-None-Match: ${OTHER}`],
    allowed: whole,
  },

  // If-Modified-Since: evaluating it is a SHOULD, ignoring what is invalid a MUST.
  {
    id: "http1/if-modified-since-earlier",
    level: "SHOULD",
    title: "The server sends the page where it changed after the date of If-Modified-Since.",
    needs: ["modified"],
    covers: ["rfc9110#13.1.3/evaluated"],
    wrong: ["If-Modified-Since: {earlier}"],
    right: [],
    allowed: whole,
  },
  {
    id: "http1/if-modified-since-invalid",
    title: "The server ignores an If-Modified-Since that is no date.",
    needs: ["modified"],
    covers: ["rfc9110#13.1.3/invalid-ignored"],
    wrong: ["If-Modified-Since: the day before yesterday"],
    right: ["If-Modified-Since: {earlier}"],
    allowed: whole,
  },
  {
    id: "http1/if-modified-since-two-dates",
    title: "The server ignores an If-Modified-Since with two dates.",
    needs: ["modified"],
    covers: ["rfc9110#13.1.3/invalid-ignored"],
    wrong: ["If-Modified-Since: {modified}, {modified}"],
    right: ["If-Modified-Since: {earlier}"],
    allowed: whole,
  },

  // If-Match.
  {
    id: "http1/if-match",
    title: "The server sends the page where If-Match has its entity tag.",
    needs: ["etag"],
    covers: ["rfc9110#13.1.1/evaluated"],
    wrong: [`If-Match: ${OTHER}, {etag}`],
    right: [],
    allowed: whole,
  },
  {
    id: "http1/if-match-asterisk",
    title: "The server sends the page to If-Match with an asterisk, since it exists.",
    needs: ["etag"],
    covers: ["rfc9110#13.1.1/evaluated"],
    wrong: ["If-Match: *"],
    right: [],
    allowed: whole,
  },
  {
    id: "http1/if-match-other",
    title: "The server does not perform a GET where If-Match has only other entity tags.",
    needs: ["etag"],
    covers: ["rfc9110#13.1.1/false", "rfc9110#13.1.1/evaluated"],
    wrong: [`If-Match: ${OTHER}`],
    right: ["If-Match: {etag}"],
    allowed: failed,
  },
  {
    id: "http1/if-match-weak",
    title: "The server does not perform a GET where If-Match has its entity tag as a weak one.",
    needs: ["etag"],
    covers: ["rfc9110#13.1.1/strong-comparison", "rfc9110#13.1.1/false"],
    wrong: ["If-Match: W/{etag}"],
    right: ["If-Match: {etag}"],
    allowed: failed,
  },
  {
    id: "http1/if-match-over-date",
    title: "The server ignores If-Unmodified-Since beside If-Match.",
    needs: ["etag", "modified"],
    covers: ["rfc9110#13.1.4/if-match-first", "rfc9110#13.2.2/order"],
    wrong: ["If-Match: {etag}", "If-Unmodified-Since: {earlier}"],
    right: ["If-Match: {etag}"],
    allowed: whole,
  },
  {
    id: "http1/if-match-before-if-none-match",
    title: "The server evaluates If-Match before If-None-Match: a false one is not answered with 304.",
    needs: ["etag"],
    covers: ["rfc9110#13.2.2/order", "rfc9110#13.1.1/false"],
    wrong: [`If-Match: ${OTHER}`, "If-None-Match: {etag}"],
    right: ["If-Match: {etag}", `If-None-Match: ${OTHER}`],
    allowed: failed,
  },

  // If-Unmodified-Since.
  {
    id: "http1/if-unmodified-since",
    title: "The server sends the page where it did not change after the date of If-Unmodified-Since.",
    needs: ["modified"],
    covers: ["rfc9110#13.1.4/evaluated"],
    wrong: ["If-Unmodified-Since: {modified}"],
    right: [],
    allowed: whole,
  },
  {
    id: "http1/if-unmodified-since-earlier",
    title: "The server does not perform a GET where the page changed after the date of If-Unmodified-Since.",
    needs: ["modified"],
    covers: ["rfc9110#13.1.4/false", "rfc9110#13.1.4/evaluated"],
    wrong: ["If-Unmodified-Since: {earlier}"],
    right: ["If-Unmodified-Since: {modified}"],
    allowed: [{ see: refusedWith([412]) }, permitted(refusedWith(["4xx"]), "rfc9110#13.1.4", "warn")],
  },
  {
    id: "http1/if-unmodified-since-invalid",
    title: "The server ignores an If-Unmodified-Since that is no date.",
    needs: ["modified"],
    covers: ["rfc9110#13.1.4/invalid-ignored"],
    wrong: ["If-Unmodified-Since: the day before yesterday"],
    right: ["If-Unmodified-Since: {modified}"],
    allowed: whole,
  },
  {
    id: "http1/if-unmodified-since-two-dates",
    title: "The server ignores an If-Unmodified-Since with two dates.",
    needs: ["modified"],
    covers: ["rfc9110#13.1.4/invalid-ignored"],
    wrong: ["If-Unmodified-Since: {earlier}, {earlier}"],
    right: ["If-Unmodified-Since: {modified}"],
    allowed: whole,
  },
];

/** The dates of one day in the three formats that a recipient accepts (rfc9110#5.6.7). */
const formats = [
  ["rfc850", "{modified850}", "the format of RFC 850"],
  ["asctime", "{modifiedasctime}", "the format of asctime()"],
] as const;

export const cases: readonly Case[] = [
  ...conditions.map(({ wrong, right, level = "MUST", ...rest }): Case => ({
    ...rest,
    level,
    spec: rest.covers[0].slice(0, rest.covers[0].indexOf("/")) as Case["spec"],
    role: "server",
    steps: [send(get(...wrong))],
    control: [send(get(...right))],
  })),
  ...formats.map(([name, date, words]): Case => ({
    id: `http1/if-modified-since-in-${name}`,
    spec: "rfc9110#5.6.7",
    covers: ["rfc9110#5.6.7/all-formats"],
    level: "MUST",
    role: "server",
    needs: ["modified"],
    title: `A server that reads the date of If-Modified-Since accepts ${words}.`,
    steps: [send(`${get("If-Modified-Since: {later}")}${get(`If-Modified-Since: ${date}`)}`)],
    control: [send(`${get()}${get("If-Modified-Since: {earlier}")}`)],
    allowed: [
      { see: servedWith(3, answered(1, { status: [304] }), answered(2, { status: [304] })) },
      // A server that does not answer 304 to a later date compares texts, or does not look at them: it reads no date.
      permitted(servedWith(3, likePath(1)), "rfc9110#13.1.3"),
    ],
  })),
  {
    id: "http1/if-modified-since-two-digit-year",
    spec: "rfc9110#5.6.7",
    covers: ["rfc9110#5.6.7/two-digit-year"],
    level: "MUST",
    role: "server",
    needs: ["modified"],
    title: "A server that reads a two-digit year takes one more than fifty years ahead for a past one.",
    // Both dates are the same day. A page that is older still is not modified since, whatever the format.
    steps: [send(get("If-Modified-Since: {longago850}"))],
    control: [send(get("If-Modified-Since: {longago}"))],
    allowed: whole,
  },
  {
    id: "http1/conditions-on-missing",
    spec: "rfc9110#13.2.1",
    covers: ["rfc9110#13.2.1/ignored-for-errors", "rfc9110#13.2.1/after-normal-checks"],
    level: "MUST",
    role: "server",
    needs: ["etag", "distinct"],
    title: "The server ignores conditions where the response without them were an error.",
    steps: [send(head("GET {missing} HTTP/1.1", host, `If-Match: ${OTHER}`))],
    control: [send(head("GET {missing} HTTP/1.1", host))],
    allowed: [{ see: servedWith(2, answered(1, { like: "missing" })) }],
  },
  {
    id: "http1/conditions-with-options",
    spec: "rfc9110#13.2.1",
    covers: ["rfc9110#13.2.1/other-methods"],
    level: "MUST",
    role: "server",
    needs: ["etag", "options"],
    title: "The server ignores conditions with OPTIONS.",
    steps: [send(request("OPTIONS", `If-Match: ${OTHER}`))],
    control: [send(request("OPTIONS"))],
    allowed: [{ see: servedWith(2, answered(1, { status: ["2xx"] })) }],
  },
  {
    id: "http1/if-modified-since-with-post",
    spec: "rfc9110#13.1.3",
    covers: ["rfc9110#13.1.3/invalid-ignored"],
    level: "MUST",
    role: "server",
    needs: ["modified", "post"],
    title: "The server ignores If-Modified-Since with POST.",
    steps: [send(post("touchstone", "If-Modified-Since: {modified}"))],
    control: [send(post("touchstone"))],
    allowed: [{ see: servedWith(2, answered(1, { status: ["2xx", "3xx"] }), neither) }],
  },
  {
    id: "http1/not-modified-without-more-fields",
    spec: "rfc9110#15.4.5",
    covers: ["rfc9110#15.4.5/no-other-metadata"],
    level: "SHOULD NOT",
    role: "server",
    needs: ["etag"],
    title: "A 304 has no fields that describe the content of the page.",
    steps: [send(get("If-None-Match: {etag}"))],
    control: [send(get(`If-None-Match: ${OTHER}`))],
    allowed: [
      {
        see: servedWith(
          2,
          answered(1, {
            status: [304],
            fields: (["content-type", "content-language", "content-encoding"] as const).map((name) => ({ name, absent: true })),
          }),
        ),
      },
    ],
  },
  {
    id: "http1/last-modified-not-later",
    spec: "rfc9110#8.8.2.1",
    covers: ["rfc9110#8.8.2.1/not-later-than-date"],
    level: "MUST NOT",
    role: "server",
    needs: ["modified"],
    title: "The server sends no Last-Modified later than its Date.",
    steps: [send(get())],
    control: [send(get())],
    allowed: [{ see: servedWith(2, likePath(), { see: "holds", monitor: "Last-Modified not after Date" }) }],
  },
  {
    id: "http1/content-coding-not-identity",
    spec: "rfc9110#8.4",
    covers: ["rfc9110#8.4/no-identity"],
    level: "SHOULD NOT",
    role: "server",
    title: "The server does not list identity in Content-Encoding.",
    steps: [send(get("Accept-Encoding: identity"))],
    control: [send(get())],
    allowed: [
      {
        see: servedWith(2, likePath(), {
          see: "not",
          of: answered(1, { fields: [{ name: "content-encoding", pattern: "identity", joined: true }] }),
        }),
      },
    ],
  },
];
