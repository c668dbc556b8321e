// An HTTP/3 server or client of quic-go for the interoperability scenarios. The server serves the files of a folder. The client downloads URLs
// into a folder: at once over one connection, or as the scenario wants it, and exits with status 0 if all are complete.
package main

import (
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

var (
	port      = flag.String("port", "", "serve at this port of 127.0.0.1")
	cert      = flag.String("cert", "", "the certificate of the server")
	key       = flag.String("key", "", "its key")
	root      = flag.String("root", "", "the folder of the server")
	scenario  = flag.String("scenario", "handshake", "the scenario")
	downloads = flag.String("downloads", "", "where the client puts what it gets")
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	flag.Parse()
	if *port != "" {
		serve()
		return
	}
	sessions := tls.NewLRUClientSessionCache(10)
	urls := flag.Args()
	switch *scenario {
	case "resumption", "zerortt":
		download(sessions, "GET", urls[:1])
		time.Sleep(100 * time.Millisecond)
		method := "GET"
		if *scenario == "zerortt" {
			method = http3.MethodGet0RTT
		}
		download(sessions, method, urls[1:])
	case "handshakeloss", "handshakecorruption":
		for _, url := range urls {
			download(nil, "GET", []string{url})
		}
	default:
		download(sessions, "GET", urls)
	}
}

func serve() {
	pair, err := tls.LoadX509KeyPair(*cert, *key)
	check(err)
	socket, err := net.ListenPacket("udp", "127.0.0.1:"+*port)
	check(err)
	transport := quic.Transport{Conn: socket, VerifySourceAddress: func(net.Addr) bool { return *scenario == "retry" }}
	config := &quic.Config{Allow0RTT: true}
	listener, err := transport.ListenEarly(http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{pair}}), config)
	check(err)
	server := http3.Server{Handler: http.FileServer(http.Dir(*root))}
	check(server.ServeListener(listener))
}

func download(sessions tls.ClientSessionCache, method string, urls []string) {
	config := &quic.Config{HandshakeIdleTimeout: 20 * time.Second, MaxIdleTimeout: 60 * time.Second}
	if *scenario == "transfer" {
		config.InitialStreamReceiveWindow, config.InitialConnectionReceiveWindow = 65_536, 131_072
	}
	transport := &http3.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ClientSessionCache: sessions}, QUICConfig: config}
	defer transport.Close()
	client := http.Client{Transport: transport}
	var all sync.WaitGroup
	for _, url := range urls {
		all.Add(1)
		go func() {
			defer all.Done()
			request, err := http.NewRequestWithContext(context.Background(), method, url, nil)
			check(err)
			response, err := client.Do(request)
			check(err)
			if response.StatusCode != 200 {
				check(fmt.Errorf("%s: %s", url, response.Status))
			}
			file, err := os.Create(filepath.Join(*downloads, path.Base(url)))
			check(err)
			_, err = io.Copy(file, response.Body)
			check(err)
			check(file.Close())
		}()
	}
	all.Wait()
}
