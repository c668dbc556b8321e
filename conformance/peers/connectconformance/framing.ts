/** The runner writes each message behind its length, four octets in network order. */

export async function* messagesFrom(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = Buffer.alloc(0);
  for await (const chunk of input) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4 && held.length >= 4 + held.readUInt32BE()) {
      const end = 4 + held.readUInt32BE();
      yield held.subarray(4, end);
      held = held.subarray(end);
    }
  }
}

export function writeMessage(octets: Uint8Array): void {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(octets.length);
  process.stdout.write(Buffer.concat([length, octets]));
}
