module touchstone/exposition

go 1.26

require github.com/prometheus/prometheus v0.316.0
