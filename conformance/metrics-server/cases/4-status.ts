import type { Level } from "../../../reference/core/index.ts";
import { made } from "./phrases.ts";

/** What a server says of its configuration, its build, its run and its storage. */

const RUNTIME = "/api/v1/status/runtimeinfo";
const TSDB = "/api/v1/status/tsdb";
const TSDB_LISTS = {
  names: "seriesCountByMetricName",
  values: "labelValueCountByLabelName",
  memory: "memoryInBytesByLabelName",
  pairs: "seriesCountByLabelValuePair",
} as const;

type Typed = {
  readonly id: string;
  readonly path: string;
  readonly field: string;
  readonly type: string;
  readonly covers: string;
  readonly level?: Level;
};
const typed = ({ id, path, field, type, covers, level = "MUST" }: Typed) =>
  made({
    id,
    covers,
    level,
    title: `The field ${field.replace("data.", "")} is ${type === "time" ? "a time" : `of the type ${type}`}.`,
    asks: [path],
    see: ["types", "1", `${field}:${type}`],
  });
const runtime = (field: string, type: string) =>
  typed({
    id: `runtime-${field.toLowerCase()}`,
    path: RUNTIME,
    field: `data.${field}`,
    type,
    covers: "status.runtime/fields",
    level: "SHOULD",
  });
const head = (field: string) =>
  typed({ id: `tsdb-${field.toLowerCase()}`, path: TSDB, field: `data.headStats.${field}`, type: "number", covers: "status.tsdb/head" });

export const cases = [
  made({
    id: "config-yaml",
    covers: "status.config/yaml",
    title: "The configuration is shown as a text.",
    asks: ["/api/v1/status/config"],
    see: ["types", "1", "data.yaml:string"],
  }),
  made({
    id: "config-jobs",
    covers: "status.config/yaml",
    title: "The configuration is shown with its jobs.",
    asks: ["/api/v1/status/config"],
    see: ["text", "1", "job_name: targets"],
  }),
  made({
    id: "config-labels",
    covers: "status.config/yaml",
    title: "The configuration is shown with its external labels.",
    asks: ["/api/v1/status/config"],
    see: ["text", "1", "region: eu"],
  }),
  made({
    id: "flags-texts",
    covers: "status.flags/texts",
    title: "All values of flags are texts.",
    asks: ["/api/v1/status/flags"],
    see: ["texts", "1", "data"],
  }),
  made({
    id: "flags-config",
    covers: "status.flags/texts",
    title: "The flags have the values that the server was given.",
    asks: ["/api/v1/status/flags"],
    see: ["field-ends", "1", "data.config%file", "server.json"],
  }),
  made({
    id: "build-texts",
    covers: "status.build/texts",
    title: "All values of the build information are texts.",
    asks: ["/api/v1/status/buildinfo"],
    see: ["texts", "1", "data"],
  }),
  made({
    id: "build-version",
    covers: "status.build/texts",
    level: "SHOULD",
    title: "The build information has a version.",
    asks: ["/api/v1/status/buildinfo"],
    see: ["types", "1", "data.version:string"],
  }),
  runtime("startTime", "time"),
  runtime("lastConfigTime", "time"),
  runtime("reloadConfigSuccess", "boolean"),
  runtime("corruptionCount", "number"),
  runtime("storageRetention", "string"),
  runtime("CWD", "string"),
  head("numSeries"),
  head("chunkCount"),
  head("minTime"),
  head("maxTime"),
  made({
    id: "tsdb-some-series",
    covers: "status.tsdb/head",
    title: "The number of series counts those of the targets.",
    asks: [TSDB],
    see: ["at-least", "1", "data.headStats.numSeries", "30"],
  }),
  made({
    id: "tsdb-times",
    covers: "status.tsdb/head",
    title: "The first time is not after the last.",
    asks: [TSDB],
    see: ["ordered", "1", "data.headStats.minTime", "data.headStats.maxTime"],
  }),
  ...Object.entries(TSDB_LISTS).map(([id, list]) =>
    made({
      id: `tsdb-list-${id}`,
      covers: "status.tsdb/lists",
      title: `The field ${list} is a list of names with numbers.`,
      asks: [TSDB],
      see: ["rows", "1", `data.${list}`],
    }),
  ),
  ...Object.entries(TSDB_LISTS).map(([id, list]) =>
    made({
      id: `tsdb-limit-${id}`,
      covers: "status.tsdb/limit",
      needs: ["tsdb-limit"],
      title: `A limit of 2 leaves two entries of ${list}.`,
      asks: [`${TSDB}?limit=2`],
      see: ["length", "1", `data.${list}`, "2"],
    }),
  ),
  made({
    id: "tsdb-limit-default",
    covers: "status.tsdb/limit",
    title: "By default lists have ten entries.",
    asks: [TSDB],
    see: ["length", "1", "data.seriesCountByMetricName", "10"],
  }),
  made({
    id: "tsdb-limit-more",
    covers: "status.tsdb/limit",
    needs: ["tsdb-limit"],
    title: "A limit above ten shows more.",
    asks: [`${TSDB}?limit=12`],
    see: ["length", "1", "data.seriesCountByMetricName", "12"],
  }),
  made({
    id: "tsdb-limit-text",
    covers: "format-overview/wrong",
    needs: ["tsdb-limit"],
    title: "A limit that is no number is 400.",
    asks: [`${TSDB}?limit=many`],
    twin: [TSDB],
    see: ["status", "1", "400"],
  }),
  made({
    id: "tsdb-count",
    needs: ["tsdb-limit"],
    covers: "status.tsdb/lists",
    title: "A metric is counted with all of its series.",
    asks: [`${TSDB}?limit=1000`],
    see: ["row", "1", "data.seriesCountByMetricName", "fill_many", "30"],
  }),
  made({
    id: "tsdb-values",
    needs: ["tsdb-limit"],
    covers: "status.tsdb/lists",
    title: "The values of a label are counted.",
    asks: [`${TSDB}?limit=1000`],
    see: ["row", "1", "data.labelValueCountByLabelName", "many", "30"],
  }),
  made({
    id: "tsdb-octets",
    needs: ["tsdb-limit"],
    covers: "status.tsdb/memory",
    level: "SHOULD",
    title: "The memory of a label is the length of its values.",
    asks: [`${TSDB}?limit=1000`],
    see: ["row", "1", "data.memoryInBytesByLabelName", "many", "180"],
  }),
  made({
    id: "tsdb-pair",
    needs: ["tsdb-limit"],
    covers: "status.tsdb/lists",
    title: "The series of a pair are counted.",
    asks: [`${TSDB}?limit=1000`],
    see: ["row", "1", "data.seriesCountByLabelValuePair", "many=value1", "1"],
  }),
  made({
    id: "replay-state",
    covers: "status.replay/state",
    needs: ["replay-state"],
    title: "The replay of a server that is ready is done.",
    asks: ["/api/v1/status/walreplay"],
    see: ["field", "1", "data.state", "done"],
  }),
  made({
    id: "blocks",
    covers: "status.blocks/list",
    level: "MAY",
    needs: ["blocks"],
    title: "The blocks are a list.",
    asks: ["/api/v1/status/tsdb/blocks"],
    see: ["types", "1", "data.blocks:array"],
  }),
  made({
    id: "features",
    covers: "features/map",
    needs: ["features"],
    title: "Features are true or false, by category.",
    asks: ["/api/v1/features"],
    see: ["booleans", "1", "data"],
  }),
  made({
    id: "features-names",
    covers: "features/names",
    needs: ["features"],
    level: "SHOULD",
    title: "Names of features are in snake case, but for functions and operators.",
    asks: ["/api/v1/features"],
    see: ["snake-case", "1", "data"],
  }),
  made({
    id: "features-functions",
    covers: "features/map",
    needs: ["features"],
    level: "SHOULD",
    title: "The functions of the language are among the features.",
    asks: ["/api/v1/features"],
    see: ["field", "1", "data.promql_functions.abs", "true"],
  }),
  made({
    id: "notifications",
    covers: "notifications/list",
    needs: ["notifications"],
    level: "MAY",
    title: "Notifications are a list.",
    asks: ["/api/v1/notifications"],
    see: ["types", "1", "data:array"],
  }),
  made({
    id: "unknown",
    covers: "format-overview/unknown",
    title: "A path that does not exist below the API is 404.",
    asks: ["/api/v1/status/nothing"],
    twin: [RUNTIME],
    see: ["status", "1", "404"],
  }),
];
