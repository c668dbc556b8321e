import { expect, test } from "vitest";
import { dataHead } from "./data-head.ts";
import { streamId } from "./stream-id.ts";
import { toHex } from "./testing.ts";

const [one, three] = [streamId(1), streamId(3)];

test("frames of the same stream and length in a row share one head", () => {
  const head = dataHead(16_384, one);
  expect(toHex(head)).toBe("004000000000000001");
  expect(dataHead(16_384, one)).toBe(head);
});

test("another stream, or another length, has a head of its own, and heads given before stay as they were", () => {
  const first = dataHead(16_384, one);
  expect(toHex(dataHead(16_384, three))).toBe("004000000000000003");
  expect(toHex(dataHead(5_000, three))).toBe("001388000000000003");
  expect(toHex(dataHead(16_384, one))).toBe("004000000000000001");
  expect(toHex(first)).toBe("004000000000000001");
});
