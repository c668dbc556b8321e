"""The conformance service (vectors/rpc/conformance.proto) on grpcio. Arguments: port, the folder of the contract."""

import importlib.util
import sys
import threading
from concurrent import futures

import grpc

sys.path.insert(0, sys.argv[2])
messages, services = grpc.protos_and_services("conformance.proto")

UNKNOWN, RUNNING, ENDED, CANCELLED = 0, 1, 2, 3
OWN = {"user-agent", "te", "content-type"}
CODES = {code.value[0]: code for code in grpc.StatusCode}
fates = {}


def is_binary(name):
    return name.endswith("-bin")


def metadata_of(fields):
    return tuple((one.name, one.octets if is_binary(one.name) else one.text) for one in fields)


def seen_by(context):
    seen = messages.Seen()
    for name, value in context.invocation_metadata():
        if name in OWN or name.startswith("grpc-"):
            continue
        if is_binary(name):
            seen.metadata.add(name=name, octets=value)
        else:
            seen.metadata.add(name=name, text=value)
    left = context.time_remaining()
    # Without a deadline it is the end of all time.
    if left is not None and left < 10**10:
        seen.has_deadline = True
        seen.left_ms = max(0, int(left * 1000))
    return seen


class Course:
    """What one call does."""

    def __init__(self, context):
        self.context = context
        self.plan = messages.Plan()
        self.fate = messages.FateReport(state=RUNNING)
        self.has_seen = False
        self.gone = threading.Event()
        if not context.add_callback(self.left):
            self.left()

    def left(self):
        self.gone.set()
        self.end(CANCELLED)

    def end(self, state):
        if self.fate.state == RUNNING:
            self.fate.state = state

    def take(self, request):
        self.fate.requests += 1
        if self.fate.requests > 1 or not request.HasField("plan"):
            return
        plan = self.plan = request.plan
        if plan.call:
            fates[plan.call] = self.fate
        if plan.trailers:
            self.context.set_trailing_metadata(metadata_of(plan.trailers))
        if plan.compression == 1:
            self.context.set_compression(grpc.Compression.Gzip)
        elif plan.compression == 2:
            self.context.disable_next_message_compression()
        if plan.headers_first or plan.headers:
            self.context.send_initial_metadata(metadata_of(plan.headers))
        if plan.delay_ms:
            self.gone.wait(plan.delay_ms / 1000)

    def response(self, payload, number):
        response = messages.Response(payload=bytes(self.plan.response_octets) if self.plan.response_octets else payload, number=number)
        if not self.has_seen:
            self.has_seen = True
            response.seen.CopyFrom(seen_by(self.context))
        return response

    def finish(self):
        self.end(ENDED)
        if self.plan.throws:
            raise RuntimeError("a failure without a status")
        if self.plan.status:
            self.context.abort(CODES[self.plan.status], self.plan.message)


class Conformance(services.ConformanceServicer):
    def Unary(self, request, context):
        course = Course(context)
        course.take(request)
        course.finish()
        return course.response(request.payload, 1)

    def ClientStream(self, requests, context):
        course = Course(context)
        parts = []
        for request in requests:
            parts.append(request.payload)
            course.take(request)
            if course.plan.early:
                break
        course.finish()
        return course.response(b"".join(parts), len(parts))

    def ServerStream(self, request, context):
        course = Course(context)
        course.take(request)
        for number in range(1, course.plan.responses + 1):
            yield course.response(request.payload, number)
        course.finish()

    def BidiStream(self, requests, context):
        course = Course(context)
        for number, request in enumerate(requests, 1):
            course.take(request)
            yield course.response(request.payload, number)
            if course.plan.early:
                break
        course.finish()

    def Fate(self, request, context):
        return fates.get(request.call, messages.FateReport())


def serve_standard(server):
    """The standard services whose packages are there."""
    name = messages.DESCRIPTOR.services_by_name["Conformance"].full_name
    if importlib.util.find_spec("grpc_health"):
        from grpc_health.v1 import health, health_pb2, health_pb2_grpc

        known = health.HealthServicer()
        known.set(name, health_pb2.HealthCheckResponse.SERVING)
        health_pb2_grpc.add_HealthServicer_to_server(known, server)
    if importlib.util.find_spec("grpc_channelz"):
        from grpc_channelz.v1 import channelz

        channelz.add_channelz_servicer(server)
    if importlib.util.find_spec("grpc_reflection"):
        from grpc_reflection.v1alpha import reflection

        reflection.enable_server_reflection([name, "grpc.channelz.v1.Channelz", reflection.SERVICE_NAME], server)


server = grpc.server(futures.ThreadPoolExecutor(max_workers=200), options=[("grpc.enable_channelz", 1)])
services.add_ConformanceServicer_to_server(Conformance(), server)
serve_standard(server)
server.add_insecure_port(f"127.0.0.1:{sys.argv[1]}")
server.start()
server.wait_for_termination()
