import type { Span } from "../syntax/ast.ts";
import { positionOf } from "../parse/position.ts";

/** `info`: may be intended. `warning`: most likely a problem (Prometheus specs, native_histograms.md, "Annotations"). */
export type Level = "info" | "warning";
/** A message about the part of the query at `span`, without its level. */
export type Annotation = { readonly level: Level; readonly message: string; readonly span: Span };

/** The number of different annotations that are kept, so that a query over a hundred thousand series stays readable. */
const MOST_KEPT = 1_000;

/** Collects the annotations of a query, each one once. */
export class Annotations {
  readonly #kept = new Map<string, Annotation>();

  info(message: string, span: Span): void {
    this.#keep({ level: "info", message, span });
  }

  warn(message: string, span: Span): void {
    this.#keep({ level: "warning", message, span });
  }

  get infos(): Annotation[] {
    return [...this.#kept.values()].filter(({ level }) => level === "info");
  }

  get warnings(): Annotation[] {
    return [...this.#kept.values()].filter(({ level }) => level === "warning");
  }

  #keep(annotation: Annotation): void {
    const key = `${annotation.level} ${annotation.span.start} ${annotation.message}`;
    if (this.#kept.size < MOST_KEPT || this.#kept.has(key)) this.#kept.set(key, annotation);
  }
}

/** The format of the query API, with the position in the expression: `PromQL info: … (1:7)`. */
export function describeAnnotation(text: string, { level, message, span }: Annotation): string {
  const { line, column } = positionOf(text, span.start);
  return `PromQL ${level}: ${message} (${line}:${column})`;
}
