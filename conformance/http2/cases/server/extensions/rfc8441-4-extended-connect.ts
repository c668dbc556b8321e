import { acceptedAndAnswered, get, handshake, malformedFields, permitted, request, send } from "../../phrases.ts";
import type { Case, FieldSpec, Row } from "../../../vocabulary.ts";

const PROTOCOL: FieldSpec = [":protocol", "websocket"];
const [, scheme, authority, path] = request();
const CONNECT: FieldSpec = [":method", "CONNECT"];

const rejects = ({ fields, ...row }: Row<"spec" | "covers"> & { readonly fields: FieldSpec[] }): Case => ({
  level: "MUST",
  needs: ["extended-connect"],
  ...malformedFields(fields, request()),
  ...row,
});

/** Extended CONNECT (rfc8441#4). */
export const cases: readonly Case[] = [
  {
    id: "http2/protocol-with-get",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/protocol-single", "rfc9113#8.3/undefined"],
    level: "MUST",
    title: "The server treats a GET with :protocol as malformed.",
    ...malformedFields([...request(), PROTOCOL], request()),
  },
  rejects({
    id: "http2/extended-connect-without-scheme",
    title: "The server treats an extended CONNECT without :scheme as malformed.",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/scheme-and-path-missing"],
    level: "SHOULD",
    fields: [CONNECT, PROTOCOL, authority, path],
  }),
  rejects({
    id: "http2/extended-connect-without-path",
    title: "The server treats an extended CONNECT without :path as malformed.",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/scheme-and-path-missing"],
    level: "SHOULD",
    fields: [CONNECT, PROTOCOL, scheme, authority],
  }),
  rejects({
    id: "http2/extended-connect-with-protocol-twice",
    title: "The server treats an extended CONNECT with two :protocol fields as malformed.",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/protocol-single", "rfc9113#8.3/repeated"],
    fields: [CONNECT, PROTOCOL, PROTOCOL, scheme, authority, path],
  }),
  rejects({
    id: "http2/extended-connect-with-connection-field",
    title: "The server treats an extended CONNECT with Connection as malformed.",
    spec: "rfc8441#5",
    covers: ["rfc8441#5/no-connection-fields-refused", "rfc9113#8.2.2/malformed"],
    fields: [CONNECT, PROTOCOL, scheme, authority, path, ["connection", "upgrade"]],
  }),
  rejects({
    id: "http2/extended-connect-with-upgrade-field",
    title: "The server treats an extended CONNECT with Upgrade as malformed.",
    spec: "rfc8441#5",
    covers: ["rfc8441#5/no-connection-fields-refused", "rfc9113#8.2.2/malformed"],
    fields: [CONNECT, PROTOCOL, scheme, authority, path, ["upgrade", "websocket"]],
  }),
  {
    id: "http2/extended-connect-answered",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/scheme-and-path", "rfc8441#3/client-may"],
    level: "MUST",
    role: "server",
    needs: ["extended-connect"],
    title: "The server with ENABLE_CONNECT_PROTOCOL answers an extended CONNECT, or resets its stream and keeps the connection.",
    steps: [
      handshake,
      send({ ...get(1), flags: ["END_HEADERS"], fields: [CONNECT, PROTOCOL, scheme, authority, path, ["sec-websocket-version", "13"]] }),
    ],
    control: [handshake, send(get(1))],
    allowed: [
      ...acceptedAndAnswered(1),
      permitted({ see: "RST_STREAM", stream: 1, code: ["REFUSED_STREAM", "CANCEL", "CONNECT_ERROR", "INTERNAL_ERROR"] }, "rfc9113#5.4.2"),
    ],
  },
];
