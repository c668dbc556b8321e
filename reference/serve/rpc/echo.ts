import { servicesOf } from "./reflect.ts";
import { implement, type Implemented } from "./server.ts";

const CONTRACT = `
syntax = "proto3";
package touchstone.echo.v1;

message Message { string text = 1; bytes octets = 2; int32 number = 3; }

// Returns what it gets: one message or many, in every kind of call.
service Echo {
  // Returns the message.
  rpc Unary(Message) returns (Message);
  // Returns the texts and octets of all messages joined, and how many there were.
  rpc Collect(stream Message) returns (Message);
  // Returns the message as often as its number says, with the numbers from 1.
  rpc Repeat(Message) returns (stream Message);
  // Returns each message when it arrives.
  rpc Chat(stream Message) returns (stream Message);
}
`;

type Message = { readonly text: string; readonly octets: Uint8Array; readonly number: number };

/** The echo service, for a client. */
export const ECHO = servicesOf(CONTRACT, "touchstone/echo/v1/echo.proto").get("touchstone.echo.v1.Echo")!;

/** The echo service, for a server. */
export const echo = (): Implemented =>
  implement(ECHO, {
    unary: (message: Message) => message,
    collect: async (messages: AsyncIterable<Message>) => {
      const all = await Array.fromAsync(messages);
      const octets = Buffer.concat(all.map((message) => message.octets));
      return { text: all.map(({ text }) => text).join(""), octets, number: all.length };
    },
    async *repeat({ text, octets, number }: Message) {
      for (let count = 1; count <= number; count++) {
        await Promise.resolve();
        yield { text, octets, number: count };
      }
    },
    async *chat(messages: AsyncIterable<Message>) {
      yield* messages;
    },
  });
