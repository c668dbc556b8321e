import type { ComponentChildren, VNode } from "preact";
import { html } from "./html.ts";

/** What shows in place of the cases unless the script of the page can unpack them. */
export const Needs = ({ children }: { readonly children: ComponentChildren }): VNode => html`
  <p id="needs" class="needs">
    The cases are compressed inside this page: to show them, it needs JavaScript, and a browser that unpacks gzip (Chrome 80, Firefox 113,
    Safari 16.4, or later). ${children}
  </p>
`;
