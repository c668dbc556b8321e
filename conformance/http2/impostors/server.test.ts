import { expect, beforeAll, describe, test } from "vitest";
import { type Party, passedBy, uncaught } from "../../harness/impostors/catch.ts";
import { readHints } from "../../harness/impostors/hints.ts";
import type { Case } from "../vocabulary.ts";
import { startServer } from "./server.ts";
import { HINTS, server, serverParties } from "./server-parties.ts";

let servers: Party<Case>;
let floods: Party<Case>;
let tls: Party<Case>;
beforeAll(async () => {
  ({ servers, floods, tls } = await serverParties());
});
const hints = readHints(HINTS);

describe("no case without a culprit: an impostor that passes the control and fails the case", () => {
  test("every case for servers is failed by an impostor", async () => {
    expect(await uncaught(servers, hints)).toEqual([]);
  });

  test("every case of abuse is failed by an impostor", async () => {
    expect(await uncaught(floods, hints)).toEqual([]);
  });

  test("every case for servers over TLS is failed by an impostor", async () => {
    expect(await uncaught(tls, hints)).toEqual([]);
  });
});

describe("no credit for hanging up or keeping silent", () => {
  const wide = 64;

  test.each(["silent", "slams"])("the server that %s passes nothing", async (name) => {
    expect(await passedBy({ cases: [...servers.cases, ...floods.cases], start: server(false), concurrency: wide }, name)).toEqual([]);
  });

  test("the lenient server passes only the cases that ask for patience", async () => {
    const patience = servers.cases.filter(({ id }) => id === "http2/te-trailers" || id === "http2/field-name-upper-case");
    const passed = await passedBy({ cases: patience, start: server(false), concurrency: wide }, "lenient");
    expect(passed).toContain("http2/te-trailers");
    expect(passed).not.toContain("http2/field-name-upper-case");
  });
});

test("an unknown server impostor is refused with the names of the known ones", async () => {
  await expect(startServer("nobody")).rejects.toThrow(/Known: lenient, silent, slams/);
});
