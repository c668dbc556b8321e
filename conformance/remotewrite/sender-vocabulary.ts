import type { Case as AnyCase } from "../harness/case.ts";
import type { Protocol } from "../wire/remotewrite/build.ts";

/** What a case about senders of remote write can do and observe. */

/** An answer to a request with samples. `drop`: the connection ends without one. */
export type Reply = { readonly status: number; readonly fields?: Readonly<Record<string, string>>; readonly body?: string } | "drop";

/**
 * One life of a sender that scrapes a page of the harness every 200 ms and sends to the harness. Requests with samples are answered by `replies` in turn,
 * and then by 204; requests without samples by 204.
 */
export type Step = {
  readonly do: "run";
  readonly protocol: Protocol;
  readonly replies?: readonly Reply[];
  /** Ends after this many answers of 2xx beyond the replies. */
  readonly good?: number;
  /** First a series of the page goes away, and then the whole page; the run goes on until both have ended or a while has passed. */
  readonly vanishes?: true;
  /** The page has a native histogram, for senders that ask for messages. */
  readonly isNative?: true;
  /** While the replies are given the sender is stopped in good order, and started again with the same data. */
  readonly restarts?: true;
  /** Nothing listens until the page was scraped this often. */
  readonly awayFor?: number;
};

/** What must be true of all that the sender did: a rule by its name, for some about a status. */
export type Sight = { readonly see: "keeps"; readonly rule: string; readonly status?: number };

export type SenderCase = AnyCase<Step, Sight>;
