import { describe, expect, test } from "vitest";
import { instant, NEVER, seeded } from "../../core/index.ts";
import { QUIC_PRIMITIVES } from "../../io/index.ts";
import type { NewConnectionId } from "../frame/index.ts";
import { octets, T0 } from "../testing.ts";
import { IssuedIds, resetTokenOf } from "./issued-ids.ts";
import { Path, sameAddress } from "./path.ts";
import { PeerIds } from "./peer-ids.ts";
import { Tokens } from "./token.ts";

const HERE = { host: "192.0.2.1", port: 4433 };
const random = seeded(1);
const primitives = { ...QUIC_PRIMITIVES, random: (into: Uint8Array) => into.fill(0).map(() => Math.floor(random() * 256)) };

describe("a path", () => {
  test("three times what was received may be sent before it is validated", () => {
    const path = new Path(HERE, false);
    expect(path.room).toBe(0);
    path.received(1200);
    path.sent(3000);
    expect(path.room).toBe(600);
    path.sent(3000);
    expect(path.room).toBe(0);
    path.validate();
    expect(path.room).toBe(Number.POSITIVE_INFINITY);
  });

  test("a challenge is repeated until it is answered or time is up", () => {
    const path = new Path(HERE, false);
    path.challenge(T0, 900);
    expect([path.wantsChallenge, path.deadline]).toEqual([true, 900]);
    path.challenged(octets(8, 1), T0, 300);
    expect([path.wantsChallenge, path.deadline, path.answers(octets(8, 2)), path.answers(octets(8, 1))]).toEqual([false, 300, false, true]);
    expect([path.tick(instant(299)), path.wantsChallenge, path.tick(instant(300)), path.wantsChallenge]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    for (const value of [2, 3, 4]) path.challenged(octets(8, value), T0, 300);
    expect([1, 2, 4].map((value) => path.answers(octets(8, value)))).toEqual([false, true, true]);
    expect(path.tick(instant(900))).toBe(true);
    path.validate();
    expect([path.deadline, path.answers(octets(8, 4))]).toEqual([NEVER, false]);
    expect([sameAddress(HERE, { ...HERE }), sameAddress(HERE, { ...HERE, port: 1 })]).toEqual([true, false]);
  });
});

describe("IDs that we issue", () => {
  const rig = (limit = 4): IssuedIds => {
    const ids = new IssuedIds(primitives, octets(32, 1), octets(8, 9));
    ids.allow(limit);
    return ids;
  };

  test("as many as the peer keeps, eight at most", () => {
    const ids = rig();
    expect(ids.issue().map(({ sequence, id, resetToken }) => [sequence, id.length, resetToken.length])).toEqual(
      [1, 2, 3].map((one) => [one, 8, 16]),
    );
    expect([ids.issue(), rig(1000).issue().length, ids.changes().length, ids.changes().length, [...ids.all].length]).toEqual([
      [],
      7,
      4,
      0,
      4,
    ]);
  });

  test("a retired one is replaced; one that was not issued, or carried the frame, cannot be retired", () => {
    const ids = rig(2);
    const [next] = ids.issue();
    ids.changes();
    expect(ids.retire(2, octets(8, 9))).toMatchObject({ name: "retireOfUnissuedId" });
    expect(ids.retire(0, octets(8, 9))).toMatchObject({ name: "retireOfIdInUse" });
    expect([ids.retire(0, next!.id), ids.retire(0, next!.id), ids.has(octets(8, 9)), ids.isActive(0), ids.isActive(1)]).toEqual([
      undefined,
      undefined,
      false,
      false,
      true,
    ]);
    expect([ids.changes(), ids.issue().map(({ sequence }) => sequence)]).toEqual([[{ is: "retired", id: octets(8, 9) }], [2]]);
    expect(ids.resetTokenOf(next!.id)).toEqual(resetTokenOf(primitives, octets(32, 1), next!.id));
  });

  test("an empty ID has no others", () => {
    const ids = new IssuedIds(primitives, octets(32, 1), octets(0));
    ids.allow(4);
    expect([ids.issue(), ids.retire(0, octets(0))?.name]).toEqual([[], "retireWhileZeroLength"]);
  });
});

describe("IDs of the peer", () => {
  const frame = (sequence: number, retirePriorTo = 0, value = sequence): NewConnectionId => ({
    is: "NEW_CONNECTION_ID",
    sequence,
    retirePriorTo,
    id: octets(8, value),
    resetToken: octets(16, value),
  });
  const rig = (): PeerIds => new PeerIds(octets(8, 0), 2);

  test("one that retires others takes the place of the current", () => {
    const ids = rig();
    ids.setResetToken(octets(16, 0));
    expect([ids.add(frame(1)), ids.add(frame(1)), ids.resetTokens]).toEqual([undefined, undefined, [octets(16, 0), octets(16, 1)]]);
    expect([ids.add(frame(2, 1)), ids.current, ids.takeRetirements(), ids.takeRetirements()]).toEqual([undefined, octets(8, 1), [0], []]);
    expect(ids.add(frame(3))?.name).toBe("tooManyConnectionIds");
  });

  test("one that is late is retired at once", () => {
    const ids = rig();
    ids.add(frame(5, 5));
    expect([ids.add(frame(3)), ids.takeRetirements(), ids.current]).toEqual([undefined, [0, 3], octets(8, 5)]);
  });

  test.each([
    ["the same number for another ID", [frame(1), { ...frame(1), id: octets(8, 7) }], "connectionIdReissued"],
    ["the same ID under another number", [frame(1), { ...frame(2), id: octets(8, 1) }], "connectionIdReissued"],
    ["the same ID with another token", [frame(1), { ...frame(1), resetToken: octets(16, 7) }], "connectionIdReissued"],
    ["more than we keep", [frame(1), frame(2)], "tooManyConnectionIds"],
  ])("%s is refused", (_, frames, name) => {
    const ids = rig();
    expect(frames.map((one) => ids.add(one)?.name).at(-1)).toBe(name);
  });

  test("a peer that uses empty IDs has no others", () => {
    expect(new PeerIds(octets(0), 2).add(frame(1))?.name).toBe("newConnectionIdWhileZeroLength");
  });

  test("retirements that the peer does not acknowledge are bounded", () => {
    const ids = rig();
    let names: (string | undefined)[] = [];
    for (let at = 1; at < 10; at++) names = [...names, ids.add(frame(at, at))?.name];
    expect(names.indexOf("tooManyRetirements")).toBe(6);
    const honest = rig();
    for (let at = 1; at < 50; at++) {
      expect(honest.add(frame(at, at))).toBeUndefined();
      for (const sequence of honest.takeRetirements()) honest.acknowledged(sequence);
    }
  });

  test("one that was left is not used again when it is repeated, even after its retirement has arrived", () => {
    const ids = rig();
    ids.add(frame(1));
    ids.renew();
    ids.takeRetirements();
    ids.acknowledged(0);
    expect([ids.add({ ...frame(0), retirePriorTo: 0 }), ids.renew(), ids.current]).toEqual([undefined, false, octets(8, 1)]);
  });

  test("a peer that has all of them retired, and gives one that was left, ends the connection", () => {
    const ids = rig();
    ids.add(frame(2));
    ids.renew();
    ids.add(frame(1));
    ids.renew();
    expect([ids.current, ids.add(frame(2, 2))?.name]).toEqual([octets(8, 1), "connectionIdsAllRetired"]);
  });

  test("numbers that are left one by one with gaps between them are bounded", () => {
    const ids = rig();
    let count = 0;
    for (; count < 1_000; count++) {
      if (ids.add(frame(2 + count * 2)) !== undefined) break;
      ids.renew();
      for (const sequence of ids.takeRetirements()) ids.acknowledged(sequence);
    }
    expect(count).toBe(101);
  });

  test("a new path takes a spare one, if there is one", () => {
    const ids = rig();
    expect(ids.renew()).toBe(false);
    ids.add(frame(1));
    expect([ids.renew(), ids.current, ids.takeRetirements()]).toEqual([true, octets(8, 1), [0]]);
    ids.replaceFirst(octets(4, 4));
    expect(ids.current).toEqual(octets(4, 4));
  });
});

test("a token is valid at its address and in its version only, and unchanged only", () => {
  const HOLDER = { ...HERE, version: 1 };
  const tokens = new Tokens(primitives, octets(16, 1));
  const retry = { is: "retry", at: instant(2 ** 40 + 7), original: octets(8, 3), destination: octets(8, 4) } as const;
  const token = tokens.make(retry, HOLDER);
  expect(tokens.read(token, HOLDER)).toEqual(retry);
  expect(tokens.read(token, { ...HOLDER, port: 1 })).toBeUndefined();
  expect(tokens.read(token, { ...HOLDER, version: 2 })).toBeUndefined();
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice();
    changed[at]! ^= 1;
    expect(tokens.read(changed, HOLDER)).toBeUndefined();
  }
  expect([
    tokens.read(octets(0), HOLDER),
    tokens.read(token.subarray(0, 20), HOLDER),
    new Tokens(primitives, octets(16, 2)).read(token, HOLDER),
  ]).toEqual([undefined, undefined, undefined]);
  const later = tokens.make({ is: "new", at: instant(5) }, HOLDER);
  expect([tokens.read(later, { ...HOLDER, port: 1 }), tokens.read(later, { ...HOLDER, host: "192.0.2.2" })]).toEqual([
    { is: "new", at: 5 },
    undefined,
  ]);
});
