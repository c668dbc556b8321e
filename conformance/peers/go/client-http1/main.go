// Gets URLs one after another over HTTP/1.1 with net/http, and prints their contents; exits with status 0 if all responses are complete.
package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	head := flag.Bool("head", false, "send HEAD")
	post := flag.String("post", "", "send this by POST")
	flag.Parse()
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	transport := &http.Transport{Protocols: protocols, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableCompression: true}
	client := &http.Client{
		Transport: transport,
		Timeout:   10 * time.Second,
		// Do not follow redirects: the case is about this response.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	method, content := http.MethodGet, func() io.Reader { return nil }
	if *head {
		method = http.MethodHead
	} else if *post != "" {
		method, content = http.MethodPost, func() io.Reader { return strings.NewReader(*post) }
	}
	for _, url := range flag.Args() {
		if err := get(client, method, url, content()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func get(client *http.Client, method, url string, content io.Reader) error {
	request, err := http.NewRequest(method, url, content)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	whole, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(whole)
	return err
}
