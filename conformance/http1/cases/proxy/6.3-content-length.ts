import type { Case, Outcome, Text } from "../../vocabulary.ts";
import {
  all,
  forwarded,
  goodPost,
  head,
  HIDDEN,
  HIDDEN_LENGTH,
  meaningless,
  notForwarded,
  permitted,
  postOf,
  rejected,
  request,
  texts,
  understood,
} from "./phrases.ts";

/** RFC 9112, section 6.3: Content-Length of a forwarded request. The smuggling families CL.CL, CL.0 and 0.CL. */

const invalid = ({
  content,
  fields,
  others = [],
  ...entry
}: Pick<Case, "id" | "title"> &
  Partial<Pick<Case, "spec" | "covers">> & {
    readonly content: Text;
    readonly fields: readonly Text[];
    readonly others?: readonly Outcome[];
  }): Case => ({
  spec: "rfc9112#6.3",
  covers: ["rfc9112#6.3/invalid-length-request", "rfc9112#11.2/no-smuggling"],
  level: "MUST",
  ...texts({ wrong: postOf(content, ...fields), right: goodPost }),
  allowed: rejected(...others),
  ...entry,
});

const withoutMeaning = (method: string): Case => ({
  id: `http1/proxy-content-of-${method.toLowerCase()}`,
  spec: "rfc9112#6.3",
  covers: ["rfc9112#6/request-signalled", "rfc9112#6.3/length", "rfc9112#11.2/no-smuggling"],
  level: "MUST",
  title: `The proxy reads no request from the content of ${method} (CL.0).`,
  ...texts({ wrong: request(method, HIDDEN_LENGTH) + HIDDEN, right: request(method) }),
  allowed: meaningless(HIDDEN),
});

export const cases: readonly Case[] = [
  invalid({
    id: "http1/proxy-cl-cl",
    title: "The proxy rejects a request with two different lengths (CL.CL).",
    content: `hello${HIDDEN}`,
    fields: ["Content-Length: 5", "Content-Length: 261"],
  }),
  invalid({
    id: "http1/proxy-cl-cl-longer-first",
    title: "The proxy rejects a request with two different lengths, whichever comes first.",
    content: `hello${HIDDEN}`,
    fields: ["Content-Length: 261", "Content-Length: 5"],
  }),
  invalid({
    id: "http1/proxy-cl-list-differing",
    title: "The proxy rejects a list of different lengths.",
    content: `hello${HIDDEN}`,
    fields: ["Content-Length: 5, 261"],
  }),
  invalid({
    id: "http1/proxy-cl-repeated",
    title: "The proxy rejects a repeated length, or forwards it once.",
    content: HIDDEN,
    fields: [HIDDEN_LENGTH, HIDDEN_LENGTH],
    others: [permitted(understood(HIDDEN), "rfc9112#6.3")],
  }),
  invalid({
    id: "http1/proxy-cl-list-of-equals",
    title: "The proxy rejects a list of equal lengths, or forwards one.",
    content: HIDDEN,
    fields: ["Content-Length: 256, 256"],
    others: [permitted(understood(HIDDEN), "rfc9112#6.3")],
  }),
  invalid({
    id: "http1/proxy-cl-plus",
    title: "The proxy rejects a length with a plus sign.",
    content: HIDDEN,
    fields: ["Content-Length: +256"],
  }),
  invalid({ id: "http1/proxy-cl-minus", title: "The proxy rejects a negative length.", content: HIDDEN, fields: ["Content-Length: -256"] }),
  invalid({
    id: "http1/proxy-cl-hexadecimal",
    title: "The proxy rejects a hexadecimal length.",
    content: HIDDEN,
    fields: ["Content-Length: 0x100"],
  }),
  invalid({
    id: "http1/proxy-cl-space-inside",
    title: "The proxy rejects a length with a space between its digits.",
    content: `he${HIDDEN}`,
    fields: ["Content-Length: 2 58"],
  }),
  invalid({
    id: "http1/proxy-cl-letter-behind",
    title: "The proxy rejects a length followed by a letter.",
    content: HIDDEN,
    fields: ["Content-Length: 256a"],
  }),
  invalid({
    id: "http1/proxy-cl-fraction",
    title: "The proxy rejects a length with a fraction.",
    content: HIDDEN,
    fields: ["Content-Length: 256.0"],
  }),
  invalid({ id: "http1/proxy-cl-empty", title: "The proxy rejects an empty length.", content: HIDDEN, fields: ["Content-Length:"] }),
  invalid({
    id: "http1/proxy-cl-overflow",
    title: "The proxy rejects a length beyond 64 bits instead of truncating it.",
    content: HIDDEN,
    fields: ["Content-Length: 18446744073709551872"],
  }),
  invalid({
    id: "http1/proxy-cl-vertical-tab",
    title: "The proxy rejects a length after a vertical tab.",
    content: HIDDEN,
    fields: ["Content-Length: \x0b256"],
  }),
  invalid({
    id: "http1/proxy-cl-nul",
    title: "The proxy rejects NUL after the length, or reads it as a space.",
    content: HIDDEN,
    fields: ["Content-Length: 256\0"],
    others: [permitted(understood(HIDDEN), "rfc9110#5.5")],
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/controls", "rfc9112#11.2/no-smuggling"],
  }),
  invalid({
    id: "http1/proxy-cl-space-before-colon",
    title: "The proxy rejects Content-Length with whitespace before its colon (0.CL).",
    content: HIDDEN,
    fields: ["Content-Length : 256"],
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/space-before-colon", "rfc9112#11.2/no-smuggling"],
  }),
  invalid({
    id: "http1/proxy-cl-folded",
    title: "The proxy rejects a length on a folded line, or unfolds it (0.CL).",
    content: HIDDEN,
    fields: ["Content-Length:", " 256"],
    others: [permitted(understood(HIDDEN), "rfc9112#5.2")],
    spec: "rfc9112#5.2",
    covers: ["rfc9112#5.2/fold-in-request", "rfc9112#11.2/no-smuggling"],
  }),
  {
    id: "http1/proxy-cl-leading-zeros",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/digits", "rfc9112#6.3/length"],
    level: "MUST",
    title: "The proxy ignores leading zeros of a length.",
    ...texts({ wrong: postOf(HIDDEN, "Content-Length: 000256"), right: goodPost }),
    allowed: [{ see: understood(HIDDEN) }],
  },
  {
    id: "http1/proxy-cl-zero",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length", "rfc9112#11.2/no-smuggling"],
    level: "MUST",
    title: "The proxy reads the next request directly after a request with Content-Length: 0, once.",
    ...texts({ wrong: postOf(request("GET"), "Content-Length: 0"), right: goodPost + request("GET") }),
    allowed: [
      { see: all({ see: "all answered", responses: 3 }, { see: "requests", count: 2 }, { see: "request", nth: 2, method: "GET" }) },
    ],
  },
  {
    id: "http1/proxy-post-without-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/request-none", "rfc9112#11.2/no-smuggling"],
    level: "MUST",
    title: "The proxy treats a POST without framing fields as empty and reads the next request after it, once.",
    ...texts({ wrong: postOf(request("GET")), right: goodPost + request("GET") }),
    allowed: [
      { see: all({ see: "all answered", responses: 3 }, { see: "requests", count: 2 }, { see: "request", nth: 2, method: "GET" }) },
      permitted(all({ see: "error and close", status: [411] }, notForwarded), "rfc9112#6.3"),
    ],
  },
  {
    id: "http1/proxy-request-without-content-unframed",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/request-none", "rfc9112#6/request-signalled"],
    level: "MUST",
    title: "The proxy forwards a GET without framing fields as one without content.",
    ...texts({ wrong: head("GET {path} HTTP/1.1", "Host: {authority}"), right: request("GET") }),
    allowed: [{ see: forwarded({ method: "GET", body: "" }) }],
  },
  withoutMeaning("GET"),
  withoutMeaning("HEAD"),
  withoutMeaning("OPTIONS"),
];
