import type { Step } from "../client-vocabulary.ts";
import { type Answering, dataFrames, headFrames, trailerFrames } from "./client-answers.ts";
import type { Request } from "./client-connection.ts";

/** A step about one request, as the server that got it. */
export type AnswerStep = Extract<Step, { do: "headers" | "say" | "trailers" | "reset" | "goaway" | "frames" | "drop" | "settings" }>;

/** The largest identifier that GOAWAY can name. */
const ALL_STREAMS = 0x7fff_ffff;

/** Performs a step on the request that it is about; GOAWAY may name another of `stage.requests`. */
export async function answer(
  step: AnswerStep,
  { stream, connection: { wire } }: Request,
  stage: Answering & { readonly requests: readonly Request[] },
): Promise<void> {
  switch (step.do) {
    case "headers":
      return wire.send(headFrames(step, stream, stage));
    case "say":
      return wire.send(dataFrames(step, stream));
    case "trailers":
      return wire.send(trailerFrames(step, stream, stage));
    case "reset":
      return wire.send([{ type: "RST_STREAM", stream, code: step.code }]);
    case "goaway": {
      const { last, code = "NO_ERROR" } = step;
      const number = last === "none" ? 0 : last === "all" ? ALL_STREAMS : (stage.requests[last - 1]?.stream ?? 0);
      return wire.send([{ type: "GOAWAY", last: number, code }]);
    }
    case "frames":
      return wire.send(
        step.frames.map((frame) => ({
          ...frame,
          ...(frame.stream === "request" ? { stream } : {}),
          ...(frame.fields === undefined ? {} : { fields: stage.fields(frame.fields) }),
        })),
        step.cut,
      );
    case "drop":
      wire.end(step.how);
      return;
    case "settings":
      return wire.send([{ type: "SETTINGS", settings: step.settings }]);
  }
}
