import type { ChannelCase } from "../vocabulary.ts";
import { cases as ofRequests } from "./client/1-requests.ts";
import { cases as ofAgents } from "./client/7-agents.ts";
import { cases as ofAgentsEnds } from "./client/7-ends.ts";
import { cases as ofClients } from "./client/8-clients.ts";
import { cases as ofResends } from "./client/8-resends.ts";
import { cases as connections } from "./server/1-connections.ts";
import { cases as messages } from "./server/2-messages.ts";
import { cases as agents } from "./server/3-agents.ts";
import { cases as ends } from "./server/3.4-ends.ts";
import { cases as reconnects } from "./server/3.5-reconnects.ts";
import { cases as clients } from "./server/4-clients.ts";
import { cases as forgetful } from "./server/4.2-forgetful.ts";
import { cases as returning } from "./server/4.2-returning.ts";
import { cases as screens } from "./server/4.3-screens.ts";
import { cases as times } from "./server/4.7-times.ts";
import { cases as owner } from "./server/5-owner.ts";
import { cases as heartbeat } from "./server/6-heartbeat.ts";
import { cases as ofHeartbeats } from "./client/6-heartbeat.ts";

export const hubCases = (): ChannelCase[] => [
  ...connections,
  ...messages,
  ...agents,
  ...ends,
  ...reconnects,
  ...clients,
  ...forgetful,
  ...returning,
  ...screens,
  ...times,
  ...owner,
  ...heartbeat,
];

/** Cases for programs that connect to a hub: agents, and clients. */
export const subjectCases = (): ChannelCase[] => [...ofRequests, ...ofAgents, ...ofAgentsEnds, ...ofClients, ...ofResends, ...ofHeartbeats];
