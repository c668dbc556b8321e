import { get, handshake, send } from "./phrases.ts";
import type { Case, SettingName, Step } from "./vocabulary.ts";

const asked = (...streams: number[]): Step[] =>
  streams.flatMap((stream): Step[] => [send(get(stream)), { do: "await", see: { see: "response", stream, complete: true } }]);
const table = (...sizes: number[]): Step[] => [
  send(...sizes.map((size) => ({ type: "SETTINGS" as const, settings: [["HEADER_TABLE_SIZE", size]] as const }))),
  { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true }, count: sizes.length } },
];
const shake = (...settings: (readonly [SettingName, number])[]): Step => ({ do: "handshake", settings });

/** The server's own encoder, seen in its responses. Nothing is done wrong, so that the case is its own control. */
const holds = (c: Pick<Case, "id" | "spec" | "covers" | "title">, monitor: string, ...steps: Step[]): Case => ({
  ...c,
  level: "MUST",
  role: "server",
  steps,
  control: steps,
  allowed: [{ see: { see: "holds", monitor } }],
});

export const cases: readonly Case[] = [
  holds(
    {
      id: "http2/response-blocks-decode",
      spec: "rfc7541#2.1",
      covers: ["rfc7541#2.1/encoder-order"],
      title: "The server sends field blocks that can be decoded, one after another.",
    },
    "field-blocks-decode",
    handshake,
    ...asked(1, 3, 5, 7),
  ),
  holds(
    {
      id: "http2/response-blocks-well-formed",
      spec: "rfc7541#5.1",
      covers: ["rfc7541#5.1/prefix"],
      title: "The server sends field blocks of whole representations.",
    },
    "field-blocks-well-formed",
    handshake,
    ...asked(1, 3),
  ),
  holds(
    {
      id: "http2/response-size-update-follows-the-first-settings",
      spec: "rfc7541#4.2",
      covers: ["rfc7541#4.2/update-at-beginning"],
      title: "The server begins its first block with a size update when our first SETTINGS allow no table.",
    },
    "size-update-follows-settings",
    shake(["HEADER_TABLE_SIZE", 0]),
    ...asked(1, 3),
  ),
  holds(
    {
      id: "http2/response-size-update-follows-later-settings",
      spec: "rfc7541#4.2",
      covers: ["rfc7541#4.2/update-at-beginning"],
      title: "The server begins its next block with a size update when our table becomes smaller.",
    },
    "size-update-follows-settings",
    handshake,
    ...asked(1, 3),
    ...table(0),
    ...asked(5, 7),
  ),
  holds(
    {
      id: "http2/response-size-update-signals-the-smallest",
      spec: "rfc7541#4.2",
      covers: ["rfc7541#4.2/smallest-signalled"],
      title: "The server signals the smallest of the sizes that our table had since its last block.",
    },
    "size-update-follows-settings",
    handshake,
    ...asked(1, 3),
    ...table(0, 4096),
    ...asked(5, 7),
  ),
  holds(
    {
      id: "http2/response-no-index-into-an-absent-table",
      spec: "rfc7541#4.2",
      covers: ["rfc7541#4.2/within-limit"],
      title: "The server refers to no entry of the dynamic table when we allow none.",
    },
    "no-dynamic-index-without-table",
    shake(["HEADER_TABLE_SIZE", 0]),
    ...asked(1, 3, 5),
  ),
  holds(
    {
      id: "http2/response-size-update-within-the-limit",
      spec: "rfc7541#6.3",
      covers: ["rfc7541#6.3/within-limit", "rfc7541#4.2/within-limit"],
      title: "The server signals no table larger than we allow.",
    },
    "size-updates-within-limit",
    shake(["HEADER_TABLE_SIZE", 100]),
    ...asked(1, 3),
    ...table(200),
    ...asked(5),
    ...table(50),
    ...asked(7),
  ),
  holds(
    {
      id: "http2/response-decodes-with-a-small-table",
      spec: "rfc7541#4.2",
      covers: ["rfc7541#4.2/within-limit"],
      title: "The server sends field blocks that can be decoded with a table of 100 octets.",
    },
    "field-blocks-decode",
    shake(["HEADER_TABLE_SIZE", 100]),
    ...asked(1, 3, 5, 7),
  ),
  holds(
    {
      id: "http2/response-decodes-with-a-large-table",
      spec: "rfc7541#4.2",
      covers: ["rfc7541#4.2/within-limit"],
      title: "The server sends field blocks that can be decoded when we allow a table of 65,536 octets.",
    },
    "field-blocks-decode",
    shake(["HEADER_TABLE_SIZE", 65_536]),
    ...asked(1, 3, 5),
  ),
  holds(
    {
      id: "http2/response-size-updates-first",
      spec: "rfc7541#4.2",
      covers: ["rfc7541#4.2/update-at-beginning"],
      title: "The server sends size updates at the beginning of a block only.",
    },
    "size-updates-first",
    handshake,
    ...asked(1),
    ...table(0, 4096),
    ...asked(3, 5),
  ),
];
