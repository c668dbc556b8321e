import type { RequirementRef } from "../../../harness/case.ts";
import { acceptedFields, data, handshake, malformedFields, malformedRequest, post, request, trailers, whole } from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

const without = (name: string): FieldSpec[] => request().filter(([known]) => known !== name);
const instead = (name: string, ...by: FieldSpec[]): FieldSpec[] => request().flatMap((field) => (field[0] === name ? by : [field]));

const malformed = ({ fields, ...row }: Row<"covers"> & { readonly fields: FieldSpec[] }): Case => ({
  spec: "rfc9114#4.3.1",
  level: "SHOULD",
  ...malformedFields(fields),
  ...row,
});
/** What the text binds the server to, and not only the client. */
const refused = ({ fields, ...row }: Row<"covers"> & { readonly fields: FieldSpec[] }): Case => ({
  spec: "rfc9114#4.3",
  level: "MUST",
  ...malformedFields(fields),
  ...row,
});
const takes = ({ fields, ...row }: Row<"covers"> & { readonly fields: FieldSpec[] }): Case => ({
  spec: "rfc9114#4.3.1",
  level: "MUST",
  ...acceptedFields(fields),
  ...row,
});

const PSEUDO = [":method", ":scheme", ":authority", ":path"] as const;
const word = (name: string): string => name.slice(1);

const missing: readonly Case[] = ([":method", ":scheme", ":path"] as const).map((name) =>
  malformed({
    id: `http3/request-without-${word(name)}`,
    title: `The server treats a request without ${name} as malformed.`,
    covers: ["rfc9114#4.3.1/missing"],
    fields: without(name),
  }),
);
const twice: readonly Case[] = PSEUDO.flatMap((name) => {
  const covers: readonly [RequirementRef] = ["rfc9114#4.3.1/repeated"];
  const same = request().filter(([known]) => known === name);
  return [
    malformed({
      id: `http3/request-with-${word(name)}-twice`,
      title: `The server treats a request with ${name} twice as malformed.`,
      covers,
      fields: [...same, ...request()],
    }),
    malformed({
      id: `http3/request-with-two-different-${word(name)}-fields`,
      title: `The server treats a request with two different ${name} fields as malformed.`,
      covers,
      fields: [[name, { ":method": "HEAD", ":scheme": "http", ":authority": "other.invalid", ":path": "/other" }[name]], ...request()],
    }),
  ];
});
const late: readonly Case[] = PSEUDO.map((name) =>
  refused({
    id: `http3/${word(name)}-after-a-regular-field`,
    title: `The server treats a request with ${name} after a regular field as malformed.`,
    covers: ["rfc9114#4.3/before-regular"],
    fields: [...without(name), ["x-name", "1"], ...request().filter(([known]) => known === name)],
  }),
);
const UNKNOWN: readonly (readonly [slug: string, words: string, field: FieldSpec])[] = [
  ["status-in-request", ":status", [":status", "200"]],
  ["unknown-pseudo-field", "the unknown pseudo-header field :name", [":name", "1"]],
  ["pseudo-field-upper-case", "the pseudo-header field :Method", [":Method", "GET"]],
  ["pseudo-field-without-name", "a pseudo-header field without a name", [":", "1"]],
  ["pseudo-field-host", "the pseudo-header field :host", [":host", "{authority}"]],
];
const inTrailers: readonly Case[] = (
  [
    [":path", "/"],
    [":method", "GET"],
    [":status", "200"],
    [":name", "1"],
  ] as const
).map((field): Case => ({
  id: `http3/${word(field[0])}-in-trailers`,
  spec: "rfc9114#4.3",
  covers: ["rfc9114#4.3/undefined", "rfc9114#4.3/not-in-trailers"],
  level: "MUST",
  role: "server",
  needs: ["reads-content"],
  title: `The server treats trailers with ${field[0]} as malformed.`,
  steps: [handshake, whole("request", post(), data(), trailers(field))],
  control: [handshake, whole("request", post(), data(), trailers(["x-sum", "1"]))],
  allowed: malformedRequest(),
}));

const host: FieldSpec = ["host", "{authority}"];
const elsewhere: FieldSpec = ["host", "elsewhere.invalid"];

/** Pseudo-header fields of requests (rfc9114#4.3). */
export const cases: readonly Case[] = [
  ...missing,
  ...twice,
  ...late,
  ...UNKNOWN.map(([slug, words, field]) =>
    refused({
      id: `http3/${slug}`,
      title: `The server treats a request with ${words} as malformed.`,
      covers: ["rfc9114#4.3/undefined"],
      fields: [...request(), field],
    }),
  ),
  ...inTrailers,
  malformed({
    id: "http3/request-without-fields",
    title: "The server treats a request without any field as malformed.",
    covers: ["rfc9114#4.3.1/missing"],
    fields: [],
  }),
  malformed({
    id: "http3/request-without-pseudo-fields",
    title: "The server treats a request without pseudo-header fields as malformed.",
    covers: ["rfc9114#4.3.1/missing"],
    fields: [["x-name", "1"]],
  }),
  malformed({
    id: "http3/request-without-authority-and-host",
    title: "The server treats a request without :authority and Host as malformed.",
    covers: ["rfc9114#4.3.1/authority-missing"],
    fields: without(":authority"),
  }),
  malformed({
    id: "http3/empty-authority",
    title: "The server treats an empty :authority as malformed.",
    covers: ["rfc9114#4.3.1/authority-missing"],
    fields: instead(":authority", [":authority", ""]),
  }),
  malformed({
    id: "http3/empty-host",
    title: "The server treats an empty Host without :authority as malformed.",
    covers: ["rfc9114#4.3.1/authority-missing"],
    fields: [...without(":authority"), ["host", ""]],
  }),
  malformed({
    id: "http3/host-differs-from-authority",
    title: "The server treats a Host that differs from :authority as malformed.",
    covers: ["rfc9114#4.3.1/host-differs"],
    fields: [...request(), elsewhere],
  }),
  takes({
    id: "http3/host-like-authority",
    title: "The server accepts a Host that equals :authority.",
    covers: ["rfc9114#4.3.1/host-agrees"],
    fields: [...request(), host],
  }),
  takes({
    id: "http3/host-without-authority",
    // The text speaks of what a client sends.
    level: "SHOULD",
    title: "The server accepts Host in place of :authority.",
    covers: ["rfc9114#4.3.1/authority-or-host"],
    fields: [...without(":authority"), host],
  }),
  takes({
    id: "http3/pseudo-fields-in-any-order",
    title: "The server accepts pseudo-header fields in any order.",
    covers: ["rfc9114#4.3.1/mandatory"],
    fields: request().reverse(),
  }),
  takes({
    id: "http3/path-with-query",
    title: "The server accepts a :path with a query.",
    covers: ["rfc9114#4.3.1/path-form"],
    fields: instead(":path", [":path", "{path}?a=b&c=%20"]),
  }),
  malformed({
    id: "http3/empty-path",
    title: "The server treats an empty :path as malformed.",
    covers: ["rfc9114#4.3.1/missing"],
    fields: instead(":path", [":path", ""]),
  }),
  malformed({
    id: "http3/empty-method",
    title: "The server treats an empty :method as malformed.",
    covers: ["rfc9114#4.3.1/missing"],
    fields: instead(":method", [":method", ""]),
  }),
  malformed({
    id: "http3/path-without-slash",
    title: "The server treats a :path without a slash at its beginning as malformed.",
    covers: ["rfc9114#4.3.1/missing"],
    fields: instead(":path", [":path", "index"]),
  }),
  refused({
    id: "http3/nul-in-path",
    spec: "rfc9114#10.3",
    title: "The server treats NUL in :path as malformed.",
    covers: ["rfc9114#10.3/invalid-value"],
    fields: instead(":path", [":path", "/\0"]),
  }),
  refused({
    id: "http3/lf-in-path",
    spec: "rfc9114#10.3",
    title: "The server treats LF in :path as malformed.",
    covers: ["rfc9114#10.3/invalid-value"],
    fields: instead(":path", [":path", "/\nx"]),
  }),
  refused({
    id: "http3/cr-in-authority",
    spec: "rfc9114#10.3",
    title: "The server treats CR in :authority as malformed.",
    covers: ["rfc9114#10.3/invalid-value"],
    fields: instead(":authority", [":authority", "{authority}\r"]),
  }),
  refused({
    id: "http3/nul-in-method",
    spec: "rfc9114#10.3",
    title: "The server treats NUL in :method as malformed.",
    covers: ["rfc9114#10.3/invalid-value"],
    fields: instead(":method", [":method", "GET\0"]),
  }),
  malformed({
    id: "http3/space-in-method",
    title: "The server treats a space in :method as malformed.",
    covers: ["rfc9114#4.3.1/missing"],
    fields: instead(":method", [":method", "GET /"]),
  }),
];
