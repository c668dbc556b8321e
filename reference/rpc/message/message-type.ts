import { Misuse } from "../../core/index.ts";
import { readFields } from "./decode.ts";
import { writeFields } from "./encode.ts";
import { fromJson } from "./json/read.ts";
import { toJson } from "./json/write.ts";
import { type Loose, type Nested, Plan } from "./plan.ts";
import { MessageReader } from "./reader.ts";
import type { FieldRows, JsonOptions, JsonReadOptions, JsonValue, MessageInit, MessageType } from "./types.ts";
import { MessageWriter } from "./writer.ts";

/** A type of messages. `fields` is called when the type is first used: types may refer to each other. */
export const messageType = <Message extends object>(description: Description): MessageType<Message> =>
  new MessageCodec<Message>(description);

type Description = {
  /** With its package. */
  readonly name: string;
  readonly fields: () => FieldRows;
  /** Finds the types in `Any` where the options of a call do not. */
  readonly typeOf?: JsonOptions["typeOf"];
};

/** Reads and writes the messages of one type by its plan, which is made once. */
class MessageCodec<Message extends object> implements MessageType<Message>, Nested {
  readonly name: string;
  readonly #describe: () => FieldRows;
  readonly #typeOf: Pick<JsonOptions, "typeOf">;
  #fields: FieldRows | undefined;
  #plan: Plan | undefined;
  /** Kept for the next message; absent while it is in use, as a getter of a message may encode another. */
  #writer: MessageWriter | undefined;

  constructor({ name, fields, typeOf }: Description) {
    this.name = name;
    this.#describe = fields;
    this.#typeOf = typeOf === undefined ? {} : { typeOf };
  }

  get fields(): FieldRows {
    this.#fields ??= this.#describe();
    return this.#fields;
  }
  get plan(): Plan {
    this.#plan ??= new Plan(this.fields, nestedOf);
    return this.#plan;
  }

  create(init?: MessageInit<Message>): Message {
    const message = this.empty();
    if (init !== undefined) for (const [name, value] of Object.entries(init)) if (value !== undefined) message[name] = value;
    return message as Message;
  }
  encode(message: MessageInit<Message>): Uint8Array {
    if (!isLoose(message)) throw new Misuse(`${this.name}: a message is an object.`);
    const writer = this.#writer ?? new MessageWriter();
    this.#writer = undefined;
    try {
      this.writeFields(writer, message);
      return writer.take();
    } finally {
      writer.reset();
      this.#writer = writer;
    }
  }
  decode(octets: Uint8Array): Message {
    const message = this.empty();
    this.readFields(new MessageReader(octets), message, 0);
    return message as Message;
  }
  toJson(message: MessageInit<Message>, options: JsonOptions = {}): JsonValue {
    if (!isLoose(message)) throw new Misuse(`${this.name}: a message is an object.`);
    return toJson(this, message, { ...this.#typeOf, ...options });
  }
  fromJson(json: JsonValue, options: JsonReadOptions = {}): Message {
    return fromJson(this, json, { ...this.#typeOf, ...options }) as Message;
  }

  writeFields(writer: MessageWriter, message: Loose): void {
    writeFields(this.plan, writer, message, this);
  }
  readFields(reader: MessageReader, into: Loose, endTag: number): void {
    readFields(this.plan, reader, into, endTag);
  }
  empty(): Loose {
    return this.plan.empty();
  }
}

const isLoose = (value: unknown): value is Loose => typeof value === "object" && value !== null;

/** The codec behind a type that a field names. */
function nestedOf(type: object): MessageCodec<object> {
  if (type instanceof MessageCodec) return type;
  throw new Misuse("the type of a field is made by messageType or enumeration");
}
