// An echo client on coder/websocket: it sends back every message of the server. Exits with status 0 after a clean close.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/coder/websocket"
)

func main() {
	if err := echo(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func echo(ctx context.Context, address string) error {
	parsed, err := url.Parse(address)
	if err != nil {
		return err
	}
	options := &websocket.DialOptions{
		CompressionMode:      websocket.CompressionContextTakeover,
		CompressionThreshold: 1,
		HTTPClient:           &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}},
	}
	if protocols := parsed.Query().Get("protocols"); protocols != "" {
		options.Subprotocols = strings.Split(protocols, ",")
	}
	connection, _, err := websocket.Dial(ctx, address, options)
	if err != nil {
		return err
	}
	defer connection.CloseNow()
	connection.SetReadLimit(16 << 20)
	for {
		kind, message, err := connection.Read(ctx)
		if closed := (websocket.CloseError{}); errors.As(err, &closed) {
			return nil
		}
		if err != nil {
			return err
		}
		// The package leaves the UTF-8 check to the application.
		if kind == websocket.MessageText && !utf8.Valid(message) {
			_ = connection.Close(websocket.StatusInvalidFramePayloadData, "")
			return errors.New("text that is not UTF-8")
		}
		if err := connection.Write(ctx, kind, message); err != nil {
			return err
		}
	}
}
