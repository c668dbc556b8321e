module handshake

go 1.25
