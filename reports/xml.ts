import { DOMImplementation, type Element, XMLSerializer } from "@xmldom/xmldom";

/** Code points that no XML 1.0 document may have, and halves of surrogate pairs. */
const UNWRITABLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const writable = (text: string): string => text.replace(UNWRITABLE, "\ufffd");

/** An element of a document that is being written. A character that XML cannot have becomes U+FFFD. */
export class XmlElement {
  readonly #node: Element;
  readonly #depth: number;
  readonly #elements: XmlElement[] = [];

  constructor(node: Element, attributes: Readonly<Record<string, string>>, depth: number) {
    this.#node = node;
    this.#depth = depth;
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, writable(value));
  }

  /** Appends an element on a line of its own and returns it. */
  ele(name: string, attributes: Readonly<Record<string, string>> = {}): XmlElement {
    this.#breakLine(this.#depth + 1);
    const node = this.#document().createElement(name);
    this.#node.appendChild(node);
    const child = new XmlElement(node, attributes, this.#depth + 1);
    this.#elements.push(child);
    return child;
  }

  /** Appends text to an element that has no elements. */
  txt(text: string): void {
    this.#node.appendChild(this.#document().createTextNode(writable(text)));
  }

  /** Ends the element, and every element in it. Returns the whole document. Throws if it would not be well-formed. */
  end(): string {
    this.#close();
    const xml = new XMLSerializer().serializeToString(this.#document(), { requireWellFormed: true });
    return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`;
  }

  #close(): void {
    if (this.#elements.length === 0) return;
    for (const element of this.#elements) element.#close();
    this.#breakLine(this.#depth);
  }
  #breakLine(depth: number): void {
    this.#node.appendChild(this.#document().createTextNode(`\n${"  ".repeat(depth)}`));
  }
  #document() {
    const { ownerDocument } = this.#node;
    if (ownerDocument === null) throw new Error("an element without a document");
    return ownerDocument;
  }
}

/** Begins a document. Returns its root. */
export function xmlDocument(name: string, attributes: Readonly<Record<string, string>> = {}): XmlElement {
  const { documentElement } = new DOMImplementation().createDocument(null, name, null);
  if (documentElement === null) throw new Error("a document without a root");
  return new XmlElement(documentElement, attributes, 0);
}
