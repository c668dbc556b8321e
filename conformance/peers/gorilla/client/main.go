// An echo client on gorilla/websocket: it sends back every message of the server. Exits with status 0 after a clean close.
package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"
)

func main() {
	if err := echo(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func echo(address string) error {
	parsed, err := url.Parse(address)
	if err != nil {
		return err
	}
	dialer := websocket.Dialer{EnableCompression: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	if protocols := parsed.Query().Get("protocols"); protocols != "" {
		dialer.Subprotocols = strings.Split(protocols, ",")
	}
	connection, _, err := dialer.Dial(address, nil)
	if err != nil {
		return err
	}
	defer connection.Close()
	connection.SetReadLimit(16 << 20)
	for {
		kind, message, err := connection.ReadMessage()
		if closed := (*websocket.CloseError)(nil); errors.As(err, &closed) && closed.Code != websocket.CloseAbnormalClosure {
			return nil
		}
		if err != nil {
			return err
		}
		// The package leaves the UTF-8 check to the application.
		if kind == websocket.TextMessage && !utf8.Valid(message) {
			fault := websocket.FormatCloseMessage(websocket.CloseInvalidFramePayloadData, "")
			_ = connection.WriteControl(websocket.CloseMessage, fault, time.Now().Add(time.Second))
			return errors.New("text that is not UTF-8")
		}
		if err := connection.WriteMessage(kind, message); err != nil {
			return err
		}
	}
}
