/** The terminal-session channel: a server with its page, the agent that offers a session, and the client's part for programs without the page (README.md). */
export { type Agent, type AgentOptions, startAgent } from "./agent.ts";
export { type ChannelServer, serveChannel } from "./server.ts";
export { drawToken } from "./tokens.ts";
export { ClientSide } from "../../websocket/channel/index.ts";
