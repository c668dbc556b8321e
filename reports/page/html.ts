import type { VNode } from "preact";
import { html as tagged } from "htm/preact";

/** Markup of the page. The renderer escapes every value in it. htm's type allows several roots; a page has one. */
export const html = tagged as unknown as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
