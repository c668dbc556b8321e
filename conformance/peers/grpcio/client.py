"""The client grpcio as an adapter of the suite rpc (conformance/rpc/README.md): descriptions on standard input, reports on standard output."""

import json
import os
import sys
import threading

# The resolver that can ask a given server of names.
os.environ["GRPC_DNS_RESOLVER"] = "ares"

import grpc

FEATURES = ["streams", "cancel", "deadline", "gzip", "deflate", "identity-per-call", "receive-limit", "service-config", "retries"]
FEATURES += ["addresses", "outlier-detection", "weighted-round-robin", "names", "published-config", "unix", "wait-for-ready", "tls", "client-certificate"]
ENCODINGS = {"identity": grpc.Compression.NoCompression, "deflate": grpc.Compression.Deflate, "gzip": grpc.Compression.Gzip}


def is_binary(name):
    return name.endswith("-bin")


def pairs(metadata):
    return [[name, value.hex() if isinstance(value, bytes) else value] for name, value in metadata or ()]


def report(channel, spec, results, at):
    over = threading.Event()
    turn = threading.Semaphore(1)
    got = []

    def requests():
        for message in spec["messages"]:
            while spec.get("turns") and not turn.acquire(timeout=0.1):
                if over.is_set():
                    return
            yield bytes.fromhex(message)
        if spec.get("open"):
            over.wait()

    def take(message):
        got.append(message.hex())
        turn.release()
        if spec.get("cancel", {}).get("afterMessages") == len(got):
            call.cancel()

    kind, path = spec["kind"], spec["path"]
    options = {"metadata": [(name, bytes.fromhex(value) if is_binary(name) else value) for name, value in spec.get("metadata", [])]}
    if "timeoutMs" in spec:
        options["timeout"] = spec["timeoutMs"] / 1000
    if "encoding" in spec:
        options["compression"] = ENCODINGS[spec["encoding"]]
    if spec.get("waitForReady"):
        options["wait_for_ready"] = True
    first = bytes.fromhex(spec["messages"][0]) if spec["messages"] else b""
    if kind == "unary":
        call = channel.unary_unary(path).future(first, **options)
    elif kind == "client-stream":
        call = channel.stream_unary(path).future(requests(), **options)
    elif kind == "server-stream":
        call = channel.unary_stream(path)(first, **options)
    else:
        call = channel.stream_stream(path)(requests(), **options)
    timer = threading.Timer(spec["cancel"]["afterMs"] / 1000, call.cancel) if "afterMs" in spec.get("cancel", {}) else None
    if timer:
        timer.start()
    try:
        if kind in ("server-stream", "bidi"):
            for message in call:
                take(message)
        else:
            response = call.result()
            if response is not None:
                got.append(response.hex())
    except (grpc.RpcError, grpc.FutureCancelledError):
        pass
    if timer:
        timer.cancel()
    code = call.code()
    results[at] = {
        "status": code.value[0] if code else 2,
        "message": call.details() or "",
        "headers": pairs(call.initial_metadata()),
        "trailers": pairs(call.trailing_metadata()),
        "messages": got,
    }
    over.set()


def answer(description):
    asked = description.get("channel", {})
    options = [("grpc.use_local_subchannel_pool", 1)]
    options.append(("grpc.service_config_disable_resolution", 0 if asked.get("publishedConfig") else 1))
    if "serviceConfig" in asked:
        # The name that this version has for the policy.
        config = json.dumps(asked["serviceConfig"]).replace('"outlier_detection"', '"outlier_detection_experimental"')
        options.append(("grpc.service_config", config))
    if "lookUpApartMs" in asked:
        options.append(("grpc.dns_min_time_between_resolutions_ms", asked["lookUpApartMs"]))
    if "maxMessageOctets" in asked:
        options.append(("grpc.max_receive_message_length", asked["maxMessageOctets"]))
    more = {"options": options}
    if "encoding" in asked:
        more["compression"] = ENCODINGS[asked["encoding"]]
    tls = description.get("tls")
    target = "ipv4:" + ",".join(description["targets"]) if "targets" in description else description["target"]
    if tls:
        pem = [tls[name].encode() if name in tls else None for name in ("ca", "key", "cert")]
        channel = grpc.secure_channel(target, grpc.ssl_channel_credentials(*pem), **more)
    else:
        channel = grpc.insecure_channel(target, **more)
    calls = []
    with channel:
        for specs in description["rounds"]:
            results = [None] * len(specs)
            threads = [threading.Thread(target=report, args=(channel, spec, results, at)) for at, spec in enumerate(specs)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            calls += results
    return {"calls": calls}


for line in sys.stdin:
    read = json.loads(line)
    # All users of the C core have one name.
    found = {"features": FEATURES, "language": "c++"} if read.get("features") else answer(read)
    print(json.dumps({"id": read["id"], **found}), flush=True)
