import { inShard } from "../../conformance/harness/shard.ts";
import type { Shard } from "../../conformance/harness/result.ts";
import { allPeers } from "../../conformance/peers/index.ts";
import type { Matrix } from "./matrices.ts";

type Peer = ReturnType<typeof allPeers>[number];
/** Which columns: those of these peers, or of all; and of these one part. */
export type Wanted = { readonly names?: readonly string[]; readonly shard?: Shard };

/** The peers whose columns of a matrix are to be judged. The names of matrix and peer decide in which part a column is. */
export const columnsOf = (matrix: string, how: Pick<Matrix, "has">, { names = [], shard }: Wanted): readonly Peer[] =>
  allPeers().filter(
    (one) =>
      how.has(one) && (names.length === 0 || names.includes(one.name)) && (shard === undefined || inShard(`${matrix} ${one.name}`, shard)),
  );
