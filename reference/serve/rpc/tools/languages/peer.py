"""A server and a client of kinds.proto with the code that grpcio-tools generates: peer.py serve | peer.py call PORT."""
import sys
from concurrent import futures

import grpc
import kinds_pb2 as pb
import kinds_pb2_grpc as stubs


class Kinds(stubs.KindsServicer):
    def One(self, request, context):
        if request.text == "fail":
            context.abort(grpc.StatusCode.NOT_FOUND, "nothing of that name")
        request.number += 1
        return request

    def Many(self, request, context):
        for index in range(request.number):
            yield pb.Note(text=request.text, number=index)

    def Gather(self, requests, context):
        return pb.Note(number=sum(one.number for one in requests))

    def Talk(self, requests, context):
        for one in requests:
            yield pb.Note(text=one.text.upper())


def note():
    return pb.Note(text="é", number=-(2**53) - 5, counts={"a": 1}, inner=pb.Note(flag=True), list=[-1, 300], fraction=0.0, octets=b"\x00\xff")


def show(answer):
    inner = "flag" if answer.inner.WhichOneof("choice") == "flag" else "none"
    counts = ",".join(f"{key}={answer.counts[key]}" for key in sorted(answer.counts))
    numbers = ",".join(str(one) for one in answer.list)
    print(answer.text, answer.number, counts, inner, numbers, answer.HasField("fraction"), answer.octets.hex())


if sys.argv[1] == "serve":
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
    stubs.add_KindsServicer_to_server(Kinds(), server)
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    server.start()
    server.wait_for_termination()
else:
    with grpc.insecure_channel(f"127.0.0.1:{sys.argv[2]}") as channel:
        kinds = stubs.KindsStub(channel)
        show(kinds.One(note()))
        print(",".join(f"{one.text}{one.number}" for one in kinds.Many(pb.Note(text="m", number=3))))
        print(kinds.Gather(iter([pb.Note(number=2), pb.Note(number=3)])).number)
        print(",".join(one.text for one in kinds.Talk(iter([pb.Note(text="a"), pb.Note(text="b")]))))
        try:
            kinds.One(pb.Note(text="fail"))
        except grpc.RpcError as error:
            print(error.code().name, error.details())
