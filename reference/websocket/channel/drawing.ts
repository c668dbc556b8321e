import { Boundary } from "./boundary.ts";

/** A terminal without a window that interprets output. */
export interface Screen {
  /** Interprets octets; calls `done`, at once or later, when all octets so far have been interpreted and none after them. */
  write(octets: Uint8Array, done: () => void): void;
  resize(cols: number, rows: number): void;
  /** Octets that draw the same screen, with its modes, on a terminal that was reset; undefined if they would be too many. */
  draw(): Uint8Array | undefined;
  close(): void;
}
/** Creates an empty screen. */
export type NewScreen = (cols: number, rows: number) => Screen;

const NOTHING = new Uint8Array(0);

/** The screen of one session: what its output has drawn, for clients that were not there. */
export class Drawing {
  readonly #screen: Screen;
  readonly #boundary: Boundary;
  /** The offset of the next octet, and how far the screen has interpreted. */
  #end: number;
  #drawn: number;
  #isOver = false;

  constructor(screen: Screen, at: number) {
    this.#screen = screen;
    this.#boundary = new Boundary(at);
    this.#end = at;
    this.#drawn = at;
  }

  /** Output before this offset is interpreted. */
  get drawn(): number {
    return this.#drawn;
  }
  /** Interprets output; `done` is called when the screen shows it. */
  print(octets: Uint8Array, done: () => void): void {
    this.#boundary.take(octets);
    this.#end += octets.length;
    const end = this.#end;
    this.#screen.write(octets, () => {
      if (this.#isOver) return;
      this.#drawn = end;
      done();
    });
  }
  resize(cols: number, rows: number): void {
    this.#screen.resize(cols, rows);
  }
  /**
   * Calls `taken` with the screen after all output so far, and the offset from which the output continues it: before a character or a
   * control sequence that is not complete, since that has drawn nothing yet.
   */
  take(taken: (screen: Uint8Array | undefined, from: number) => void): void {
    const from = this.#boundary.safe;
    this.#screen.write(NOTHING, () => {
      if (!this.#isOver) taken(this.#screen.draw(), from);
    });
  }
  close(): void {
    this.#isOver = true;
    this.#screen.close();
  }
}
