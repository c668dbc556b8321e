import type { Command } from "commander";
import { contractOptions, openContract, type ContractOptions } from "./open-contract.ts";

/** Declares `touchstone rpc check-contract`. */
export function checkContractCommand(command: Command): void {
  contractOptions(command).action((files: string[], options: ContractOptions) => {
    const contract = openContract(files, options);
    if (contract === undefined) process.exitCode = 1;
    else console.log(`${files.join(", ")}: no problems in ${contract.files.size === 1 ? "1 file" : `${contract.files.size} files`}.`);
  });
}
