import fc, { assert } from "fast-check";
import { test } from "vitest";
import { MAX_WINDOW, ReceiveWindow, widen } from "../../reference/http2/flow/window.ts";

/** The model counts what the specification defines: octets the peer may still send, and octets received but not yet credited back. */
type Model = { left: number; unread: number; owed: number; size: number };
type Command = fc.Command<Model, ReceiveWindow>;

const agree = (model: Model, real: ReceiveWindow, what: string): void => {
  if (model.left !== real.left || model.owed !== real.owed) {
    throw new Error(`${what}: expected ${model.left} left and ${model.owed} owed, found ${real.left} and ${real.owed}`);
  }
};
const take = (octets: number): Command => ({
  check: () => true,
  run: (model, real) => {
    const fits = octets <= model.left;
    if (real.take(octets) !== fits) throw new Error(`taking ${octets} of ${model.left} was ${fits ? "refused" : "accepted"}`);
    if (fits) {
      model.left -= octets;
      model.unread += octets;
    }
    agree(model, real, `take ${octets}`);
  },
  toString: () => `take ${octets}`,
});
const give = (share: number): Command => ({
  check: (model) => model.unread > 0,
  run: (model, real) => {
    const octets = Math.max(1, Math.floor(model.unread * share));
    model.unread -= octets;
    model.owed += octets;
    const increment = real.give(octets);
    // All owed credit goes back once it is half of the window.
    const due = model.owed * 2 >= model.size ? model.owed : 0;
    if (increment !== due) throw new Error(`announced ${increment}, due was ${due}`);
    model.owed -= increment;
    model.left += increment;
    agree(model, real, `give ${octets}`);
  },
  toString: () => `give ${share}`,
});
const resize = (size: number): Command => ({
  check: () => true,
  run: (model, real) => {
    real.shift(size - model.size);
    model.left += size - model.size;
    model.size = size;
    agree(model, real, `resize ${size}`);
  },
  toString: () => `resize ${size}`,
});

test("a receive window agrees with the model under any commands and loses no credit", () => {
  const commands = fc.commands([
    fc.nat(70_000).map(take),
    fc.double({ min: 0, max: 1, noNaN: true }).map(give),
    fc.nat(100_000).map(resize),
  ]);
  const start = (): { model: Model; real: ReceiveWindow } => ({
    model: { left: 65_535, unread: 0, owed: 0, size: 65_535 },
    real: new ReceiveWindow(65_535),
  });
  assert(
    fc.property(commands, (list) => {
      const state = start();
      fc.modelRun(() => state, list);
      const { model, real } = state;
      if (real.left + real.owed + model.unread !== model.size) throw new Error("the window gained or lost credit");
    }),
    { numRuns: 300 },
  );
});

test("a send window never exceeds its maximum and is the sum of its changes", () => {
  const steps = fc.array(fc.oneof(fc.integer({ min: 1, max: MAX_WINDOW }), fc.integer({ min: -65_535, max: -1 })), { maxLength: 40 });
  assert(
    fc.property(steps, (list) => {
      let window = 65_535;
      let sum = 65_535n;
      for (const by of list) {
        const next = widen(window, by);
        const fits = sum + BigInt(by) <= BigInt(MAX_WINDOW);
        if ((next !== undefined) !== fits) throw new Error(`${window} widened by ${by} is ${next}`);
        if (next === undefined) continue;
        window = next;
        sum += BigInt(by);
        if (BigInt(window) !== sum) throw new Error(`${window} is not ${sum}`);
      }
    }),
  );
});
