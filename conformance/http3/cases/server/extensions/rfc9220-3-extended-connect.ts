import { getOn, handshake, malformedFields, permitted, request, whole } from "../../phrases.ts";
import type { Case, FieldSpec, Row } from "../../../vocabulary.ts";

const PROTOCOL: FieldSpec = [":protocol", "websocket"];
const CONNECT: FieldSpec = [":method", "CONNECT"];
const [, scheme, authority, path] = request() as [FieldSpec, FieldSpec, FieldSpec, FieldSpec];

/** RFC 9220 takes the rules over from RFC 8441, which has the requirements. */
const rejects = ({ fields, ...row }: Row<"spec" | "covers"> & { readonly fields: FieldSpec[] }): Case => ({
  level: "MUST",
  needs: ["extended-connect"],
  ...malformedFields(fields),
  ...row,
});

/** Extended CONNECT (rfc9220#3). */
export const cases: readonly Case[] = [
  rejects({
    id: "http3/protocol-with-get",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/protocol-single", "rfc9114#4.3/undefined"],
    title: "The server treats a GET with :protocol as malformed.",
    fields: [...request(), PROTOCOL],
    needs: ["no-extended-connect"],
  }),
  rejects({
    id: "http3/protocol-without-opt-in",
    spec: "rfc8441#3",
    covers: ["rfc8441#3/without-opt-in", "rfc9114#4.3/undefined"],
    level: "SHOULD",
    title: "The server without ENABLE_CONNECT_PROTOCOL treats :protocol as malformed.",
    fields: [CONNECT, PROTOCOL, scheme, authority, path],
    needs: ["no-extended-connect"],
  }),
  rejects({
    id: "http3/extended-connect-without-scheme",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/scheme-and-path-missing"],
    level: "SHOULD",
    title: "The server treats an extended CONNECT without :scheme as malformed.",
    fields: [CONNECT, PROTOCOL, authority, path],
  }),
  rejects({
    id: "http3/extended-connect-without-path",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/scheme-and-path-missing"],
    level: "SHOULD",
    title: "The server treats an extended CONNECT without :path as malformed.",
    fields: [CONNECT, PROTOCOL, scheme, authority],
  }),
  rejects({
    id: "http3/extended-connect-with-protocol-twice",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/protocol-single"],
    level: "SHOULD",
    title: "The server treats an extended CONNECT with two :protocol fields as malformed.",
    fields: [CONNECT, PROTOCOL, PROTOCOL, scheme, authority, path],
  }),
  rejects({
    id: "http3/extended-connect-with-connection-field",
    spec: "rfc8441#5",
    covers: ["rfc8441#5/no-connection-fields-refused", "rfc9114#4.2/connection-specific"],
    title: "The server treats an extended CONNECT with Connection as malformed.",
    fields: [CONNECT, PROTOCOL, scheme, authority, path, ["connection", "upgrade"]],
  }),
  rejects({
    id: "http3/extended-connect-with-upgrade-field",
    spec: "rfc8441#5",
    covers: ["rfc8441#5/no-connection-fields-refused", "rfc9114#4.2/connection-specific"],
    title: "The server treats an extended CONNECT with Upgrade as malformed.",
    fields: [CONNECT, PROTOCOL, scheme, authority, path, ["upgrade", "websocket"]],
  }),
  {
    id: "http3/extended-connect-answered",
    spec: "rfc8441#4",
    covers: ["rfc8441#3/announced-served", "rfc8441#4/scheme-and-path", "rfc8441#3/client-may"],
    level: "SHOULD",
    role: "server",
    needs: ["extended-connect"],
    title: "The server with ENABLE_CONNECT_PROTOCOL answers an extended CONNECT, or resets its stream and keeps the connection.",
    steps: [
      handshake,
      whole("request", { type: "HEADERS", fields: [CONNECT, PROTOCOL, scheme, authority, path, ["sec-websocket-version", "13"]] }),
    ],
    control: [handshake, getOn("request")],
    allowed: [
      { see: { see: "all", of: [{ see: "accepted" }, { see: "response", on: "request" }] } },
      permitted(
        {
          see: "stream error",
          on: "request",
          code: ["H3_REQUEST_REJECTED", "H3_REQUEST_CANCELLED", "H3_CONNECT_ERROR", "H3_INTERNAL_ERROR"],
        },
        "rfc9114#4.1.1",
      ),
    ],
  },
];
