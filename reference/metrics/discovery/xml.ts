/**
 * The XML of answers: elements, text and references to characters. Attributes are skipped, and a document type, which such answers do not have, is
 * refused. A library makes a tree of a document's every detail; this reads a page of a thousand instances in milliseconds.
 */
export type XmlElement = { readonly name: string; readonly text: string; readonly children: readonly XmlElement[] };

const MOST_DEPTH = 64;
const PIECE = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)(?:\s[^<>]*?)?(\/?)>|([^<]+)/gy;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#x([\da-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

type Open = { readonly name: string; text: string; readonly children: XmlElement[] };

/** The root of a document, or what is wrong with it. */
export function readXml(document: string): XmlElement | Error {
  const root: Open = { name: "", text: "", children: [] };
  const open: Open[] = [root];
  let at = 0;
  for (const { 0: piece, 1: data, 2: end, 3: begin, 4: closed, 5: text } of document.replace(/^\uFEFF/, "").matchAll(PIECE)) {
    at += piece.length;
    const top = open.at(-1)!;
    if (data !== undefined) top.text += data;
    else if (text !== undefined) top.text += decoded(text);
    else if (begin !== undefined) {
      const element: Open = { name: begin, text: "", children: [] };
      top.children.push(element);
      if (closed === "/") continue;
      if (open.push(element) > MOST_DEPTH) return new Error(`the answer has elements inside of each other, more than ${MOST_DEPTH} deep`);
    } else if (end !== undefined) {
      if (open.length < 2 || top.name !== end) return new Error(`the answer is not XML: </${end}> ends no element`);
      open.pop();
    }
  }
  const [first, second] = root.children;
  const isWhole = at === document.replace(/^\uFEFF/, "").length && open.length === 1 && root.text.trim() === "";
  return isWhole && first !== undefined && second === undefined ? first : new Error("the answer is not XML, or only a part of it");
}

/** The first child of a name. */
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((one) => one.name === name);
/** The text of a child; undefined if there is none, or if it is empty. */
export const textIn = (element: XmlElement | undefined, name: string): string | undefined => childOf(element, name)?.text || undefined;
/** The elements of a list, each of which is called `item`. */
export const itemsIn = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  (childOf(element, name)?.children ?? []).filter((one) => one.name === "item");
