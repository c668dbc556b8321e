import { expect, test } from "vitest";
import { Output } from "./output.ts";

const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);
const lengths = (output: Output): number[] => output.take().map((piece) => piece.length);

test("Output: small parts leave in one piece, a large part leaves as the view given", () => {
  const output = new Output();
  const large = bytes(4_097, 2);
  output.writer.u8(1);
  output.add(bytes(4_096, 1));
  output.add(large);
  output.writer.u8(3);
  expect(output.length).toBe(1 + 4_096 + 4_097 + 1);
  const pieces = output.take();
  expect(pieces.map((piece) => piece.length)).toEqual([4_097, 4_097, 1]);
  expect(pieces[1]).toBe(large);
  expect([output.length, output.take()]).toEqual([0, []]);
});

test("Output.addView(): a short view is not copied", () => {
  const output = new Output();
  const view = bytes(9, 1);
  output.addView(view);
  expect(output.take()[0]).toBe(view);
});

test("Output.append(): the bytes of another output follow, and the other output is empty", () => {
  const [first, second] = [new Output(), new Output()];
  first.add(bytes(2, 1));
  second.add(bytes(5_000, 2));
  second.add(bytes(3, 3));
  first.append(second);
  expect([second.length, lengths(first)]).toEqual([0, [2, 5_000, 3]]);
});

test("Output.take(): nothing to take gives a list that nobody can change", () => {
  expect(Object.isFrozen(new Output().take())).toBe(true);
});
