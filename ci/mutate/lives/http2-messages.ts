import { field, type Field } from "../../../reference/core/index.ts";
import type { Chance } from "./chance.ts";
import { integerOf, plainString } from "./hpack-blocks.ts";

/** Messages as the peer of a machine sends them: most are good, some are malformed (rfc9113#8). */

type Pair = readonly [name: string, value: string];
export const fields = (...pairs: readonly Pair[]): Field[] => pairs.map(([name, value]) => field(name, value));

const pseudo = (method: string, path = "/"): Pair[] => [
  [":method", method],
  [":scheme", "http"],
  [":authority", "a"],
  [":path", path],
];
const MORE: readonly [Pair, ...Pair[]] = [
  ["accept", "*/*"],
  ["cookie", "a=1"],
  ["cookie", "b=2"],
  ["priority", "u=1"],
  ["priority", "u=5, i"],
  ["x-long", "v".repeat(150)],
  ["content-type", "text/plain"],
];
const WRONG: readonly [Pair, ...Pair[]] = [
  ["Upper", "x"],
  ["connection", "close"],
  ["te", "gzip"],
  [":path", "/"],
  [":unknown", "x"],
  ["x", "a\nb"],
  ["content-length", "x"],
  ["", "x"],
  ["transfer-encoding", "chunked"],
  [":status", "200"],
  ["host", "other"],
];
const some = (chance: Chance): Pair[] => Array.from({ length: chance.one([0, 0, 1, 2, 3]) }, () => chance.one(MORE));
const TE: Pair = ["te", "trailers"];
const oneWrong = (chance: Chance, pairs: readonly Pair[]): Field[] => {
  const at = chance.below(pairs.length + 1);
  if (chance.once(3)) return fields(...pairs.filter((_, place) => place !== at));
  return fields(...pairs.slice(0, at), chance.one(WRONG), ...pairs.slice(at));
};

/** A field section, and the content-length in it. */
export type Section = { readonly fields: Field[]; readonly content?: number };

/** A request; `isEnd` if no content follows. */
export function requestOf(chance: Chance, isEnd: boolean): Section {
  const method = chance.once(12) ? "CONNECT" : chance.once(6) ? "HEAD" : isEnd ? "GET" : "POST";
  if (method === "CONNECT") {
    const extended: Pair[] = chance.once(2)
      ? [
          [":protocol", "websocket"],
          [":scheme", "http"],
          [":path", "/"],
        ]
      : [];
    return { fields: fields([":method", "CONNECT"], ...extended, [":authority", "a:1"]) };
  }
  const content = chance.once(3) ? (isEnd && !chance.once(6) ? 0 : chance.one([0, 1, 5, 20, 100, 5_000])) : undefined;
  const length: Pair[] = content === undefined ? [] : [["content-length", String(content)]];
  const pairs: Pair[] = [...pseudo(method, chance.one(["/", "/a"])), ...length, ...some(chance), ...(chance.once(10) ? [TE] : [])];
  return { fields: chance.once(15) ? oneWrong(chance, pairs) : fields(...pairs), ...(content === undefined ? {} : { content }) };
}

/** The request that a promise stands for. */
export function promiseOf(chance: Chance): Field[] {
  const pairs = [...pseudo(chance.one(["GET", "GET", "HEAD", "GET", "GET", "GET", "GET", "POST", "OPTIONS"]), "/p"), ...some(chance)];
  if (chance.once(10))
    return fields([":method", "GET"], [":scheme", "http"], [":authority", chance.one(["b", "a:80", "a:81"])], [":path", "/"]);
  if (chance.once(8)) pairs.push(["content-length", chance.one(["0", "5"])]);
  return chance.once(20) ? oneWrong(chance, pairs) : fields(...pairs);
}

export type Response = Section & { readonly status: number };
export function responseOf(chance: Chance, isEnd: boolean): Response {
  const final = [200, 200, 200, 204, 304, 404, 500] as const;
  const status = chance.once(40) ? 101 : chance.one(isEnd && !chance.once(30) ? final : [...final, 100, 103, 199]);
  const content = status >= 200 && chance.once(3) ? (isEnd && chance.once(2) ? 0 : chance.one([0, 1, 5, 20, 100, 5_000])) : undefined;
  const length: Pair[] = content === undefined ? [] : [["content-length", String(content)]];
  const pairs: Pair[] = [[":status", String(status)], ...length, ...some(chance)];
  return { status, fields: chance.once(15) ? oneWrong(chance, pairs) : fields(...pairs), ...(content === undefined ? {} : { content }) };
}

export const trailersOf = (chance: Chance): Field[] =>
  fields(...(chance.once(8) ? [chance.one(WRONG)] : [["x-sum", "1"] as const]), ...some(chance));

const STATIC: ReadonlyMap<string, number> = new Map([
  [":method GET", 2],
  [":method POST", 3],
  [":path /", 4],
  [":scheme http", 6],
  [":status 200", 8],
  [":status 204", 9],
  [":status 304", 11],
  [":status 404", 13],
]);

/** A field block of the peer's encoder, which inserts now and then and hardly refers to what it has inserted. */
export function blockOf(chance: Chance, list: readonly Field[], update: number | undefined): Uint8Array {
  const octets = update === undefined ? [] : integerOf(0x20, 5, update);
  for (const { name, value } of list) {
    const at = STATIC.get(`${name} ${value}`);
    if (at !== undefined && chance.once(2)) octets.push(0x80 | at);
    else octets.push(chance.one([0x00, 0x00, 0x10, 0x40]), ...plainString(name), ...plainString(value));
  }
  if (chance.once(40)) octets.push(chance.one([0xbe, 0xbf, 0xc0, 0x3f, 0x80]));
  return Uint8Array.from(octets);
}
