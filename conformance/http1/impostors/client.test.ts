import { beforeAll, describe, expect, test } from "vitest";
import type { Case } from "../vocabulary.ts";
import { type Party, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import { HTTP1_CLIENT_FLAWS } from "./client-flaws.ts";
import { HINTS, http1Clients, MUTE_CLIENTS } from "./client-parties.ts";
import { runHttp1Client } from "./client.ts";

let clients: Party<Case>;
beforeAll(async () => {
  clients = await http1Clients();
});

describe("clients of HTTP/1.1 that are wrong on purpose", () => {
  test("every case for clients is failed by one of them", async () => {
    expect(await uncaught(clients, readHints(HINTS))).toEqual([]);
  });

  test.each(MUTE_CLIENTS)("the client that %s passes nothing", async (name) => {
    expect(await passedBy({ ...clients, concurrency: 64 }, name)).toEqual([]);
  });

  test("the lenient client passes a case with odd octets, and fails one with truncated content", async () => {
    const some = clients.cases.filter(({ id }) => id === "http1/client-content-of-any-octets" || id === "http1/client-length-short");
    expect(await passedBy({ ...clients, cases: some }, "lenient")).toEqual(["http1/client-content-of-any-octets"]);
  });

  test("an unknown impostor is refused with the names of the known ones", async () => {
    await expect(runHttp1Client("nobody", { url: "http://127.0.0.1:1/", method: "GET" })).rejects.toThrow(/Known: lenient, silent/);
    expect(Object.values(HTTP1_CLIENT_FLAWS).every(({ about }) => about.length > 0)).toBe(true);
  });
});
