/** The terminal-session channel: a server with its page, and the agent that offers a session (README.md). */
export { type Agent, type AgentOptions, startAgent } from "./agent.ts";
export { type ChannelServer, serveChannel } from "./server.ts";
export { drawToken } from "./tokens.ts";
