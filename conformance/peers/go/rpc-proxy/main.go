// The reverse proxy of the Go standard library between HTTP/2 on both sides, with prior knowledge in clear text.
package main

import (
	"flag"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"
)

func main() {
	port := flag.String("port", "8080", "where to listen")
	origin := flag.String("origin", "", "HOST:PORT of the origin")
	cert := flag.String("cert", "", "certificate in PEM; with it, TLS")
	key := flag.String("key", "", "its key")
	flag.Parse()

	var http2 http.Protocols
	http2.SetHTTP2(true)
	http2.SetUnencryptedHTTP2(true)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: *origin})
			r.Out.Host = r.In.Host
		},
		Transport: &http.Transport{
			Protocols:             &http2,
			DialContext:           (&net.Dialer{Timeout: time.Second}).DialContext,
			ResponseHeaderTimeout: 1500 * time.Millisecond,
			DisableCompression:    true,
		},
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
	}
	server := &http.Server{Addr: "127.0.0.1:" + *port, Handler: proxy, Protocols: &http2, ErrorLog: log.New(io.Discard, "", 0)}
	if *cert != "" {
		log.Fatal(server.ListenAndServeTLS(*cert, *key))
	}
	log.Fatal(server.ListenAndServe())
}
