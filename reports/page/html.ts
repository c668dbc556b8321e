import type { ComponentChildren, VNode } from "preact";
import { html as tagged } from "htm/preact";

/** Markup as the page's parts write it. Every value in it is escaped by the renderer. */
export const html = tagged as unknown as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
export type Children = ComponentChildren;
