import type { VNode } from "preact";
import { html as tagged } from "htm/preact";

/** Markup of the page. The renderer escapes every value in it. */
export const html = tagged as unknown as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
