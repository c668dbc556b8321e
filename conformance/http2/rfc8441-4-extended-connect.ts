import { get, handshake, permitted, request, send, acceptedAndAnswered, malformedFields } from "./phrases.ts";
import type { Case, FieldSpec } from "./vocabulary.ts";

const PROTOCOL: FieldSpec = [":protocol", "websocket"];
const [, scheme, authority, path] = request() as [FieldSpec, FieldSpec, FieldSpec, FieldSpec];
const CONNECT: FieldSpec = [":method", "CONNECT"];

const wrong = (id: Case["id"], spec: Case["spec"], covers: Case["covers"], title: string, fields: FieldSpec[]): Case => ({
  id,
  spec,
  covers,
  level: "MUST",
  needs: ["extended-connect"],
  title,
  ...malformedFields(fields, request()),
});

export const cases: readonly Case[] = [
  {
    id: "http2/protocol-with-get",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/protocol-single", "rfc9113#8.3/undefined"],
    level: "MUST",
    title: "The server treats a GET with :protocol as malformed.",
    ...malformedFields([...request(), PROTOCOL], request()),
  },
  wrong(
    "http2/extended-connect-without-scheme",
    "rfc8441#4",
    ["rfc8441#4/scheme-and-path-missing"],
    "The server treats an extended CONNECT without :scheme as malformed.",
    [CONNECT, PROTOCOL, authority, path],
  ),
  wrong(
    "http2/extended-connect-without-path",
    "rfc8441#4",
    ["rfc8441#4/scheme-and-path-missing"],
    "The server treats an extended CONNECT without :path as malformed.",
    [CONNECT, PROTOCOL, scheme, authority],
  ),
  wrong(
    "http2/extended-connect-with-protocol-twice",
    "rfc8441#4",
    ["rfc8441#4/protocol-single", "rfc9113#8.3/repeated"],
    "The server treats an extended CONNECT with two :protocol as malformed.",
    [CONNECT, PROTOCOL, PROTOCOL, scheme, authority, path],
  ),
  wrong(
    "http2/extended-connect-with-connection-field",
    "rfc8441#5",
    ["rfc8441#5/no-connection-fields-refused", "rfc9113#8.2.2/malformed"],
    "The server treats an extended CONNECT with a connection field as malformed.",
    [CONNECT, PROTOCOL, scheme, authority, path, ["connection", "upgrade"]],
  ),
  wrong(
    "http2/extended-connect-with-upgrade-field",
    "rfc8441#5",
    ["rfc8441#5/no-connection-fields-refused", "rfc9113#8.2.2/malformed"],
    "The server treats an extended CONNECT with an upgrade field as malformed.",
    [CONNECT, PROTOCOL, scheme, authority, path, ["upgrade", "websocket"]],
  ),
  {
    id: "http2/extended-connect-answered",
    spec: "rfc8441#4",
    covers: ["rfc8441#4/scheme-and-path", "rfc8441#3/client-may"],
    level: "MUST",
    role: "server",
    needs: ["extended-connect"],
    title: "The server that has announced extended CONNECT answers one, or refuses it on its own stream.",
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
