import { describe, expect, test } from "vitest";
import { notPassing } from "../../harness/impostors/again.ts";
import { runCases } from "../../harness/run.ts";
import { select } from "../../harness/select.ts";
import type { InProcessClient } from "../../harness/subject/subject.ts";
import { clientCases } from "../cases/client/load.ts";
import { client } from "../embedded/client.ts";
import { wrongClient } from "../impostors/client.ts";
import { RpcClientDriver } from "./client.ts";

const check = async (subject: string | InProcessClient, dialect: "rpc" | "grpc", ids: readonly string[] = []) => {
  const driver = new RpcClientDriver({ client: subject, timeout: 5_000, dialect });
  try {
    const cases = select(clientCases(), { only: ids });
    return await runCases({ suite: "rpc", driver, cases, all: [], subject: { name: "s", target: "t" }, concurrency: 8 });
  } finally {
    await driver.close();
  }
};
const PLAIN = "rpc/client-request-te";
/** A program of a few words that answers each line by an expression of the line's object. */
const program = (answer: string): string =>
  `'${process.execPath}' -e 'require("readline").createInterface({input:process.stdin}).on("line",(l)=>{const d=JSON.parse(l);${answer}})'`;

describe("clients of calls", () => {
  test("our own client passes in the dialect grpc, too: the suite runs it as rpc", async () => {
    expect(await notPassing(async (only) => (await check(client, "grpc", only)).cases)).toEqual([]);
    expect(clientCases().length).toBeGreaterThan(490);
  });

  test("a response without a status: seen to be accepted, with what came of the call", async () => {
    const { cases } = await check(wrongClient("lenient"), "rpc", ["rpc/client-status-missing-in-trailers"]);
    expect(cases[0]).toMatchObject({ verdict: "fail", level: "MUST" });
    expect(cases[0]?.observed).toMatch(/call 1: OK, 1 messages; call 2: OK, 1 messages; request 1/);
    expect(cases[0]?.transcript?.some(({ means }) => means.startsWith("it reports"))).toBe(true);
  });

  test("a feature that the adapter does not list is skipped with what would unlock it", async () => {
    const plain: InProcessClient = async (url, signal, request) =>
      request.description?.["features"] === true ? { features: [] } : client(url, signal, request);
    const { cases } = await check(plain, "rpc", ["rpc/client-bidi-turns"]);
    expect(cases[0]).toMatchObject({
      verdict: "skip",
      reason: expect.stringContaining("its adapter does not list it; list it if it makes calls of the kinds") as string,
    });
  });
});

describe("commands that are no adapters", () => {
  test.each([
    ["there-is-no-such-program", 'there is no program "there-is-no-such-program"'],
    [program("process.exit(4)"), "the command ended (status 4) without a report"],
    [program('console.log("hello")'), 'the command printed "hello", which is not a report'],
    [program("console.log(JSON.stringify({id:7}))"), "the command reported another id than 1"],
    [program("console.log(JSON.stringify({id:d.id}))"), "The client does not list its features"],
    [program("console.log(JSON.stringify({id:d.id,features:[]}))"), "The client did not make a good call in the dialect grpc"],
    [program('console.log(JSON.stringify(d.features?{id:d.id,features:[]}:{id:d.id,error:"no"}))'), "the command reported: no"],
  ])("%s", async (command, why) => {
    const driver = new RpcClientDriver({ client: command, timeout: 5_000, dialect: "grpc" });
    try {
      await expect(driver.probe()).rejects.toThrow(why);
    } finally {
      await driver.close();
    }
  });
});

test("a command that exits after each report is started again", async () => {
  const once = program(
    'if(d.features){console.log(JSON.stringify({id:d.id,features:[]}));return}console.log(JSON.stringify({id:d.id,error:"only once"}),process.exitCode=0);setTimeout(()=>process.exit(),1)',
  );
  const { cases } = await check(once, "rpc", [PLAIN]).catch((error: unknown) => ({ cases: [{ reason: String(error) }] }));
  expect(cases[0]?.reason).toContain("only once");
});
