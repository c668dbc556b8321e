import { reading, type Rule, type Source, writing } from "./craft.ts";

const FORM: readonly [Rule, Rule] = ["rpc-http2#requests/timeout-form", "rpc-http2#requests/timeout-units"];
const LETTER: readonly [Rule] = ["rpc-http2#requests/timeout-units"];
const read = (text: string, nanoseconds: string) =>
  reading("timeout", text, { note: { name: nameOf(text), note: text }, rules: FORM, messages: [{ nanoseconds }], flag: "Form" });
const refused = (text: string, note: string) =>
  reading("timeout", text, { note, rules: FORM, fault: "timeoutInvalid", flag: "Invalid" });
/** Small letters and capitals differ: `1m` and `1M`. */
const nameOf = (text: string): string => text.replace(/[A-Z]/, (letter) => `-capital-${letter.toLowerCase()}`);

export const source: Source = {
  kind: "rpc-read",
  about: "timeouts that are read",
  spec: "rpc-http2#requests",
  flags: {
    Form: { why: "digits and a unit", bug: "MISREAD_UNIT" },
    Zero: { why: "a timeout of zero, or with leading zeros", bug: "TOO_STRICT" },
    Largest: { why: "more time than 64 bits of nanoseconds hold", bug: "OVERFLOW" },
    Invalid: { why: "a text that is not a timeout", bug: "MISSING_CHECK" },
  },
  vectors: [
    read("1n", "1"),
    read("1u", "1000"),
    read("1m", "1000000"),
    read("1S", "1000000000"),
    read("1M", "60000000000"),
    read("1H", "3600000000000"),
    read("7H", "25200000000000"),
    read("15S", "15000000000"),
    read("250m", "250000000"),
    read("12345678n", "12345678"),
    read("12345678u", "12345678000"),
    read("12345678m", "12345678000000"),
    read("12345678S", "12345678000000000"),
    read("99999999n", "99999999"),
    read("99999999u", "99999999000"),
    read("99999999m", "99999999000000"),
    read("99999999S", "99999999000000000"),
    read("99999999M", "5999999940000000000"),
    reading("timeout", "99999999H", { note: "99999999H", rules: FORM, messages: [{ nanoseconds: "359999996400000000000" }], or: [{ messages: [{ nanoseconds: "9223372036854775807" }], by: "rpc-http2#requests" }], flag: "Largest" }),
    reading("timeout", "2562048H", { note: "the first hours above 63 bits of nanoseconds", rules: FORM, messages: [{ nanoseconds: "9223372800000000000" }], or: [{ messages: [{ nanoseconds: "9223372036854775807" }], by: "rpc-http2#requests" }], flag: "Largest" }),
    reading("timeout", "0S", { note: "a timeout of zero", rules: FORM, messages: [{ nanoseconds: "0" }], by: "rpc-http2#requests", flag: "Zero" }),
    reading("timeout", "00000010m", { note: "leading zeros", rules: FORM, messages: [{ nanoseconds: "10000000" }], by: "rpc-http2#requests", flag: "Zero" }),
    refused("", "nothing"),
    refused("1", "no unit"),
    refused("S", "no digits"),
    refused("100000000n", "nine digits"),
    refused("000000001S", "nine digits with zeros first"),
    refused("123456789012345678901234567890S", "thirty digits"),
    refused("1s", "a second in lower case"),
    refused("1h", "an hour in lower case"),
    refused("1N", "a nanosecond in upper case"),
    refused("1U", "a microsecond in upper case"),
    refused("1d", "days"),
    refused("1ms", "a unit of two letters"),
    refused("1SS", "two units"),
    refused("S1", "the unit first"),
    refused("+1S", "a plus sign"),
    refused("-1S", "a minus sign"),
    refused("1.5S", "a fraction"),
    refused("1e3m", "an exponent"),
    refused("0x1m", "hexadecimal digits"),
    refused("1_0S", "an underscore"),
    refused("1 S", "a space before the unit"),
    refused("1S,2S", "two timeouts"),
    refused("infinity", "a word"),
    refused("\u00b2S", "a superscript digit"),
  ],
};

const write = (nanoseconds: string, text: string, note: string) =>
  writing("timeout", nanoseconds, { note, rules: FORM, messages: [{ text }], flag: "Written" });

export const written: Source = {
  kind: "rpc-write",
  about: "timeouts that are written, within a tenth or a millisecond of the time given",
  spec: "rpc-http2#requests",
  flags: {
    Written: { why: "at most eight digits, at least 1", bug: "TOO_MANY_DIGITS" },
    Unit: { why: "the letter of the unit", bug: "WRONG_UNIT" },
  },
  vectors: [
    write("1", "1n", "one nanosecond"),
    write("999", "999n", "999 nanoseconds"),
    write("1000000", "1000000n", "one millisecond"),
    write("99999999", "99999999n", "the most nanoseconds"),
    write("100000000", "100000u", "nine digits of nanoseconds"),
    write("123456789", "123457u", "a time that eight digits do not hold"),
    write("1000000000", "1000000u", "one second"),
    write("99999999000", "99999999u", "the most microseconds"),
    write("99999999001", "100000m", "a nanosecond above the most microseconds"),
    write("100000000000", "100000m", "a hundred seconds"),
    write("3600000000000", "3600000m", "one hour"),
    write("86400000000000", "86400000m", "one day"),
    write("100000000000000", "100000S", "nine digits of milliseconds"),
    write("31536000000000000", "31536000S", "one year"),
    write("100000000000000000", "1666667M", "nine digits of seconds"),
    write("3153600000000000000", "52560000M", "a hundred years"),
    write("9000000000000000000", "2500000H", "nine digits of minutes"),
    writing("timeout", "60000000000", { note: "one minute", rules: LETTER, messages: [{ text: "60000000u" }], flag: "Unit" }),
    writing("timeout", "5000000000", { note: "five seconds", rules: LETTER, messages: [{ text: "5000000u" }], flag: "Unit" }),
    writing("timeout", "1500000", { note: "a millisecond and a half", rules: LETTER, messages: [{ text: "1500000n" }], flag: "Unit" }),
  ],
};
