import type { FieldType } from "../model.ts";
import type { OptionValue } from "../syntax.ts";

/** A default as descriptors have it: numbers in decimal, octets escaped as in C, anything else as it is. */
export function defaultText(value: OptionValue, type: FieldType): string {
  switch (value.is) {
    case "integer":
    case "float":
      return String(value.value).replace("Infinity", "inf").replace("NaN", "nan");
    case "string":
      return type.is === "scalar" && type.scalar === "bytes" ? escaped(value.text) : value.text;
    case "name":
      return value.text;
    case "list":
    case "message":
      return "";
  }
}

const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0d, "\\r"],
  [0x22, '\\"'],
  [0x27, "\\'"],
  [0x5c, "\\\\"],
]);

/** Characters above U+00FF were written as themselves, and stand for their octets in UTF-8; others may be escapes, and are octets. */
function escaped(text: string): string {
  const octets = [...text].flatMap((one) => ((one.codePointAt(0) ?? 0) <= 0xff ? [one.charCodeAt(0)] : [...new TextEncoder().encode(one)]));
  return octets
    .map((octet) => {
      const known = ESCAPES.get(octet);
      if (known !== undefined) return known;
      return octet < 0x20 || octet >= 0x7f ? `\\${octet.toString(8).padStart(3, "0")}` : String.fromCharCode(octet);
    })
    .join("");
}
