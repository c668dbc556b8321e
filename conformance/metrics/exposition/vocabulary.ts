import type { ExpositionKind } from "../../../vectors/exposition/question.ts";
import type { Sample } from "../../../vectors/exposition/source/craft.ts";
import type { Case as AnyCase, Outcome as AnyOutcome } from "../../harness/case.ts";

/**
 * The words in which a case for readers of pages is written. The subject is a child process that reads one JSON request a line and answers each
 * with one line (`vectors/README.md`); `conformance/metrics/driver/codec.ts` performs the step.
 */

/** What is asked: a whole page, as characters U+0000 to U+00FF, one an octet. */
export type Step = { readonly do: ExpositionKind; readonly page: string };

/** What a reader can be seen to do with a page. */
export type Sight =
  /** It told exactly these samples. */
  | { readonly see: "read"; readonly samples: readonly Sample[] }
  /** It called the page wrong as a whole. */
  | { readonly see: "refused" };

/** A sight that a case allows; all but the first cite what permits them. */
export type Outcome = AnyOutcome<Sight>;
/** A case for readers of pages. The control must be read, as whatever it is. */
export type CodecCase = AnyCase<Step, Sight>;
