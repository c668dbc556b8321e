import { REFUSALS, type RpcProxyCase } from "../../proxy-vocabulary.ts";
import { casesOf } from "../rows.ts";
import { rows as failures } from "./failures.ts";
import { rows as flow } from "./flow.ts";
import { rows as messages } from "./messages.ts";
import { rows as requests } from "./requests.ts";
import { rows as trailers } from "./trailers.ts";

/** The cases for proxies. */
export const proxyCases = (): RpcProxyCase[] => casesOf("proxy", [...requests, ...messages, ...trailers, ...failures, ...flow], REFUSALS);
