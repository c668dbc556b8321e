// The module whose codecs wrote ../peer.jsonl.
module peer

go 1.25

require github.com/prometheus/prometheus v0.316.0
