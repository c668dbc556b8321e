import type { WebDialect } from "../../../wire/rpc/web-forms.ts";
import { WEB_CLIENT_REFUSALS, type WebClientCase } from "../../web-client-vocabulary.ts";
import { casesOf } from "../rows.ts";
import { rows as requests } from "./connect-requests.ts";
import { rows as stream } from "./connect-stream.ts";
import { rows as unary } from "./connect-unary.ts";
import { rows as web } from "./grpc-web.ts";

/** The cases for clients of a web dialect. */
export const webClientCases = (dialect: WebDialect): WebClientCase[] =>
  casesOf("client", dialect === "connect" ? [...requests, ...unary, ...stream] : web, WEB_CLIENT_REFUSALS);
