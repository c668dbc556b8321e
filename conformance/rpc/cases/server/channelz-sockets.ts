import type { Fact, Sight, Step } from "../../vocabulary.ts";
import { FIND, inquire, kept, told } from "./channelz.ts";
import { call, end, lastly, type Row, say } from "./phrases.ts";

/** Channelz: what a server shows of one connection. Each case asks, from another connection, about its own: no other call counts on that. */

/** Places in the answer of GetSocket. */
const STREAMS = { started: [1, 2, 1], succeeded: [1, 2, 2], failed: [1, 2, 3] } as const;
const MESSAGES = { sent: [1, 2, 4], received: [1, 2, 5] } as const;
const LAST = { local: [1, 2, 7], remote: [1, 2, 8], sent: [1, 2, 9], received: [1, 2, 10] } as const;
const WINDOWS = { local: [1, 2, 11], remote: [1, 2, 12] } as const;
const ADDRESS = { local: [1, 3, 1], remote: [1, 4, 1] } as const;
const TLS = [1, 5, 1];
const CIPHER = { standard: [...TLS, 1], other: [...TLS, 2] } as const;
const CERTIFICATE = { local: [...TLS, 3], remote: [...TLS, 4] } as const;
/** Seconds since 1970: after this protocol was made, and not as many as milliseconds would be. */
const SINCE: Pick<Fact, "from" | "to"> = { from: 1_400_000_000, to: 100_000_000_000 };

const is = (at: readonly number[], value: number): Fact => ({ at, are: value === 0 ? [] : [value] });
const streams = (started: number, succeeded: number, failed: number): Fact[] => [
  is(STREAMS.started, started),
  is(STREAMS.succeeded, succeeded),
  is(STREAMS.failed, failed),
];
const messages = (received: number, sent: number): Fact[] => [is(MESSAGES.received, received), is(MESSAGES.sent, sent)];
const time = (at: readonly number[]): Fact => ({ at: [...at, 1], ...SINCE });
const none = (at: readonly number[]): Fact => ({ at, are: [] });

type Words = readonly [id: string, title: string, covers: Row["covers"]];
const ofSocket = (
  [id, title, covers]: Words,
  steps: readonly Step[],
  facts: readonly Fact[],
  more: Pick<Row, "level" | "needs"> = {},
): Row => {
  const shown = told(...facts);
  return {
    id: `channelz-socket-${id}`,
    title,
    covers,
    needs: ["channelz", "own-socket"],
    steps: [...steps, FIND, inquire("GetSocket", [[1, kept("socket")]], shown)],
    allowed: shown,
    ...more,
  };
};
const ABORTED = 10;
const unary = (number: number, status?: number): Step[] => [
  call(number),
  lastly(number, [status === undefined ? {} : { plan: { status } }]),
];
const arrived = (number: number, count = 1): Step => ({ do: "await", see: { see: "messages", call: number, count } });
const over = (number: number, see: "answer" | "failed" = "answer"): Step => ({
  do: "await",
  see: see === "answer" ? { see, call: number } : { see, call: number, status: "any" },
});
const bidi = (number: number): Step[] => [call(number, { method: "BidiStream" }), say(number), arrived(number)];
const INCREMENT = 1_000_000;
const INITIAL = 65_535;
/** Now the two windows differ. */
const GRANT: Step = { do: "frames", frames: [{ type: "WINDOW_UPDATE", stream: 0, increment: INCREMENT }] };
/** The contract lets implementations differ in which of the two is which, and most take "local" for the window of what they receive. */
const WINDOWED: Sight = {
  see: "all",
  of: [WINDOWS.local, WINDOWS.remote].map((at) => ({
    see: "any",
    of: [told(none(at)), told({ at: [...at, 1], are: [INITIAL + INCREMENT] }), told({ at: [...at, 1], are: [kept("window")] })],
  })),
};

const started = "rpc-channelz#socket-data/streams-started";
const succeeded = "rpc-channelz#socket-data/streams-succeeded";
const failed = "rpc-channelz#socket-data/streams-failed";
const counts = "rpc-channelz#socket-data/messages";

/** The cipher suite has a name of its standard, or another one. */
const CIPHERED: Sight = {
  see: "any",
  of: [told({ at: CIPHER.standard, are: [kept("cipher")] }), told({ at: CIPHER.other, count: [1, 1] }, none(CIPHER.standard))],
};
const ofTls = (
  [id, title]: readonly [id: string, title: string],
  needs: string,
  allowed: Sight,
  covers: Row["covers"] = "rpc-channelz#security/certificates",
): Row => ({
  ...ofSocket([`tls-${id}`, title, covers], [], [], { needs: ["channelz", "own-socket", needs] }),
  allowed,
});

export const rows: readonly Row[] = [
  ofSocket(
    ["fresh", "A connection without calls has counted no streams and no messages.", [started, counts]],
    [],
    [...streams(0, 0, 0), ...messages(0, 0)],
  ),
  ofSocket(
    ["streams-started", "A socket counts the streams that begin on it.", started],
    [...unary(1), ...unary(3), ...unary(5), over(1), over(3), over(5)],
    [is(STREAMS.started, 3)],
  ),
  ofSocket(
    ["streams-succeeded", "A stream succeeds when the server ends it, whatever status its call has.", succeeded],
    [...unary(1), ...unary(3, ABORTED), ...unary(5), over(1), over(3, "failed"), over(5)],
    streams(3, 3, 0),
  ),
  ofSocket(
    ["streams-unknown-method", "A stream with a method that the server does not have is counted, and succeeds.", [started, succeeded]],
    [call(1, { method: "Missing" }), lastly(1), over(1, "failed")],
    streams(1, 1, 0),
  ),
  ofSocket(
    ["streams-failed", "A stream that the client resets fails.", failed],
    [...bidi(1), { do: "reset", call: 1, code: "CANCEL" }, ...unary(3), over(3)],
    streams(2, 1, 1),
  ),
  ofSocket(
    ["streams-in-progress", "A stream in progress has begun, and has neither succeeded nor failed.", [started, succeeded, failed]],
    bidi(1),
    streams(1, 0, 0),
  ),
  ofSocket(["messages-of-unary", "A unary call is one message received, and one sent.", counts], [...unary(1), over(1)], messages(1, 1)),
  ofSocket(
    ["messages-of-failure", "A unary call that fails is one message received, and none sent.", counts],
    [...unary(1, ABORTED), over(1, "failed")],
    messages(1, 0),
  ),
  ofSocket(
    ["messages-sent", "A socket counts each message of a streamed response.", counts],
    [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 5 } }]), over(1)],
    messages(1, 5),
  ),
  ofSocket(
    ["messages-received", "A socket counts each message of a streamed request.", counts],
    [call(1, { method: "ClientStream" }), lastly(1, [{}, {}, {}, {}]), over(1)],
    messages(4, 1),
  ),
  ofSocket(
    ["messages-in-progress", "A socket counts messages when they come and go, before their call ends.", counts],
    [call(1, { method: "BidiStream" }), say(1), arrived(1), say(1), arrived(1, 2)],
    messages(2, 2),
  ),
  ofSocket(
    [
      "last-stream",
      "A socket shows when the client began the last stream, and none that the server began.",
      "rpc-channelz#socket-data/last-stream",
    ],
    [...unary(1), over(1)],
    [time(LAST.remote), none([...LAST.local, 1])],
  ),
  ofSocket(
    ["last-message", "A socket shows when the last messages were received and sent.", "rpc-channelz#socket-data/last-message"],
    [...unary(1), over(1)],
    [time(LAST.received), time(LAST.sent)],
  ),
  ofSocket(
    [
      "nothing-yet",
      "A connection without calls shows no time of a stream or a message.",
      ["rpc-channelz#socket-data/last-stream", "rpc-channelz#socket-data/last-message"],
    ],
    [],
    [LAST.remote, LAST.local, LAST.received, LAST.sent].map((at) => none([...at, 1])),
    { level: "SHOULD" },
  ),
  ofSocket(
    [
      "nothing-sent",
      "A connection on which only requests have come shows no time of a sent message.",
      "rpc-channelz#socket-data/last-message",
    ],
    [call(1, { method: "ClientStream" }), say(1)],
    [time(LAST.received), none([...LAST.sent, 1])],
    { level: "SHOULD" },
  ),
  ofSocket(
    ["remote-address", "A socket shows the address and the port of its client.", "rpc-channelz#addresses/remote"],
    [],
    [
      { at: [...ADDRESS.remote, 1], are: [kept("our address")] },
      { at: [...ADDRESS.remote, 2], are: [kept("our port")] },
    ],
  ),
  ofSocket(
    ["local-address", "A socket shows the address and the port of its server.", "rpc-channelz#addresses/local"],
    [],
    [
      { at: [...ADDRESS.local, 1], are: [kept("their address")] },
      { at: [...ADDRESS.local, 2], are: [kept("their port")] },
    ],
  ),
  ofSocket(["no-tls", "A socket without TLS shows none.", "rpc-channelz#security/clear"], [], [none(TLS)], {
    needs: ["channelz", "own-socket", "clear-text"],
  }),
  ofTls(["cipher", "A socket over TLS shows its cipher suite."], "tls", CIPHERED, "rpc-channelz#security/tls"),
  ofTls(
    ["local-certificate", "A socket over TLS shows the certificate of its server."],
    "tls",
    told({ at: CERTIFICATE.local, are: [kept("their certificate")] }),
  ),
  ofTls(
    ["remote-certificate", "A socket over mutual TLS shows the certificate of its client."],
    "our-certificate",
    told({ at: CERTIFICATE.remote, are: [kept("our certificate")] }),
  ),
  ofTls(
    ["no-remote-certificate", "A socket over TLS shows no certificate of a client that has sent none."],
    "no-certificate-of-ours",
    told({ at: TLS, count: [1, 1] }, none(CERTIFICATE.remote)),
  ),
  {
    ...ofSocket(
      [
        "windows",
        "The flow-control windows that a socket shows are those that both ends have granted on the connection.",
        "rpc-channelz#socket-data/windows",
      ],
      [GRANT, ...unary(1), over(1)],
      [],
    ),
    steps: [GRANT, ...unary(1), over(1), FIND, inquire("GetSocket", [[1, kept("socket")]], WINDOWED)],
    allowed: WINDOWED,
  },
  ofSocket(
    ["after-stream", "A stream that has ended counts as before when another connection asks again.", [started, succeeded]],
    [...bidi(1), end(1), over(1)],
    streams(1, 1, 0),
  ),
];
