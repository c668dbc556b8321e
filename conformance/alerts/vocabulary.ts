import type { Case as AnyCase } from "../harness/case.ts";

/**
 * What a case about alerts can do and observe. In all texts `{case}` is the name of the case, `{now}` and `{now+60}` are times, `{dir}` is a folder with the
 * files, `{END}` the address of an end, `{elsewhere}` that of another host, and `{NAME.member}` a member of the answer that was kept under this name.
 */

/**
 * What JSON must look like. An object: its members must; others may be there. A list: as many as in it, in any order. `null`: absent or empty.
 * `{ $re }`: a text with this form. `{ $near }`: a time so many seconds from that of the observation, within thirty. `{ $past }`: a time, and whether it is over. `{ $has }`: a list with such
 * elements among others. `{ $any }`: one of these. `{ $is }`: a kind of value.
 */
export type Pattern = unknown;

/** What an end does with a request; the last of several goes on. */
export type Reply = {
  /** 200 by default. */
  readonly status?: number;
  readonly how?: "hang" | "drop";
  readonly location?: string;
};

/** Where the subject sends to: one end of the harness. */
export type End = {
  readonly replies?: readonly Reply[];
  /** A receiver of a router: members of its `webhook_config`. */
  readonly settings?: Settings;
};

export type Settings = Readonly<Record<string, unknown>>;

/** The part of an alert router's configuration that is a case's own: a route with these members for all alerts with the case's label, and its receivers. */
export type RouterSetup = {
  readonly do: "router";
  readonly route?: Settings;
  /** By the names that routes use; `main` is the receiver of the case's route. Names get the case before them in the configuration. */
  readonly ends?: Readonly<Record<string, End>>;
  readonly inhibit?: readonly Settings[];
  /** By the names that routes use. */
  readonly intervals?: Readonly<Record<string, readonly Settings[]>>;
};

/** A list of routers in the configuration of a sender, with the ends that are its targets. */
export type RouterList = { readonly ends: readonly string[]; readonly settings?: Settings; readonly isListed?: true };
/** The part of a sender's configuration that is a case's own. The series `signal{case="{case}"}` has a value that the case sets; 1 in the beginning. */
export type SenderSetup = {
  readonly do: "sender";
  readonly rules?: readonly Settings[];
  readonly group?: Settings;
  readonly ends?: Readonly<Record<string, End & { readonly isTls?: true; readonly isGone?: true }>>;
  readonly lists?: readonly RouterList[];
  readonly files?: Readonly<Record<string, string>>;
  /** Members of `alert_relabel_configs`; each must be about this case only. */
  readonly relabel?: readonly Settings[];
};

export type Action =
  /** A request of the API. Unless it `mayFail`, it must be answered with 2xx. */
  | {
      readonly do: "request";
      readonly as: string;
      readonly method: string;
      readonly path: string;
      readonly body?: unknown;
      /** In place of JSON. */
      readonly text?: string;
      readonly type?: string;
      readonly mayFail?: true;
    }
  /** Waits for `count` requests at an end that look like this. `orSkip`: why the case is skipped if they do not come. */
  | { readonly do: "await"; readonly at: string; readonly count: number; readonly is?: Pattern; readonly orSkip?: string }
  /** Asks until the answer looks like this. */
  | { readonly do: "await-answer"; readonly as: string; readonly path: string; readonly is: Pattern }
  /** Sets the value of the case's signal. */
  | { readonly do: "signal"; readonly value: number };

export type Step = RouterSetup | SenderSetup | Action;

/** A request that an end got, as patterns see it: `alerts` are those of the case, `body` is the JSON of the content. */
export type Sight =
  /** One of the requests at the end looks like this; with `number`, counted from 1, this one does. */
  | { readonly see: "request"; readonly at: string; readonly number?: number; readonly is: Pattern }
  /** Every request at the end looks like this, and there is one. */
  | { readonly see: "every-request"; readonly at: string; readonly is: Pattern }
  | { readonly see: "no-request"; readonly at: string; readonly is?: Pattern }
  | { readonly see: "count"; readonly at: string; readonly is?: Pattern; readonly least?: number; readonly most?: number }
  /** Between two requests, by their numbers, at least so many milliseconds pass. */
  | { readonly see: "apart"; readonly at: string; readonly from: Pattern; readonly to: Pattern; readonly leastMs: number }
  | { readonly see: "answer"; readonly to: string; readonly status?: number | readonly number[]; readonly is?: Pattern }
  /** How many values this member has: of the requests at an end, or of the alerts where they are the whole content. */
  | { readonly see: "kinds"; readonly at: string; readonly member: string; readonly least?: number; readonly most?: number }
  | { readonly see: "all"; readonly of: readonly Sight[] };

export type Case = AnyCase<Step, Sight>;
