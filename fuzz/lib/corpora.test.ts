import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { joinCorpora, joinedText } from "./corpora.ts";

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "touchstone-corpora-"))));
afterAll(() => rmSync(folder, { recursive: true }));

function corpus(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, file, ".."), { recursive: true });
    writeFileSync(join(folder, name, file), text);
  }
  return join(folder, name);
}

describe("joinCorpora()", () => {
  test("each input once, in order, whatever the order of the folders; failing inputs beside them", () => {
    const one = corpus("one", { "hpack-decoder.txt": "02\n01\n", "hpack-decoder/aa.bin": "x", "notes.md": "" });
    const two = corpus("two", { "hpack-decoder.txt": "0203\n02\n", "qpack-decoder.txt": "ff\n" });
    const [forth, back] = [join(folder, "forth"), join(folder, "back")];
    expect(joinedText(joinCorpora([one, two], forth))).toBe("hpack-decoder: 3 inputs, 3 new\nqpack-decoder: 1 inputs, 1 new\n");
    joinCorpora([two, one], back);
    for (const into of [forth, back]) {
      expect(readFileSync(join(into, "hpack-decoder.txt"), "utf8")).toBe("01\n02\n0203\n");
      expect(readdirSync(into).sort()).toEqual(["hpack-decoder", "hpack-decoder.txt", "qpack-decoder.txt"]);
      expect(readdirSync(join(into, "hpack-decoder"))).toEqual(["aa.bin"]);
    }
    expect(joinCorpora([one], forth)).toEqual([{ target: "hpack-decoder", inputs: 3, added: 0 }]);
  });

  test("a folder that is not a corpus is refused, and nothing is written", () => {
    const good = corpus("good", { "a.txt": "00\n" });
    const into = join(folder, "unwritten");
    expect(() => joinCorpora([good, corpus("bad", { "b.txt": "00\n0\n" })], into)).toThrow("b.txt:2: this is not an input");
    expect(() => joinCorpora([good, corpus("other", { "x.md": "" })], into)).toThrow("has no corpus");
    expect(() => joinCorpora([good, join(folder, "absent")], into)).toThrow("is not a folder");
    expect(readdirSync(folder)).not.toContain("unwritten");
  });
});
