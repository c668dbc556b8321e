import type { ExpositionKind } from "../../vectors/exposition/question.ts";
import type { Sample } from "../../vectors/exposition/source/craft.ts";
import type { OneQuestion } from "../harness/subject/codec.ts";

/**
 * The vocabulary of cases for parsers of metrics pages. The subject is a child process that reads one JSON request per line and answers each
 * with one line (`vectors/README.md`); `conformance/metrics/driver/codec.ts` performs the step.
 */

/** The request: a complete page, with one character U+0000 to U+00FF for each octet. */
export type Step = { readonly do: ExpositionKind; readonly page: string };

/** What a parser can be observed to do with a page. */
export type Sight =
  /** It returns exactly these samples. */
  | { readonly see: "read"; readonly samples: readonly Sample[] }
  /** It refuses the page. */
  | { readonly see: "refused" };

/** Sights of a subject that refuses. */
export const REFUSALS = ["refused"] as const satisfies readonly Sight["see"][];

/** A case for parsers of pages. The control must be accepted, with any content. */
export type CodecCase = OneQuestion<Step, Sight>;
