// An HTTP/3 server or client of quic-go. The server answers GET and HEAD with the files of a folder, and every other request, once it is
// complete, with its content. The client gets URLs one after another, prints their contents, and exits with status 0 if all are complete.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/quic-go/quic-go/http3"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	port := flag.String("port", "", "serve at this port of 127.0.0.1")
	cert := flag.String("cert", "", "the certificate of the server")
	key := flag.String("key", "", "its key")
	root := flag.String("root", "", "the folder of the server")
	head := flag.Bool("head", false, "ask with HEAD")
	post := flag.String("post", "", "ask with POST and this content")
	ca := flag.String("ca", "", "the file of the authority that it trusts; without it no certificate is verified")
	flag.Parse()
	if *port != "" {
		serve("127.0.0.1:"+*port, *cert, *key, *root)
	} else {
		ask(*head, *post, *ca, flag.Args())
	}
}

func serve(place, cert, key, root string) {
	files := http.FileServer(http.Dir(root))
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" || r.Method == "HEAD" {
			files.ServeHTTP(w, r)
			return
		}
		content, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		_, _ = w.Write(content)
	})
	// A connection over TCP tells whoever waits for the start.
	started, err := net.Listen("tcp", place)
	check(err)
	go func() {
		for {
			if one, err := started.Accept(); err == nil {
				one.Close()
			}
		}
	}()
	check(http3.ListenAndServeQUIC(place, cert, key, handler))
}

func ask(head bool, post, ca string, urls []string) {
	config := &tls.Config{InsecureSkipVerify: ca == ""}
	if ca != "" {
		authorities, err := os.ReadFile(ca)
		check(err)
		config.RootCAs = x509.NewCertPool()
		config.RootCAs.AppendCertsFromPEM(authorities)
	}
	transport := &http3.Transport{TLSClientConfig: config}
	defer transport.Close()
	client := http.Client{Transport: transport, Timeout: 10 * time.Second}
	for _, url := range urls {
		method, body := "GET", io.Reader(nil)
		if head {
			method = "HEAD"
		} else if post != "" {
			method, body = "POST", strings.NewReader(post)
		}
		request, err := http.NewRequest(method, url, body)
		check(err)
		response, err := client.Do(request)
		check(err)
		_, err = io.Copy(os.Stdout, response.Body)
		check(err)
	}
}
