import { gzip } from "../gzip.ts";
import { address, docName, sectionLink, sectionName } from "../order.ts";

/** Data of a page by name. Each block is compressed alone and has a line of its own, so that a changed block is a small difference of the file. */
export type Blocks = Readonly<Record<string, unknown>>;

/** The blocks as elements that the script of the page unpacks. Base64 has no character that ends an element. */
export const embedded = (blocks: Blocks): string =>
  Object.entries(blocks)
    .map(([name, value]) => `<script type="text/plain" id="block-${name}">${gzip(JSON.stringify(value)).toString("base64")}</script>\n`)
    .join("");

/** A section with the words and the link that the script shows. */
export function sectionWords(ref: string, titles: Readonly<Record<string, string>>): unknown {
  const { doc, section } = address(ref);
  return { ref, number: `§${section}`, doc: docName(doc), name: sectionName(ref), title: titles[ref] ?? "", link: sectionLink(ref) };
}
