/**
 * What the program of a server was told, which no peer sees: whether content was complete, whom a request was for, whether the client is
 * still there. A server can make it visible: its program keeps a report of each request with the field `Touchstone-Report: NAME`, whatever
 * its target, and answers `GET /report/NAME` with it, a line for each thing that it knows (`conformance/HANDLERS.md`).
 */
export const REPORT_FIELD = "touchstone-report";
export const REPORT_PATH = "/report/";
export const REPORT_TYPE = "text/x-touchstone-report";

/** What the lines of a report begin with, and the features of a server that reports them. */
export const REPORTED = {
  /** Octets of content, and whether that was all: `complete`, or `incomplete` with the reason. */
  report: ["content", "end"],
  /** The target URI (rfc9112#3.3). */
  "report target": ["scheme", "authority", "path"],
  "report trailers": ["trailers"],
  /** `present`, or `gone` with the reason, once the content has been read; a request with `?wait` in its target waits for that. */
  "report client": ["client"],
} as const;
export type ReportFeature = keyof typeof REPORTED;
export const REPORT_FEATURES: readonly ReportFeature[] = Object.keys(REPORTED) as ReportFeature[];
