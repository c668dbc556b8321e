import { describe, expect, test } from "vitest";
import { readRequests, readResponses } from "../../wire/http1/read.ts";
import { fromLatin1 } from "../../wire/octets.ts";
import type { Sight } from "../vocabulary.ts";
import type { Conversation } from "./conversation.ts";
import { outcomeInWords, sightInWords } from "./describe.ts";
import { decide, decides } from "../../harness/connection/sights.ts";
import { deciding, isSeen, type View } from "./sights.ts";

const head = (status: string, ...fields: string[]): string => [`HTTP/1.1 ${status}`, ...fields, "", ""].join("\r\n");
const EMPTY = "Content-Length: 0";
const GOOD = head("200 OK", EMPTY, "Connection: keep-alive");
const BAD = head("400 Bad Request", EMPTY);

function conversation(came: string, ended?: "fin"): Conversation {
  const reader = readResponses(fromLatin1(came), [], ended !== undefined);
  return {
    responses: reader.responses,
    interim: reader.interim,
    garbage: reader.garbage,
    tunnel: reader.tunnel,
    upgraded: undefined,
    ended,
    endedByUs: false,
    sent: readRequests(new Uint8Array(), false).requests,
  };
}
function view(came: string, { ended, fenced = false }: { ended?: "fin"; fenced?: boolean } = {}): View {
  const one = conversation(came, ended);
  return {
    conversation: (on) => (on === 1 ? one : undefined),
    conversations: [one],
    requests: [],
    values: { path: "/a?b" },
    like: { path: 200, missing: 404 },
    fenced,
    monitor: () => undefined,
  };
}
const over = { ended: "fin" } as const;

describe("what is seen", () => {
  test.each<[string, Sight, View, boolean]>([
    ["a response by its status", { see: "response", status: [200] }, view(GOOD), true],
    ["by its class", { see: "response", status: ["4xx"] }, view(GOOD), false],
    ["the second", { see: "response", nth: 2, status: [400] }, view(GOOD + BAD), true],
    ["like the probe's", { see: "response", like: "missing" }, view(head("404 Not Found", EMPTY)), true],
    ["a field by its value", { see: "response", fields: [{ name: "connection", value: "keep-alive" }] }, view(GOOD), true],
    ["a field by a pattern", { see: "response", fields: [{ name: "CONNECTION", pattern: "^KEEP" }] }, view(GOOD), true],
    ["a field that is absent", { see: "response", fields: [{ name: "date", absent: true }] }, view(GOOD), true],
    ["content that equals a text", { see: "response", body: "{path}" }, view(`${head("200 OK", "Content-Length: 4")}/a?b`), true],
    ["content that is not whole does not", { see: "response", body: "ok" }, view(`${head("200 OK", "Content-Length: 3")}ok`), false],
    ["content by a pattern", { see: "response", bodyPattern: "^{path}$" }, view(`${head("200 OK", "Content-Length: 4")}/a?b`), true],
    ["the way it is framed", { see: "response", framing: "chunked" }, view(GOOD), false],
    ["what came before it", { see: "interim", status: 103 }, view(head("103 Early Hints") + GOOD), true],
    ["what came before nothing yet", { see: "interim", status: 103 }, view(head("103 Early Hints")), true],
    ["what came before another", { see: "interim", status: 103, nth: 2 }, view(head("103 Early Hints") + GOOD), false],
    ["a refusal with the end", { see: "error and close" }, view(BAD, over), true],
    ["no refusal while it is open", { see: "error and close" }, view(BAD), false],
    ["no refusal where more was answered", { see: "error and close" }, view(BAD + GOOD, over), false],
    ["a refusal with what follows", { see: "error and keep-alive" }, view(BAD + GOOD, { fenced: true }), true],
    ["the mere end", { see: "closed after", responses: 0 }, view("", over), true],
    ["not the end alone after octets that are not a response", { see: "closed after", responses: 0 }, view("<html>", over), false],
    ["the end after one", { see: "closed after", responses: 1 }, view(GOOD, over), true],
    ["all answers, counted", { see: "all answered", responses: 2 }, view(GOOD + GOOD, { fenced: true }), true],
    ["not without the fence", { see: "all answered", responses: 2 }, view(GOOD + GOOD), false],
    ["none of another connection", { see: "response", on: 2 }, view(GOOD), false],
    ["the opposite", { see: "not", of: { see: "connection closed" } }, view(GOOD), true],
  ])("%s", (_, sight, where, seen) => expect(isSeen(sight, where)).toBe(seen));
});

const isDecided = (sight: Sight, seen: View, unfenced?: boolean): boolean => decides(sight, deciding(seen, unfenced));

describe("what decides", () => {
  const either: Sight = {
    see: "any",
    of: [
      { see: "error and close", status: [400] },
      { see: "error and keep-alive", status: [400] },
    ],
  };

  test("an end, as soon as it is seen; anything else, when the fence is answered", () => {
    expect(isDecided(either, view(BAD, over))).toBe(true);
    expect(isDecided(either, view(BAD))).toBe(false);
    expect(isDecided(either, view(BAD + GOOD, { fenced: true }))).toBe(true);
    expect(isDecided({ see: "response", status: [400] }, view(BAD))).toBe(false);
    expect(isDecided({ see: "response", status: [400] }, view(BAD), true)).toBe(true);
  });

  test("each way in which alternatives within others can come about", () => {
    const both: Sight = { see: "all", of: [either, { see: "response", fields: [{ name: "date", absent: true }] }] };
    expect(isDecided(both, view(BAD, over))).toBe(true);
    expect(isDecided(both, view(head("400 Bad Request", EMPTY, "Date: now"), over))).toBe(false);
  });

  test("the first of the allowed outcomes", () => {
    const allowed = [{ see: { see: "closed after", responses: 0 } }, { see: either, by: "rfc9112#2.2" }] as const;
    expect(decide(allowed, deciding(view(BAD, over)))).toBe(1);
    expect(decide(allowed, deciding(view(GOOD)))).toBeUndefined();
  });
});

test("sights in words", () => {
  expect(
    sightInWords({
      see: "any",
      of: [
        { see: "error and close", status: [400] },
        { see: "error and keep-alive", status: [400] },
      ],
    }),
  ).toBe("an error response with 400");
  expect(outcomeInWords({ see: { see: "closed after", responses: 1 }, by: "rfc9112#9.5", verdict: "warn" })).toBe(
    "the connection ended after one response (rfc9112#9.5) (discouraged)",
  );
});
