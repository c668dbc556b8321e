import type { Case } from "../harness/case.ts";
import type { CertificateName } from "../tls/vocabulary.ts";
import type { ErrorName, FieldSpec, FrameSpec, SettingName } from "../wire/http2/frame-spec.ts";
import type { LoadSpec } from "../wire/rpc/load-report.ts";
import type { Ending } from "../wire/sockets.ts";
import type { MessageSpec, StatusName, Wanted } from "./vocabulary.ts";

/**
 * What a case for RPC clients asks of its subject, what the harness answers by frames, and what it observes. A call is named by its place in
 * the description, from 1; a request by its place among all that arrive, from 1. `{rpc}` is the prefix of the dialect.
 */

/** The kinds of methods. */
export type Kind = "unary" | "client-stream" | "server-stream" | "bidi";

/** One call, as the adapter reads it (README.md). */
export type CallSpec = {
  readonly kind: Kind;
  readonly path: string;
  /** Octets in hex: no contract is needed. */
  readonly messages: readonly string[];
  /** A value of a name in -bin is hex. */
  readonly metadata?: readonly (readonly [name: string, value: string])[];
  /** Milliseconds for the call; zero or less is a deadline that has passed. */
  readonly timeoutMs?: number;
  /** Compresses its messages. */
  readonly encoding?: string;
  readonly waitForReady?: true;
  /** Leaves the request open after its messages, until the call is over. */
  readonly open?: true;
  /** Sends each message after the response to the one before it. */
  readonly turns?: true;
  /** Cancels the call after so many milliseconds, or after so many responses. */
  readonly cancel?: { readonly afterMs: number } | { readonly afterMessages: number };
};
/** The channel of a description. */
export type ChannelSpec = {
  readonly maxMessageOctets?: number;
  readonly encoding?: string;
  readonly serviceConfig?: unknown;
  /** Heeds the service config that the name has in DNS. */
  readonly publishedConfig?: true;
  /** The least time between two look-ups of a name, in milliseconds. */
  readonly lookUpApartMs?: number;
};
/** What an adapter reports of one call. */
export type CallReport = {
  readonly status: number;
  readonly message: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly trailers: readonly (readonly [string, string])[];
  /** In hex. */
  readonly messages: readonly string[];
  /** Details of an error, of the dialect connect: types, and octets in hex. */
  readonly details?: readonly (readonly [string, string])[];
};

/** What a server does with connections: it refuses them, accepts them and says nothing, or closes them at once. */
export type Reach = "serves" | "refuses" | "silent" | "closes";
/** One of several servers. */
export type ServerSpec = {
  /** It serves by default. */
  readonly reach?: Reach;
  /** With what it answers requests that no step mentions; OK by default. */
  readonly status?: StatusName;
  /** The load that it reports at the end of those calls; `false` for none any more. */
  readonly load?: LoadSpec | false;
  /** What it reports on streams of reports: at once, and whenever it changes. It has none by default; some fail, or end after each report. */
  readonly stream?: LoadSpec | "fails" | (LoadSpec & { readonly ends: true });
};
/** What the server of names says; all of it may change while the calls go on. */
export type NamesSpec = {
  /** The servers whose addresses the name has; all of them by default. */
  readonly addresses?: readonly number[];
  /** The choices of service configs (rpc-config-dns), as JSON; a text is sent as it is. `{language}` and `{hostname}` are those of the client. */
  readonly choices?: unknown;
  /** Records beside it. */
  readonly texts?: readonly string[];
  /** So many first questions for addresses fail. */
  readonly failures?: number;
  readonly silent?: true;
};

/** A step that is about a request; the first by default. It waits until the headers of the request are there. */
type About = { readonly request?: number };

/** What the harness does, in order. It sends SETTINGS on every new connection, and answers requests that no step mentions. */
export type Step =
  /** The description: first of all. */
  | {
      readonly do: "ask";
      readonly calls: readonly CallSpec[];
      /** Calls that begin when those before have ended. */
      readonly later?: readonly CallSpec[];
      /** Further rounds after those. */
      readonly more?: readonly (readonly CallSpec[])[];
      /** Several servers, each at an address of its own: by default there is one. */
      readonly servers?: readonly ServerSpec[];
      /** The target is a name, which this server of names knows. */
      readonly names?: NamesSpec;
      /** The target is the address of our server, in one of the forms for names. */
      readonly dns?: "dns:" | "dns:///";
      /** The target is a Unix socket, in one of its two forms. */
      readonly unix?: "unix:path" | "unix://path";
      readonly channel?: ChannelSpec;
      /** The SETTINGS of our side; `false` for none. */
      readonly settings?: readonly (readonly [SettingName, number])[] | false;
      /** Without the good call behind all others. */
      readonly fence?: false;
      /** Closes this many first connections at once. */
      readonly refuses?: number;
      /** Closes all connections after this many at once. */
      readonly accepts?: number;
      readonly tls?: {
        /** The certificate of our side. */
        readonly certificate: CertificateName;
        /** We require a certificate of the client. */
        readonly requires?: true;
        /** The client is given one. */
        readonly gives?: true;
        /** Another than h2. */
        readonly alpn?: string;
      };
    }
  /** A header section, that of the response by default. */
  | (About & {
      readonly do: "headers";
      readonly fields?: readonly FieldSpec[];
      readonly replace?: Readonly<Record<string, string | false>>;
      readonly end?: true;
      readonly split?: number;
      readonly pad?: number;
    })
  | (About & {
      readonly do: "say";
      readonly messages: readonly MessageSpec[];
      readonly cut?: number;
      readonly cutAt?: readonly number[];
      readonly empty?: true;
      readonly end?: true;
      readonly pad?: number;
    })
  /** The trailers, or with `only` the header section that has them. A status of `false` leaves it out. */
  | (About & {
      readonly do: "trailers";
      readonly status?: StatusName | string | false;
      readonly message?: string;
      readonly fields?: readonly FieldSpec[];
      readonly only?: true;
      readonly replace?: Readonly<Record<string, string | false>>;
      /** Without END_STREAM. */
      readonly open?: true;
      readonly split?: number;
    })
  | (About & { readonly do: "reset"; readonly code: ErrorName | number })
  /** `last` is a request, or what it says. */
  | (About & { readonly do: "goaway"; readonly last: number | "none" | "all"; readonly code?: ErrorName })
  /** Frames; the stream "request" is that of the request. */
  | (About & { readonly do: "frames"; readonly frames: readonly FrameSpec[]; readonly cut?: number })
  | (About & { readonly do: "drop"; readonly how: Ending })
  | (About & { readonly do: "settings"; readonly settings: readonly (readonly [SettingName, number])[] })
  /** A server of several is another from now on; with `drops` its connections end. */
  | ({ readonly do: "server"; readonly server?: number; readonly drops?: true } & ServerSpec)
  /** The server of names says something else from now on. */
  | ({ readonly do: "names" } & NamesSpec)
  | { readonly do: "await"; readonly see: Sight }
  | { readonly do: "wait"; readonly ms: number; readonly until?: Sight };

export type Ask = Extract<Step, { do: "ask" }>;

/** What is expected of a call as reported. */
export type Reported = {
  readonly call?: number;
  /** Texts of all messages. */
  readonly messages?: readonly string[];
  readonly sizes?: readonly number[];
  readonly count?: number;
  readonly message?: string;
  /** Any of these is the message. */
  readonly messageAmong?: readonly string[];
  /** The message contains this. */
  readonly mentions?: string;
  readonly headers?: Wanted;
  readonly trailers?: Wanted;
};
type Codes = ErrorName | readonly ErrorName[] | "any";

/** What may be observed of the subject. */
export type Sight =
  /** The call ended with this status, which the server sent or the text defines; OK by default. */
  | (Reported & { readonly see: "answer"; readonly status?: StatusName | readonly StatusName[] })
  /** The call failed with a status of the client, since it does not accept what came. */
  | (Reported & { readonly see: "failed"; readonly status: StatusName | readonly StatusName[] | "any" })
  /** The request arrived, with all of this. */
  | {
      readonly see: "request";
      readonly request?: number;
      readonly fields?: Wanted;
      /** Values match these patterns. */
      readonly like?: Readonly<Record<string, string>>;
      readonly ended?: boolean;
      /** Texts of its messages. */
      readonly messages?: readonly string[];
      readonly sizes?: readonly number[];
      readonly compressed?: readonly boolean[];
      /** The milliseconds of its timeout. */
      readonly timeout?: readonly [least: number, most: number];
      /** On which connection it came. */
      readonly on?: number;
    }
  /** So many requests came in all, without the fence. */
  | { readonly see: "requests"; readonly count: number | readonly [least: number, most: number] }
  /** At most this many were open at a time on one connection. */
  | { readonly see: "at once"; readonly most: number }
  | { readonly see: "connections"; readonly count: number }
  /** So many requests came to a server of several; only those with numbers from `from`, if there is one. */
  | {
      readonly see: "served";
      readonly server: number;
      readonly count: number | readonly [least: number, most: number];
      readonly from?: number;
    }
  /** So many streams of reports were asked of a server of several, each of them this often. They are not among the requests. */
  | {
      readonly see: "load streams";
      readonly server: number;
      readonly count: number | readonly [least: number, most: number];
      readonly everyMs?: number;
    }
  /** All requests came to one server. */
  | { readonly see: "one served" }
  /** So many connections came to a server. */
  | { readonly see: "reached"; readonly server: number; readonly count: number | readonly [least: number, most: number] }
  /** A connection to each of these servers stands, and the client has seen our SETTINGS on it. */
  | { readonly see: "connected"; readonly servers: readonly number[] }
  /** The client has ended all its connections to a server, of which there was one. */
  | { readonly see: "gone"; readonly server: number }
  /** Milliseconds between the first connections to two servers. */
  | { readonly see: "apart"; readonly from: number; readonly to: number; readonly least: number; readonly most: number }
  /** So many calls ended with this status. */
  | { readonly see: "outcomes"; readonly status: StatusName; readonly count: number }
  | { readonly see: "reset"; readonly request?: number; readonly code: Codes }
  | { readonly see: "goaway"; readonly code: Codes }
  /** The client ended a connection. */
  | { readonly see: "closed"; readonly on?: number }
  /** Milliseconds between the arrivals of two requests. */
  | { readonly see: "spacing"; readonly from: number; readonly to: number; readonly least: number; readonly most: number }
  /** Milliseconds from the description to the report. */
  | { readonly see: "took"; readonly least?: number; readonly most: number }
  | { readonly see: "pong"; readonly hex: string }
  /** The requests have this property (`driver/client-monitors.ts`). */
  | { readonly see: "holds"; readonly monitor: string }
  | { readonly see: "all"; readonly of: readonly Sight[] }
  | { readonly see: "any"; readonly of: readonly Sight[] };

/** Sights of a subject that refuses. */
export const REFUSALS = ["failed"] as const satisfies readonly Sight["see"][];

/** A case for clients. After its calls a good call on the same channel must succeed, unless the description says otherwise. */
export type RpcClientCase = Case<Step, Sight>;
