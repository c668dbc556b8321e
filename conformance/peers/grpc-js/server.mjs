// The conformance service (vectors/rpc/conformance.proto) on @grpc/grpc-js. Arguments: port, contract.
import { createRequire } from "node:module";
import { setTimeout as wait } from "node:timers/promises";

const require = createRequire(`${process.env.GRPC_JS ?? process.cwd()}/`);
const grpc = require("@grpc/grpc-js");
const loader = require("@grpc/proto-loader");

const [port, contract] = process.argv.slice(2);
const definition = loader.loadSync(contract, { keepCase: true, defaults: true, enums: Number });
const { Conformance } = grpc.loadPackageDefinition(definition).touchstone.conformance.v1;

const [UNKNOWN, RUNNING, ENDED, CANCELLED] = [0, 1, 2, 3];
const fates = new Map();

const metadataOf = (fields) => {
  const metadata = new grpc.Metadata();
  for (const { name, text, octets } of fields) metadata.add(name, name.endsWith("-bin") ? octets : text);
  return metadata;
};
const OWN = new Set(["te", "content-type", "user-agent", "host"]);
function seenBy(call) {
  const metadata = [];
  for (const name of Object.keys(call.metadata.getMap())) {
    if (OWN.has(name) || name.startsWith("grpc-")) continue;
    for (const value of call.metadata.get(name)) metadata.push(name.endsWith("-bin") ? { name, octets: value } : { name, text: value });
  }
  const deadline = call.getDeadline();
  const has = deadline !== Infinity;
  const left = has ? Math.max(0, Math.round(Number(deadline instanceof Date ? deadline.getTime() : deadline) - Date.now())) : 0;
  return { metadata, has_deadline: has, left_ms: left };
}

class Course {
  fate = { state: RUNNING, requests: 0 };
  plan = undefined;
  hasSeen = false;
  constructor(call) {
    this.call = call;
    this.gone = new Promise((resolve) => call.on("cancelled", resolve));
    call.on("cancelled", () => this.end(CANCELLED));
  }
  async take({ plan }) {
    this.fate.requests += 1;
    if (this.fate.requests > 1 || !plan) return;
    this.plan = plan;
    if (plan.call !== "") fates.set(plan.call, this.fate);
    if (plan.headers_first || plan.headers.length > 0) this.call.sendMetadata(metadataOf(plan.headers));
    if (plan.delay_ms > 0) await Promise.race([wait(plan.delay_ms), this.gone]);
  }
  end(state) {
    if (this.fate.state === RUNNING) this.fate.state = state;
  }
  response(payload, number) {
    const size = this.plan?.response_octets ?? 0;
    const seen = this.hasSeen ? undefined : seenBy(this.call);
    this.hasSeen = true;
    return { payload: size > 0 ? Buffer.alloc(size) : payload, number, seen };
  }
  get trailers() {
    return metadataOf(this.plan?.trailers ?? []);
  }
  /** The error that the plan wants, if it wants one. */
  get error() {
    this.end(ENDED);
    const { status = 0, message = "", details, throws = false } = this.plan ?? {};
    if (throws) return new Error("a failure without a status");
    if (status === 0) return undefined;
    const metadata = this.trailers;
    if (details?.length > 0) metadata.set("grpc-status-details-bin", details);
    return Object.assign(new Error(message), { code: status, details: message, metadata });
  }
}

const server = new grpc.Server();
/** The standard services whose packages are there. */
function serveStandard() {
  grpc.addAdminServicesToServer(server);
  const health = installed("grpc-health-check");
  if (health) new health.HealthImplementation({ "": "SERVING", "touchstone.conformance.v1.Conformance": "SERVING" }).addToServer(server);
  const reflection = installed("@grpc/reflection");
  if (reflection) new reflection.ReflectionService(definition).addToServer(server);
}
function installed(name) {
  try {
    return require(name);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    return undefined;
  }
}
server.addService(Conformance.service, {
  Unary: async (call, callback) => {
    const course = new Course(call);
    await course.take(call.request);
    const { error } = course;
    if (error) callback(error, null, course.trailers);
    else callback(null, course.response(call.request.payload, 1), course.trailers);
  },
  ClientStream: (call, callback) => {
    const course = new Course(call);
    const parts = [];
    let work = Promise.resolve();
    let isOver = false;
    const finish = () => {
      if (isOver) return;
      isOver = true;
      const { error } = course;
      if (error) callback(error, null, course.trailers);
      else callback(null, course.response(Buffer.concat(parts), parts.length), course.trailers);
    };
    const read = async (request, before) => {
      await before;
      if (isOver) return;
      parts.push(request.payload);
      await course.take(request);
      if (course.plan?.early) finish();
    };
    call.on("data", (request) => (work = read(request, work)));
    call.on("error", () => {});
    call.on("end", () => void work.then(finish));
  },
  ServerStream: async (call) => {
    const course = new Course(call);
    await course.take(call.request);
    for (let number = 1; number <= (course.plan?.responses ?? 0) && !call.cancelled; number++)
      if (!call.write(course.response(call.request.payload, number)))
        await Promise.race([new Promise((resolve) => call.once("drain", resolve)), course.gone]);
    const { error } = course;
    if (error) call.emit("error", error);
    else call.end(course.trailers);
  },
  BidiStream: (call) => {
    const course = new Course(call);
    let number = 0;
    let work = Promise.resolve();
    let isOver = false;
    const finish = () => {
      if (isOver) return;
      isOver = true;
      const { error } = course;
      if (error) call.emit("error", error);
      else call.end(course.trailers);
    };
    const read = async (request, before) => {
      await before;
      if (isOver) return;
      await course.take(request);
      call.write(course.response(request.payload, ++number));
      if (course.plan?.early) finish();
    };
    call.on("data", (request) => (work = read(request, work)));
    call.on("error", () => {});
    call.on("end", () => void work.then(finish));
  },
  Fate: ({ request }, callback) => callback(null, fates.get(request.call) ?? { state: UNKNOWN, requests: 0 }),
});
serveStandard();
server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
  console.log("ready");
});
