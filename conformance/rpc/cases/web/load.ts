import type { WebDialect } from "../../../wire/rpc/web-forms.ts";
import { WEB_REFUSALS, type WebCase } from "../../web-vocabulary.ts";
import { casesOf } from "../rows.ts";
import { rows as get } from "./connect-get.ts";
import { rows as stream } from "./connect-stream.ts";
import { rows as unary } from "./connect-unary.ts";
import { rows as web } from "./grpc-web.ts";
import { connectLimits, grpcWebLimits } from "./limits.ts";
import { overVersions } from "./phrases.ts";

/** The cases for servers of a web dialect, over each version of HTTP. */
export const webCases = (dialect: WebDialect): WebCase[] =>
  casesOf(
    "server",
    (dialect === "connect" ? [...unary, ...get, ...stream, ...connectLimits] : [...web, ...grpcWebLimits]).flatMap(overVersions),
    WEB_REFUSALS,
  );
