import { federate, made } from "./phrases.ts";

/** Health, readiness, and the end of a server. */

const LIVING = ["/-/healthy"];

export const cases = [
  made({
    id: "healthy",
    covers: "management.health/healthy",
    title: "A server that runs is healthy.",
    asks: ["/-/healthy"],
    see: ["status", "1", "200"],
  }),
  made({
    id: "healthy-head",
    covers: "management.health/healthy",
    title: "Health can be asked for by HEAD.",
    asks: [{ method: "HEAD", path: "/-/healthy" }],
    see: ["status", "1", "200"],
  }),
  made({
    id: "ready",
    covers: "management.ready/ready",
    title: "A server that answers queries is ready.",
    asks: [federate("fed_a"), "/-/ready"],
    see: ["status", "2", "200"],
  }),
  made({
    id: "ready-head",
    covers: "management.ready/ready",
    title: "Readiness can be asked for by HEAD.",
    asks: [{ method: "HEAD", path: "/-/ready" }],
    see: ["status", "1", "200"],
  }),
  made({
    id: "healthy-plain",
    covers: "management.health/healthy",
    of: "plain",
    title: "Health needs no life cycle API.",
    asks: ["/-/healthy"],
    see: ["status", "1", "200"],
  }),
  made({
    id: "ready-plain",
    covers: "management.ready/ready",
    of: "plain",
    title: "Readiness needs no life cycle API.",
    asks: ["/-/ready"],
    see: ["status", "1", "200"],
  }),
  made({
    id: "quit-disabled",
    covers: "management.quit/disabled",
    of: "plain",
    needs: ["lifecycle"],
    title: "Without the life cycle API a server is not ended by POST.",
    asks: [{ method: "POST", path: "/-/quit" }, "/-/healthy", "/api/v1/status/buildinfo"],
    twin: LIVING,
    see: ["refused-and-alive", "1"],
  }),
  made({
    id: "quit-disabled-put",
    covers: "management.quit/disabled",
    of: "plain",
    needs: ["lifecycle"],
    title: "Without the life cycle API a server is not ended by PUT.",
    asks: [{ method: "PUT", path: "/-/quit" }, "/-/healthy", "/api/v1/status/buildinfo"],
    twin: LIVING,
    see: ["refused-and-alive", "1"],
  }),
];
