import { request, malformedFields } from "./phrases.ts";
import type { Case, FieldSpec } from "./vocabulary.ts";

const wrong = (words: string, requirement: string, what: string, fields: FieldSpec[]): Case => ({
  id: `http2/${words}`,
  spec: "rfc9113#8.3",
  covers: [`rfc9113#8.3/${requirement}`],
  level: "MUST",
  title: `The server treats a request as malformed when ${what}.`,
  ...malformedFields(fields, request("GET", ["x-name", "1"])),
});

const [method, scheme, authority, path] = request() as [FieldSpec, FieldSpec, FieldSpec, FieldSpec];
const all = request();
const twice = (field: FieldSpec): Case =>
  wrong(`${field[0].slice(1)}-twice`, "repeated", `it has ${field[0]} twice with the same value`, [...all, field]);

export const cases: readonly Case[] = [
  wrong("unknown-pseudo-field", "undefined", "it has an undefined pseudo-header field", [...all, [":name", "1"]]),
  wrong("nameless-pseudo-field", "undefined", "it has a field named by a single colon", [...all, [":", "1"]]),
  wrong("pseudo-field-in-uppercase", "undefined", "a pseudo-header field is spelt in upper case", [
    method,
    scheme,
    authority,
    [":PATH", "{path}"],
  ]),
  wrong("status-in-request", "wrong-direction", "it has :status", [...all, [":status", "200"]]),
  wrong("method-after-regular-field", "before-regular", ":method comes after a regular field", [
    scheme,
    authority,
    path,
    ["x-name", "1"],
    method,
  ]),
  wrong("scheme-after-regular-field", "before-regular", ":scheme comes after a regular field", [
    method,
    authority,
    path,
    ["x-name", "1"],
    scheme,
  ]),
  wrong("authority-after-regular-field", "before-regular", ":authority comes after a regular field", [
    method,
    scheme,
    path,
    ["x-name", "1"],
    authority,
  ]),
  wrong("path-after-regular-field", "before-regular", ":path comes after a regular field", [
    method,
    scheme,
    authority,
    ["x-name", "1"],
    path,
  ]),
  twice(method),
  twice(scheme),
  twice(authority),
  twice(path),
  wrong("method-twice-differing", "repeated", "it has :method twice with different values", [...all, [":method", "POST"]]),
  wrong("path-twice-differing", "repeated", "it has :path twice with different values", [...all, [":path", "/another"]]),
  wrong("authority-twice-differing", "repeated", "it has :authority twice with different values", [
    ...all,
    [":authority", "another.example"],
  ]),
];
