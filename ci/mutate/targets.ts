import { join } from "node:path";
import type { Role } from "../../conformance/harness/case.ts";
import type { Settings } from "../../conformance/harness/suite.ts";
import { RPC_TARGETS } from "./rpc-targets.ts";

/** The judge of a mutant: a suite with its embedded subjects, vectors that ask a codec, or test files. */
export type Judge = SuiteJudge | VectorsJudge | { readonly tests: readonly string[] };
/** A folder of `vectors/`, and the program that answers, as `touchstone vectors run` asks it. */
export type VectorsJudge = { readonly vectors: string; readonly codec: string };
/** All roles by default. `settings`: flags of the suite, by their names. */
export type SuiteJudge = { readonly suite: string; readonly roles?: readonly Role[]; readonly settings?: Settings };

/** A part of the reference, and the judges that must detect a mistake in it. */
export type Target = {
  readonly root: string;
  /** Folders, including their subfolders, and files. */
  readonly sources: readonly string[];
  /** Patterns of files, or of functions in them (`file:function`), that are not mutated: every mutant is lawful, or none shows on the wire. */
  readonly except?: readonly string[];
  readonly judges: readonly Judge[];
  /** The folders of unit tests. */
  readonly units: readonly string[];
  /** Files with the lives of its machines (`lives.ts`). */
  readonly lives?: readonly string[];
  /** At most so many lives of each mutant, where one life costs much. */
  readonly mostLives?: number;
  /** Files of accepted survivors; new ones go into the first. */
  readonly survivors: readonly string[];
};

const ROOT = join(import.meta.dirname, "..", "..");
const suite = (name: string, ...roles: readonly Role[]): Judge => ({
  suite: `conformance/${name}/suite.ts`,
  ...(roles.length === 0 ? {} : { roles }),
});
const HPACK_VECTORS: Judge = { vectors: "hpack", codec: "conformance/hpack/embedded/adapter.ts" };
const UNITS = ["reference", "vectors"];
const HPACK = ["reference/hpack", "reference/field-coding"];
/** Which fields enter the table, and which values are too sensitive for that, is the encoder's choice (rfc7541#2.2, #7.1.3). */
const HPACK_CHOICES = "reference/field-coding/policy.ts:{ONE_OFF,ALWAYS,SECRET_BELOW,MOST_OF_THE_TABLE,habitOf,isWorthAnEntry}";

/** What only QPACK needs: larger integers, and strings behind a pattern of its own (rfc9204#4.1). Its suite judges them. */
const QPACK_CODING =
  "reference/field-coding/{prefix-integer,string-literal}.ts:{readLongInteger,MAX_LONG_INTEGER,MAX_LONG_MORE,writePrefixedString}";

/** Every part of the reference that is mutated, by the name on the command line. */
export const TARGETS: Readonly<Record<string, Target>> = {
  // Code that all versions share shows only with some of its users.
  http: {
    root: ROOT,
    sources: ["reference/http"],
    // Only HTTP/2 and HTTP/3 count floods.
    except: ["reference/http/budget.ts"],
    judges: [{ tests: ["vectors/http/vectors.test.ts"] }, suite("http1"), suite("http2")],
    units: UNITS,
    survivors: ["conformance/http1/survivors.json"],
  },
  http1: {
    root: ROOT,
    sources: [
      "reference/http1",
      "reference/http2/upgrade.ts",
      "reference/serve/http1",
      "reference/serve/message",
      "reference/serve/proxy",
      "reference/serve/server/connection.ts",
      "reference/serve/server/exchange.ts",
      "reference/serve/server/first-octets.ts",
      "reference/serve/server/refuse-http1.ts",
      "reference/serve/server/upgrade.ts",
    ],
    except: [
      "reference/serve/*/options.ts",
      // A default of ours may be one more or less; that limits are applied exactly, a subject with small ones shows.
      "reference/http1/limits.ts",
      // Options and actions of programs: no peer of a server, a client or a proxy can make it use them.
      // A program shuts its server down, and only an owner of the machine that pipelines asks whether it may; our client never does.
      "reference/http1/submit.ts:{accepts,shutdown,mustBeOffered}",
      "reference/serve/http1/client.ts:{QUEUED,failureOf,prioritized,Http1ClientConnection.{ping,#watchUnread}}",
      "reference/serve/http1/server.ts:Http1ServerConnection.{push,#left,#hasLeft}",
      "reference/serve/http1/version.ts:{HTTP1.client,chosen,driveOptions}",
      "reference/serve/message/body.ts:{LIMIT,IncomingBody.hasUnread}",
      // Requests with pseudo-fields are those of other versions.
      "reference/serve/message/request.ts",
      "reference/serve/server/exchange.ts:ServerExchange.{push,left,isAbandoned}",
      // Sizes of ours may be one more or less: what is remembered, gathered or tolerated.
      "reference/serve/http1/version.ts:HEADS_REMEMBERED",
      "reference/serve/message/body.ts:{SMALL,GATHERED}",
      "reference/serve/server/exchange.ts:TOLERATED",
      "reference/serve/proxy/proxy.ts:{CONNECTIONS,COUNTED,DEFAULTS}",
      "reference/serve/proxy/tunnels.ts:GRACE_MS",
      // The servers of the suite are reached in clear text, and the origin behind a proxy speaks HTTP/1.1.
      "reference/serve/http1/version.ts:HTTP1.client.permits",
      "reference/serve/proxy/tunnels.ts:openStream",
      // A server that speaks HTTP/2 alone is no subject of this suite.
      "reference/serve/server/refuse-http1.ts",
    ],
    judges: [suite("http1")],
    units: UNITS,
    lives: ["ci/mutate/lives/http1.ts", "ci/mutate/lives/http1-served.ts", "ci/mutate/lives/serve.ts"],
    survivors: ["conformance/http1/survivors.json"],
  },
  http2: {
    root: ROOT,
    sources: ["reference/http2", "reference/http/budget.ts", ...HPACK],
    except: [
      // Connections ignore ALTSVC and ORIGIN.
      "reference/http2/frame/{altsvc,origin}.ts",
      // These frames are written in `send/`; the functions serve tools.
      "reference/http2/frame/{continuation,data,headers,priority,push-promise}.ts:write",
      "reference/http2/frame/{priority,padding}.ts:{writeWeights,padOverhead,writePadding,ZEROS}",
      // The upgrade is retired (rfc9113#3.1): the suite of HTTP/1.1 judges it.
      "reference/http2/upgrade.ts",
      // These serve tools: tables, transcripts and fuzzers.
      "reference/http2/stream/state.ts:{printTable,printTable.*}",
      "reference/http2/settings/values.ts:printSetting",
      "reference/http2/frame/index.ts:{readFrame,readFrames,writeFrame}",
      // A limit of ours may be one more or less (rfc9113#10.5); whether it is applied is decided elsewhere.
      "reference/http2/limits.ts",
      // So may what a budget earns, the sizes of pieces, the spread of ages, and the time between PINGs of idle clients.
      "reference/http2/abuse.ts:{PRIORITIES_EARNED,UPDATES_EARNED,PINGS_EARNED}",
      "reference/http2/send/content.ts:{COPY_OCTETS,DIRECT_OCTETS,FRAME_OCTETS,WORTHY_OCTETS}",
      "reference/http2/connection-life.ts:JITTER",
      "reference/http2/ping-strikes.ts:WITHOUT_STREAMS_MS",
      // A receiver chooses when its windows grow (rfc9113#5.2.1).
      "reference/http2/flow/refill.ts:AutoTune.sample",
      // A field section may exceed what the peer announces, and how it is counted shows only there (rfc9113#10.5.1).
      "reference/http2/send/section-size.ts:{LINE_OVERHEAD,STATUS_LINE,sectionSize}",
      // Actions of callers, and what only they are told: no peer can make a program use them.
      "reference/http2/connection.ts:{settingsPayload,Connection.{settings,prioritize,#cut}}",
      "reference/http2/authority.ts:Authority.add",
      "reference/http2/send/submit.ts:{prioritize,changeSettings}",
      "reference/http2/settings/values.ts:checkChange",
      "reference/http2/frame/priority-update.ts:write",
      HPACK_CHOICES,
      QPACK_CODING,
    ],
    judges: [suite("hpack"), suite("http2"), HPACK_VECTORS, { tests: ["vectors/http2/connections.test.ts"] }],
    lives: ["ci/mutate/lives/http2.ts", "ci/mutate/lives/hpack.ts"],
    units: UNITS,
    survivors: ["conformance/http2/survivors.json", "conformance/hpack/survivors.json"],
  },
  hpack: {
    root: ROOT,
    sources: HPACK,
    except: [HPACK_CHOICES, QPACK_CODING],
    judges: [suite("hpack"), HPACK_VECTORS],
    lives: ["ci/mutate/lives/hpack.ts"],
    units: UNITS,
    survivors: ["conformance/hpack/survivors.json"],
  },
  http3: {
    root: ROOT,
    sources: ["reference/http3", "reference/serve/http3"],
    except: [
      "reference/serve/http3/options.ts",
      // A limit of ours may be one more or less (rfc9114#10.5); whether it is applied is decided elsewhere.
      "reference/http3/limits.ts",
    ],
    judges: [suite("http3")],
    units: UNITS,
    survivors: ["conformance/http3/survivors.json"],
  },
  qpack: {
    root: ROOT,
    sources: ["reference/qpack", "reference/field-coding/prefix-integer.ts", "reference/field-coding/string-literal.ts"],
    except: ["reference/field-coding/prefix-integer.ts:{readInteger,MAX_INTEGER,MAX_MORE}"],
    judges: [suite("qpack")],
    lives: ["ci/mutate/lives/qpack.ts"],
    units: UNITS,
    survivors: ["conformance/qpack/survivors.json"],
  },
  websocket: {
    root: ROOT,
    sources: ["reference/websocket", "reference/serve/websocket"],
    except: [
      "reference/websocket/channel/**",
      "reference/serve/websocket/{command,echo,run,backoff,keep,message-queue,options}.ts",
      // Actions and properties for callers of the library: no peer of an echo can make a program use them.
      "reference/serve/websocket/accept.ts:webSocket",
      "reference/serve/websocket/socket-core.ts:SocketCore.{state,queued,dropped,drained,ping,shutdown,fail,messages,isPaused,hold,onPong}",
      "reference/serve/websocket/socket-core.ts:SocketCore.#waiting.*",
      "reference/serve/websocket/socket.ts:Socket.{onClose,onPong,ping,pause,resume,drained}",
      "reference/websocket/connection.ts:Connection.{ping,pong,pause,resume,shutdown,holdClose,releaseClose}",
      "reference/websocket/endpoint.ts:Endpoint.{pause,resume,holdClose,releaseClose}",
      "reference/websocket/submit.ts:{ping,pong,shutdown}",
      "reference/websocket/wait-clock.ts:WaitClock.hearPending",
      // Parts of messages, and text as octets: options of the machine that no server or client of ours sets.
      "reference/websocket/message.ts:MessageReader.#emitPiece",
      "reference/websocket/connection.ts:{STRING_FRAGMENTS,OCTETS,OCTET_FRAGMENTS}",
      // A default of ours may be one more or less; that limits are applied exactly, a server with small ones shows.
      "reference/websocket/limits.ts",
      // Words for people.
      "reference/websocket/close-code.ts:closeCodeName",
      "reference/serve/websocket/client.ts:{WHY_OCTETS,WHY_SHOWN,WHY_MS,Attempt.#refusal}",
      // These read and write single frames for tools; connections have a reader and a writer of their own.
      "reference/websocket/frame.ts:{readFrame,writeFrame}",
      // Only for processors that store the highest octet of a word first.
      "reference/websocket/mask.ts:swap",
    ],
    judges: [suite("websocket"), { tests: ["vectors/websocket/connections.test.ts"] }],
    lives: ["ci/mutate/lives/websocket.ts", "ci/mutate/lives/websocket-serve.ts"],
    units: UNITS,
    survivors: ["conformance/websocket/survivors.json"],
  },
  ...RPC_TARGETS,
  channel: {
    root: ROOT,
    sources: ["reference/websocket/channel", "reference/serve/channel"],
    except: [
      "reference/serve/channel/{command,run,page,shell,screen}.ts",
      // Sizes and times of a hub are its choice (their use is judged with small ones), and a case may not wait for the heartbeat of a program.
      "reference/websocket/channel/limits.ts",
      "reference/websocket/channel/pulse.ts:{CLIENT_PULSE,AGENT_PULSE}",
      // What a program does with a wrong state of its hub is its choice.
      "reference/websocket/channel/protocol.ts:{isOneOf,SHAPES.session,SHAPES.run}",
      // For the owner of an agent: what it logs, and how it is ended; and when it connects again.
      "reference/serve/channel/agent.ts:{ShellAgent.{#log,pid,offered,drop,close},RETRY_MS,HEARTBEAT_MS,MOST_RETRY_MS}",
      // What only the program of a client, and no hub, can make it do; and pieces, whose boundaries mean nothing.
      "reference/websocket/channel/client-side.ts:{PIECE,ACK_EVERY,MOST_TYPED,ClientSide.{resize,start,own,untaken,watches}}",
      "reference/websocket/channel/agent-side.ts:PIECE",
      "reference/serve/channel/carry.ts:MOST_REASON",
      // How many sessions and clients a hub has, and how it makes room, is its choice.
      "reference/websocket/channel/hub.ts:{turnAway,Hub.#ended,Hub.#end,Hub.#admitAgent.refusal,Hub.#admitClient.refusal}",
      // Not the channel: other paths, the log, and addresses for its owner; names of options.
      "reference/serve/channel/server.ts:{KNOWN,serveChannel.{onError,pageUrl,sessionUrl,connections}}",
      "reference/serve/channel/tokens.ts:{drawToken,tokenProblem}",
      "reference/serve/channel/wrong-tokens.ts:WrongTokens.{#count,#report,close}",
      "reference/serve/channel/channel.ts:{printable,channel.onRefused}",
      // How much, and whom, a hub slows down is its choice.
      "reference/serve/channel/wrong-tokens.ts:{FREE,FIRST_MS,MOST_MS,PERIOD_MS,MOST_ADDRESSES,MOST_WAITING,WrongTokens.{#waiting,#more}}",
    ],
    judges: [suite("channel")],
    lives: ["ci/mutate/lives/channel.ts"],
    units: UNITS,
    survivors: ["conformance/channel/survivors.json"],
  },
  "metrics/promql": {
    root: ROOT,
    sources: ["reference/metrics/promql"],
    except: [
      // How many samples a query, or all of them, may hold is a limit of ours: `budget.test.ts`.
      "reference/metrics/promql/evaluate/{budget,pool}.ts",
    ],
    judges: [
      { tests: ["vectors/promql/run.test.ts", "vectors/promql/steps.test.ts", "vectors/promql/expressions.test.ts"] },
      suite("metrics", "server"),
    ],
    lives: ["ci/mutate/lives/promql.ts"],
    units: UNITS,
    survivors: ["conformance/metrics/survivors.json"],
  },
  "metrics/exposition": {
    root: ROOT,
    sources: ["reference/metrics/exposition"],
    except: [
      // A limit of ours may be one more or less; whether it is applied is decided elsewhere.
      "reference/metrics/exposition/limits.ts:DEFAULT_LIMITS",
    ],
    judges: [
      {
        tests: [
          "vectors/exposition/vectors.test.ts",
          "vectors/exposition/parts.test.ts",
          "fuzz/metrics/exposition/written.test.ts",
          "reference/metrics/exposition/interop.test.ts",
        ],
      },
      suite("metrics", "codec"),
    ],
    lives: ["ci/mutate/lives/exposition.ts"],
    units: UNITS,
    survivors: ["conformance/metrics/survivors.json"],
  },
  "metrics/remote": {
    root: ROOT,
    sources: [
      "reference/metrics/remote",
      ...["post", "receiver", "series", "writer", "writers"].map((name) => `reference/serve/metrics/remote-${name}.ts`),
      "reference/metrics/tsdb/db/follow.ts",
      "reference/metrics/tsdb/wal/tail.ts",
    ],
    judges: [
      {
        tests: ["read-chunks", "read", "receive", "send-outcome", "send-queue", "shards", "write-message"].map(
          (name) => `reference/metrics/remote/${name}.test.ts`,
        ),
      },
      suite("remotewrite"),
    ],
    lives: ["ci/mutate/lives/remote.ts"],
    mostLives: 400,
    units: UNITS,
    survivors: ["conformance/remotewrite/survivors.json"],
  },
  "metrics/scrape": {
    root: ROOT,
    sources: [
      "reference/metrics/scrape",
      ...["loop", "pool"].map((name) => `reference/serve/metrics/scrape-${name}.ts`),
      "reference/serve/metrics/fetch.ts",
    ],
    judges: [
      { tests: ["pass", "read", "relabel", "schedule", "target"].map((name) => `reference/metrics/scrape/${name}.test.ts`) },
      suite("scrape"),
    ],
    lives: ["ci/mutate/lives/scrape.ts"],
    mostLives: 400,
    units: UNITS,
    survivors: ["conformance/scrape/survivors.json"],
  },
  "metrics/rules": {
    root: ROOT,
    sources: ["reference/metrics/rules", ...["loop", "runner"].map((name) => `reference/serve/metrics/rule-${name}.ts`)],
    except: [
      // Other judges: what is sent to routers, advice, and tests of rules.
      "reference/metrics/rules/{lint,unit-test,notify,notify-queue}.ts",
    ],
    judges: [
      {
        tests: [
          ...["group", "slots", "template/template", "template/recorded"].map((name) => `reference/metrics/rules/${name}.test.ts`),
          "reference/metrics/router/notification.test.ts",
        ],
      },
      suite("rules"),
    ],
    lives: ["ci/mutate/lives/rules.ts"],
    mostLives: 400,
    units: UNITS,
    survivors: ["conformance/rules/survivors.json"],
  },
  "metrics/router": {
    root: ROOT,
    sources: [
      "reference/metrics/router",
      ...["api", "api-json", "drive", "webhook"].map((name) => `reference/serve/metrics/router/${name}.ts`),
    ],
    judges: [
      {
        tests: ["alert", "matcher-text", "notification", "router", "silences", "time-interval"].map(
          (name) => `reference/metrics/router/${name}.test.ts`,
        ),
      },
      suite("alerts", "server"),
    ],
    lives: ["ci/mutate/lives/router.ts"],
    mostLives: 400,
    units: UNITS,
    survivors: ["conformance/alerts/survivors.json"],
  },
  "metrics/tsdb": {
    root: ROOT,
    sources: ["reference/metrics/tsdb"],
    except: [
      // A limit of ours may be one more or less; whether it is applied is decided elsewhere.
      "reference/metrics/tsdb/head/limits.ts:DEFAULT_STORAGE_LIMITS",
      // What follows the log is part of metrics/remote, whose judges need it.
      "reference/metrics/tsdb/{db/follow,wal/tail}.ts",
    ],
    judges: [
      {
        // What takes long runs last.
        tests: [
          "vectors/tsdb/vectors.test.ts",
          "vectors/tsdb/lives.test.ts",
          // A fixed set of random lives, judged by a model.
          "fuzz/metrics/tsdb/life.test.ts",
          "vectors/tsdb/many.test.ts",
          "reference/metrics/tsdb/block/interop.test.ts",
          "reference/metrics/tsdb/db/interop.test.ts",
        ],
      },
    ],
    lives: ["ci/mutate/lives/tsdb.ts"],
    units: UNITS,
    survivors: ["conformance/metrics/survivors.json"],
  },
};
