// An echo server on gorilla/websocket. It compresses messages if the client offers compression.
package main

import (
	"flag"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"
)

var upgrader = websocket.Upgrader{
	EnableCompression: true,
	Subprotocols:      []string{"chat", "echo", "superchat"},
	CheckOrigin:       func(*http.Request) bool { return true },
}

func echo(w http.ResponseWriter, r *http.Request) {
	connection, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer connection.Close()
	connection.SetReadLimit(16 << 20)
	for {
		kind, message, err := connection.ReadMessage()
		if err != nil {
			return
		}
		// The package leaves the UTF-8 check to the application.
		if kind == websocket.TextMessage && !utf8.Valid(message) {
			fault := websocket.FormatCloseMessage(websocket.CloseInvalidFramePayloadData, "")
			_ = connection.WriteControl(websocket.CloseMessage, fault, time.Now().Add(time.Second))
			return
		}
		if err := connection.WriteMessage(kind, message); err != nil {
			return
		}
	}
}

func main() {
	port := flag.String("port", "9001", "")
	flag.Parse()
	http.HandleFunc("/", echo)
	if err := http.ListenAndServe("127.0.0.1:"+*port, nil); err != nil {
		panic(err)
	}
}
