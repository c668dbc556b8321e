import { malformedFields, request } from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

const rejects = ({ requirement, fields, ...row }: Row & { readonly requirement: string; readonly fields: FieldSpec[] }): Case => ({
  spec: "rfc9113#8.3",
  covers: [`rfc9113#8.3/${requirement}`],
  level: "MUST",
  ...malformedFields(fields, request("GET", ["x-name", "1"])),
  ...row,
});

const [method, scheme, authority, path] = request();
const all = request();
const twice = ({ field, ...row }: Row & { readonly field: FieldSpec }): Case =>
  rejects({ requirement: "repeated", fields: [...all, field], ...row });

/** Pseudo-header fields (rfc9113#8.3): which ones, where, and how often. */
export const cases: readonly Case[] = [
  rejects({
    id: "http2/unknown-pseudo-field",
    title: "The server treats a request with an undefined pseudo-header field as malformed.",
    requirement: "undefined",
    fields: [...all, [":name", "1"]],
  }),
  rejects({
    id: "http2/nameless-pseudo-field",
    title: "The server treats a request with a field named by a single colon as malformed.",
    requirement: "undefined",
    fields: [...all, [":", "1"]],
  }),
  rejects({
    id: "http2/pseudo-field-in-uppercase",
    title: "The server treats a request with an upper-case pseudo-header field as malformed.",
    requirement: "undefined",
    fields: [method, scheme, authority, [":PATH", "{path}"]],
  }),
  rejects({
    id: "http2/status-in-request",
    title: "The server treats a request with :status as malformed.",
    requirement: "wrong-direction",
    fields: [...all, [":status", "200"]],
  }),
  rejects({
    id: "http2/method-after-regular-field",
    title: "The server treats a request with :method after a regular field as malformed.",
    requirement: "before-regular",
    fields: [scheme, authority, path, ["x-name", "1"], method],
  }),
  rejects({
    id: "http2/scheme-after-regular-field",
    title: "The server treats a request with :scheme after a regular field as malformed.",
    requirement: "before-regular",
    fields: [method, authority, path, ["x-name", "1"], scheme],
  }),
  rejects({
    id: "http2/authority-after-regular-field",
    title: "The server treats a request with :authority after a regular field as malformed.",
    requirement: "before-regular",
    fields: [method, scheme, path, ["x-name", "1"], authority],
  }),
  rejects({
    id: "http2/path-after-regular-field",
    title: "The server treats a request with :path after a regular field as malformed.",
    requirement: "before-regular",
    fields: [method, scheme, authority, ["x-name", "1"], path],
  }),
  twice({
    id: "http2/method-twice",
    title: "The server treats a request with two equal :method fields as malformed.",
    field: method,
  }),
  twice({
    id: "http2/scheme-twice",
    title: "The server treats a request with two equal :scheme fields as malformed.",
    field: scheme,
  }),
  twice({
    id: "http2/authority-twice",
    title: "The server treats a request with two equal :authority fields as malformed.",
    field: authority,
  }),
  twice({
    id: "http2/path-twice",
    title: "The server treats a request with two equal :path fields as malformed.",
    field: path,
  }),
  rejects({
    id: "http2/method-twice-differing",
    title: "The server treats a request with two different :method fields as malformed.",
    requirement: "repeated",
    fields: [...all, [":method", "POST"]],
  }),
  rejects({
    id: "http2/path-twice-differing",
    title: "The server treats a request with two different :path fields as malformed.",
    requirement: "repeated",
    fields: [...all, [":path", "/another"]],
  }),
  rejects({
    id: "http2/authority-twice-differing",
    title: "The server treats a request with two different :authority fields as malformed.",
    requirement: "repeated",
    fields: [...all, [":authority", "another.example"]],
  }),
];
