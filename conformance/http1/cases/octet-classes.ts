import type { Text } from "../vocabulary.ts";

/** Octets that are not part of a token, one of each kind: every delimiter, controls at the edges of their range, and octets beyond ASCII. */
export const NOT_TOKEN: readonly (readonly [name: string, octet: Text, words: string])[] = [
  ["closing-parenthesis", ")", "a closing parenthesis"],
  ["comma", ",", "a comma"],
  ["semicolon", ";", "a semicolon"],
  ["less-than-sign", "<", "a less-than sign"],
  ["equals-sign", "=", "an equals sign"],
  ["greater-than-sign", ">", "a greater-than sign"],
  ["question-mark", "?", "a question mark"],
  ["at-sign", "@", "an at sign"],
  ["opening-bracket", "[", "an opening bracket"],
  ["backslash", "\\", "a backslash"],
  ["closing-bracket", "]", "a closing bracket"],
  ["opening-brace", "{", "an opening brace"],
  ["closing-brace", "}", "a closing brace"],
  ["backspace", "\b", "a backspace"],
  ["vertical-tab", "\v", "a vertical tab"],
  ["form-feed", "\f", "a form feed"],
  ["unit-separator", "\x1f", "a unit separator"],
  ["octet-80", "\x80", "the octet 0x80"],
  ["octet-85", "\x85", "the octet 0x85"],
  ["octet-a0", "\xa0", "the octet 0xa0"],
  ["octet-ff", "\xff", "the octet 0xff"],
];

/** Visible characters that no URI contains unescaped. */
export const NOT_URI: readonly (readonly [name: string, octet: Text, words: string])[] = [
  ["quotation-mark", '"', "a quotation mark"],
  ["caret", "^", "a caret"],
  ["grave-accent", "`", "a grave accent"],
  ["opening-brace", "{", "an opening brace"],
  ["vertical-bar", "|", "a vertical bar"],
  ["closing-brace", "}", "a closing brace"],
  ["backslash-inside", "\\", "a backslash"],
];

/** Every character of a token; every visible character. */
export const TOKEN_CHARACTERS = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
export const VISIBLE: Text = String.fromCharCode(...Array.from({ length: 0x7e - 0x20 }, (_, at) => 0x21 + at));
/** Every character that a query may contain as it is. */
export const QUERY_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._~!$&'()*+,;=:@/?%2f%2F";
