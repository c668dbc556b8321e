import { Defaults } from "../../core/index.ts";

/** What a contract may cost. Contracts may come from anybody: a server that reflects, a repository. */
export type ContractLimits = {
  /** The most octets of one file. */
  readonly fileOctets: number;
  /** The most files of one contract, imported ones included. */
  readonly files: number;
  /** How deep messages and values of options may nest; `protoc` allows 32 for messages. */
  readonly nesting: number;
  /** The most problems in a report. */
  readonly problems: number;
};

export const CONTRACT_LIMITS = new Defaults<ContractLimits>({ fileOctets: 4_194_304, files: 1_000, nesting: 32, problems: 100 });
