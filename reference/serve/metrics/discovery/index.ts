/** Discovery over sockets and files: what the sections `<…_sd_config>` of a configuration find (Prometheus docs, configuration/configuration.md). */
export { Discoveries, type Subscription } from "./discoveries.ts";
export { discoveryRows } from "./rows.ts";
