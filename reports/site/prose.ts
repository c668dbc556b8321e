import type { ComponentChildren, VNode } from "preact";
import { html } from "../page/html.ts";

/** The Markdown that findings use, as markup: paragraphs, lists, fenced blocks, `code`, and links. Everything else stays text. */
export const Prose = ({ text }: { readonly text: string }): VNode => html`<div class="prose">${blocksOf(text)}</div>`;

function blocksOf(text: string): VNode[] {
  return text.split(/^(```[^\n]*\n[\s\S]*?^```)$/m).flatMap((part) => {
    const fenced = /^```[^\n]*\n([\s\S]*?)^```$/m.exec(part)?.[1];
    if (fenced !== undefined) return [html`<pre tabindex="0">${fenced.trimEnd()}</pre>`];
    return part.split(/\n{2,}/).flatMap((block) => (block.trim() === "" ? [] : [blockOf(block.trim())]));
  });
}

function blockOf(block: string): VNode {
  const items = block.split(/\n(?=- )/);
  if (items.every((item) => item.startsWith("- ")))
    return html`<ul>
      ${items.map((item) => html`<li>${inline(item.slice(2))}</li>`)}
    </ul>`;
  return html`<p>${inline(block)}</p>`;
}

const inline = (text: string): ComponentChildren =>
  text.split(/(`[^`]+`|\[[^\]]+\]\(https:[^)\s]+\))/).map((part) => {
    if (/^`.*`$/s.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
    const [, words, href] = /^\[([^\]]+)\]\((https:[^)\s]+)\)$/.exec(part) ?? [];
    return href === undefined ? part : html`<a href=${href} rel="noreferrer">${words}</a>`;
  });
