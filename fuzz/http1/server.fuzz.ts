import { seeded } from "../../reference/core/index.ts";
import { loadVectors, vectorFiles } from "../../vectors/load.ts";
import type { Target } from "../lib/target.ts";
import { cutsDoNotMatter } from "./either.ts";
import { octetsOf, PLAIN_ASKED, sequence, textOf } from "./grammar.ts";

const rng = seeded(1);
const MOST = 1_500;
const octetsOfVectors = vectorFiles()
  .filter((name) => name.startsWith("http1/") && !name.startsWith("http1/response"))
  .flatMap((name) => loadVectors(name).vectors.map((vector) => octetsOf((vector as unknown as { readonly octets: string }).octets)));

export const target: Target = {
  name: "http1/server",
  about: "a server takes any octets without a throw, and their cuts do not matter",
  run: (input) => cutsDoNotMatter("server", input),
  seeds: [...octetsOfVectors, ...Array.from({ length: 40 }, () => octetsOf(textOf(sequence(rng, PLAIN_ASKED))))].filter(
    ({ length }) => length <= MOST,
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
  maxLength: MOST,
};
