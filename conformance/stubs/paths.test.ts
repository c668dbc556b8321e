import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { expect, test } from "vitest";
import { listening } from "../harness/impostors/listening.ts";
import { run } from "../index.ts";

/** Accepts POST on /in alone, returns its content on /back alone, and answers GET on / alone. */
const answer = (method: string | undefined, url: string | undefined): number =>
  method === "POST" ? (url === "/in" || url === "/back" ? 200 : 405) : url === "/" ? 200 : 404;

const verdictOf = async (options: Parameters<typeof run>[0]): Promise<string> => {
  const [one] = (await run({ ...options, timeout: 5_000 })).cases;
  return `${one?.verdict}: ${one?.verdict === "pass" ? "" : one?.reason}`;
};

test("http1: --post and --echo name the paths that unlock cases, and a skipped case says so", async () => {
  const server = createServer((request, response) => {
    response.statusCode = answer(request.method, request.url);
    if (request.url === "/back") request.pipe(response);
    else request.resume().on("end", () => response.end("hello"));
  });
  await using running = await listening(server, "http");
  const asked = (only: string, more: { readonly post?: string; readonly echo?: string } = {}) =>
    verdictOf({ suite: "http1", subject: running.url, only: [only], ...more });
  expect(await asked("http1/field-length-between-white-space")).toMatch(/^skip: .*POST \/ was answered with status 405 \(--post PATH /);
  expect(await asked("http1/field-length-between-white-space", { post: "/in" })).toBe("pass: ");
  expect(await asked("http1/chunks-incomplete")).toMatch(/^skip: .*POST to \/ or \/echo is not .*--echo PATH .*HANDLERS\.md/);
  expect(await asked("http1/chunks-incomplete", { echo: "/back" })).not.toMatch(/^skip/);
});

test("http2: --post names the path that unlocks cases", async () => {
  const server = createHttp2Server((request, response) => {
    response.statusCode = answer(request.method, request.url);
    request.resume().on("end", () => response.end("hello"));
  });
  await using running = await listening(server, "http");
  const asked = (post?: string) =>
    verdictOf({ suite: "http2", subject: running.url, only: ["http2/data-with-padding"], ...(post === undefined ? {} : { post }) });
  expect(await asked()).toMatch(/^skip: .*POST \/ was answered with status 405 \(--post PATH /);
  expect(await asked("/in")).toBe("pass: ");
});
