import { describe, expect, test } from "vitest";
import { SubjectProcess, words } from "./subject-process.ts";

describe("words()", () => {
  test.each([
    ["curl -s http://x/", ["curl", "-s", "http://x/"]],
    ["'a b' \"c d\" e'f'g", ["a b", "c d", "efg"]],
    ["a ''", ["a", ""]],
  ])("%s", (command, expected) => {
    expect(words(command)).toEqual(expected);
  });

  test.each(["a | b", "a && b", "echo $X", "a > /dev/null", "ls *"])("%s is for a shell", (command) => {
    expect(words(command)).toEqual(["sh", "-c", command]);
  });

  test("shell characters are plain inside single quotes", () => {
    expect(words("node -e 'a(1) | b'")).toEqual(["node", "-e", "a(1) | b"]);
  });
});

describe("SubjectProcess", () => {
  const node = process.execPath;

  test("reports the exit status and the complaint", async () => {
    const running = new SubjectProcess([node, "-e", "console.error('one\\nan error: two\\nthree'); process.exit(3)"], "ignore");
    expect(await running.ended).toEqual({ code: 3, signal: null });
    expect(running.complaint).toBe("an error: two");
  });

  test("reports a missing program", async () => {
    const { problem } = await new SubjectProcess(["there-is-no-such-program"], "ignore").ended;
    expect(problem).toBe('there is no program "there-is-no-such-program"');
  });

  test("kill() ends a group that ignores polite signals, children included", async () => {
    const script =
      "process.on('SIGTERM',()=>{}); require('child_process').spawn(process.execPath,['-e','setInterval(()=>{},1e3)'],{stdio:'inherit'}); setInterval(()=>{},1e3); console.error('up')";
    const running = new SubjectProcess([node, "-e", script], "ignore");
    await new Promise<void>((resolve) => {
      running.child.stderr?.once("data", () => resolve());
    });
    // The grandchild has the same standard error: it is closed only when both are gone.
    const closed = new Promise<void>((resolve) => {
      running.child.once("close", () => resolve());
    });
    await running.kill();
    expect(running.ending).toEqual({ code: null, signal: "SIGKILL" });
    await expect(closed).resolves.toBeUndefined();
  });
});
