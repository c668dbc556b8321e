import { afterEach, describe, expect, test } from "vitest";
import type { Case } from "../vocabulary.ts";
import { CodecDriver } from "./codec.ts";

const base = { id: "hpack/x", spec: "rfc7541#6.1", covers: ["rfc7541#6.1/x"], level: "MUST", role: "codec", title: "T." } as const;
const decodes: Case = {
  ...base,
  steps: [{ do: "decode", blocks: ["82"] }],
  control: [{ do: "decode", blocks: ["84"] }],
  allowed: [{ see: { see: "fields", lists: [[[":method", "GET"]]] } }],
};
const refuses: Case = { ...decodes, steps: [{ do: "decode", blocks: ["80"] }], allowed: [{ see: { see: "decoding error" } }] };
const encodes: Case = {
  ...base,
  steps: [{ do: "encode", lists: [[[":method", "GET"]]] }],
  control: [{ do: "encode", lists: [[[":path", "/"]]] }],
  allowed: [{ see: { see: "round trip" } }],
};

const drivers: CodecDriver[] = [];
/** A codec of a few words: `answer(request)` gives the answer, or does what no codec may. */
const codec = (answer: string, timeout = 1000): CodecDriver => {
  const text = `const answer=(request)=>{${answer}};require("readline").createInterface({input:process.stdin}).on("line",l=>{const r=JSON.parse(l);const a=answer(r);if(a!==undefined)console.log(typeof a==="string"?a:JSON.stringify({id:r.id,...a}))})`;
  const driver = new CodecDriver({ command: `'${process.execPath}' -e '${text}'`, timeout });
  drivers.push(driver);
  return driver;
};
const knows = `const decoded={"82":[":method","GET"],"84":[":path","/"]}; const encoded={GET:"82","/":"84"};
  if (request.op==="hpack-decode") return request.blocks.every(b=>decoded[b]) ? {fields:request.blocks.map(b=>[decoded[b]])} : {error:"unknown"};
  return {blocks:request.lists.map(l=>l.map(f=>encoded[f[1]]).join(""))}`;

afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.close();
});

describe("a codec that answers", () => {
  test("decodes, refuses and encodes: each is seen, with the JSON lines in the transcript", async () => {
    const driver = codec(knows);
    expect((await driver.probe()).features.get("encode")).toMatchObject({ has: true });
    expect(await driver.control(decodes)).toMatchObject({ is: "accepted" });
    const played = await driver.play(decodes);
    expect(played).toMatchObject({ is: "allowed", index: 0 });
    expect(played.transcript.map(({ way }) => way)).toEqual(["->", "<-"]);
    expect(await driver.play(refuses)).toMatchObject({ is: "allowed" });
    expect(await driver.play(encodes)).toMatchObject({ is: "allowed" });
  });

  test("wrong fields are reported", async () => {
    const driver = codec(`return {fields:[[[":method","PUT"]]]}`);
    expect(await driver.play(decodes)).toMatchObject({ is: "other", reason: expect.stringContaining(":method: PUT") as string });
    expect(await driver.play(refuses)).toMatchObject({ is: "other", reason: expect.stringContaining("did not refuse") as string });
  });

  test("blocks that mean something else are found by decoding them", async () => {
    const driver = codec(`return {blocks:["84"]}`);
    expect(await driver.play(encodes)).toMatchObject({
      is: "other",
      reason: expect.stringContaining("decodes to something else") as string,
    });
    expect(await driver.control({ ...encodes, control: encodes.steps })).toMatchObject({ is: "refused" });
  });
});

describe("the probe", () => {
  test("an error is a mistake to judge, not a missing feature", async () => {
    const answers = 'return {"hpack-decode":{fields:[[[":method","GET"]]]},"hpack-encode":{error:"no"}}[request.op] ?? {unknown:true}';
    const { features } = await codec(answers).probe();
    expect([...features].filter(([, { has }]) => has).map(([name]) => name)).toEqual(["decode", "encode"]);
  });
});

describe("a codec that breaks", () => {
  const onPoison = (what: string): string => `if (request.blocks?.[0]==="80") {${what}} ${knows}`;

  test("fails the input that killed it, and is restarted for the next", async () => {
    const driver = codec(onPoison("process.exit(9)"));
    expect(await driver.play(refuses)).toMatchObject({ is: "other", reason: "The codec exited (status 9) without an answer." });
    expect(await driver.play(decodes)).toMatchObject({ is: "allowed" });
  });

  test("fails by a hang, within the time limit of a first answer", async () => {
    const driver = codec(onPoison("for(;;);"), 300);
    expect(await driver.play(refuses)).toMatchObject({ is: "other", reason: "The codec gave no answer within 1500 ms." });
  });

  test("fails by rubbish, and by an answer with another id", async () => {
    expect(await codec(onPoison(`return "oops"`)).play(refuses)).toMatchObject({
      is: "other",
      reason: expect.stringContaining('an invalid answer: "oops"') as string,
    });
    expect(await codec(onPoison(`return JSON.stringify({id:-1,error:"x"})`)).play(refuses)).toMatchObject({
      reason: expect.stringContaining("with id -1 instead of") as string,
    });
    expect(await codec(onPoison(`return {fields:"none"}`)).play(refuses)).toMatchObject({
      reason: expect.stringContaining("no valid fields") as string,
    });
  });

  test.each([
    ["ends at once", "process.exit(1)", "the codec exited (status 1)"],
    ["prints rubbish", `return "hello"`, 'the codec printed an invalid answer: "hello"'],
    ["hangs", "return undefined", "the codec gave no answer within 1500 ms"],
  ])("one that %s from the start cannot be judged", async (_, what, line) => {
    await expect(codec(what, 300).probe()).rejects.toThrow(line);
  });

  test("one that does not exist cannot be judged", async () => {
    const driver = new CodecDriver({ command: "there-is-no-such-codec", timeout: 300 });
    await expect(driver.probe()).rejects.toThrow('there is no program "there-is-no-such-codec"');
  });
});
