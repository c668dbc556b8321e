import type { Command } from "commander";

/** A verb below `touchstone rpc`. Its code is loaded only when the command line names it. */
type Tool = { readonly about: string; readonly declare: (command: Command) => Promise<void> };

/** The tools for contracts and calls, in the order of the help. */
const TOOLS: Readonly<Record<string, Tool>> = {
  generate: {
    about: "write typed TypeScript or JavaScript for contracts: messages, clients, servers",
    declare: async (command) => (await import("./generate.ts")).generateCommand(command),
  },
  "check-contract": {
    about: "check .proto files as a compiler does: every problem with its file, line and column",
    declare: async (command) => (await import("./check-contract.ts")).checkContractCommand(command),
  },
  lint: {
    about: "check the style of .proto files: names, packages, imports, messages of methods",
    declare: async (command) => (await import("./lint.ts")).lintCommand(command),
  },
  breaking: {
    about: "compare two versions of a contract: what breaks generated code, JSON or binary messages",
    declare: async (command) => (await import("./breaking.ts")).breakingCommand(command),
  },
  call: {
    about: "call a method: messages in proto3 JSON, the contract by reflection or from a file",
    declare: async (command) => (await import("../cli/commands.ts")).callCommand(command),
  },
  list: {
    about: "list the services of a server, or the methods of one",
    declare: async (command) => (await import("../cli/commands.ts")).listCommand(command),
  },
  describe: {
    about: "print a service, a method, a message or an enum as its contract has it",
    declare: async (command) => (await import("../cli/commands.ts")).describeCommand(command),
  },
};

const EXAMPLES = `
Examples:
  touchstone rpc generate greeter.proto --out gen
  touchstone rpc lint greeter.proto
  touchstone rpc breaking old/greeter.proto greeter.proto
  touchstone rpc call http://127.0.0.1:8080 touchstone.echo.v1.Echo/Unary --data '{"text": "hello"}'
  touchstone rpc list http://127.0.0.1:8080

touchstone rpc COMMAND --help shows the options of one.`;

/** Declares `touchstone rpc`: tools for the contracts of services, and for their calls. */
export async function rpcCommand(verb: Command): Promise<void> {
  verb.addHelpText("after", EXAMPLES);
  for (const [name, { about, declare }] of Object.entries(TOOLS)) {
    const command = verb.command(name).description(about);
    if (process.argv[3] === name) await declare(command);
  }
}
