/** JSON that is not what it should be. The message names the place. */
export class BadInput extends Error {
  override readonly name = "BadInput";
}

/** White space of JSON. */
const SPACE = /^[ \t\r\n]$/;

/** Splits JSON values that follow one another, with or without line breaks between them, as their text arrives. */
export class JsonMessages {
  readonly #limit: number;
  #text = "";
  /** The next character to look at, and the first of the value. */
  #at = 0;
  #begin = 0;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #isInside = false;
  #count = 0;

  /** @param limit The most characters of a value. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds text; returns the values that are complete. Throws `BadInput` for what is not JSON. */
  push(text: string): unknown[] {
    this.#text = this.#text.slice(this.#begin) + text;
    this.#at -= this.#begin;
    this.#begin = 0;
    const values: unknown[] = [];
    for (; this.#at < this.#text.length; this.#at++) if (this.#isEnd(this.#text[this.#at]!)) values.push(this.#value());
    if (!this.#isInside) this.#begin = this.#at;
    if (this.#at - this.#begin > this.#limit) throw new BadInput(`message ${this.#count + 1} is longer than ${this.#limit} characters`);
    return values;
  }
  /** The text is complete. */
  end(): unknown[] {
    return this.#isInside ? [this.#value()] : [];
  }

  /** Whether the character is the first one after a value; a value with brackets or quotes ends with its last one. */
  #isEnd(character: string): boolean {
    if (!this.#isInside) {
      if (SPACE.test(character)) return false;
      this.#begin = this.#at;
      this.#isInside = true;
    }
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = true;
      else if (character === '"') {
        this.#isString = false;
        return this.#complete();
      }
      return false;
    }
    switch (character) {
      case '"':
        this.#isString = true;
        return false;
      case "{":
      case "[":
        this.#depth++;
        return false;
      case "}":
      case "]":
        this.#depth--;
        return this.#complete();
      default:
        // A number or a word ends where white space begins.
        return this.#depth === 0 && SPACE.test(character);
    }
  }
  /** After the last quote or bracket: the value includes it. */
  #complete(): boolean {
    if (this.#depth > 0) return false;
    this.#at++;
    return true;
  }

  #value(): unknown {
    const text = this.#text.slice(this.#begin, this.#at);
    this.#begin = this.#at;
    // The loop goes on behind the value.
    this.#at--;
    this.#isInside = false;
    this.#depth = 0;
    this.#count++;
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new BadInput(`message ${this.#count} is not JSON: ${(cause as Error).message}`, { cause });
    }
  }
}

/** The values of a whole text. */
export function jsonMessages(text: string, limit: number): unknown[] {
  const messages = new JsonMessages(limit);
  return [...messages.push(text), ...messages.end()];
}
