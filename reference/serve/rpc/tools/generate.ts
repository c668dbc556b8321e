import type { Command } from "commander";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generate, type GenerateOptions, withNeeded } from "../../../rpc/contract/index.ts";
import { contractOptions, openContract, type ContractOptions } from "./open-contract.ts";

type Options = ContractOptions & { readonly out: string; readonly js?: boolean; readonly importExtension?: string };

/** Declares `touchstone rpc generate`. */
export function generateCommand(command: Command): void {
  contractOptions(command)
    .requiredOption("-o, --out <folder>", "where the code is written, below it at the path of the contract: a/b.proto becomes a/b.pb.ts")
    .option("--js", "write JavaScript with declarations instead of TypeScript")
    .option("--import-extension <extension>", "how generated files import each other: .ts, .js or nothing (default: that of the language)")
    .addHelpText(
      "after",
      `
Contracts that these need are generated, too; google/protobuf/timestamp.proto and its like come with the package.

Examples:
  touchstone rpc generate greeter.proto --out src/generated
  touchstone rpc generate -I contracts contracts/shop/v1/orders.proto --out src/generated --js`,
    )
    .action((files: string[], options: Options) => {
      const contract = openContract(files, options);
      if (contract === undefined) {
        process.exitCode = 1;
        return;
      }
      for (const { path, content } of generate(contract, withNeeded(contract), generateOptions(options))) {
        const to = join(options.out, path);
        mkdirSync(dirname(to), { recursive: true });
        writeFileSync(to, content);
        console.log(to);
      }
    });
}

const generateOptions = ({ js, importExtension }: Options): GenerateOptions => ({
  language: js === true ? "js" : "ts",
  ...(importExtension === undefined ? {} : { extension: importExtension === "" ? "" : `.${importExtension.replace(/^\./, "")}` }),
});
