import type { Certificate } from "./certificate.ts";

/** What one run of a client must do. */
export type ClientRequest = {
  readonly url: string;
  readonly method: "GET" | "HEAD" | "POST";
  /** The address of a second request, made when the first is over. */
  readonly second?: string;
  /** The second request is made at once, and does not wait for the first. */
  readonly together?: true;
  /** The suite remotewrite: a configuration, a data directory, and what the configuration says. */
  readonly sender?: { readonly config: string; readonly directory: string; readonly target: string; readonly protocol: 1 | 2 };
  /** A subject that runs until it is ended (the suites scrape and alerts): a configuration, a data directory, and the port where it listens. */
  readonly program?: { readonly config: string; readonly directory: string; readonly port: number; readonly flags?: readonly string[] };
  /** The authority to trust, and the client's own certificate and key, in PEM: for the suite tls. */
  readonly credentials?: { readonly ca: string; readonly cert: string; readonly key: string };
  /** What to do, for suites whose clients read descriptions: the suite rpc. The function resolves with its report. */
  readonly description?: Readonly<Record<string, unknown>>;
};

/**
 * A client in this process. It resolves with the content of every response where a command would exit with status 0, and rejects for any
 * other status. A function without a third parameter gets only GET requests for `url`.
 */
export type InProcessClient = (url: string, signal: AbortSignal, request: ClientRequest) => Promise<unknown>;

/** A running proxy. */
export type RunningProxy = {
  readonly url: string;
  /** Where it speaks HTTP/2; at the same address by default. */
  readonly http2Url?: string;
  readonly version?: string;
  stop(): Promise<void>;
};

/** Starts a proxy that forwards everything to the origin (host and port). */
export type StartProxy = (origin: string) => Promise<RunningProxy>;

/** A server by its address. */
export type ServerSubject = {
  /** Its command, for a suite that starts its servers with a configuration of its own. */
  readonly url: string;
  /** In place of a command. */
  readonly start?: InProcessClient;
  /** The suite tls: the authority of the client certificates that it takes, if that is made for the run. */
  readonly authority?: Certificate;
};
/** A client, by a command that contains `{url}`, or by a function. */
export type ClientSubject = { readonly client: string | InProcessClient };
/** A codec, by its command. */
export type CodecSubject = { readonly codec: string };
/** A proxy, by its address, its command, the name of a peer, or a function. */
export type ProxySubject = {
  readonly proxy: string | StartProxy;
  /** Where a running proxy forwards everything to, host and port; the harness listens there. By default a free port is used. */
  readonly origin?: string;
  /** The address where it speaks HTTP/2, if it is another one. */
  readonly http2?: string;
};

/** The subject of a check, by its role. */
export type SubjectOf = {
  readonly server: ServerSubject;
  readonly client: ClientSubject;
  readonly proxy: ProxySubject;
  readonly codec: CodecSubject;
};
export type Subject = SubjectOf[keyof SubjectOf];
