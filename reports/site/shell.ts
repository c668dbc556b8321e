import { readFileSync } from "node:fs";
import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { html } from "../page/html.ts";
import { Shapes } from "../page/marks.ts";
import { upFrom } from "./links.ts";

/** Nothing is fetched but the site's own style, script and search index. */
const POLICY =
  "default-src 'none'; img-src data:; style-src 'self' file: 'unsafe-inline'; script-src 'self' file:; base-uri 'none'; form-action 'none'";

export type Page = { readonly path: string; readonly title: string; readonly body: VNode };

/** A page as a file. `up` leads from it to the top of the site. */
export function rendered({ path, title, body }: Page): string {
  const up = upFrom(path);
  const markup = renderToString(html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content=${POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href=${`${up}style.css`} />
        <script defer src=${`${up}search.js`} data-up=${up}></script>
      </head>
      <body>
        <${Shapes} />
        <a class="skip" href="#main">Skip to content</a>
        <div class="page site">
          <${Top} up=${up} />
          ${body}
          <footer class="aside">
            Made by <code>node ci/publish.ts --site</code> from the results beside it. A verdict applies to the version and the
            configuration that it names. <a href=${`${up}../README.md`}>How they were judged</a>
          </footer>
        </div>
      </body>
    </html>
  `);
  return `<!doctype html>\n${markup.replaceAll(/\n\s+/g, "\n")}\n`;
}

const Top = ({ up }: { readonly up: string }): VNode => html`
  <div class="top">
    <a class="home" href=${`${up}index.html`}>Touchstone</a>
    <search class="find" hidden>
      <label for="find" class="unseen">Search implementations, requirements and findings</label>
      <input id="find" type="search" placeholder="Search: nginx, chunked, masking …" autocomplete="off" aria-controls="found" />
      <ol id="found" hidden></ol>
    </search>
  </div>
`;

/** What a page says first. */
export const Head = ({ brand, title, children }: HeadProps): VNode => html`
  <header>
    <p class="brand">${brand}</p>
    <h1>${title}</h1>
    ${children}
  </header>
`;
type HeadProps = { readonly brand: string; readonly title: ComponentChildren; readonly children?: ComponentChildren };

const asset = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), "utf8");

/** The files that all pages share. */
export const shared = (): [string, string][] => [
  ["style.css", `${asset("../page/style.css")}\n${asset("site.css")}`],
  ["search.js", asset("script/search.js")],
];
