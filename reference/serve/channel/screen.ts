import { SerializeAddon } from "@xterm/addon-serialize";
import headless, { type Terminal as HeadlessTerminal } from "@xterm/headless";
import type { NewScreen, Screen } from "../../websocket/channel/index.ts";

/** Lines above the screen that a client sees which attaches late: as many as fit into `MOST_OCTETS`. */
const SCROLLBACK = [1_000, 200, 0] as const;
const MOST_OCTETS = 1_048_576;

/** The modes that the serializer leaves out, and whether they are set after a reset. */
const MODES: Readonly<Record<number, boolean>> = { 12: false, 25: true, 1005: false, 1006: false, 1015: false, 1016: false };
const ORIGIN = 6;

/** State of a terminal that its library does not report: cursor, mouse, margins and character sets. */
class Rest {
  readonly #modes = new Map<number, boolean>();
  #margins: readonly [top: number, bottom: number] | undefined;
  #cursorStyle = 0;
  readonly #charsets = new Map<string, string>();
  #isShifted = false;
  #hasOrigin = false;

  constructor({ parser }: HeadlessTerminal) {
    const mode = (isSet: boolean) => (params: (number | number[])[]) => {
      for (const param of params) {
        if (typeof param !== "number") continue;
        if (param in MODES) this.#modes.set(param, isSet);
        if (param === ORIGIN) this.#hasOrigin = isSet;
      }
      return false;
    };
    const reset = () => {
      this.#modes.clear();
      this.#charsets.clear();
      this.#margins = undefined;
      this.#cursorStyle = 0;
      this.#isShifted = false;
      this.#hasOrigin = false;
      return false;
    };
    parser.registerCsiHandler({ prefix: "?", final: "h" }, mode(true));
    parser.registerCsiHandler({ prefix: "?", final: "l" }, mode(false));
    parser.registerCsiHandler({ intermediates: "!", final: "p" }, reset);
    parser.registerEscHandler({ final: "c" }, reset);
    parser.registerCsiHandler({ final: "r" }, ([top, bottom]) => {
      this.#margins = top === undefined && bottom === undefined ? undefined : [Number(top ?? 0), Number(bottom ?? 0)];
      return false;
    });
    parser.registerCsiHandler({ intermediates: " ", final: "q" }, ([style]) => {
      this.#cursorStyle = Number(style ?? 0);
      return false;
    });
    for (const slot of ["(", ")"])
      for (const final of ["0", "A", "B"])
        parser.registerEscHandler({ intermediates: slot, final }, () => {
          this.#charsets.set(slot, final);
          return false;
        });
  }

  /** SO and SI cannot be observed by the parser's hooks: they are single octets. */
  shift(octets: Uint8Array): void {
    this.#isShifted = octets.lastIndexOf(0x0e) > octets.lastIndexOf(0x0f) || (this.#isShifted && !octets.includes(0x0f));
  }

  /** What sets this state; the cursor is at `x` and `y` of a screen of `rows`. */
  sequence({ x, y, rows }: { readonly x: number; readonly y: number; readonly rows: number }): string {
    let text = "";
    const [top = 0, bottom = 0] = this.#margins ?? [];
    const first = Math.max(1, top);
    const last = bottom === 0 ? rows : Math.min(bottom, rows);
    if (this.#margins !== undefined && first < last && (first > 1 || last < rows)) {
      // Setting the margins moves the cursor, and with the origin mode its position counts from the upper one.
      text += `\x1b[${first};${last}r\x1b[${y + 1 - (this.#hasOrigin ? first - 1 : 0)};${x + 1}H`;
    }
    for (const [slot, final] of this.#charsets) if (final !== "B") text += `\x1b${slot}${final}`;
    if (this.#isShifted) text += "\x0e";
    if (this.#cursorStyle > 0) text += `\x1b[${this.#cursorStyle} q`;
    for (const [mode, isSet] of this.#modes) if (isSet !== MODES[mode]) text += `\x1b[?${mode}${isSet ? "h" : "l"}`;
    return text;
  }
}

/** Creates a headless terminal for a session. `after` is called when it has interpreted more output. */
export const screens =
  (after: () => void): NewScreen =>
  (cols, rows): Screen => {
    const terminal = new headless.Terminal({ cols, rows, scrollback: SCROLLBACK[0], allowProposedApi: true, logLevel: "off" });
    const serializer = new SerializeAddon();
    terminal.loadAddon(serializer);
    const rest = new Rest(terminal);
    return {
      write(octets, done) {
        terminal.write(octets, () => {
          rest.shift(octets);
          done();
          after();
        });
      },
      resize: (toCols, toRows) => terminal.resize(toCols, toRows),
      draw() {
        const { cursorX: x, cursorY: y } = terminal.buffer.active;
        const ending = rest.sequence({ x, y, rows: terminal.rows });
        for (const scrollback of SCROLLBACK) {
          const octets = Buffer.from(serializer.serialize({ scrollback }) + ending);
          if (octets.length <= MOST_OCTETS) return octets;
        }
        return undefined;
      },
      close: () => terminal.dispose(),
    };
  };
