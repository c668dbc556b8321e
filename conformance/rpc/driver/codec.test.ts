import { afterEach, describe, expect, test } from "vitest";
import type { CodecCase } from "../codec-vocabulary.ts";
import { CodecDriver } from "./codec.ts";

const reads: CodecCase = {
  id: "rpc/x",
  spec: "rpc-status#codes",
  covers: ["rpc-status#codes/too-large"],
  level: "MUST",
  role: "codec",
  title: "T.",
  steps: [{ do: "rpc-read", of: "timeout", dialect: "rpc", given: "1S" }],
  control: [{ do: "rpc-read", of: "timeout", dialect: "rpc", given: "2S" }],
  controlSees: { see: "read", messages: [{ nanoseconds: "2000000000" }] },
  allowed: [{ see: { see: "read", messages: [{ nanoseconds: "1000000000" }] } }],
};
const refuses: CodecCase = { ...reads, allowed: [{ see: { see: "refused", messages: [], code: 8 } }] };
const writes: CodecCase = { ...reads, allowed: [{ see: { see: "written", of: "timeout", given: "1000000000" } }] };

const drivers: CodecDriver[] = [];
/** A codec of a few words: `answer(request)` gives the answer, or does what no codec may. */
function codec(answer: string): CodecDriver {
  const text = `const answer=(request)=>{${answer}};require("readline").createInterface({input:process.stdin}).on("line",l=>{const r=JSON.parse(l);const a=answer(r);if(a!==undefined)console.log(JSON.stringify({id:r.id,...a}))})`;
  const driver = new CodecDriver({ command: `'${process.execPath}' -e '${text}'`, timeout: 20_000 }, "grpc");
  drivers.push(driver);
  return driver;
}
afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.close();
});

describe("a codec that answers", () => {
  test("what it read, wrote or refused is compared, and said in words", async () => {
    const second = codec("return {messages:[{nanoseconds:1e9,text:`1S`}]}");
    expect(await second.play(reads)).toMatchObject({ is: "allowed", observed: 'answered [{"nanoseconds":1000000000,"text":"1S"}]' });
    expect(await second.play(writes)).toMatchObject({ is: "allowed" });
    expect(await second.play(refuses)).toMatchObject({ is: "other", reason: "It was accepted, but must be refused." });
    expect(await second.control(reads)).toMatchObject({ is: "refused", reason: 'message 1: nanoseconds is 1000000000, not "2000000000"' });
    const none = codec("return {messages:[],error:`no`,code:13}");
    expect(await none.play(refuses)).toMatchObject({
      is: "other",
      reason: "The status of the refusal is 13, not 8.",
      observed: "refused: no (status 13)",
    });
    expect(await none.play(writes)).toMatchObject({ is: "other", reason: "It was refused: no." });
    expect(await codec("return {error:`no`}").play(refuses)).toMatchObject({ is: "allowed", observed: "refused: no" });
  });

  test("what is expected is said in words", () => {
    const driver = codec("");
    expect(driver.expected(reads)).toEqual(['read as [{"nanoseconds":"1000000000"}]']);
    expect(driver.expected(refuses)).toEqual(["refused"]);
    expect(driver.expected(writes)).toEqual(['written as timeout that means "1000000000"']);
  });
});

describe("the probe", () => {
  test("finds out what a codec knows, in the dialect", async () => {
    const { features } = await codec(
      "if (request.of === `timeout`) return {messages:[{x:1}]}; if (request.given === `application/grpc+twin`) return {messages:[{}]}; return {unknown:true}",
    ).probe();
    expect([...features].filter(([, { has }]) => has).map(([name]) => name)).toEqual([
      "read-timeout",
      "read-content-type",
      "write-timeout",
    ]);
    expect(features.get("gzip")?.how).toBe("it said so at a first request: answered with unknown");
  });

  test("an error is a mistake to judge, not a missing feature; but UNIMPLEMENTED says that a server does not know an encoding", async () => {
    const { features } = await codec(
      "if (request.encoding === `gzip`) return {messages:[],error:`no`,code:12}; if (request.of === `status`) return {unknown:true}; return {error:`no`,code:13}",
    ).probe();
    expect([...features].filter(([, { has }]) => !has).map(([name]) => name)).toEqual(["gzip", "read-status", "write-status"]);
  });

  test("a codec that knows none of the operations cannot be judged", async () => {
    await expect(codec("return {unknown:true}").probe()).rejects.toThrow("knows none of rpc-messages, rpc-read, rpc-write");
  });
});
