import type { Report } from "../../../harness/subject/reporting.ts";
import type { CallReport } from "../../client-vocabulary.ts";
import type { WebAsk } from "../../web-client-vocabulary.ts";
import type { WebRequest } from "./connection.ts";

/** What sights and monitors look at. */
export type WebClientView = {
  /** In the order of their arrival, without fences. */
  readonly requests: readonly WebRequest[];
  /** As reported. */
  readonly calls: readonly CallReport[] | undefined;
  readonly report: Report | undefined;
  readonly asked: WebAsk | undefined;
};
