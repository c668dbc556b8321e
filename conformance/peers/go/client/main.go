// Gets one URL over HTTP/2 with net/http; exits with status 0 if the response is complete.
package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func main() {
	protocols := new(http.Protocols)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: protocols, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	response, err := client.Get(os.Args[1])
	if err == nil {
		_, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		transport.CloseIdleConnections()
		// The transport writes its last frames from its own goroutine.
		time.Sleep(100 * time.Millisecond)
		os.Exit(1)
	}
	transport.CloseIdleConnections()
}
