import type { RequirementRef } from "../../../harness/case.ts";
import { accepted, acceptedAndAnswered, connectionError, getOn, handshake, permitted, send } from "../phrases.ts";
import type { Case, FrameSpec, Row, SettingName, Step } from "../../vocabulary.ts";

type Settings = readonly (readonly [SettingName | number, number])[];
const begin = (...frames: FrameSpec[]): readonly Step[] => [{ do: "open", on: "control", kind: "control" }, send("control", ...frames)];

const refuses = ({ settings, ...row }: Row<"covers"> & { readonly settings: Settings }): Case => ({
  spec: "rfc9114#7.2.4.1",
  level: "MUST",
  role: "server",
  steps: begin({ type: "SETTINGS", settings }),
  control: begin({ type: "SETTINGS", settings: [["MAX_FIELD_SECTION_SIZE", 65_536]] }),
  allowed: connectionError("H3_SETTINGS_ERROR"),
  ...row,
});
const takes = ({ frame, ...row }: Row<"covers"> & { readonly frame: FrameSpec }): Case => ({
  spec: "rfc9114#7.2.4",
  level: "MUST",
  role: "server",
  steps: [...begin(frame), getOn("request")],
  control: [...begin({ type: "SETTINGS" }), getOn("request")],
  allowed: acceptedAndAnswered("request"),
  ...row,
});
/** A receiver may refuse what comes twice, and need not. */
const twice = ({ settings, ...row }: Row & { readonly settings: Settings }): Case => ({
  ...refuses({ covers: ["rfc9114#7.2.4/duplicates"], settings, ...row }),
  spec: "rfc9114#7.2.4",
  level: "MAY",
  allowed: [{ see: { see: "close", code: "H3_SETTINGS_ERROR" } }, permitted({ see: "accepted" }, "rfc9114#7.2.4")],
});
const http2: readonly [RequirementRef] = ["rfc9114#7.2.4.1/http2-settings"];
const unknown: readonly [RequirementRef, RequirementRef] = ["rfc9114#7.2.4/unknown-ignored", "rfc9114#9/unknown-ignored"];

/** SETTINGS (rfc9114#7.2.4). */
export const cases: readonly Case[] = [
  ...[0x2, 0x3, 0x4, 0x5].map((id) =>
    refuses({
      id: `http3/setting-of-http2-${id}`,
      title: `The server treats the setting 0x0${id} as a connection error of type H3_SETTINGS_ERROR.`,
      covers: http2,
      settings: [[id, 1]],
    }),
  ),
  refuses({
    id: "http3/setting-of-http2-after-others",
    title: "The server treats the setting 0x04 after others as a connection error of type H3_SETTINGS_ERROR.",
    covers: http2,
    settings: [
      ["MAX_FIELD_SECTION_SIZE", 65_536],
      [0x21, 0],
      [0x4, 65_535],
    ],
  }),
  refuses({
    id: "http3/setting-zero",
    title: "The server treats the setting 0x00 as a connection error of type H3_SETTINGS_ERROR.",
    level: "SHOULD",
    covers: ["rfc9114#7.2.4.1/zero"],
    settings: [[0x0, 1]],
  }),
  twice({
    id: "http3/setting-twice",
    title: "The server may treat a setting that comes twice as a connection error of type H3_SETTINGS_ERROR.",
    settings: [
      ["MAX_FIELD_SECTION_SIZE", 65_536],
      ["MAX_FIELD_SECTION_SIZE", 65_536],
    ],
  }),
  twice({
    id: "http3/setting-twice-with-other-values",
    title: "The server may treat a setting with two values as a connection error of type H3_SETTINGS_ERROR.",
    settings: [
      ["MAX_FIELD_SECTION_SIZE", 65_536],
      ["MAX_FIELD_SECTION_SIZE", 32_768],
    ],
  }),
  twice({
    id: "http3/unknown-setting-twice",
    title: "The server may treat an unknown setting that comes twice as a connection error of type H3_SETTINGS_ERROR.",
    settings: [
      [0x4242, 1],
      [0x4242, 1],
    ],
  }),
  takes({
    id: "http3/settings-empty",
    title: "The server accepts SETTINGS without settings.",
    covers: ["rfc9114#7.2.4/any-number"],
    frame: { type: "SETTINGS", width: 2 },
  }),
  takes({
    id: "http3/settings-with-known-ones",
    title: "The server accepts every setting of HTTP/3 and QPACK.",
    covers: ["rfc9114#7.2.4/any-number"],
    frame: {
      type: "SETTINGS",
      settings: [
        ["MAX_FIELD_SECTION_SIZE", 65_536],
        ["QPACK_MAX_TABLE_CAPACITY", 0],
        ["QPACK_BLOCKED_STREAMS", 0],
      ],
    },
  }),
  takes({
    id: "http3/setting-reserved",
    title: "The server ignores a setting with a reserved identifier.",
    spec: "rfc9114#7.2.4.1",
    covers: ["rfc9114#7.2.4.1/no-meaning", "rfc9114#7.2.4/unknown-ignored"],
    frame: { type: "SETTINGS", settings: [[0x21, 7]] },
  }),
  takes({
    id: "http3/setting-reserved-and-large",
    title: "The server ignores a setting with a large reserved identifier and a large value.",
    spec: "rfc9114#7.2.4.1",
    covers: ["rfc9114#7.2.4.1/no-meaning", "rfc9114#7.2.4/unknown-ignored"],
    frame: { type: "SETTINGS", settings: [[0x1f * 1_000_000_000 + 0x21, 2 ** 50]] },
  }),
  takes({
    id: "http3/setting-unknown",
    title: "The server ignores an unknown setting.",
    covers: unknown,
    frame: { type: "SETTINGS", settings: [[0x4242, 1]] },
  }),
  takes({
    id: "http3/setting-with-the-greatest-identifier",
    title: "The server ignores a setting whose identifier and value are 2^62-1.",
    covers: unknown,
    frame: { type: "SETTINGS", hex: "ffffffffffffffffffffffffffffffff" },
  }),
  takes({
    id: "http3/fifty-unknown-settings",
    title: "The server ignores fifty unknown settings.",
    covers: unknown,
    frame: { type: "SETTINGS", settings: Array.from({ length: 50 }, (_, at) => [0x4000 + at, at] as const) },
  }),
  takes({
    id: "http3/setting-value-of-max-field-section-size-large",
    title: "The server accepts the greatest SETTINGS_MAX_FIELD_SECTION_SIZE.",
    covers: ["rfc9114#7.2.4/any-number"],
    frame: { type: "SETTINGS", hex: "06ffffffffffffffff" },
  }),
  {
    id: "http3/extended-connect-setting-of-client",
    spec: "rfc8441#3",
    covers: ["rfc8441#3/no-effect-on-server"],
    level: "MUST NOT",
    role: "server",
    title: "The server accepts ENABLE_CONNECT_PROTOCOL from a client.",
    steps: [{ do: "handshake", settings: [["ENABLE_CONNECT_PROTOCOL", 1]] }, getOn("request")],
    control: [handshake, getOn("request")],
    allowed: accepted,
  },
];
