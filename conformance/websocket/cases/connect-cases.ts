import type { SpecRef } from "../../../reference/core/index.ts";
import {
  all,
  alive,
  awaitMessages,
  awaitSight,
  close,
  comesBack,
  comesBackWith,
  first,
  framesOnly,
  handshakeOf,
  holds,
  last,
  offering,
  open,
  permitted,
  refusedOtherwise,
  send,
  text,
} from "./phrases.ts";
import { type RequirementRef, sectionOf } from "../../harness/case.ts";
import type { Case, FieldSight, FrameSpec, Handshake, Sight, StatusSight, Step } from "../vocabulary.ts";
import { overStreams, STREAMED, type Streamed } from "../driver/probe.ts";

/**
 * What is specific to WebSockets on streams of HTTP/2 (RFC 8441) and HTTP/3, which takes the rules over (rfc9220#3). `expand.ts` repeats other
 * cases over both.
 */

/** What the versions call the same things. */
export type StreamVersion = {
  readonly over: Streamed;
  /** Further requirements: of a request with a repeated pseudo-field, and with one that is not defined; a stream as a connection. */
  readonly repeated: Covered;
  readonly undefined: Covered;
  readonly connectionField: Covered;
  readonly asConnection: Case["covers"];
  /** Where the text lets a server answer a malformed request (`malformed`), and one for an unknown protocol, which has these requirements. */
  readonly mayAnswer: SpecRef;
  readonly unspoken: { readonly by: SpecRef; readonly covers: readonly RequirementRef[]; readonly otherStatus: "pass" | "warn" };
};
/** A requirement, and whether the text binds servers to it. */
type Covered = { readonly by: RequirementRef; readonly level: "MUST" | "SHOULD" };

const HELLO = text("Hello");
const none = (name: string): FieldSight => ({ name, absent: true });
const answer = (...fields: readonly FieldSight[]): Sight => ({ see: "handshake", fields });
const on = (connection: number, ...frames: readonly FrameSpec[]): Step => ({ do: "send", frames, on: connection });
const openOn = (connection: number): Step => ({ do: "open", on: connection });
const back = (connection: number, content: string): Sight => ({ see: "message", text: content, on: connection });

type Wrong = {
  readonly id: string;
  readonly what: string;
  readonly handshake: Handshake;
  /** A requirement, or that of the version. */
  readonly covers: Covered | "repeated" | "undefined" | "connectionField";
  /** The protocol is unknown; otherwise the request is malformed. */
  readonly isUnspoken?: true;
};
const SPOKEN: Covered = { by: "rfc8441#4/protocol-spoken", level: "MUST" };
// The text calls a request without :scheme or :path malformed, and binds a server only to what it detects (rfc9113#8.1.1, rfc9114#4.1.2).
const SINGLE: Covered = { by: "rfc8441#4/protocol-single", level: "SHOULD" };
const MISSING: Covered = { by: "rfc8441#4/scheme-and-path-missing", level: "SHOULD" };
const instead = (name: string, value: string): Handshake => ({ instead: { [name]: value } });

/** Extended CONNECT requests that are invalid in one respect. */
const WRONG: readonly Wrong[] = [
  {
    id: "protocol-unknown",
    what: "with an unknown :protocol",
    handshake: instead(":protocol", "touchstone"),
    covers: SPOKEN,
    isUnspoken: true,
  },
  {
    id: "protocol-longer-word",
    what: "with :protocol websockets",
    handshake: instead(":protocol", "websockets"),
    covers: SPOKEN,
    isUnspoken: true,
  },
  {
    id: "protocol-part-of-word",
    what: "with :protocol web",
    handshake: instead(":protocol", "web"),
    covers: SPOKEN,
    isUnspoken: true,
  },
  {
    id: "protocol-h2c",
    what: "with :protocol h2c",
    handshake: instead(":protocol", "h2c"),
    covers: SPOKEN,
    isUnspoken: true,
  },
  {
    id: "protocol-empty",
    what: "with an empty :protocol",
    handshake: instead(":protocol", ""),
    covers: SPOKEN,
  },
  {
    id: "protocol-missing",
    what: "without :protocol",
    handshake: instead(":protocol", "none"),
    covers: SINGLE,
  },
  {
    id: "protocol-twice",
    what: "with two :protocol",
    handshake: { more: [":protocol: websocket"] },
    covers: "repeated",
  },
  {
    id: "method-get",
    what: "with the method GET",
    handshake: instead(":method", "GET"),
    covers: "undefined",
  },
  {
    id: "method-post",
    what: "with the method POST",
    handshake: instead(":method", "POST"),
    covers: "undefined",
  },
  {
    id: "scheme-missing",
    what: "without :scheme",
    handshake: instead(":scheme", "none"),
    covers: MISSING,
  },
  {
    id: "path-missing",
    what: "without :path",
    handshake: instead(":path", "none"),
    covers: MISSING,
  },
  {
    id: "path-empty",
    what: "with an empty :path",
    handshake: instead(":path", ""),
    covers: MISSING,
  },
  {
    id: "upgrade-field",
    what: "with an upgrade field",
    handshake: { more: ["upgrade: websocket"] },
    covers: "connectionField",
  },
  {
    id: "connection-field",
    what: "with a connection field",
    handshake: { more: ["connection: upgrade"] },
    covers: "connectionField",
  },
];

/** Requests that ask for no WebSocket: any response will do. */
const PLAIN: readonly (readonly [id: string, what: string, handshake: Handshake])[] = [
  ["get", "a GET request", { instead: { ":method": "GET", ":protocol": "none" } }],
  ["post", "a POST request", { instead: { ":method": "POST", ":protocol": "none" } }],
];
const refusal = (status: StatusSight, ...fields: readonly FieldSight[]): Sight => ({ see: "handshake rejected", status, fields });
const both: readonly Step[] = [1, 2].map((one) => ({ do: "open", on: one, ...offering() }));
/** Long enough for the next message to refer to it. */
const said = (word: string, one: number): string => `message ${word} that is sent on WebSocket ${one} of two, and not on the other`;
const packed = (word: string): readonly Step[] => [1, 2].map((one) => on(one, text(said(word, one), { deflate: {} })));
const nth = (connection: number, at: number, content: string): Sight => ({ see: "message", nth: at, text: content, on: connection });

/** How one of two WebSockets on a connection ends. */
const FATES: readonly (readonly [id: string, what: string, steps: readonly Step[]])[] = [
  ["reset", "is reset", [{ do: "reset" }]],
  ["ended", "is ended without a Close frame", [{ do: "half-close" }]],
  ["parted", "completes the closing handshake", [on(1, close(1000)), awaitSight({ see: "closing handshake" })]],
  [
    "failed",
    "fails on an unmasked frame",
    [on(1, { ...HELLO, mask: "none" }), awaitSight({ see: "any", of: [{ see: "Close and end" }, { see: "abnormal closure" }] })],
  ],
  ["in-a-message", "is reset inside a message", [on(1, first(HELLO)), { do: "reset" }]],
];

/** The cases over streams of one version. */
export function connectCases(version: StreamVersion): readonly Case[] {
  const { over: http, asConnection, mayAnswer, unspoken } = version;
  const name = STREAMED[http];
  const over = { role: "server", over: http, needs: [http] } as const;
  /** A malformed request is a stream error; the server may send an error response before it. */
  const malformed: Case["allowed"] = [{ see: { see: "no response" } }, ...refusedOtherwise(["4xx", "5xx"], mayAnswer)];
  /** The server does not implement the protocol: an error response. */
  const unknown: Case["allowed"] = [
    { see: { see: "handshake rejected", status: [501] } },
    ...(unspoken.otherStatus === "pass"
      ? refusedOtherwise(["4xx", "5xx"], unspoken.by)
      : [permitted({ see: "handshake rejected", status: ["4xx", "5xx"] }, unspoken.by, "warn")]),
    permitted({ see: "no response" }, mayAnswer, "warn"),
  ];
  const coveredBy = (covers: Wrong["covers"]): Covered => (typeof covers === "string" ? version[covers] : covers);

  const handshakes: readonly Case[] = [
    {
      ...over,
      id: `websocket/${http}-stream-announced`,
      spec: "rfc8441#3",
      covers: ["rfc8441#3/value", "rfc8441#3/without-opt-in", ...(http === "http3" ? (["rfc9220#3/same-meaning"] as const) : [])],
      level: "MUST",
      title: "A server that accepts an extended CONNECT has sent SETTINGS_ENABLE_CONNECT_PROTOCOL = 1 before.",
      ...framesOnly(HELLO),
      allowed: comesBackWith(holds("SETTINGS_ENABLE_CONNECT_PROTOCOL sent")),
    },
    {
      ...over,
      id: `websocket/${http}-stream-answer-without-connection-fields`,
      spec: "rfc8441#5",
      covers: ["rfc8441#5/no-connection-fields-answered"],
      level: "MUST NOT",
      title: "The server answers an extended CONNECT with 200 and without Upgrade and Connection.",
      ...framesOnly(HELLO),
      allowed: comesBackWith(answer(none("upgrade"), none("connection"), none("transfer-encoding"))),
    },
    {
      ...over,
      id: `websocket/${http}-stream-answer-without-accept`,
      spec: "rfc8441#5",
      covers: ["rfc8441#5/no-accept"],
      level: "SHOULD NOT",
      title: "The server answers an extended CONNECT without Sec-WebSocket-Accept.",
      ...framesOnly(HELLO),
      allowed: comesBackWith(answer(none("sec-websocket-accept"))),
    },
    ...(
      [
        ["of-16-octets", "AQIDBAUGBwgJCgsMDQ4PEA=="],
        ["malformed", "touchstone"],
      ] as const
    ).map(([id, key]): Case => ({
      ...over,
      id: `websocket/${http}-stream-key-${id}`,
      spec: "rfc8441#5",
      covers: ["rfc8441#5/no-key"],
      level: "SHOULD NOT",
      role: "server",
      title: `The server ignores Sec-WebSocket-Key in an extended CONNECT, here "${key}".`,
      steps: [open({ more: [`sec-websocket-key: ${key}`] }), on(1, HELLO)],
      control: [open(), on(1, HELLO)],
      allowed: comesBack,
    })),
    ...WRONG.map(({ id, what, handshake, covers, isUnspoken }): Case => {
      const { by, level } = coveredBy(covers);
      return {
        ...over,
        id: `websocket/${http}-stream-${id}`,
        spec: sectionOf(by),
        covers: isUnspoken === true ? [by, ...unspoken.covers] : [by],
        level,
        title: `The server opens no WebSocket for an extended CONNECT ${what}.`,
        ...handshakeOf({ wrong: handshake }),
        allowed: isUnspoken === true ? unknown : malformed,
      };
    }),
  ];

  const plain = PLAIN.map(([id, what, handshake]): Case => ({
    ...over,
    id: `websocket/${http}-answer-405-to-${id}`,
    spec: "rfc9110#15.5.6",
    covers: ["rfc9110#15.5.6/allow"],
    level: "MUST",
    title: `The server that answers ${what} over ${name} with 405 sends Allow.`,
    ...handshakeOf({ wrong: handshake }),
    allowed: [
      { see: refusal([405], { name: "allow", pattern: "\\w" }) },
      // Nobody has to answer with 405, and the list may be empty.
      permitted({ see: "all", of: [refusal(["2xx", "3xx", "4xx", "5xx"]), { see: "not", of: refusal([405]) }] }, "rfc9110#7.8"),
      permitted(refusal([405], { name: "allow", pattern: "" }), "rfc9110#10.2.1", "warn"),
      permitted({ see: "no response" }, mayAnswer, "warn"),
    ],
  }));

  const ends: readonly Case[] = [
    {
      ...over,
      id: `websocket/${http}-stream-ended-in-order`,
      spec: "rfc8441#5",
      covers: asConnection,
      level: "MUST",
      title: "The server ends the stream with END_STREAM after the closing handshake.",
      ...framesOnly(close(1000)),
      allowed: [{ see: all({ see: "closing handshake", codes: [1000] }, holds("stream ended with END_STREAM")) }],
    },
    {
      ...over,
      id: `websocket/${http}-stream-ended-by-us`,
      spec: "rfc8441#5",
      covers: [...asConnection, "rfc6455#7.2/abort"],
      level: "SHOULD",
      role: "server",
      title: "The server ends a stream that the client ends without a Close frame.",
      steps: [open(), on(1, HELLO), awaitMessages(), { do: "half-close" }],
      control: [open(), on(1, HELLO)],
      allowed: [{ see: { see: "abnormal closure" } }, permitted({ see: "Close and end" }, "rfc6455#7.1.4")],
      fence: "none",
    },
    {
      ...over,
      id: `websocket/${http}-stream-ended-by-us-inside-a-message`,
      spec: "rfc8441#5",
      covers: [...asConnection, "rfc6455#7.2/abort"],
      level: "SHOULD",
      role: "server",
      title: "The server ends a stream that the client ends inside a message.",
      steps: [open(), on(1, first(HELLO)), { do: "half-close" }],
      control: [open(), on(1, first(HELLO), last({ text: "!" }))],
      allowed: [{ see: { see: "abnormal closure", echoes: 0 } }, permitted({ see: "Close and end", echoes: 0 }, "rfc6455#7.1.4")],
      fence: "none",
    },
  ];

  const neighbours: readonly Case[] = [
    ...FATES.map(([id, what, steps]): Case => ({
      ...over,
      id: `websocket/${http}-neighbour-of-one-${id}`,
      spec: "rfc8441#5",
      covers: asConnection,
      level: "MUST",
      role: "server",
      title: `The server keeps the other of two WebSockets on one ${name} connection open when one ${what}.`,
      steps: [open(), openOn(2), on(1, text("a")), on(2, text("b")), awaitSight(back(2, "b")), ...steps, on(2, text("c"))],
      control: [open(), openOn(2), on(1, text("a")), on(2, text("b")), awaitSight(back(2, "b")), on(2, text("c"))],
      allowed: [{ see: nth(2, 2, "c") }],
      fence: "none",
    })),
    {
      ...over,
      id: `websocket/${http}-neighbours-interleaved`,
      spec: "rfc8441#5",
      covers: [...asConnection, "rfc6455#5.4/order"],
      level: "MUST",
      role: "server",
      title: "The server reassembles interleaved messages on three WebSockets of one connection separately.",
      steps: [
        open(),
        openOn(2),
        openOn(3),
        ...[1, 2, 3].map((one) => on(one, first(text(`a${one}`)))),
        ...[3, 2, 1].map((one) => on(one, last({ text: `z${one}` }))),
      ],
      control: [open(), openOn(2), openOn(3), ...[1, 2, 3].map((one) => on(one, text(`a${one}`)))],
      allowed: [{ see: all(alive, back(1, "a1z1"), back(2, "a2z2"), back(3, "a3z3")) }],
    },
    {
      ...over,
      id: `websocket/${http}-neighbours-compressed-apart`,
      spec: "rfc8441#5",
      covers: [...asConnection, "rfc7692#7.2.3.2/takeover"],
      level: "MUST",
      role: "server",
      needs: [http, overStreams("deflate", http), overStreams("client takes over", http)],
      title: "The server keeps a compression context for each of two WebSockets of one connection.",
      steps: [...both, ...packed("a"), ...packed("b"), ...packed("c")],
      control: [...both, ...packed("a")],
      allowed: [{ see: all(alive, ...["a", "b", "c"].flatMap((word, at) => [1, 2].map((one) => nth(one, at + 1, said(word, one))))) }],
    },
    {
      ...over,
      id: `websocket/${http}-neighbours-twenty`,
      spec: "rfc8441#5",
      covers: asConnection,
      level: "MUST",
      role: "server",
      title: `The server echoes to each of twenty WebSockets of one ${name} connection its own message.`,
      steps: Array.from({ length: 20 }, (_, at) => [openOn(at + 1), on(at + 1, text(`message of ${at + 1}`))]).flat(),
      control: [open(), on(1, text("message of 1"))],
      allowed: [{ see: all(alive, ...Array.from({ length: 20 }, (_, at) => back(at + 1, `message of ${at + 1}`))) }],
    },
  ];

  return [
    {
      ...over,
      id: `websocket/${http}-opened-serves`,
      spec: "rfc8441#5",
      covers: asConnection,
      level: "MUST",
      title: "The server that accepts an extended CONNECT serves the WebSocket on that stream as on a connection.",
      needs: [`${http} opened`],
      steps: [open(), send(text("Hello"), text("again"))],
      control: [open(), send(text("Hello"), text("again"))],
      allowed: comesBack,
    },
    ...handshakes,
    ...plain,
    ...ends,
    ...neighbours,
  ];
}
