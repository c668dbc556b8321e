import type { Case, Outcome, Text } from "../vocabulary.ts";
import {
  all,
  goodPost,
  head,
  HIDDEN,
  HIDDEN_LENGTH,
  meaningless,
  nothingWhole,
  passedOn,
  permitted,
  postOf,
  rejected,
  request,
  texts,
  understood,
} from "./phrases.ts";

/** RFC 9112, section 6.3: what Content-Length says of a request that is passed on. The smuggling families CL.CL, CL.0 and 0.CL. */

const invalid = (id: Case["id"], title: string, content: Text, fields: readonly Text[], ...others: readonly Outcome[]): Case => ({
  id,
  spec: "rfc9112#6.3",
  covers: ["rfc9112#6.3/invalid-length-request", "rfc9112#11.2/no-smuggling"],
  level: "MUST",
  title,
  ...texts(postOf(content, ...fields), goodPost),
  allowed: rejected(...others),
});

const withoutMeaning = (method: string): Case => ({
  id: `http1/proxy-content-of-${method.toLowerCase()}`,
  spec: "rfc9112#6.3",
  covers: ["rfc9112#6/request-signalled", "rfc9112#6.3/length", "rfc9112#11.2/no-smuggling"],
  level: "MUST",
  title: `Content of ${method} is no request of its own (CL.0).`,
  ...texts(request(method, HIDDEN_LENGTH) + HIDDEN, request(method)),
  allowed: meaningless(HIDDEN),
});

export const cases: readonly Case[] = [
  invalid("http1/proxy-cl-cl", "A request with two lengths that differ is refused (CL.CL).", `hello${HIDDEN}`, [
    "Content-Length: 5",
    "Content-Length: 261",
  ]),
  invalid("http1/proxy-cl-cl-longer-first", "A request with two lengths that differ is refused, whichever comes first.", `hello${HIDDEN}`, [
    "Content-Length: 261",
    "Content-Length: 5",
  ]),
  invalid("http1/proxy-cl-list-differing", "A list of lengths that differ is refused.", `hello${HIDDEN}`, ["Content-Length: 5, 261"]),
  invalid(
    "http1/proxy-cl-repeated",
    "A length that is said twice is refused, or goes on once.",
    HIDDEN,
    [HIDDEN_LENGTH, HIDDEN_LENGTH],
    permitted(understood(HIDDEN), "rfc9112#6.3"),
  ),
  invalid(
    "http1/proxy-cl-list-of-equals",
    "A list of equal lengths is refused, or goes on as one.",
    HIDDEN,
    ["Content-Length: 256, 256"],
    permitted(understood(HIDDEN), "rfc9112#6.3"),
  ),
  invalid("http1/proxy-cl-plus", "A length with a plus is refused.", HIDDEN, ["Content-Length: +256"]),
  invalid("http1/proxy-cl-minus", "A negative length is refused.", HIDDEN, ["Content-Length: -256"]),
  invalid("http1/proxy-cl-hexadecimal", "A length in hexadecimal is refused.", HIDDEN, ["Content-Length: 0x100"]),
  invalid("http1/proxy-cl-space-inside", "A length with a space between its digits is refused.", `he${HIDDEN}`, ["Content-Length: 2 58"]),
  invalid("http1/proxy-cl-letter-behind", "A length with a letter behind it is refused.", HIDDEN, ["Content-Length: 256a"]),
  invalid("http1/proxy-cl-fraction", "A length with a fraction is refused.", HIDDEN, ["Content-Length: 256.0"]),
  invalid("http1/proxy-cl-empty", "A length without a digit is refused.", HIDDEN, ["Content-Length:"]),
  invalid("http1/proxy-cl-overflow", "A length beyond 64 bits is refused, not cut to fit.", HIDDEN, [
    "Content-Length: 18446744073709551872",
  ]),
  invalid("http1/proxy-cl-vertical-tab", "A length behind a vertical tab is refused.", HIDDEN, ["Content-Length: \x0b256"]),
  {
    ...invalid(
      "http1/proxy-cl-nul",
      "A NUL behind the length makes the request invalid, or is a space.",
      HIDDEN,
      ["Content-Length: 256\0"],
      permitted(understood(HIDDEN), "rfc9110#5.5"),
    ),
    spec: "rfc9110#5.5",
    covers: ["rfc9110#5.5/controls", "rfc9112#11.2/no-smuggling"],
  },
  {
    ...invalid("http1/proxy-cl-space-before-colon", "Content-Length with white space before its colon is refused (0.CL).", HIDDEN, [
      "Content-Length : 256",
    ]),
    spec: "rfc9112#5.1",
    covers: ["rfc9112#5.1/space-before-colon", "rfc9112#11.2/no-smuggling"],
  },
  {
    ...invalid(
      "http1/proxy-cl-folded",
      "A length on a folded line is refused, or read with a space before it (0.CL).",
      HIDDEN,
      ["Content-Length:", " 256"],
      permitted(understood(HIDDEN), "rfc9112#5.2"),
    ),
    spec: "rfc9112#5.2",
    covers: ["rfc9112#5.2/fold-in-request", "rfc9112#11.2/no-smuggling"],
  },
  {
    id: "http1/proxy-cl-leading-zeros",
    spec: "rfc9110#8.6",
    covers: ["rfc9110#8.6/digits", "rfc9112#6.3/length"],
    level: "MUST",
    title: "Zeros before a length change nothing.",
    ...texts(postOf(HIDDEN, "Content-Length: 000256"), goodPost),
    allowed: [{ see: understood(HIDDEN) }],
  },
  {
    id: "http1/proxy-cl-zero",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/length", "rfc9112#11.2/no-smuggling"],
    level: "MUST",
    title: "Content of no octets ends at once: what follows is the next request, once.",
    ...texts(postOf(request("GET"), "Content-Length: 0"), goodPost + request("GET")),
    allowed: [
      { see: all({ see: "all answered", responses: 3 }, { see: "requests", count: 2 }, { see: "request", nth: 2, method: "GET" }) },
    ],
  },
  {
    id: "http1/proxy-post-without-length",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/request-none", "rfc9112#11.2/no-smuggling"],
    level: "MUST",
    title: "A POST without any framing has no content: what follows is the next request, once.",
    ...texts(postOf(request("GET")), goodPost + request("GET")),
    allowed: [
      { see: all({ see: "all answered", responses: 3 }, { see: "requests", count: 2 }, { see: "request", nth: 2, method: "GET" }) },
      permitted(all({ see: "error and close", status: [411] }, nothingWhole), "rfc9112#6.3"),
    ],
  },
  {
    id: "http1/proxy-request-without-content-unframed",
    spec: "rfc9112#6.3",
    covers: ["rfc9112#6.3/request-none", "rfc9112#6/request-signalled"],
    level: "MUST",
    title: "A GET without content reaches the origin without content.",
    ...texts(head("GET {path} HTTP/1.1", "Host: {authority}"), request("GET")),
    allowed: [{ see: passedOn({ method: "GET", body: "" }) }],
  },
  withoutMeaning("GET"),
  withoutMeaning("HEAD"),
  withoutMeaning("OPTIONS"),
];
