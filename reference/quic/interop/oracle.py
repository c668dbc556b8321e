"""Answers questions about octets of QUIC by aioquic: a JSON list of questions on standard input, a list of answers on standard output."""
import json
import sys

from aioquic.buffer import Buffer
from aioquic.quic import crypto, packet
from aioquic.quic.rangeset import RangeSet
from aioquic.tls import CipherSuite

SUITES = {
    "TLS_AES_128_GCM_SHA256": CipherSuite.AES_128_GCM_SHA256,
    "TLS_AES_256_GCM_SHA384": CipherSuite.AES_256_GCM_SHA384,
    "TLS_CHACHA20_POLY1305_SHA256": CipherSuite.CHACHA20_POLY1305_SHA256,
}


def plain(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, packet.QuicPreferredAddress):
        return {
            "ipv4": value.ipv4_address and list(value.ipv4_address),
            "ipv6": value.ipv6_address and list(value.ipv6_address),
            "id": value.connection_id.hex(),
            "resetToken": value.stateless_reset_token.hex(),
        }
    return value


def parameters_read(q):
    got = packet.pull_quic_transport_parameters(Buffer(data=bytes.fromhex(q["wire"])))
    return {name: plain(value) for name, value in vars(got).items() if value is not None and value is not False}


def parameters_write(q):
    values = {name: bytes.fromhex(value) if isinstance(value, str) else value for name, value in q["parameters"].items()}
    buf = Buffer(capacity=1024)
    packet.push_quic_transport_parameters(buf, packet.QuicTransportParameters(**values))
    return buf.data.hex()


def header(q):
    got = packet.pull_quic_header(Buffer(data=bytes.fromhex(q["wire"])), host_cid_length=q["idLength"])
    return {
        "type": got.packet_type.name,
        "version": got.version,
        "destination": got.destination_cid.hex(),
        "source": got.source_cid.hex(),
        "token": got.token.hex(),
        "tag": got.integrity_tag.hex(),
        "length": got.packet_length,
    }


def context(q):
    one = crypto.CryptoContext()
    one.setup(cipher_suite=SUITES[q["suite"]], secret=bytes.fromhex(q["secret"]), version=q["version"])
    return one


def protect(q):
    return context(q).encrypt_packet(bytes.fromhex(q["header"]), bytes.fromhex(q["payload"]), q["number"]).hex()


def unprotect(q):
    head, payload, number, update = context(q).decrypt_packet(bytes.fromhex(q["wire"]), q["numberAt"], q["expected"])
    return {"header": head.hex(), "payload": payload.hex(), "number": number, "update": update}


def retry(q):
    return packet.encode_quic_retry(
        version=q["version"],
        source_cid=bytes.fromhex(q["source"]),
        destination_cid=bytes.fromhex(q["destination"]),
        original_destination_cid=bytes.fromhex(q["original"]),
        retry_token=bytes.fromhex(q["token"]),
    ).hex()


def ack_read(q):
    ranges, delay = packet.pull_ack_frame(Buffer(data=bytes.fromhex(q["wire"])))
    return {"ranges": [[one.start, one.stop - 1] for one in ranges][::-1], "delay": delay}


def ack_write(q):
    buf = Buffer(capacity=4096)
    packet.push_ack_frame(buf, RangeSet([range(low, high + 1) for low, high in q["ranges"][::-1]]), q["delay"], 4096)
    return buf.data.hex()


def integer(q):
    return str(Buffer(data=bytes.fromhex(q["wire"])).pull_uint_var())


def answer(q):
    try:
        return globals()[q["op"]](q)
    except Exception as error:  # whatever it refuses, it refuses
        return {"refused": type(error).__name__ + ": " + str(error)}


json.dump([answer(q) for q in json.load(sys.stdin)], sys.stdout)
