import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { after, concatenated, instant, seeded, type Instant } from "../../core/index.ts";
import { QUIC_PRIMITIVES as primitives } from "../../io/index.ts";
import { octets } from "../testing.ts";
import { V1 } from "../version.ts";
import { KeyPhases } from "./key-phases.ts";
import { Keys, KEY_PHASE, reservedBits, shortFirst } from "./keys.ts";
import { fullNumber } from "./number.ts";
import { SUITES, type SuiteName } from "./suites.ts";

const KEEP_MS = 300;
type Result = string;

/** One end of a connection that sends nothing but numbered packets. */
class End {
  readonly phases: KeyPhases;
  #next = 0;
  #largest: number | undefined;

  constructor(read: number, write: number, suite: SuiteName = "TLS_AES_128_GCM_SHA256", most?: number) {
    const keys = (seed: number): Keys =>
      new Keys({ primitives, suite, version: V1 }, octets(SUITES[suite].hash === "sha256" ? 32 : 48, seed));
    this.phases = new KeyPhases(keys(read), keys(write), most);
  }
  send(): Uint8Array {
    const number = this.#next++;
    const keys = this.phases.forSending(number);
    const number4 = [number >>> 24, number >>> 16, number >>> 8, number].map((octet) => octet & 0xff);
    const packet = concatenated([Uint8Array.of(shortFirst(this.phases.phase, 4), ...number4, 0x01), octets(16, 0)]);
    keys.protect(packet, 1, 4, number);
    return packet;
  }
  receive(packet: Uint8Array, now: Instant = instant(0)): Result {
    const decode = (truncated: number, length: 1 | 2 | 3 | 4): number => fullNumber(truncated, length, this.#largest);
    const got = this.phases.open(packet, 1, { decode, now, keepUntil: after(now, KEEP_MS) });
    if ("is" in got) return got.name;
    this.#largest = Math.max(this.#largest ?? 0, got.number);
    return `${got.number}`;
  }
}
const pair = (suite?: SuiteName): readonly [End, End] => [new End(1, 2, suite), new End(2, 1, suite)];

describe("key phases", () => {
  test("a key is worn after as many packets as the owner says", () => {
    const end = new End(1, 2, "TLS_AES_128_GCM_SHA256", 3);
    const worn: boolean[] = [];
    for (let nth = 0; nth < 4; nth++) {
      end.send();
      worn.push(end.phases.isWorn);
    }
    end.phases.update();
    expect([worn, end.phases.isWorn]).toEqual([[false, false, true, true], false]);
  });
  test.each(Object.keys(SUITES) as SuiteName[])("%s: an update by one side is followed by the other", (suite) => {
    const [a, b] = pair(suite);
    expect([b.receive(a.send()), a.receive(b.send())]).toEqual(["0", "0"]);
    expect([a.phases.mayUpdate, b.phases.phase]).toEqual([false, 0]);
    a.phases.acknowledged(0);
    expect(a.phases.mayUpdate).toBe(true);
    a.phases.update();
    expect([a.phases.phase, a.phases.mayUpdate]).toEqual([1, false]);
    expect([b.receive(a.send()), b.phases.phase]).toEqual(["1", 1]);
    expect([a.receive(b.send()), b.phases.mayUpdate]).toEqual(["1", false]);
    a.phases.acknowledged(0);
    expect(a.phases.mayUpdate).toBe(false);
    a.phases.acknowledged(1);
    expect(a.phases.mayUpdate).toBe(true);
  });

  test("a packet of the phase before opens until its keys are dropped", () => {
    const [a, b] = pair();
    b.receive(a.send());
    b.send();
    const [late, tooLate] = [a.send(), a.send()];
    a.phases.update();
    expect(b.receive(a.send(), instant(10))).toBe("3");
    expect(b.receive(late, instant(10 + KEEP_MS - 1))).toBe("1");
    expect(b.receive(tooLate, instant(10 + KEEP_MS))).toBe("packetUndecryptable");
  });

  test("after its own update a side opens the phase before until the peer follows", () => {
    const [a, b] = pair();
    a.receive(b.send());
    b.receive(a.send());
    a.phases.update();
    const old = [b.send(), b.send()];
    expect(a.receive(old[0]!, instant(1e6))).toBe("1");
    b.receive(a.send());
    expect([a.receive(b.send(), instant(2e6)), a.receive(old[1]!, instant(2e6 + 1))]).toEqual(["3", "2"]);
  });

  test("a number above the first of a phase under keys of the phase before ends the connection", () => {
    const [a, b] = pair();
    const liar = new End(1, 2);
    b.receive(a.send());
    b.send();
    for (let at = 0; at < 3; at++) liar.send();
    a.phases.update();
    b.receive(a.send());
    expect(b.receive(liar.send())).toBe("keyUpdateBackwards");
  });

  test("a second update before an answer in the first ends the connection", () => {
    const [a, b] = pair();
    b.receive(a.send());
    b.send();
    a.phases.update();
    expect(b.receive(a.send())).toBe("1");
    a.phases.update();
    expect(b.receive(a.send())).toBe("keyUpdateTooEarly");
  });

  test("the first packet of all cannot be an update", () => {
    const [a, b] = pair();
    a.phases.update();
    expect(b.receive(a.send())).toBe("packetUndecryptable");
  });

  test("a changed or short packet does not open, and changes nothing", () => {
    const [a, b] = pair();
    b.receive(a.send());
    const packet = a.send();
    fc.assert(
      fc.property(fc.nat(packet.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = packet.slice();
        changed[at]! ^= change;
        expect(b.receive(changed)).toBe("packetUndecryptable");
      }),
    );
    expect(b.receive(packet.subarray(0, 20))).toBe("packetTooShortToSample");
    expect(b.receive(packet)).toBe("1");
  });

  test("any order, loss and updates: whatever arrives within the time opens", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seeded(seed);
        const [a, b] = pair();
        let under: { readonly packet: Uint8Array; readonly number: number }[] = [];
        let sent = 0;
        for (let step = 0; step < 60; step++) {
          const packet = a.send();
          under.push({ packet, number: sent++ });
          if (random() < 0.1) under.shift();
          if (random() < 0.6) continue;
          // At most the packets of two phases are on their way.
          const batch = under.sort(() => random() - 0.5);
          under = [];
          expect(batch.map(({ packet }) => b.receive(packet))).toEqual(batch.map(({ number }) => `${number}`));
          if (a.receive(b.send()) !== "packetUndecryptable") a.phases.acknowledged(Math.max(-1, ...batch.map(({ number }) => number)));
          if (a.phases.mayUpdate && random() < 0.7) a.phases.update();
        }
      }),
      { numRuns: 30 },
    );
  });

  test("keys wear: half of the limit asks for an update, the limit ends their use", () => {
    const [a] = pair();
    const { confidentialityLimit } = SUITES.TLS_AES_128_GCM_SHA256;
    for (let count = 0; count < confidentialityLimit / 2 - 1; count++) a.phases.forSending(count);
    expect([a.phases.isWorn, a.phases.isExhausted]).toEqual([false, false]);
    a.phases.forSending(0);
    expect(a.phases.isWorn).toBe(true);
    for (let count = 0; count < confidentialityLimit / 2; count++) a.phases.forSending(count);
    expect(a.phases.isExhausted).toBe(true);
    a.phases.update();
    expect([a.phases.isWorn, a.phases.isExhausted]).toEqual([false, false]);
    expect([KEY_PHASE, reservedBits(0x58), reservedBits(0xcc), reservedBits(0xc3)]).toEqual([4, 0x18, 0x0c, 0]);
  });
});
