import { field, type Field } from "../../../reference/core/index.ts";
import type { Chance } from "./chance.ts";

/** Fields as applications send them, and such as nobody does. */

const COMMON: readonly [Field, ...Field[]] = [
  field(":method", "GET"),
  field(":method", "PUT"),
  field(":status", "200"),
  field(":status", "299"),
  field(":path", "/"),
  field(":path", "/a/b?c=d"),
  field(":scheme", "https"),
  field(":authority", "example.com"),
  field("accept-encoding", "gzip, deflate"),
  field("accept", ""),
  field("age", "17"),
  field("content-type", "text/html"),
  field("content-length", "12"),
  field("cookie", "a=b"),
  field("cookie", "session=0123456789abc"),
  field("cookie", "session=0123456789ab"),
  field("cookie", "session=0123456789a"),
  field("authorization", "Basic YTpi"),
  field("proxy-authorization", "x".repeat(60)),
  field("set-cookie", "a=b; path=/"),
  field("etag", '"1"'),
  field("location", "/x"),
  field("if-none-match", '"1"'),
  field("if-modified-since", "Sun, 06 Nov 1994 08:49:37 GMT"),
  field("www-authenticate", ""),
  field("www-authenticate", "Basic"),
  field("custom-key", "custom-value"),
  field("custom-key", "another"),
  field("custom-other", "custom-value"),
];
const LENGTHS = [0, 1, 2, 3, 5, 10, 20, 30, 60, 125, 126, 127, 128, 129, 160, 200, 254, 255, 400, 700, 1_500] as const;

/** A string: text, digits, any octets, or one character again and again. */
export function textOf(chance: Chance): string {
  const length = chance.once(2) ? chance.below(24) : chance.one(LENGTHS);
  const kind = chance.below(6);
  const odd = chance.once(2) ? chance.one([0xfe, 0xff, 0x00, 0x5c]) : chance.below(256);
  const same = chance.below(256);
  const letter = (): number => {
    if (kind === 0) return chance.between(0x61, 0x7a);
    if (kind === 1) return chance.between(0x30, 0x39);
    if (kind === 2) return chance.between(0x20, 0x7e);
    if (kind === 3) return chance.below(256);
    // Text with one octet in it that has a long code.
    return kind === 4 ? (chance.once(20) ? odd : chance.between(0x61, 0x69)) : same;
  };
  return String.fromCharCode(...Array.from({ length }, letter));
}

export function fieldOf(chance: Chance): Field {
  if (!chance.once(3)) return chance.one(COMMON);
  const { name } = chance.one(COMMON);
  return field(chance.once(2) ? name : textOf(chance), textOf(chance), chance.once(5));
}
