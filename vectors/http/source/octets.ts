import { accepted, invalid, octets, refused, type Source, valid } from "./craft.ts";

const LOWER = octets(0x61, 0x7a);
const UPPER = octets(0x41, 0x5a);
const DIGITS = octets(0x30, 0x39);
const SIGNS = [..."!#$%&'*+-.^_`|~"];
const DELIMITERS = [...'"(),/:;<=>?@[\\]{}'];
const CONTROLS = [...octets(0x00, 0x1f), "\x7f"];
const BEYOND = octets(0x80, 0xff);
const within = (texts: readonly string[]): string[] => texts.map((text) => `a${text}b`);

const TOKEN = "rfc9110#5.6.2";
const NAME = "rfc9113#8.2.1";
const VALUE = "rfc9110#5.5";
const PATH = "rfc9112#3.2.1";

export const source: Source = {
  about: "Octets of tokens, names, values and paths: every octet, each alone or within a text",
  spec: "rfc9110#5.6.2",
  flags: {
    Token: { why: "every octet of a token", bug: "TOO_STRICT" },
    NotToken: { why: "an octet that is not part of a token", bug: "MISSING_CHECK" },
    Upper: { why: "a name in upper case, which HTTP/2 does not allow", bug: "MISSING_CHECK" },
    Value: { why: "every octet of a field value", bug: "TOO_STRICT" },
    NotValue: { why: "an octet that a field value does not contain", bug: "MISSING_CHECK" },
    Edge: { why: "white space around a value is not part of it", bug: "MISSING_CHECK" },
    Path: { why: "every octet of a path with its query", bug: "TOO_STRICT" },
    NotPath: { why: "an octet that no request target contains", bug: "MISSING_CHECK" },
    NotUri: { why: "an octet that a URI contains only as %xx", bug: "MISSING_CHECK" },
    Empty: { why: "no octets at all", bug: "MISSING_CHECK" },
  },
  vectors: [
    valid({ note: "tokens of one letter", spec: TOKEN, element: "token", texts: [...UPPER, ...LOWER], flags: ["Token"] }),
    valid({ note: "tokens of one digit", spec: TOKEN, element: "token", texts: DIGITS, flags: ["Token"] }),
    valid({ note: "tokens of one sign", spec: TOKEN, element: "token", texts: SIGNS, flags: ["Token"] }),
    invalid({ note: "a delimiter alone", spec: TOKEN, element: "token", texts: DELIMITERS, flags: ["NotToken"] }),
    invalid({ note: "a delimiter within", spec: TOKEN, element: "token", texts: within(DELIMITERS), flags: ["NotToken"] }),
    invalid({ note: "a space or control", spec: TOKEN, element: "token", texts: within([" ", ...CONTROLS]), flags: ["NotToken"] }),
    invalid({ note: "an octet beyond ASCII", spec: TOKEN, element: "token", texts: within(BEYOND), flags: ["NotToken"] }),
    invalid({ note: "an empty token", spec: TOKEN, element: "token", texts: [""], flags: ["Empty"] }),

    valid({ note: "names of one octet", spec: NAME, element: "lower-name", texts: [...LOWER, ...DIGITS, ...SIGNS], flags: ["Token"] }),
    invalid({ note: "a letter in upper case", spec: NAME, element: "lower-name", texts: UPPER, flags: ["Upper"] }),
    invalid({ note: "a letter in upper case within", spec: NAME, element: "lower-name", texts: within(UPPER), flags: ["Upper"] }),
    invalid({ note: "a space or control", spec: NAME, element: "lower-name", texts: within([" ", ...CONTROLS]), flags: ["NotToken"] }),
    invalid({ note: "an octet beyond ASCII", spec: NAME, element: "lower-name", texts: within(BEYOND), flags: ["NotToken"] }),
    invalid({ note: "a colon within", spec: NAME, element: "lower-name", texts: ["a:b"], flags: ["NotToken"] }),
    refused({
      note: "another delimiter",
      spec: NAME,
      element: "lower-name",
      texts: within(DELIMITERS.filter((sign) => sign !== ":")),
      flags: ["NotToken"],
    }),
    invalid({ note: "an empty name", spec: "rfc9110#5.1", element: "lower-name", texts: [""], flags: ["Empty"] }),

    valid({ note: "values of one visible character", spec: VALUE, element: "field-value", texts: octets(0x21, 0x7e), flags: ["Value"] }),
    valid({ note: "values of one octet beyond ASCII", spec: VALUE, element: "field-value", texts: BEYOND, flags: ["Value"] }),
    valid({ note: "white space within", spec: VALUE, element: "field-value", texts: ["a b", "a\tb", "a \t b"], flags: ["Value"] }),
    valid({ note: "an empty value", spec: VALUE, element: "field-value", texts: [""], flags: ["Empty"] }),
    invalid({
      note: "white space at an edge",
      spec: NAME,
      element: "field-value",
      texts: [" a", "\ta", "a ", "a\t", " ", "\t"],
      flags: ["Edge"],
    }),
    invalid({ note: "NUL, LF or CR", spec: VALUE, element: "field-value", texts: within(["\0", "\n", "\r"]), flags: ["NotValue"] }),
    refused({
      note: "another control, which a recipient may keep",
      spec: VALUE,
      element: "field-value",
      texts: within(CONTROLS.filter((control) => !"\0\t\n\r".includes(control))),
      flags: ["NotValue"],
    }),

    valid({
      note: "each character of a path with its query",
      spec: PATH,
      element: "path",
      texts: within([...UPPER, ...LOWER, ...DIGITS, ..."-._~!$&'()*+,;=:@/?%"]),
      flags: ["Path"],
    }),
    invalid({ note: "a space or control", spec: PATH, element: "path", texts: within([" ", ...CONTROLS]), flags: ["NotPath"] }),
    invalid({ note: "a number sign", spec: PATH, element: "path", texts: ["a#b"], flags: ["NotPath"] }),
    accepted({ note: "a visible character that a URI contains only as %xx", spec: PATH, element: "path", texts: within([...'"<>[\\]^`{|}']), flags: ["NotUri"] }),
    accepted({ note: "an octet beyond ASCII", spec: PATH, element: "path", texts: within(BEYOND), flags: ["NotUri"] }),
  ],
};
