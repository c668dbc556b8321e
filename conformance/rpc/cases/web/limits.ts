import type { FieldSpec } from "../../../wire/http2/frame-spec.ts";
import type { WebForm } from "../../../wire/rpc/web-forms.ts";
import type { WebMessage, WebStep } from "../../web-vocabulary.ts";
import { call, fails, type WebRow } from "./phrases.ts";

/** Messages above the limit of a server (rpc-status#codes). */

const LARGE = 5_000_000;
const SMALL = 1_000;
const BY = "rpc-status#codes";

/** Streams have methods of their own. */
const sent = (form: WebForm, message: WebMessage, fields: readonly FieldSpec[] = []): WebStep =>
  call(form, { ...(form === "stream proto" ? { method: "ClientStream" } : {}), fields, messages: [message] });

const tooLarge = (id: string, form: WebForm, words: string): WebRow => ({
  id: `${id}-limit-message`,
  title: `A message of ${words} above the limit of the server fails with RESOURCE_EXHAUSTED.`,
  covers: "rpc-status#codes/too-large",
  needs: ["message-limit"],
  steps: [sent(form, { size: LARGE })],
  control: [sent(form, { size: SMALL })],
  allowed: fails("RESOURCE_EXHAUSTED", BY),
});

/** Those of the dialect connect. */
export const connectLimits: readonly WebRow[] = [
  tooLarge("connect-unary", "unary proto", "a unary call"),
  tooLarge("connect-stream", "stream proto", "a stream"),
  ...(["unary proto", "stream proto"] as const).map((form): WebRow => {
    const fields = [[form === "unary proto" ? "content-encoding" : "connect-content-encoding", "gzip"]] as const;
    return {
      id: `connect-${form.split(" ", 1)[0]}-limit-inflated`,
      title: `A message of a ${form.split(" ", 1)[0]} call that inflates above the limit fails with RESOURCE_EXHAUSTED.`,
      covers: "rpc-status#codes/too-large",
      needs: ["message-limit", "gzip"],
      steps: [sent(form, { size: LARGE, compress: "gzip" }, fields)],
      control: [sent(form, { size: SMALL, compress: "gzip" }, fields)],
      allowed: fails("RESOURCE_EXHAUSTED", BY),
    };
  }),
];
/** Those of grpc-web. */
export const grpcWebLimits: readonly WebRow[] = [tooLarge("web", "web proto", "octets"), tooLarge("web-text", "web text proto", "text")];
