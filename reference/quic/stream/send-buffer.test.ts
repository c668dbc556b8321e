import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatenated } from "../../core/index.ts";
import { pattern } from "../testing.ts";
import { Reassembler } from "./reassembler.ts";
import { SendBuffer } from "./send-buffer.ts";

const step = fc.tuple(fc.constantFrom("write", "take", "ack", "lose"), fc.nat(40));

describe("send buffer", () => {
  test("whatever is lost and acknowledged, the other end gets all octets in order", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isReset) => {
        const buffer = new SendBuffer();
        const other = new Reassembler();
        const flying: { offset: number; length: number }[] = [];
        const send = (most: number): boolean => {
          const chunk = buffer.take(most);
          if (chunk === undefined) return false;
          expect(chunk.octets).toEqual(pattern(chunk.offset, chunk.octets.length));
          flying.push({ offset: chunk.offset, length: chunk.octets.length });
          return true;
        };
        const arrive = ({ offset, length }: { offset: number; length: number }): void => {
          other.push(offset, pattern(offset, length));
          buffer.acknowledge(offset, offset + length);
        };
        for (const [what, count] of steps) {
          if (what === "write") buffer.write(pattern(buffer.end, count));
          else if (what === "take") send(count + 1);
          else {
            const [one] = flying.splice(count % (flying.length + 1), 1);
            if (one === undefined) continue;
            if (what === "ack") arrive(one);
            else buffer.lose(one.offset, one.offset + one.length);
          }
        }
        if (isReset) buffer.loseAll();
        for (let rounds = 0; rounds < 400 && !buffer.isAcknowledged; rounds++) {
          send(7);
          const one = flying.shift();
          if (one !== undefined) arrive(one);
        }
        const got: Uint8Array[] = [];
        for (let piece = other.pull(); piece !== undefined; piece = other.pull()) got.push(piece);
        expect(concatenated(got)).toEqual(pattern(0, buffer.end));
        expect([buffer.isAcknowledged, buffer.waiting, buffer.unsent, buffer.nextOffset()]).toEqual([true, 0, 0, undefined]);
      }),
      { numRuns: 300 },
    );
  });

  test("new octets end at the limit, lost ones do not wait for it", () => {
    const buffer = new SendBuffer();
    buffer.write(pattern(0, 10));
    expect([buffer.take(20, 4)?.octets.length, buffer.take(20, 4), buffer.nextOffset(4), buffer.sent]).toEqual([
      4,
      undefined,
      undefined,
      4,
    ]);
    buffer.lose(1, 3);
    expect([buffer.nextOffset(0), buffer.take(20, 0)]).toEqual([1, { offset: 1, octets: pattern(1, 2) }]);
    expect([buffer.nextOffset(6), buffer.take(20, 6)?.offset]).toEqual([4, 4]);
  });

  test("a reset stream keeps nothing", () => {
    const buffer = new SendBuffer();
    buffer.write(pattern(0, 10));
    buffer.take(5);
    buffer.lose(0, 5);
    buffer.clear();
    expect([buffer.waiting, buffer.nextOffset(), buffer.hasLost, buffer.isAcknowledged]).toEqual([0, undefined, false, true]);
  });
});
