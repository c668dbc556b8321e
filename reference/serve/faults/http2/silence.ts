import { MOST_FRAMES, number } from "../fault.ts";
import type { Http2Fault, Kit } from "./kit.ts";

export const silence = (kit: Kit): readonly Http2Fault[] => [
  kit.define("silence", {
    title: "sends nothing after a number of stream frames, and leaves the connection open",
    args: { after: number(0, MOST_FRAMES, 0, "the number of frames") },
    start: ({ after }, line) => {
      let count = 0;
      return {
        outgoing: (unit, pass) => {
          if (unit.stream !== 0) count++;
          if (count > after) line.drop(unit);
          else pass(unit);
        },
      };
    },
  }),
];
