import type { Fact, Kept, MessageFields, Sight, Step } from "../../vocabulary.ts";
import { type Row } from "./phrases.ts";

/** Channelz: what a server shows of itself. Its ids, pages and single entities; `channelz-sockets.ts` has what it shows of a connection. */

/** No process has so many entities. */
const FAR = 2 ** 50;

/** Places in the answers, by their contract. */
const SERVER_IDS = [1, 1, 5];
const SOCKET_IDS = [1, 3];
const SOCKET_ID = [1, 1, 3];
const END = [2];
const LISTENING = [1, 3, 3];
const CALLS = { started: [1, 2, 2], succeeded: [1, 2, 3], failed: [1, 2, 4], last: [1, 2, 5, 1] } as const;
/** Seconds since 1970: after this protocol was made, and not as many as milliseconds would be. */
const SINCE: Pick<Fact, "from" | "to"> = { from: 1_400_000_000, to: 100_000_000_000 };

export const kept = (name: string, plus = 0): Kept => ({ kept: name, plus });
export const inquire = (method: string, fields: MessageFields = [], until?: Sight): Step => ({
  do: "inquire",
  method,
  fields,
  ...(until === undefined ? {} : { until }),
});
export const told = (...facts: readonly Fact[]): Sight => ({ see: "told", facts });
const NOT_FOUND: Sight = { see: "told", status: "NOT_FOUND" };
export const FIND: Step = { do: "find socket" };
/** Keeps the first server. */
const FIRST: readonly Step[] = [inquire("GetServers"), { do: "keep", as: "server", at: SERVER_IDS }];

type Words = readonly [id: string, title: string, covers: Row["covers"]];
const ofPages = ([id, title, covers]: Words, steps: readonly Step[], allowed: Sight, more: Pick<Row, "level" | "needs"> = {}): Row => ({
  id: `channelz-${id}`,
  title,
  covers,
  needs: ["channelz"],
  steps,
  allowed,
  ...more,
});
/** A case that knows the socket of its own connection. */
const ofSockets = (words: Words, steps: readonly Step[], allowed: Sight, more: Pick<Row, "level"> = {}): Row =>
  ofPages(words, [FIND, ...steps], allowed, { needs: ["channelz", "own-socket"], ...more });
/** The text says this of a server, but nobody must notice it. */
const missing = (id: string, what: string, covers: Row["covers"], step: Step): Row =>
  ofPages([id, `${what} fails with NOT_FOUND.`, covers], [step], NOT_FOUND, { level: "SHOULD" });
const otherKind = (id: string, what: string, step: Step): Row =>
  ofSockets([id, `${what} fails with NOT_FOUND.`, "rpc-channelz#channelz-data/distinct"], [step], NOT_FOUND, { level: "SHOULD" });

const pages: readonly Row[] = [
  ofPages(
    [
      "servers",
      "GetServers shows servers with ids above 0, in ascending order.",
      ["rpc-channelz#servers/shown", "rpc-channelz#channelz-data/positive", "rpc-channelz#continuation-tokens/ascending"],
    ],
    [inquire("GetServers")],
    told({ at: SERVER_IDS, from: 1, rise: true }),
  ),
  ofPages(
    ["servers-start", "A page of servers begins with the start id itself, if a server has it.", "rpc-channelz#continuation-tokens/start"],
    [...FIRST, inquire("GetServers", [[1, kept("server")]])],
    told({ at: SERVER_IDS, from: kept("server"), include: kept("server"), rise: true }),
  ),
  ofPages(
    ["servers-after", "A page of servers that begins above an id does not have it.", "rpc-channelz#continuation-tokens/start"],
    [...FIRST, inquire("GetServers", [[1, kept("server", 1)]])],
    told({ at: SERVER_IDS, exclude: kept("server"), rise: true }),
  ),
  ofPages(
    [
      "servers-beyond",
      "A page of servers above all ids is empty, and the last one.",
      ["rpc-channelz#continuation-tokens/end", "rpc-channelz#continuation-tokens/any-start"],
    ],
    [inquire("GetServers", [[1, FAR]])],
    told({ at: SERVER_IDS, are: [] }, { at: END, are: [1] }),
  ),
  ofPages(
    ["servers-negative-start", "A negative start id gives the first page of servers.", "rpc-channelz#continuation-tokens/any-start"],
    [...FIRST, inquire("GetServers", [[1, -1]])],
    told({ at: SERVER_IDS, include: kept("server"), rise: true }),
  ),
  ofPages(
    ["servers-limit", "A page of one server has the first one only.", "rpc-channelz#continuation-tokens/limit"],
    [...FIRST, inquire("GetServers", [[2, 1]])],
    told({ at: SERVER_IDS, are: [kept("server")] }),
  ),
  ofPages(
    ["servers-large-limit", "A limit that no page reaches changes nothing.", "rpc-channelz#continuation-tokens/limit"],
    [...FIRST, inquire("GetServers", [[2, FAR]])],
    told({ at: SERVER_IDS, include: kept("server"), rise: true }),
  ),
  ofPages(
    ["channels", "GetTopChannels is answered, with channels in ascending order if there are some.", "rpc-channelz#gettopchannels/answered"],
    [inquire("GetTopChannels")],
    told({ at: [1, 1, 1], rise: true }),
  ),
  ofPages(
    [
      "channels-beyond",
      "A page of channels above all ids is empty, and the last one.",
      ["rpc-channelz#continuation-tokens/end", "rpc-channelz#continuation-tokens/any-start"],
    ],
    [inquire("GetTopChannels", [[1, FAR]])],
    told({ at: [1, 1, 1], are: [] }, { at: END, are: [1] }),
  ),
  ofSockets(
    [
      "sockets",
      "GetServerSockets shows the sockets of a server, ours among them, in ascending order.",
      ["rpc-channelz#sockets/listed", "rpc-channelz#continuation-tokens/ascending"],
    ],
    [inquire("GetServerSockets", [[1, kept("server")]])],
    told({ at: SOCKET_IDS, from: 1, include: kept("socket"), rise: true }),
  ),
  ofSockets(
    ["sockets-start", "A page of sockets begins with the start id itself, if a socket has it.", "rpc-channelz#continuation-tokens/start"],
    [
      inquire("GetServerSockets", [
        [1, kept("server")],
        [2, kept("socket")],
      ]),
    ],
    told({ at: SOCKET_IDS, from: kept("socket"), include: kept("socket"), rise: true }),
  ),
  ofSockets(
    ["sockets-after", "A page of sockets that begins above an id does not have it.", "rpc-channelz#continuation-tokens/start"],
    [
      inquire("GetServerSockets", [
        [1, kept("server")],
        [2, kept("socket", 1)],
      ]),
    ],
    // The asking connection is younger than ours.
    told({ at: SOCKET_IDS, from: kept("socket", 1), rise: true }),
  ),
  ofSockets(
    ["sockets-negative-start", "A negative start id gives the first page of sockets.", "rpc-channelz#continuation-tokens/any-start"],
    [
      inquire("GetServerSockets", [
        [1, kept("server")],
        [2, -1],
      ]),
    ],
    told({ at: SOCKET_IDS, from: 1, rise: true }),
  ),
  ofSockets(
    [
      "sockets-limit",
      "A page of one socket has one, and is not the last page if there are more.",
      ["rpc-channelz#continuation-tokens/limit", "rpc-channelz#continuation-tokens/end"],
    ],
    [
      inquire("GetServerSockets", [
        [1, kept("server")],
        [2, kept("socket")],
        [3, 1],
      ]),
    ],
    told({ at: SOCKET_IDS, are: [kept("socket")] }, { at: END, are: [] }),
  ),
];

const entities: readonly Row[] = [
  ofPages(
    ["server", "GetServer shows the server of the id.", "rpc-channelz#getserver/one"],
    [...FIRST, inquire("GetServer", [[1, kept("server")]])],
    told({ at: SERVER_IDS, are: [kept("server")] }),
  ),
  ofSockets(
    ["socket", "GetSocket shows the socket of the id.", "rpc-channelz#sockets/listed"],
    [inquire("GetSocket", [[1, kept("socket")]])],
    told({ at: SOCKET_ID, are: [kept("socket")] }),
  ),
  missing("server-unknown", "GetServer of an id that nothing has", "rpc-channelz#getserver/not-found", inquire("GetServer", [[1, FAR]])),
  missing("server-zero", "GetServer of 0, which is no id,", "rpc-channelz#getserver/not-found", inquire("GetServer")),
  missing(
    "channel-unknown",
    "GetChannel of an id that nothing has",
    "rpc-channelz#getchannel/not-found",
    inquire("GetChannel", [[1, FAR]]),
  ),
  missing(
    "subchannel-unknown",
    "GetSubchannel of an id that nothing has",
    "rpc-channelz#getchannel/not-found",
    inquire("GetSubchannel", [[1, FAR]]),
  ),
  missing("socket-unknown", "GetSocket of an id that nothing has", "rpc-channelz#getsocket/not-found", inquire("GetSocket", [[1, FAR]])),
  missing("socket-zero", "GetSocket of 0, which is no id,", "rpc-channelz#getsocket/not-found", inquire("GetSocket")),
  otherKind("server-of-socket-id", "GetServer of the id of a socket", inquire("GetServer", [[1, kept("socket")]])),
  otherKind("socket-of-server-id", "GetSocket of the id of a server", inquire("GetSocket", [[1, kept("server")]])),
  otherKind("channel-of-server-id", "GetChannel of the id of a server", inquire("GetChannel", [[1, kept("server")]])),
  otherKind("subchannel-of-socket-id", "GetSubchannel of the id of a socket", inquire("GetSubchannel", [[1, kept("socket")]])),
  ofSockets(
    ["socket-gone", "GetSocket of a connection that is closed fails with NOT_FOUND.", "rpc-channelz#getsocket/not-found"],
    [{ do: "drop" }, inquire("GetSocket", [[1, kept("socket")]], NOT_FOUND)],
    NOT_FOUND,
    { level: "SHOULD" },
  ),
  ofSockets(
    ["socket-gone-from-list", "GetServerSockets does not show a connection that is closed.", "rpc-channelz#sockets/listed"],
    [
      { do: "drop" },
      inquire(
        "GetServerSockets",
        [
          [1, kept("server")],
          [2, kept("socket")],
        ],
        told({ at: SOCKET_IDS, exclude: kept("socket") }),
      ),
    ],
    told({ at: SOCKET_IDS, exclude: kept("socket") }),
    { level: "SHOULD" },
  ),
];

/** The other cases call the server at the same time: its counts are at least what one case adds. */
const GET = (until: Sight): Step => inquire("GetServer", [[1, kept("server")]], until);
const counted = (words: Words, calls: readonly Step[], before: readonly number[], by: number): Row => {
  const grown = told({ at: before, from: kept("before", by) });
  return ofSockets(
    words,
    [inquire("GetServer", [[1, kept("server")]]), { do: "keep", as: "before", at: before, absent: 0 }, ...calls, GET(grown)],
    grown,
  );
};
const unary = (number: number, status?: number): Step[] => [
  { do: "call", call: number },
  { do: "say", call: number, messages: [status === undefined ? {} : { plan: { status } }], end: true },
];
const ABORTED = 10;
const servers: readonly Row[] = [
  counted(
    ["calls-started", "A server counts the calls that start.", "rpc-channelz#server-data/started"],
    [...unary(1), ...unary(3, ABORTED), ...unary(5)],
    CALLS.started,
    3,
  ),
  counted(
    ["calls-succeeded", "A server counts the calls that end with OK.", "rpc-channelz#server-data/succeeded"],
    [...unary(1), ...unary(3)],
    CALLS.succeeded,
    2,
  ),
  counted(
    ["calls-failed", "A server counts the calls that end with another status.", "rpc-channelz#server-data/failed"],
    [...unary(1, ABORTED), ...unary(3, ABORTED)],
    CALLS.failed,
    2,
  ),
  ofSockets(
    ["last-call", "A server shows when the last call started.", "rpc-channelz#server-data/started"],
    [...unary(1), GET(told({ at: CALLS.last, ...SINCE }))],
    told({ at: CALLS.last, ...SINCE }),
  ),
  ofSockets(
    [
      "listening",
      "A server shows the socket on which it listens, apart from its connections.",
      "rpc-channelz#sockets-and-listen-sockets/listening",
    ],
    [GET(told())],
    told({ at: LISTENING, from: 1, exclude: kept("socket") }),
  ),
  ofSockets(
    [
      "listening-address",
      "A listening socket has a local address, and no remote one.",
      ["rpc-channelz#addresses/listening", "rpc-channelz#addresses/local"],
    ],
    [GET(told()), { do: "keep", as: "listener", at: LISTENING }, inquire("GetSocket", [[1, kept("listener")]])],
    told({ at: SOCKET_ID, are: [kept("listener")] }, { at: [1, 3, 1, 2], are: [kept("their port")] }, { at: [1, 4, 1], are: [] }),
  ),
  ofSockets(
    ["listening-not-listed", "GetServerSockets does not show a listening socket.", "rpc-channelz#sockets-and-listen-sockets/listening"],
    [GET(told()), { do: "keep", as: "listener", at: LISTENING }, inquire("GetServerSockets", [[1, kept("server")]])],
    told({ at: SOCKET_IDS, exclude: kept("listener"), include: kept("socket") }),
  ),
];

export const rows: readonly Row[] = [...pages, ...entities, ...servers];
