import type { RequirementRef } from "../../../harness/case.ts";
import type { Case, FieldSight, Outcome, Text } from "../../vocabulary.ts";
import {
  all,
  atOrigin,
  exchange,
  forwarded,
  get,
  head,
  ok,
  permitted,
  refusedOnly,
  requests,
  send,
  texts,
  unambiguous,
} from "./phrases.ts";

/** RFC 9112, sections 2.2 and 5, RFC 9110, sections 5.1 and 5.5: a proxy does not forward a line that two readers could cut differently. */

type Wrong = {
  readonly id: Case["id"];
  readonly title: string;
  readonly spec?: Case["spec"];
  readonly covers: readonly [RequirementRef, ...RequirementRef[]];
  readonly level?: Case["level"];
  /** Between the Host field and the empty line. */
  readonly lines: readonly Text[];
  /** 400 is a MUST here, and so is the end of the connection; elsewhere the end is a SHOULD. */
  readonly others?: readonly Outcome[];
};
const line = ({ spec = "rfc9112#2.2", level = "MUST", lines, others = [], ...entry }: Wrong): Case => ({
  ...entry,
  spec,
  level,
  ...texts({ wrong: get(...lines), right: get("X-Line: a") }),
  allowed: refusedOnly("rfc9112#2.2", ...others),
});
/** The proxy replaces the character by SP, for itself and the origin. */
const replaced = (by: "rfc9112#2.2" | "rfc9110#5.5" | "rfc9112#5.2", ...fields: readonly FieldSight[]): Outcome =>
  permitted(forwarded({ fields }), by);
/** The proxy drops the line, which is safe, but not what the section requires. */
const leftOut = permitted(forwarded(), "rfc9112#2.2", "warn");

export const cases: readonly Case[] = [
  {
    id: "http1/proxy-empty-line-before",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/empty-line-before"],
    level: "SHOULD",
    title: "The proxy ignores an empty line before the request line and does not forward it.",
    ...texts({ wrong: `\r\n${get()}`, right: get() }),
    allowed: [{ see: forwarded() }],
  },
  {
    id: "http1/proxy-lines-end-in-lf",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/bare-lf", "rfc9110#2.2/grammar"],
    level: "MUST",
    title: "The proxy rejects a request whose lines end in a bare LF, or forwards it with CRLF.",
    ...texts({ wrong: "GET {path} HTTP/1.1\nHost: {authority}\n\n", right: get() }),
    allowed: [{ see: forwarded() }, ...refusedOnly("rfc9112#2.2").map((outcome) => ({ ...outcome, by: "rfc9112#2.2" as const }))],
  },
  line({
    id: "http1/proxy-bare-cr-in-value",
    title: "The proxy rejects a bare CR in a field value, or replaces it by a space.",
    covers: ["rfc9112#2.2/bare-cr", "rfc9110#5.5/controls"],
    lines: ["X-Line: a\rX-Other: b"],
    others: [replaced("rfc9112#2.2", { name: "X-Other", absent: true })],
  }),
  line({
    id: "http1/proxy-bare-cr-in-name",
    title: "The proxy rejects a bare CR in a field name.",
    covers: ["rfc9112#2.2/bare-cr", "rfc9110#5.1/token"],
    lines: ["X-Li\rne: a"],
    others: [leftOut],
  }),
  line({
    id: "http1/proxy-nul-in-value",
    title: "The proxy rejects NUL in a field value, or replaces it by a space.",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/controls"],
    lines: ["X-Line: a\0b"],
    others: [replaced("rfc9110#5.5", { name: "X-Line", pattern: "^a b$" })],
  }),
  line({
    id: "http1/proxy-nul-in-name",
    title: "The proxy rejects NUL in a field name.",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    level: "SHOULD",
    lines: ["X-Li\0ne: a"],
    others: [leftOut],
  }),
  line({
    id: "http1/proxy-bare-lf-in-value",
    title: "The proxy rejects a bare LF in a field value, or ends the line there for itself and the origin.",
    covers: ["rfc9112#2.2/bare-lf", "rfc9110#5.5/controls"],
    lines: ["X-Line: a\nX-Other: b"],
    others: [replaced("rfc9112#2.2", { name: "X-Line", pattern: "^a$" }, { name: "X-Other", value: "b" })],
  }),
  line({
    id: "http1/proxy-space-before-colon",
    title: "The proxy rejects whitespace before a colon.",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/space-before-colon"],
    lines: ["X-Line : a"],
  }),
  line({
    id: "http1/proxy-space-in-name",
    title: "The proxy rejects a field name that contains a space.",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    level: "SHOULD",
    lines: ["X Line: a"],
    others: [leftOut],
  }),
  line({
    id: "http1/proxy-empty-name",
    title: "The proxy rejects a field without a name.",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    level: "SHOULD",
    lines: [": a"],
    others: [leftOut],
  }),
  line({
    id: "http1/proxy-name-no-token",
    title: "The proxy rejects a field name that is not a token.",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    level: "SHOULD",
    lines: ["X(Line): a"],
    others: [leftOut],
  }),
  line({
    id: "http1/proxy-name-beyond-ascii",
    title: "The proxy rejects a field name that contains an octet beyond ASCII.",
    spec: "rfc9110#5.1",
    covers: ["rfc9110#5.1/token"],
    level: "SHOULD",
    lines: ["X-\xe9: a"],
    others: [leftOut],
  }),
  line({
    id: "http1/proxy-line-without-colon",
    title: "The proxy rejects a field line without a colon.",
    covers: ["rfc9112#2.2/no-match"],
    level: "SHOULD",
    lines: ["no colon here"],
    others: [leftOut],
  }),
  line({
    id: "http1/proxy-folded-value",
    title: "The proxy rejects a folded value, or forwards it with a space for each fold.",
    spec: "rfc9112#5.2",
    covers: ["rfc9112#5.2/fold-in-request"],
    lines: ["X-Line: a", "  b"],
    others: [replaced("rfc9112#5.2", { name: "X-Line", pattern: "^a +b$" })],
  }),
  {
    id: "http1/proxy-space-before-first-field",
    spec: "rfc9112#2.2",
    covers: ["rfc9112#2.2/space-before-fields"],
    level: "MUST",
    title: "The proxy rejects whitespace before the first field, or drops the line.",
    ...texts({
      wrong: head("GET {path} HTTP/1.1", " X-First: a", "Host: {authority}"),
      right: head("GET {path} HTTP/1.1", "X-First: a", "Host: {authority}"),
    }),
    allowed: refusedOnly("rfc9112#2.2", permitted(forwarded({ fields: [{ name: "X-First", absent: true }] }), "rfc9112#2.2")),
  },
  {
    id: "http1/proxy-value-beyond-ascii",
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/obs-text"],
    level: "SHOULD",
    title: "The proxy forwards octets beyond ASCII in a value unchanged.",
    ...exchange(send(get("X-Line: caf\xe9 \xff"))),
    allowed: [{ see: all(ok, requests(1), atOrigin({ fields: [{ name: "X-Line", value: "caf\xe9 \xff" }] }), unambiguous) }],
  },
  {
    id: "http1/proxy-value-edges",
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/edges-excluded", "rfc9110#5.5/whitespace-excluded"],
    level: "MUST",
    title: "The proxy excludes whitespace around a value from it.",
    ...exchange(send(get("X-Line: \t a b \t", "X-Tight:c"))),
    allowed: [
      {
        see: forwarded({
          fields: [
            { name: "X-Line", value: "a b" },
            { name: "X-Tight", value: "c" },
          ],
        }),
      },
    ],
  },
];
