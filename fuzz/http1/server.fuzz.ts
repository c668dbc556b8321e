import { seeded } from "../../reference/core/index.ts";
import { loadVectors, type Vector, vectorFiles } from "../../vectors/load.ts";
import type { Target } from "../lib/target.ts";
import { cutsDoNotMatter } from "./either.ts";
import { octetsOf, PLAIN_SCOPE, sequence, textOf } from "./grammar.ts";

const rng = seeded(1);
const MAX_LENGTH = 1_500;
const octetsOfVectors = vectorFiles()
  .filter((name) => name.startsWith("http1/") && !name.startsWith("http1/response"))
  .flatMap((name) => loadVectors<Vector & { readonly octets: string }>(name).vectors.map(({ octets }) => octetsOf(octets)));

export const target: Target = {
  name: "http1/server",
  about: "a server accepts any octets without throwing, wherever they are cut",
  run: (input) => cutsDoNotMatter("server", input),
  seeds: [...octetsOfVectors, ...Array.from({ length: 40 }, () => octetsOf(textOf(sequence(rng, PLAIN_SCOPE))))].filter(
    ({ length }) => length <= MAX_LENGTH,
  ),
  dictionary: [
    "\r\n",
    "\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "Content-Length: ",
    "Transfer-Encoding: chunked\r\n",
    "Connection: close\r\n",
    "Upgrade: x\r\nConnection: upgrade\r\n",
    "Expect: 100-continue\r\n",
    "0\r\n\r\n",
    ';a="',
    "\r\n ",
  ].map(octetsOf),
  maxLength: MAX_LENGTH,
};
