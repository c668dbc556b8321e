import { describe, expect, test } from "vitest";
import { passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { loadCases } from "../cases/load.ts";
import { FLAWS as CLIENTS, startClient } from "./client.ts";
import { FLAWS as SERVERS, startServer } from "./server.ts";

const servers = { cases: await loadCases("server"), names: Object.keys(SERVERS), start: startServer, concurrency: 4 };
const clients = { cases: await loadCases("client"), names: Object.keys(CLIENTS), start: startClient, concurrency: 4 };

describe("no case without a culprit", () => {
  test("every case for servers is failed by an impostor", async () => {
    expect(await uncaught(servers, {})).toEqual([]);
  });

  test("every case for clients is failed by an impostor", async () => {
    expect(await uncaught(clients, {})).toEqual([]);
  });
});

describe("no credit for hanging up or keeping silent", () => {
  test.each(["silent", "slams"])("the server that %s passes nothing", async (name) => {
    expect(await passedBy(servers, name)).toEqual([]);
  });

  test("a client that never connects passes nothing", async () => {
    expect(await passedBy(clients, "never")).toEqual([]);
  });
});
