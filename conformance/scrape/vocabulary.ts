import type { Case as AnyCase } from "../harness/case.ts";

/** What a case about scrapers can do and observe. */

/** How a response goes over the wire; `whole` by default. */
export type How =
  /** Content-Length and all of the content. */
  | "whole"
  | "chunked"
  /** Its end is that of the connection. */
  | "until-close"
  /** In pieces with pauses, all in good time. */
  | "slow"
  /** No octet of a response comes. */
  | "hang"
  /** The header section comes, then nothing more. */
  | "hang-in-content"
  /** The content, then comments without end, slowly. */
  | "drip"
  /** The content, then comments without end, fast. */
  | "endless"
  /** The connection ends before what Content-Length says, or before the last chunk. */
  | "cut-length"
  | "cut-chunks"
  /** Content-Length says less than what comes. */
  | "short-length"
  /** The connection ends at once. */
  | "drop";

/** One response of a target. In fields and pages `{target}` is its address, `{elsewhere}` that of another host, `{ms}` and `{s}` the time, `{ms-5000}` earlier, `{octet}` one that UTF-8 does not have. */
export type Answer = {
  /** 200 by default. */
  readonly status?: number;
  /** Content-Type; the text format 0.0.4 by default, none for `null`. */
  readonly type?: string | null;
  readonly fields?: Readonly<Record<string, string>>;
  readonly page?: string;
  /** In place of a page: gauges as messages of protobuf. `native`: and a native histogram of this name. */
  readonly gauges?: Readonly<Record<string, number>>;
  readonly native?: string;
  /** The content in gzip. `states` is Content-Encoding; `cut`: without its last octets; `plain`: no gzip at all. */
  readonly coding?: { readonly states: string; readonly is?: "gzip" | "cut" | "plain" };
  readonly how?: How;
};

/**
 * A time in the life of a target. A page that has to be stored has the sample `stage N`, with the number of the stage from 1 on: the stage lasts until a
 * query shows it. Any other lasts for `requests`, or, where nothing may be requested, until the others of the run are over.
 */
export type Stage = {
  readonly answer: Answer;
  readonly until: "stored" | number | "others" | "gone";
  /** Answers at other paths. */
  readonly at?: Readonly<Record<string, Answer>>;
  /** The address leaves the list of targets when the stage begins. */
  readonly leaves?: true;
};

/** Members of `<scrape_config>`. */
export type Settings = Readonly<Record<string, unknown>>;

/** One job: a target of its own, and what the configuration says of it. In its settings `{dir}` is a folder with the files, `{target}` the address; in files `{certificate}` is that of its target. */
export type Step = {
  readonly do: "scrape";
  readonly settings?: Settings;
  /** Labels of the target, besides `case`. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly isTls?: true;
  /** The same port by the name localhost is a second target. */
  readonly hasSecond?: true;
  /** The target is in a file that the scraper watches. */
  readonly isListed?: true;
  readonly stages: readonly Stage[];
};

/** Labels that a series has; `null`: that it does not have. `{target}` is the address of the target, `{job}` the name of the job. */
export type LabelsSeen = Readonly<Record<string, string | null>>;
/** A sample of a series counts if it belongs to the scrape of this stage. */
export type Sight =
  /** There is such a series, with this value. */
  | { readonly see: "stored"; readonly name: string; readonly labels?: LabelsSeen; readonly value?: number; readonly stage?: number }
  /** No sample of such a series is there. */
  | { readonly see: "absent"; readonly name: string; readonly labels?: LabelsSeen }
  /** The series was stored, and at the time of the last scrape a query shows it, or does not. */
  | { readonly see: "goes-on" | "ended"; readonly name: string }
  /** What a series about the scrapes says of this stage. `least`, `most`: in place of a value. */
  | {
      readonly see: "report";
      readonly name: string;
      readonly stage: number;
      readonly value?: number;
      readonly least?: number;
      readonly most?: number;
    }
  /** What must be true of the requests. */
  | { readonly see: "asks"; readonly rule: string; readonly words?: readonly string[] }
  /** What must be true of the samples. */
  | { readonly see: "keeps"; readonly rule: string; readonly words?: readonly string[] }
  | { readonly see: "all"; readonly of: readonly Sight[] };

export type Case = AnyCase<Step, Sight>;
