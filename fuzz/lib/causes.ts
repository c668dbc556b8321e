type Shown<Piece> = { readonly kind: string; readonly pieces: readonly Piece[] };

/**
 * Tells the causes of findings of one kind apart. A piece is clean if its shape occurs in a sequence that the peer took well: the cause is
 * among the other pieces of a shrunk sequence, or is its last piece if all are clean.
 */
export class Causes<Piece extends { readonly words: string }> {
  readonly #clean = new Set<string>();
  readonly #found: (Shown<Piece> & { readonly perPiece: boolean })[] = [];
  readonly #shape: (piece: Piece) => string;

  constructor(shape: (piece: Piece) => string = ({ words }) => words.replaceAll(/\d+/g, "#")) {
    this.#shape = shape;
  }

  /** The peer took this sequence well. */
  clear(pieces: readonly Piece[]): void {
    for (const piece of pieces) this.#clean.add(this.#shape(piece));
  }

  /** A shrunk sequence shows a breach. */
  add({ kind, perPiece = false }: { readonly kind: string; readonly perPiece?: boolean }, pieces: readonly Piece[]): void {
    this.#found.push({ kind, pieces, perPiece });
  }

  /** The sequence without the pieces that explain such a breach. */
  without(kind: string, pieces: readonly Piece[]): readonly Piece[] {
    const known = this.#found.filter((one) => one.kind === kind);
    if (known.some(({ perPiece }) => !perPiece)) return [];
    const guilty = new Set(known.flatMap((one) => this.#guilty(one.pieces)));
    return guilty.size === 0 ? pieces : pieces.filter((piece) => !guilty.has(this.#shape(piece)));
  }

  /** One for each cause: the shortest. */
  distinct<One extends Shown<Piece>>(findings: readonly One[]): One[] {
    const kept: One[] = [];
    for (const one of findings.toSorted((a, b) => a.pieces.length - b.pieces.length)) {
      const guilty = new Set(this.#guilty(one.pieces));
      const isKnown = kept.some(({ kind, pieces }) => kind === one.kind && this.#guilty(pieces).some((shape) => guilty.has(shape)));
      if (!isKnown) kept.push(one);
    }
    return findings.filter((one) => kept.includes(one));
  }

  #guilty(pieces: readonly Piece[]): string[] {
    const shapes = pieces.map(this.#shape);
    const guilty = shapes.filter((shape) => !this.#clean.has(shape));
    return guilty.length > 0 ? guilty : shapes.slice(-1);
  }
}
