import { existsSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { Misuse } from "../../core/index.ts";
import type { Response } from "../../http/index.ts";

/** Serves the page of the channel with its script, its style and the terminal; the page loads nothing from other servers. */

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
/** A file of a library: the built package holds the few that it serves. */
const installed = (name: string): string => {
  const bundled = beside(`../../../vendor/${name}`);
  return existsSync(bundled) ? bundled : fileURLToPath(import.meta.resolve(name));
};

/**
 * Reads one of our modules for the browser: the compiled file in a built package, otherwise the source with its types stripped. Import specifiers
 * stay as written, so `FILES` serves a module as .js and as .ts.
 */
function script(path: string): string {
  const source = beside(path);
  if (!source.endsWith(".ts")) return readFileSync(source, "utf8");
  if (!existsSync(source)) return readFileSync(source.replace(/\.ts$/, ".js"), "utf8");
  const { emitWarning } = process;
  // Node warns that this function is experimental.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(readFileSync(source, "utf8"));
  } finally {
    process.emitWarning = emitWarning;
  }
}

const JS = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const PURE = "../../websocket/channel";
const FILES: Readonly<Record<string, readonly [type: string, read: () => string]>> = {
  "/": ["text/html; charset=utf-8", () => readFileSync(beside("page/index.html"), "utf8")],
  "/channel.css": [CSS, () => readFileSync(beside("page/channel.css"), "utf8")],
  "/channel.js": [JS, () => readFileSync(beside("page/channel.js"), "utf8")],
  "/client-side.js": [JS, () => script(`${PURE}/client-side.ts`)],
  "/pulse.js": [JS, () => script(`${PURE}/pulse.ts`)],
  "/pulse.ts": [JS, () => script(`${PURE}/pulse.ts`)],
  "/protocol.js": [JS, () => script(`${PURE}/protocol.ts`)],
  "/protocol.ts": [JS, () => script(`${PURE}/protocol.ts`)],
  "/schema.json": ["application/schema+json", () => readFileSync(beside(`${PURE}/schema.json`), "utf8")],
  "/xterm.js": [JS, () => readFileSync(installed("@xterm/xterm/lib/xterm.mjs"), "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")],
  "/xterm.css": [CSS, () => readFileSync(installed("@xterm/xterm/css/xterm.css"), "utf8")],
};

/** xterm.js sets its colours in an inline style element. Other scripts and framing are forbidden. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const cache = new Map<string, string>();
const content = (path: string, read: () => string): string => {
  const cached = cache.get(path);
  if (cached !== undefined) return cached;
  const text = read();
  cache.set(path, text);
  return text;
};

/** Responds with a file of the page; undefined for any other path. */
export function page(method: string, path: string): Response | undefined {
  const name = path.split("?", 1)[0] ?? "";
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (file === undefined) return undefined;
  if (method !== "GET" && method !== "HEAD") return { status: 405, fields: [["allow", "GET, HEAD"]] };
  const [type, read] = file;
  const fields: [string, string][] = [
    ["content-type", type],
    ["content-security-policy", POLICY],
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "no-referrer"],
    ["cross-origin-opener-policy", "same-origin"],
    ["cache-control", "no-cache"],
  ];
  return { status: 200, fields, body: content(name, read) };
}

/** Reads all files once, so that a missing file is an error at startup. */
export function checkPage(): void {
  for (const [path, [, read]] of Object.entries(FILES)) {
    if (content(path, read) === "") throw new Misuse(`${path} of the page is empty`);
  }
}
