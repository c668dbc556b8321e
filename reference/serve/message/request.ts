import type { Field } from "../../core/index.ts";
import { Fields, type Body, type HttpVersion, type Request } from "../../http/index.ts";
import { NO_BODY } from "./body.ts";

/** A request whose control data came in pseudo-fields; its fields and its content are made on first use. A subclass has the version on its prototype. */
export abstract class PseudoFieldRequest implements Request {
  declare readonly version: HttpVersion;
  readonly method: string = "";
  readonly scheme: string = "";
  readonly authority: string = "";
  readonly path: string = "";
  declare readonly protocol?: string;
  /** The regular fields alone: the array of a whole block has room for more, and an open stream keeps it. */
  readonly #list: readonly Field[];
  #fields: Fields | undefined;
  /** Present if content can arrive. */
  readonly #body: Body | undefined;

  constructor(list: readonly Field[], body: Body | undefined) {
    this.#body = body;
    const count = list.length;
    let at = 0;
    for (; at < count; at++) {
      const { name, value } = list[at]!;
      if (name.charCodeAt(0) !== 0x3a) break;
      switch (name) {
        case ":method":
          this.method = value;
          break;
        case ":scheme":
          this.scheme = value;
          break;
        case ":authority":
          this.authority = value;
          break;
        case ":path":
          this.path = value;
          break;
        default:
          this.protocol = value;
      }
    }
    this.#list = list.slice(at);
    if (this.authority === "") this.authority = this.fields.get("host") ?? "";
  }

  get fields(): Fields {
    return (this.#fields ??= new Fields(this.#list));
  }
  get body(): Body {
    return this.#body ?? NO_BODY;
  }
}
