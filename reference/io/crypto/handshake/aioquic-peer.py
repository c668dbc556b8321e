"""Handshakes of aioquic, driven from outside in the form of go/main.go: a JSON object a line in, one answer a line out."""

import json
import sys

from aioquic import tls
from aioquic.buffer import Buffer

LEVELS = {
    tls.Epoch.INITIAL: "initial",
    tls.Epoch.ZERO_RTT: "early",
    tls.Epoch.HANDSHAKE: "handshake",
    tls.Epoch.ONE_RTT: "application",
}
SUITES = {0x1301: "TLS_AES_128_GCM_SHA256", 0x1302: "TLS_AES_256_GCM_SHA384", 0x1303: "TLS_CHACHA20_POLY1305_SHA256"}
GROUPS = {0x001D: tls.Group.X25519, 0x0017: tls.Group.SECP256R1}
PARAMETERS = 57
DONE = (tls.State.CLIENT_POST_HANDSHAKE, tls.State.SERVER_POST_HANDSHAKE)


class Connection:
    def __init__(self, config, parameters):
        self.config = config
        self.events = []
        self.is_complete = False
        self.is_told = False
        self.buffers = {epoch: Buffer(capacity=65536) for epoch in LEVELS}
        server = config.get("server", False)
        context = tls.Context(
            is_client=not server,
            alpn_protocols=config["protocols"],
            cadata=config["authority"].encode(),
            server_name=None if server else config["name"],
            max_early_data=0xFFFFFFFF if server else None,
        )
        self.context = context
        if config.get("groups"):
            context._supported_groups = [GROUPS[group] for group in config["groups"]]
        if config.get("identity"):
            identity = config["identity"].encode()
            chain = tls.load_pem_x509_certificates(identity)
            context.certificate, context.certificate_chain = chain[0], chain[1:]
            context.certificate_private_key = tls.load_pem_private_key(identity)
        context.handshake_extensions = [(PARAMETERS, parameters)]
        context.update_traffic_key_cb = self.secret
        if server:
            context.new_session_ticket_cb = lambda ticket: config["tickets"].update({ticket.ticket: ticket})
            context.get_session_ticket_cb = lambda label: config["tickets"].get(label)
        elif config.get("sessions"):
            context.new_session_ticket_cb = config["kept"].append
            context.session_ticket = config["kept"].pop() if config["kept"] else None

    def secret(self, direction, epoch, suite, secret):
        way = "write" if direction == tls.Direction.ENCRYPT else "read"
        self.events.append(
            {"is": "secret", "level": LEVELS[epoch], "direction": way, "suite": SUITES[int(suite)], "octets": secret.hex()}
        )

    def receive(self, octets):
        error = {}
        try:
            self.context.handle_message(octets, self.buffers)
        except tls.Alert as alert:
            error = {"error": str(alert) or type(alert).__name__, "alert": int(alert.description)}
        for epoch, buffer in self.buffers.items():
            if buffer.tell():
                self.events.append({"is": "octets", "level": LEVELS[epoch], "octets": buffer.data.hex()})
                buffer.seek(0)
        received = self.context.received_extensions
        if received is not None and not self.is_told:
            self.is_told = True
            self.events += [{"is": "parameters", "octets": data.hex()} for kind, data in received if kind == PARAMETERS]
        if self.context.state in DONE and not self.is_complete:
            self.is_complete = True
            self.events.append(
                {
                    "is": "complete",
                    "protocol": self.context.alpn_negotiated,
                    "resumed": self.context.session_resumed,
                    "early": self.context.early_data_accepted,
                }
            )
        events, self.events = self.events, []
        return {"events": events, **error}


def main():
    configs, connections = {}, {}
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"events": []}
        if "config" in request:
            configs[request["config"]] = {**request, "tickets": {}, "kept": []}
        elif "open" in request:
            connection = Connection(configs[request["with"]], bytes.fromhex(request["parameters"]))
            connections[request["open"]] = connection
            if not connection.config.get("server"):
                answer = connection.receive(b"")
        elif "octets" in request:
            answer = connections[request["on"]].receive(bytes.fromhex(request["octets"]))
        print(json.dumps(answer), flush=True)


main()
