import type { VNode } from "preact";
import { html } from "./html.ts";
import { useLoaded } from "./load.ts";
import type { Page } from "./route.ts";

type Notification = { readonly text: string; readonly date: string; readonly active: boolean };

type ShellProps = { readonly pages: readonly Page[]; readonly current: Page; readonly children?: unknown };

/** What all pages share: the way to the others, and what the server wants an operator to know. */
export function Shell({ pages, current, children }: ShellProps): VNode {
  const { answer } = useLoaded<readonly Notification[]>(`notifications?page=${encodeURIComponent(current.path)}`);
  return html`<a class="skip" href="#title">Skip to content</a>
    <header>
      <p class="brand">Touchstone</p>
      <nav aria-label="Pages">
        ${pages.map(
          (page) => html`<a key=${page.path} href=${page.path} aria-current=${page === current ? "page" : undefined}>${page.name}</a>`,
        )}
      </nav>
    </header>
    ${answer?.data.map(({ text, date }) => html`<p key=${text} class="notice" role="alert">${text} <time datetime=${date}>${date}</time></p>`)}
    <main>${children}</main>`;
}
