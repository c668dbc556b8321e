import { html } from "../page/html.ts";
import type { Finding } from "./input.ts";
import { findingPage, implementationPage, upFrom } from "./links.ts";
import { Prose } from "./prose.ts";
import { Head, type Page } from "./shell.ts";

/** The page of a finding that was confirmed by hand. */
export function findingOf({ id, title, implementation, version, cases, sections }: Finding): Page {
  const path = findingPage(id);
  const up = upFrom(path);
  const body = html`
    <${Head} brand="Confirmed by hand" title=${title}>
      <p class="lede"><a href=${up + implementationPage(implementation)}>${implementation}</a> ${version}</p>
      <p class="aside">${cases.join(", ")}</p>
    <//>
    <main id="main">
      ${sections.map(
        ({ heading, text }) => html`
          <section>
            <h2>${heading}</h2>
            <${Prose} text=${text} />
          </section>
        `,
      )}
    </main>
  `;
  return { path, title: `${title} · Touchstone`, body };
}
