/** Numbers from 0 to below 1; the same seed gives the same numbers. */
export type Rng = () => number;

const pick = (rng: Rng, below: number): number => Math.floor(rng() * below);
/** Octets at which the meaning of length and type fields changes. */
const EDGES = [0x00, 0x01, 0x04, 0x09, 0x0f, 0x10, 0x1f, 0x20, 0x3f, 0x40, 0x7e, 0x7f, 0x80, 0xbf, 0xc0, 0xdf, 0xe0, 0xfe, 0xff];

type Context = { readonly others: readonly Uint8Array[]; readonly dictionary: readonly Uint8Array[]; readonly maxLength: number };

/** Returns a copy of `input` with one to four small random changes. */
export function mutate(input: Uint8Array, rng: Rng, context: Context): Uint8Array {
  let out = input;
  for (let changes = 1 + pick(rng, 4); changes > 0; changes--) out = change(out, rng, context);
  return out.length > context.maxLength ? out.slice(0, context.maxLength) : out;
}

function change(input: Uint8Array, rng: Rng, { others, dictionary }: Context): Uint8Array {
  const at = pick(rng, input.length + 1);
  const here = Math.min(at, input.length - 1);
  switch (pick(rng, 9)) {
    case 0:
      return edit(input, here, (octet) => octet ^ (1 << pick(rng, 8)));
    case 1:
      return edit(input, here, () => EDGES[pick(rng, EDGES.length)] ?? 0);
    case 2:
      return edit(input, here, () => pick(rng, 256));
    case 3:
      return edit(input, here, (octet) => octet + (pick(rng, 2) === 0 ? 1 : -1));
    case 4:
      return splice(
        input,
        at,
        0,
        Uint8Array.from({ length: 1 + pick(rng, 4) }, () => pick(rng, 256)),
      );
    case 5:
      return splice(input, at, 1 + pick(rng, 8), EMPTY);
    case 6: {
      const from = pick(rng, input.length + 1);
      return splice(input, at, 0, input.slice(from, from + 1 + pick(rng, 16)));
    }
    case 7: {
      const word = dictionary[pick(rng, dictionary.length)];
      return word === undefined ? input : splice(input, at, pick(rng, 2) * word.length, word);
    }
    default: {
      const other = others[pick(rng, others.length)];
      if (other === undefined) return input;
      return concat(input.subarray(0, at), other.subarray(pick(rng, other.length + 1)));
    }
  }
}

const EMPTY = new Uint8Array();

function edit(input: Uint8Array, at: number, value: (octet: number) => number): Uint8Array {
  if (input.length === 0) return Uint8Array.of(value(0));
  const out = input.slice();
  out[at] = value(out[at] ?? 0);
  return out;
}

const splice = (input: Uint8Array, at: number, remove: number, insert: Uint8Array): Uint8Array =>
  concat(concat(input.subarray(0, at), insert), input.subarray(Math.min(input.length, at + remove)));

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}
