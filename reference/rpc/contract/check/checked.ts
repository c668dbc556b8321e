import type { Contract, ContractFile } from "../model.ts";
import type { Problems } from "../place.ts";

/** What the rules look at: a file, the contract that it is part of, and where problems go. */
export type Checked = { readonly contract: Contract; readonly file: ContractFile; readonly problems: Problems };
