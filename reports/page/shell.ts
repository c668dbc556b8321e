import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { html } from "./html.ts";
import { Shapes } from "./marks.ts";

const asset = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), "utf8");

/** JSON that is safe inside a script element: nothing in it ends the element or starts a comment. */
export const embeddable = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[<>\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

type Page = { readonly title: string; readonly body: VNode; readonly data?: unknown };

/**
 * One self-contained file with its style and script. Its content security policy allows only this script, no fetching and no sending. Text from
 * a subject is on the page as escaped text and as JSON, never as markup.
 */
export function page({ title, body, data = {} }: Page): string {
  const script = asset("app.js").trim();
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'; base-uri 'none'; form-action 'none'`;
  const head = renderToString(html`
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content=${policy} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>${title}</title>
      <link rel="icon" href="data:," />
      <style dangerouslySetInnerHTML=${{ __html: asset("style.css") }} />
    </head>
  `);
  const main = renderToString(
    html`<body>
      <${Shapes} />${body}
    </body>`,
  );
  const scripts = `<script type="application/json" id="data">${embeddable(data)}</script><script>${script}</script>`;
  return `<!doctype html>\n<html lang="en">${head}${main.replace(/<\/body>$/, "")}${scripts}</body></html>\n`;
}
