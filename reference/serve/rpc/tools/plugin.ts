import { answerCompiler } from "../../../rpc/contract/descriptor/index.ts";

/** The plug-in of compilers (`protoc`, `buf`): a request on standard input, the answer on standard output. */
const parts: Uint8Array[] = [];
for await (const part of process.stdin) parts.push(part);
try {
  process.stdout.write(answerCompiler(Buffer.concat(parts)));
} catch (error) {
  console.error(`protoc-gen-touchstone: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
