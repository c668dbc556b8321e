import type { VNode } from "preact";
import { html as tagged } from "htm/preact";

/** Markup of the pages. Every value in it is text: nothing that a target says becomes markup. */
export const html = tagged as unknown as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
