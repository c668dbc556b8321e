import type { FrameName, SettingName } from "./numbers.ts";

export type { CodeName, FrameName, SettingName, StreamKind } from "./numbers.ts";

/**
 * A field as sent. In values the driver replaces `{authority}`, `{scheme}`, `{path}` and `{post}` with the subject's own. A character up to
 * U+00FF is one octet.
 */
export type FieldSpec = readonly [name: string, value: string];

/** The octets that an integer takes, where the shortest form is not wanted (rfc9000#16). */
export type Width = 1 | 2 | 4 | 8;

/** One frame, legal or not. Members left out get the correct value. */
export type FrameSpec = {
  readonly type: FrameName | number;
  /** A wrong Length field, or one that promises what a later step sends. */
  readonly length?: number;
  /** The form of Type and Length. */
  readonly width?: Width;

  // The payload: one or more of these, in this order. Without any, it is empty.
  /** Push ID, or the identifier of GOAWAY and PRIORITY_UPDATE. */
  readonly id?: number;
  /** Its form. */
  readonly idWidth?: Width;
  readonly settings?: readonly (readonly [SettingName | number, number])[];
  /** A field section of literals, without any table. */
  readonly fields?: readonly FieldSpec[];
  /** Another field, `x-fill`, makes `fields` so large, as SETTINGS_MAX_FIELD_SECTION_SIZE counts them (rfc9114#4.2.2). */
  readonly sectionSize?: number;
  /** DATA: UTF-8 text, or a number of zero octets. */
  readonly data?: string | number;
  /** PRIORITY_UPDATE: the Priority Field Value. */
  readonly text?: string;
  /** Octets at the end, or all of the payload. */
  readonly hex?: string;
};
