// A static file server on net/http: HTTP/1.1, and HTTP/2 in clear text and over TLS. /echo returns the content of the request.
package main

import (
	"flag"
	"io"
	"log"
	"net/http"
)

func main() {
	port := flag.String("port", "0", "port on the loopback address")
	root := flag.String("root", ".", "folder to serve")
	cert := flag.String("cert", "", "certificate file; with it the server speaks TLS")
	key := flag.String("key", "", "key file")
	flag.Parse()

	files := http.FileServer(http.Dir(*root))
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if r.Method == http.MethodPost {
			if r.URL.Path == "/echo" {
				content, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadRequest)
					return
				}
				w.Write(content)
				return
			}
			// Read to the end, so that the response proves that the whole content was accepted.
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			w.WriteHeader(http.StatusOK)
			return
		}
		files.ServeHTTP(w, r)
	})
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{Addr: "127.0.0.1:" + *port, Handler: handler, Protocols: protocols, ErrorLog: log.New(io.Discard, "", 0)}
	if *cert != "" {
		log.Fatal(server.ListenAndServeTLS(*cert, *key))
	}
	log.Fatal(server.ListenAndServe())
}
