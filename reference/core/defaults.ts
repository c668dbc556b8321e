/**
 * Completes partial options: the defaults with some changes. The same changes object always gives the same frozen result, so that many
 * connections with equal options share one copy. A changes object must not be altered after its first use.
 */
export class Defaults<Value extends object> {
  readonly #defaults: Value;
  readonly #completed = new WeakMap<Partial<Value>, Value>();

  constructor(defaults: Value) {
    this.#defaults = Object.freeze(defaults);
  }

  with(changes: Partial<Value> | undefined): Value {
    if (changes === undefined) return this.#defaults;
    let value = this.#completed.get(changes);
    if (value === undefined) {
      value = Object.freeze({ ...this.#defaults, ...changes });
      this.#completed.set(changes, value);
    }
    return value;
  }
}
