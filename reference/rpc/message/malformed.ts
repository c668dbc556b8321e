/** The octets or the JSON are not a message of the type. The message says where and why. */
export class MalformedMessage extends Error {
  override readonly name = "MalformedMessage";
  readonly code = "MALFORMED_MESSAGE";
}
