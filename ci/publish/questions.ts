import type { Question } from "../../reports/index.ts";

/** What people ask, each answered by the cases that cover some requirements. A requirement is here only if breaking it is a yes. */
export const QUESTIONS: readonly Question[] = [
  {
    id: "smuggling",
    ask: "Which proxies smuggle requests?",
    why: "If a proxy and the server after it disagree about where a request ends, an attacker can hide a second request in the first. These cases send such requests, over HTTP/1.1 and HTTP/2, and read what reaches the server: a hidden request, or one whose end is ambiguous. It is a yes if a hidden request came through. Where a rule was broken and nothing hidden came through, what was seen stands below.",
    matrices: ["http1-proxies"],
    requirements: [
      "rfc9112#11.2/no-smuggling",
      "rfc9112#6.1/length-and-coding*",
      "rfc9112#6.3/forward-without-length",
      "rfc9112#6.3/invalid-length-request",
      "rfc9113#8.1.1/content-length",
      "rfc9113#10.3/validate-before-translating",
    ],
    also: ["http1/proxy-h2-te"],
    proof: { observed: "/hidden", otherwise: "Broke a rule against it" },
  },
  {
    id: "length-and-coding",
    ask: "Which servers go on after a request with two lengths?",
    why: "A request with Content-Length and Transfer-Encoding may be an attack. A server may read its chunks, but has to close the connection then: otherwise what follows counts as the next request.",
    matrices: ["http1-servers"],
    requirements: ["rfc9112#6.1/length-and-coding-close"],
  },
  {
    id: "cut-off",
    ask: "Which clients take half a response for a whole one?",
    why: "A response that ends before its Content-Length, or before its last chunk, is incomplete, and so is one that a reset ends. A client that reports success has lost data without a word.",
    matrices: ["http1-clients"],
    requirements: ["rfc9112#8/length-incomplete", "rfc9112#8/chunked-incomplete", "rfc9112#8/recorded", "rfc9112#8/header-cut"],
    also: ["http1/client-until-close-reset"],
    without: ["http1/client-chunk-data-*", "http1/client-chunk-size-*"],
  },
  {
    id: "connection-fields",
    ask: "Which HTTP/2 servers accept fields of HTTP/1.1?",
    why: "Connection, Transfer-Encoding and their like have no meaning in HTTP/2: a request with one is malformed. A gateway that passes it on to HTTP/1.1 can be used to smuggle.",
    matrices: ["http2-servers"],
    requirements: ["rfc9113#8.2.2/malformed"],
  },
  {
    id: "masking",
    ask: "Which WebSocket servers accept frames without a mask?",
    why: "A client masks every frame, so that a page cannot write requests into the connection that a proxy on the way would believe. A server closes the connection when a frame has no mask.",
    matrices: ["websocket-servers"],
    requirements: ["rfc6455#5.1/unmasked"],
    without: ["websocket/http2-*"],
  },
  {
    id: "critical-streams",
    ask: "Which HTTP/3 servers go on without a critical stream?",
    why: "The control stream and the two streams of QPACK stay open as long as the connection. When one ends, the connection is an error: a server that goes on answers by settings and tables that nobody keeps.",
    matrices: ["http3-servers"],
    requirements: ["rfc9114#6.2.1/closed", "rfc9204#4.2/closed"],
  },
];
