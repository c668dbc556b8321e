import fc from "fast-check";
import { expect, test } from "vitest";
import { readXml } from "./xml.ts";

const element = (name: string, text: string, ...children: unknown[]) => ({ name, text, children });

test.each<[string, string, unknown]>([
  ["text with references", "<a>1 &lt; &#x32; &amp;&#51; &other;</a>", element("a", "1 < 2 &3 &other;")],
  [
    "attributes, comments and empty elements",
    '<?xml version="1.0"?><a b="c"><!-- <d> --><e/><f x="/" /></a>',
    element("a", "", element("e", ""), element("f", "")),
  ],
  ["data", "<a><![CDATA[<b>]]></a>", element("a", "<b>")],
  ["elements in each other", "<a><b>1</b><b/></a>\n", element("a", "", element("b", "1"), element("b", ""))],
])("%s", (_, text, expected) => {
  expect(readXml(text)).toEqual(expected);
});

test.each([
  ["a part", "<a><b>1</b>"],
  ["an end too many", "<a></a></b>"],
  ["the wrong end", "<a></b>"],
  ["two roots", "<a/><b/>"],
  ["text around it", "x<a/>"],
  ["nothing", ""],
  ["a document type", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ["too many elements in each other", "<a>".repeat(100)],
])("%s is an error", (_, text) => {
  expect(readXml(text)).toBeInstanceOf(Error);
});

test("any text is an element or an error", () => {
  const piece = fc.constantFrom("<a>", "</a>", "<b/>", "&#1;", "&#xffffff;", "<!--", "-->", "<![CDATA[", "]]>", "<?", "x", "<", ">", "&");
  fc.assert(fc.property(fc.array(piece), (pieces) => void expect(readXml(pieces.join(""))).toBeTypeOf("object")));
});
