#!/usr/bin/env node
// The plug-in for protoc and buf: `protoc --touchstone_out=DIR`. A checkout runs its sources as they are; the package holds only what was built.
import { existsSync } from "node:fs";

const source = new URL("./reference/serve/rpc/tools/plugin.ts", import.meta.url);
const built = new URL("./dist/reference/serve/rpc/tools/plugin.js", import.meta.url);
await import((existsSync(source) ? source : built).href);
