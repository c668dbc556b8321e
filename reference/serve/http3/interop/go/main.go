// An HTTP/3 server or client of quic-go for the tests of this folder, configured by a JSON object in the only argument.
// A server prints its port and echoes content; a client prints one line of JSON for each request.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/quic-go/quic-go/http3"
)

type config struct {
	Is       string
	Cert     string
	Key      string
	URL      string
	Requests [][3]any
	// The requests of a second connection, which resumes the first; GET_0RTT is one in early data.
	Again [][3]any
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	var c config
	check(json.Unmarshal([]byte(os.Args[1]), &c))
	if c.Is == "server" {
		serve(c)
	} else {
		ask(c)
	}
}

func serve(c config) {
	pair, err := tls.X509KeyPair([]byte(c.Cert), []byte(c.Key))
	check(err)
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	check(err)
	server := http3.Server{
		TLSConfig: http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{pair}}),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("x-method", r.Method)
			w.Header().Set("x-early", fmt.Sprint(!r.TLS.HandshakeComplete))
			w.Header().Set("x-resumed", fmt.Sprint(r.TLS.DidResume))
			if r.URL.Path == "/interim" {
				w.Header().Set("link", "<a>")
				w.WriteHeader(103)
			}
			if r.URL.Path == "/trailers" {
				w.Header().Set("trailer", "x-end")
			}
			var size int
			if _, err := fmt.Sscanf(r.URL.Path, "/bytes/%d", &size); err == nil {
				_, _ = io.Copy(w, io.LimitReader(endless{}, int64(size)))
				return
			}
			_, _ = io.Copy(w, r.Body)
			if r.URL.Path == "/trailers" {
				w.Header().Set("x-end", "yes")
			}
		}),
	}
	fmt.Println(socket.LocalAddr().(*net.UDPAddr).Port)
	check(server.Serve(socket))
}

type endless struct{}

func (endless) Read(into []byte) (int, error) {
	for at := range into {
		into[at] = 'x'
	}
	return len(into), nil
}

func ask(c config) {
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM([]byte(c.Cert))
	sessions := tls.NewLRUClientSessionCache(10)
	for _, requests := range [][][3]any{c.Requests, c.Again} {
		transport := &http3.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities, ClientSessionCache: sessions}}
		askAll(c.URL, http.Client{Transport: transport}, requests)
		transport.Close()
	}
}

func askAll(url string, client http.Client, requests [][3]any) {
	for _, request := range requests {
		method, path, size := request[0].(string), request[1].(string), int(request[2].(float64))
		var body io.Reader
		if size > 0 {
			body = strings.NewReader(strings.Repeat("y", size))
		}
		r, err := http.NewRequest(method, url+path, body)
		check(err)
		response, err := client.Do(r)
		if err != nil {
			print(map[string]any{"path": path, "error": err.Error()})
			continue
		}
		begin, err := io.ReadAll(io.LimitReader(response.Body, 100))
		check(err)
		octets, err := io.Copy(io.Discard, response.Body)
		octets += int64(len(begin))
		answer := map[string]any{"path": path, "status": response.StatusCode, "proto": response.Proto, "octets": octets, "trailers": response.Trailer, "body": string(begin)}
		if err != nil {
			answer["error"] = err.Error()
		}
		print(answer)
	}
}

func print(answer map[string]any) {
	line, err := json.Marshal(answer)
	check(err)
	fmt.Println(string(line))
}
