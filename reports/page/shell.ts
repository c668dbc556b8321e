import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { type Blocks, embedded } from "./blocks.ts";
import { html } from "./html.ts";
import { Shapes } from "./marks.ts";

const asset = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), "utf8");

/** A module of `script/` and, before it, what it imports. */
function modulesOf(name: string, known: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  if (known.has(name)) return known;
  const text = asset(`script/${name}.js`);
  let found = known;
  for (const [, imported = ""] of text.matchAll(/^import [^;]* from "\.\/([\w-]+)\.js";$/gm)) found = modulesOf(imported, found);
  return new Map([...found, [name, text.replaceAll(/^import [^;]*;\n/gm, "").replaceAll(/^export /gm, "")]]);
}

/** Joins the modules to one script, because a page without access to other files can import none. No name may be in two of them. */
const bundle = (name: string): string => `"use strict";\n(() => {\n${[...modulesOf(name).values()].join("\n").trim()}\n})();`;

/** What a page shows by script: the module that starts, and the data that it unpacks. */
type Scripted = { readonly start: "cases" | "matrix"; readonly blocks: Blocks };
type Page = { readonly title: string; readonly body: VNode; readonly scripted?: Scripted | undefined };

/**
 * One self-contained file with its style, script and data. Its content security policy allows only this script, no fetching and no sending. Text
 * from a subject is on the page as escaped text and inside compressed data, never as markup.
 */
export function page({ title, body, scripted }: Page): string {
  const script = scripted === undefined ? undefined : bundle(scripted.start);
  const allowed = script === undefined ? "'none'" : `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${allowed}; base-uri 'none'; form-action 'none'`;
  const head = renderToString(html`
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content=${policy} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>${title}</title>
      <link rel="icon" href="data:," />
      <style dangerouslySetInnerHTML=${{ __html: asset("style.css") + asset("matrix.css") }} />
    </head>
  `);
  const main = renderToString(
    html`<body>
      <${Shapes} />${body}
    </body>`,
  );
  const scripts = scripted === undefined ? "" : `\n${embedded(scripted.blocks)}<script>${script}</script>`;
  return `<!doctype html>\n<html lang="en">${head}${main.replace(/<\/body>$/, "")}${scripts}</body></html>\n`;
}
