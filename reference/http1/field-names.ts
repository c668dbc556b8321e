/** What the connection does with a field of a given name. From `host` on, it acts on the value. */
export const Kind = {
  plain: 0,
  /** Many messages share its values, and they are not private: the last one is remembered. */
  common: 1,
  host: 2,
  contentLength: 3,
  transferEncoding: 4,
  connection: 5,
  expect: 6,
  upgrade: 7,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

const COMMON =
  "accept accept-charset accept-encoding accept-language accept-ranges age allow cache-control content-encoding content-language " +
  "content-type date dnt keep-alive pragma priority range sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest sec-fetch-mode " +
  "sec-fetch-site sec-fetch-user server te trailer upgrade-insecure-requests user-agent vary via";
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...COMMON.split(" ").map((name) => [name, Kind.common] as const),
  ["host", Kind.host],
  ["content-length", Kind.contentLength],
  ["transfer-encoding", Kind.transferEncoding],
  ["connection", Kind.connection],
  ["expect", Kind.expect],
  ["upgrade", Kind.upgrade],
]);
export const kindOf = (lowerName: string): Kind => KINDS.get(lowerName) ?? Kind.plain;
