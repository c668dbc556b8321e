import { afterEach, describe, expect, test } from "vitest";
import type { CodecCase } from "../codec-vocabulary.ts";
import { CodecDriver } from "./codec.ts";

const reads: CodecCase = {
  id: "websocket/x",
  spec: "rfc6455#5.2",
  covers: ["rfc6455#5.2/lengths"],
  level: "MUST",
  role: "codec",
  title: "T.",
  steps: [{ do: "websocket-frames", to: "client", wire: "8101ff" }],
  control: [{ do: "websocket-frames", to: "client", wire: "810161" }],
  controlReads: [{ text: "a" }],
  allowed: [{ see: { see: "read", messages: [{ text: "b" }] } }],
};
const refuses: CodecCase = { ...reads, allowed: [{ see: { see: "refused", messages: [] } }] };

const drivers: CodecDriver[] = [];
/** A codec of a few words: `answer(request)` gives the answer, or does what no codec may. */
function codec(answer: string, timeout = 20_000): CodecDriver {
  const text = `const answer=(request)=>{${answer}};require("readline").createInterface({input:process.stdin}).on("line",l=>{const r=JSON.parse(l);const a=answer(r);if(a!==undefined)console.log(typeof a==="string"?a:JSON.stringify({id:r.id,...a}))})`;
  const driver = new CodecDriver({ command: `'${process.execPath}' -e '${text}'`, timeout });
  drivers.push(driver);
  return driver;
}
const knows = (wire: string, then: string): string => `if (request.wire === "${wire}") return ${then}; return {unknown:true}`;

afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.close();
});

describe("a codec that answers", () => {
  test("what it read is seen, with the lines that crossed", async () => {
    const driver = codec(knows("8101ff", '{messages:[{text:"b"}]}'));
    const played = await driver.play(reads);
    expect(played).toMatchObject({ is: "allowed", index: 0, observed: 'read [{"text":"b"}]' });
    expect(played.transcript.map(({ way }) => way)).toEqual(["->", "<-"]);
    expect(await driver.play(refuses)).toMatchObject({ is: "other", reason: "It was accepted, but must be refused." });
    expect(await driver.control(reads)).toMatchObject({ is: "refused", reason: "it answered with unknown" });
  });

  test("another message, a rejection and an answer of another kind are reported as such", async () => {
    expect(await codec(`return {messages:[{text:"c"}]}`).play(reads)).toMatchObject({
      is: "other",
      reason: 'Message 1: text is "c", not "b".',
    });
    expect(await codec(`return {error:"no"}`).play(reads)).toMatchObject({ is: "other", reason: "It was refused: no." });
    expect(await codec(`return {error:"no"}`).play(refuses)).toMatchObject({ is: "allowed" });
    expect(await codec(`return {blocks:["82"]}`).play(reads)).toMatchObject({ is: "other", reason: "It answered with blocks." });
    expect(await codec(`return {messages:[{text:"a"}]}`).control(reads)).toMatchObject({ is: "accepted" });
  });

  test("a looser outcome is found by its place", async () => {
    const loose: CodecCase = {
      ...reads,
      allowed: [reads.allowed[0], { see: { see: "read", messages: [{ text: "c" }] }, by: "rfc6455#9.1" }],
    };
    expect(await codec(`return {messages:[{text:"c"}]}`).play(loose)).toMatchObject({ is: "allowed", index: 1 });
    expect(codec("").expected(loose)).toEqual(['read as [{"text":"b"}]', 'read as [{"text":"c"}] (rfc6455#9.1)']);
  });
});

describe("the probe", () => {
  test("finds out what a codec knows", async () => {
    const { features } = await codec(knows("81026869", '{messages:[{text:"hi"}]}')).probe();
    expect([...features].map(([name, { has }]) => [name, has])).toEqual([
      ["frames", true],
      ["deflate", false],
      ["requests", false],
      ["responses", false],
    ]);
    expect(features.get("deflate")?.how).toBe("it said so at a first request: answered with unknown");
  });

  test("an error is a mistake to judge, not a missing feature", async () => {
    const { features } = await codec('return request.deflate ? {error:"no"} : {unknown:true}').probe();
    expect([...features].filter(([, { has }]) => has).map(([name]) => name)).toEqual(["deflate"]);
  });

  test.each([
    ["knows none of the operations", "return {unknown:true}", "knows none of websocket-frames"],
    ["prints an invalid answer", 'return "hello"', "printed an invalid answer"],
    ["ends", "process.exit(3)", "status 3"],
  ])("one that %s cannot be judged", async (_, what, why) => {
    await expect(codec(what).probe()).rejects.toThrow(why);
  });

  test("nor can one that is silent, nor one that is not there", async () => {
    await expect(codec("", 30).probe()).rejects.toThrow("no answer within 300 ms");
    await expect(new CodecDriver({ command: "there-is-no-such-codec", timeout: 20_000 }).probe()).rejects.toThrow("there is no program");
  });
});
