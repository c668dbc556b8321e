/** The drivers of the suite tls, and the names that its cases use. */
export { CLIENT_FEATURES, ClientDriver } from "./client.ts";
export { SERVER_FEATURES, ServerDriver } from "./server.ts";
