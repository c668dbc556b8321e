import { all, answered, arrives, asked, call, good, lastly, passing, received, type Row, whole } from "./phrases.ts";

/** What a proxy makes of the header section of a call. */

/** Fields of HTTP/1.1 that have no place in HTTP/2. */
const OF_CONNECTIONS = {
  connection: false,
  "keep-alive": false,
  "proxy-connection": false,
  "transfer-encoding": false,
  upgrade: false,
} as const;
const MANY = Array.from({ length: 60 }, (_, at) => [`x-many-${at}`, String(at)] as const);
const LARGE = "0123456789".repeat(600);

export const rows: readonly Row[] = [
  {
    id: "method-and-path-kept",
    title: "The method and the path of a call reach the origin unchanged.",
    covers: "rfc9110#7.7/path-kept",
    ...passing([], { ":method": "POST", ":path": "{path}" }),
  },
  {
    id: "path-escapes-kept",
    title: "A path with percent-encoded octets reaches the origin octet for octet.",
    covers: "rfc9110#7.7/path-kept",
    steps: [call(1, { replace: { ":path": "{path}/a%2Fb%7e//c" } }), lastly(), received(), ...answered()],
    control: [...asked(), received(), ...answered()],
    allowed: all(whole({ fields: { ":path": "{path}/a%2Fb%7e//c" } }), good()),
  },
  {
    id: "authority-sent",
    title: "A call that goes on in HTTP/2 has an authority.",
    covers: "rfc9113#8.3.1/forward-authority",
    steps: [...asked(), received(), ...answered()],
    allowed: all(whole({ like: { ":authority": "^.+$" } }), good()),
  },
  {
    id: "content-type-kept",
    title: "The content type of a call reaches the origin unchanged.",
    covers: "rfc9110#7.7/end-to-end-kept",
    ...passing([], { "content-type": "application/{rpc}" }),
  },
  {
    id: "content-type-with-format-kept",
    title: "A content type that names the format of messages reaches the origin unchanged.",
    covers: "rfc9110#7.7/end-to-end-kept",
    steps: [call(1, { replace: { "content-type": "application/{rpc}+proto" } }), lastly(), received(), ...answered()],
    allowed: all(whole({ fields: { "content-type": "application/{rpc}+proto" } }), good()),
  },
  {
    id: "te-passed",
    title: "The origin learns by te: trailers that trailers pass.",
    covers: "rpc-http2#requests/proxy-te",
    ...passing([], { te: "trailers" }),
  },
  {
    id: "user-agent-kept",
    title: "The user agent of a client reaches the origin unchanged.",
    covers: "rfc9110#7.7/end-to-end-kept",
    ...passing([["user-agent", "grpc-c++/1.2 (linux; touchstone)"]], { "user-agent": "grpc-c++/1.2 (linux; touchstone)" }),
  },
  {
    id: "no-fields-of-connections",
    title: "A call that goes on in HTTP/2 has no fields of HTTP/1.1 connections.",
    covers: "rfc9113#8.2.2/not-generated",
    ...passing([], OF_CONNECTIONS),
  },
  {
    id: "metadata-passed",
    title: "Metadata with an unknown name reaches the origin unchanged.",
    covers: "rfc9110#5.1/unknown-forwarded",
    ...passing([["x-touchstone", 'a b  c;d="e"']], { "x-touchstone": 'a b  c;d="e"' }),
  },
  {
    id: "metadata-of-any-name-passed",
    title: "Metadata whose name has underscores and dots reaches the origin.",
    covers: "rfc9110#5.1/unknown-forwarded",
    level: "SHOULD",
    ...passing([["x_under.dot-1", "a"]], { "x_under.dot-1": "a" }),
  },
  {
    id: "metadata-order-kept",
    title: "The values of a repeated name reach the origin in their order.",
    covers: "rfc9110#5.3/order-kept",
    ...passing(
      [
        ["x-list", "1"],
        ["x-other", "x"],
        ["x-list", "2"],
        ["x-list", "3"],
      ],
      { "x-list": "1,2,3" },
    ),
  },
  {
    id: "binary-metadata-kept",
    title: "Binary metadata reaches the origin with the same octets, padded or not.",
    covers: "rfc9110#5.1/unknown-forwarded",
    ...passing(
      [
        ["x-a-bin", "AP8"],
        ["x-b-bin", "AP8="],
        ["x-c-bin", "+/+/"],
      ],
      { "x-a-bin": "00ff", "x-b-bin": "00ff", "x-c-bin": "fbffbf" },
    ),
  },
  {
    id: "binary-metadata-order-kept",
    title: "The values of a repeated binary name reach the origin in their order.",
    covers: "rfc9110#5.3/order-kept",
    ...passing(
      [
        ["x-list-bin", "AQ"],
        ["x-list-bin", "Ag,Aw"],
      ],
      { "x-list-bin": "01,02,03" },
    ),
  },
  {
    id: "empty-metadata-kept",
    title: "Metadata with an empty value reaches the origin.",
    covers: "rfc9110#5.1/unknown-forwarded",
    ...passing([["x-empty", ""]], { "x-empty": "" }),
  },
  {
    id: "large-metadata-passed",
    title: "Metadata of 6,000 octets in one value reaches the origin.",
    covers: "rpc-http2#requests/proxy-metadata",
    ...passing([["x-large", LARGE]], { "x-large": LARGE }),
  },
  {
    id: "many-entries-passed",
    title: "Sixty entries of metadata reach the origin.",
    covers: "rpc-http2#requests/proxy-metadata",
    ...passing(MANY, Object.fromEntries(MANY)),
  },
  {
    id: "timeout-passed",
    title: "The timeout of a call reaches the origin, not longer than it was.",
    covers: "rpc-http2#requests/proxy-timeout",
    steps: [...asked(1, ["{rpc}-timeout", "9S"]), received(), ...answered()],
    allowed: all(whole({ timeout: [1, 9000] }), good()),
  },
  {
    id: "no-timeout-added",
    title: "A call without a timeout reaches the origin without one.",
    covers: "rpc-http2#requests/proxy-timeout",
    ...passing([], { "{rpc}-timeout": false }),
  },
  {
    id: "encodings-passed",
    title: "The encodings of a call reach the origin unchanged.",
    covers: "rfc9110#7.7/end-to-end-kept",
    ...passing(
      [
        ["{rpc}-encoding", "gzip"],
        ["{rpc}-accept-encoding", "gzip,zstd,x-own"],
      ],
      { "{rpc}-encoding": "gzip", "{rpc}-accept-encoding": "gzip,zstd,x-own" },
    ),
  },
  {
    id: "call-without-metadata",
    title: "A call with its required fields alone reaches the origin and is answered.",
    covers: "rpc-http2#requests/proxy-streams",
    steps: [...asked(), received(), ...answered()],
    allowed: all(arrives({ ended: true }), good()),
  },
];
