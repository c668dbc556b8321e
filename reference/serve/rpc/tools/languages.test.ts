import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Project, ROOT } from "./testing.ts";

/** Our generated code beside that which other languages generate from the same contract: each serves, and each calls. */

const SOURCES = join(import.meta.dirname, "languages");
const succeeds = (command: string, ...args: string[]): boolean => spawnSync(command, args, { stdio: "ignore" }).status === 0;
const hasPython = succeeds("python3", "-c", "import grpc, grpc_tools");
const hasGo =
  succeeds("protoc-gen-go", "--version") &&
  succeeds("protoc-gen-go-grpc", "--version") &&
  succeeds("protoc", "--version") &&
  succeeds("go", "version");
if (!hasPython) console.warn("grpcio for Python is absent, and its tests are left out: pip install grpcio grpcio-tools");
if (!hasGo)
  console.warn(
    "Go's stubs are absent, and their tests are left out: apt-get install protobuf-compiler; go install google.golang.org/protobuf/cmd/protoc-gen-go@latest google.golang.org/grpc/cmd/protoc-gen-go-grpc@latest",
  );

/** What every client prints when every server is right. */
const EXPECTED = ["é -9007199254740996 a=1 flag -1,300 True 00ff", "m0,m1,m2", "5", "A,B", "NOT_FOUND nothing of that name"];

type Peer = { readonly command: string; readonly args: readonly string[] };
let project: Project;
const peers: Record<string, Peer> = {};

const run = (command: string, ...args: string[]): void => {
  const { status, stderr, stdout } = spawnSync(command, args, { cwd: project.folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}${stdout}`);
};
const copy = (from: string, to: string): void => copyFileSync(join(SOURCES, from), join(project.folder, to));

beforeAll(() => {
  project = new Project();
  copy("kinds.proto", "kinds.proto");
  copy("peer.ts.txt", "peer.ts");
  run(process.execPath, join(ROOT, "touchstone.ts"), "rpc", "generate", "kinds.proto", "--out", ".");
  peers["touchstone"] = { command: process.execPath, args: ["peer.ts"] };
  if (hasPython) {
    copy("peer.py", "peer.py");
    run("python3", "-m", "grpc_tools.protoc", "-I.", "--python_out=.", "--grpc_python_out=.", "kinds.proto");
    peers["Python"] = { command: "python3", args: ["peer.py"] };
  }
  if (hasGo) {
    mkdirSync(join(project.folder, "pb"));
    copy("peer.go.txt", "main.go");
    project.write("go.mod", "module kinds\n\ngo 1.24\n");
    run(
      "protoc",
      "-I.",
      "--go_out=pb",
      "--go_opt=paths=source_relative",
      "--go-grpc_out=pb",
      "--go-grpc_opt=paths=source_relative",
      "kinds.proto",
    );
    run("go", "mod", "tidy");
    run("go", "build", "-o", "peer", ".");
    peers["Go"] = { command: join(project.folder, "peer"), args: [] };
  }
});
afterAll(() => project[Symbol.dispose]());

/** Starts a server; resolves to its port, the first line that it prints. */
async function start({ command, args }: Peer): Promise<{ readonly child: ChildProcess; readonly port: string }> {
  const child = spawn(command, [...args, "serve"], { cwd: project.folder, stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { child, port };
}
function call({ command, args }: Peer, port: string): string[] {
  const { stdout, stderr } = spawnSync(command, [...args, "call", port], { cwd: project.folder, encoding: "utf8" });
  return `${stdout}${stderr}`.trim().split("\n");
}

const pairs = [
  ["touchstone", "touchstone"],
  ...(hasPython
    ? [
        ["touchstone", "Python"],
        ["Python", "touchstone"],
      ]
    : []),
  ...(hasGo
    ? [
        ["touchstone", "Go"],
        ["Go", "touchstone"],
      ]
    : []),
];
test.each(pairs)(
  "the client of %s calls the server of %s: all four kinds, and an error",
  async (client = "", server = "") => {
    const { child, port } = await start(peers[server]!);
    try {
      expect(call(peers[client]!, port)).toEqual(EXPECTED);
    } finally {
      child.kill("SIGKILL");
    }
  },
  60_000,
);
