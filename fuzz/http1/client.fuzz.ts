import { loadVectors, type Vector } from "../../vectors/load.ts";
import type { Target } from "../lib/target.ts";
import { cutsDoNotMatter } from "./either.ts";
import { octetsOf } from "./grammar.ts";

const MAX_LENGTH = 1_500;
const octetsOfVectors = ["http1/response", "http1/response-framing"].flatMap((name) =>
  loadVectors<Vector & { readonly octets: string }>(name).vectors.map(({ octets }) => octetsOf(octets)),
);

export const target: Target = {
  name: "http1/client",
  about: "a client accepts any octets as a response without throwing, wherever they are cut",
  run: (input) => cutsDoNotMatter("client", input),
  seeds: octetsOfVectors.filter(({ length }) => length <= MAX_LENGTH),
  dictionary: [
    "\r\n",
    "\r\n\r\n",
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 103 Early Hints\r\n\r\n",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "Content-Length: ",
    "Transfer-Encoding: chunked\r\n",
    "Connection: close\r\n",
    "3\r\nabc\r\n",
    "0\r\n\r\n",
  ].map(octetsOf),
  maxLength: MAX_LENGTH,
};
