import type { DialectName } from "../../../../vectors/rpc/question.ts";
import { REFUSALS, type RpcCase } from "../../vocabulary.ts";
import { casesOf } from "../rows.ts";
import type { Row } from "./phrases.ts";
import { rows as abuse } from "./abuse.ts";
import { rows as channelz } from "./channelz.ts";
import { rows as channelzSockets } from "./channelz-sockets.ts";
import { rows as compression } from "./compression.ts";
import { rows as health } from "./health.ts";
import { rows as interop } from "./interop.ts";
import { rows as reflection } from "./reflection.ts";
import { rows as headers } from "./requests-headers.ts";
import { rows as messages } from "./requests-messages.ts";
import { rows as metadata } from "./requests-metadata.ts";
import { rows as responses } from "./responses.ts";
import { rows as streams } from "./streams.ts";

/** The standard services: they have the same names in both dialects. */
const STANDARD: readonly Row[] = [...health, ...reflection, ...channelz, ...channelzSockets];
const ROWS: readonly Row[] = [...headers, ...metadata, ...messages, ...compression, ...responses, ...streams, ...STANDARD, ...abuse];

/** The cases for servers. The service of existing interoperability tests belongs to its dialect. */
export const serverCases = (dialect: DialectName = "rpc"): RpcCase[] =>
  casesOf("server", [...ROWS, ...(dialect === "grpc" ? interop : [])], REFUSALS);
