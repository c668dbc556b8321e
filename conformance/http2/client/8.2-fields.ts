import { malformedResponse, respondWith, exchangeSucceeds } from "../phrases.ts";
import type { Case, FieldSpec } from "../vocabulary.ts";

const good = respondWith([":status", "200"], ["x-good", "a b"]);

const malformed = (
  name: string,
  what: string,
  covers: Case["covers"],
  spec: Case["spec"],
  field: FieldSpec,
  level: Case["level"] = "MUST",
): Case => ({
  id: `http2/client-${name}`,
  spec,
  covers: [...covers, "rfc9113#8.1.1/stream-error", "rfc9113#8.1.1/not-accepted"],
  level,
  role: "client",
  title: `A client takes a response with ${what} for malformed: a stream error of type PROTOCOL_ERROR.`,
  fence: "exit",
  steps: respondWith([":status", "200"], field),
  control: good,
  allowed: malformedResponse,
});
const badName = (
  name: string,
  what: string,
  requirement: "name-controls" | "name-uppercase" | "name-high" | "name-colon",
  field: string,
): Case => malformed(`field-name-${name}`, `${what} in a field name`, [`rfc9113#8.2.1/${requirement}`], "rfc9113#8.2.1", [field, "1"]);
const badValue = (name: string, what: string, requirement: "value-delimiters" | "value-edges", value: string): Case =>
  malformed(`field-value-${name}`, what, [`rfc9113#8.2.1/${requirement}`], "rfc9113#8.2.1", ["x-bad", value]);
const forbidden = (field: string, value: string): Case =>
  malformed(`field-${field}`, `the connection-specific field ${field}`, ["rfc9113#8.2.2/malformed"], "rfc9113#8.2.2", [field, value]);

/** HTTP fields in responses (rfc9113#8.2), and in the client's own requests. */
export const cases: readonly Case[] = [
  badName("upper-case", "an upper-case letter", "name-uppercase", "X-Bad"),
  badName("nul", "NUL", "name-controls", "x-\x00bad"),
  badName("space", "a space", "name-controls", "x bad"),
  badName("line-feed", "LF", "name-controls", "x-bad\nx"),
  badName("delete", "0x7f", "name-high", "x-bad\x7f"),
  badName("high-octet", "0xe9", "name-high", "x-b\xe9d"),
  badName("inner-colon", "a colon", "name-colon", "x-bad:y"),
  malformed("field-name-empty", "an empty field name", ["rfc9113#8.2.1/http-definitions"], "rfc9113#8.2.1", ["", "1"], "SHOULD"),
  malformed(
    "field-name-not-a-token",
    "a parenthesis in a field name",
    ["rfc9113#8.2.1/http-definitions"],
    "rfc9113#8.2.1",
    ["x-(bad)", "1"],
    "SHOULD",
  ),
  badValue("nul", "NUL in a field value", "value-delimiters", "a\x00b"),
  badValue("carriage-return", "CR in a field value", "value-delimiters", "a\rb"),
  badValue("line-feed", "LF in a field value", "value-delimiters", "a\nb"),
  badValue("leading-space", "a space before a field value", "value-edges", " a"),
  badValue("trailing-space", "a space behind a field value", "value-edges", "a "),
  badValue("leading-tab", "a tab before a field value", "value-edges", "\ta"),
  forbidden("connection", "close"),
  forbidden("proxy-connection", "keep-alive"),
  forbidden("keep-alive", "timeout=5"),
  forbidden("transfer-encoding", "chunked"),
  forbidden("upgrade", "h2c"),
  {
    id: "http2/client-field-value-obs-text",
    spec: "rfc9113#8.2.1",
    covers: ["rfc9113#8.2.1/value-grammar"],
    level: "MUST NOT",
    role: "client",
    title: "A client takes field values with octets above 0x7f, tabs inside, and values that break only their own field's grammar.",
    fence: "exit",
    steps: respondWith([":status", "200"], ["x-name", "caf\xe9 \xff"], ["x-tab", "a\tb"], ["x-empty", ""], ["expires", "not a date"]),
    control: good,
    allowed: exchangeSucceeds,
  },
  {
    id: "http2/client-fields-repeated",
    spec: "rfc9113#8.2",
    covers: ["rfc9113#8.1/message-sequence"],
    level: "MUST",
    role: "client",
    title: "A client takes fields that appear several times.",
    fence: "exit",
    steps: respondWith([":status", "200"], ["set-cookie", "a=1"], ["set-cookie", "b=2"], ["x-list", "1"], ["x-list", "2"]),
    control: good,
    allowed: exchangeSucceeds,
  },
];
