import { decodingError, gives, indexed, indexing, plainly } from "../phrases.ts";
import type { Case, FieldSpec, Row } from "../../vocabulary.ts";

/** Fields of 42, 37 and 34 octets: from the static table, entered into the dynamic one, and a literal. */
const GET: FieldSpec = [":method", "GET"];
const ENTERED: FieldSpec = ["x-a", "bc"];
const LITERAL: FieldSpec = ["y", "z"];
const BLOCK = indexed(2) + indexing("x-a", "bc") + plainly("y", "z");
const SIZE = 42 + 37 + 34;
/** The second field once more, from the dynamic table. */
const AGAIN = indexed(62);

const limited = ({
  listSize,
  blocks,
  ...row
}: Row<"allowed"> & { readonly listSize: number; readonly blocks: readonly string[] }): Case => ({
  spec: "rfc9113#6.5.2",
  covers: ["rfc9113#6.5.2/max-header-list-size"],
  level: "MAY",
  role: "codec",
  needs: ["list-size"],
  steps: [{ do: "decode", listSize, blocks }],
  control: [{ do: "decode", blocks }],
  ...row,
});

/** The size of a list (rfc9113#6.5.2), for decoders that can be given a limit. */
export const cases: readonly Case[] = [
  limited({
    id: "hpack/list-as-large-as-its-limit",
    title: "A decoder accepts a list as large as its limit: name, value and 32 octets for each field.",
    listSize: SIZE,
    blocks: [BLOCK],
    allowed: gives([GET, ENTERED, LITERAL]),
  }),
  limited({
    id: "hpack/list-larger-than-its-limit",
    title: "A decoder refuses a list that is one octet larger than its limit.",
    listSize: SIZE - 1,
    blocks: [BLOCK],
    allowed: decodingError,
  }),
  limited({
    id: "hpack/list-of-an-entry-as-large-as-its-limit",
    title: "A decoder accepts a list of one field of the dynamic table that is as large as its limit, after other lists.",
    listSize: SIZE,
    blocks: [BLOCK, `${AGAIN}${AGAIN}${plainly("y", "zzzzzz")}`, ""],
    allowed: gives([GET, ENTERED, LITERAL], [ENTERED, ENTERED, ["y", "zzzzzz"]], []),
  }),
  limited({
    id: "hpack/list-of-small-fields-larger-than-its-limit",
    title: "A decoder refuses a list whose fields are small, and whose sum is one octet larger than its limit.",
    listSize: SIZE,
    blocks: [BLOCK, `${AGAIN}${AGAIN}${plainly("y", "zzzzzzz")}`],
    allowed: decodingError,
  }),
  limited({
    id: "hpack/list-of-empty-fields-larger-than-its-limit",
    title: "A decoder counts 32 octets for a field without name and value.",
    listSize: 63,
    blocks: [`${plainly("", "")}${plainly("", "")}`],
    allowed: decodingError,
  }),
];
