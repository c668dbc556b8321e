// The client of connect-go as an adapter of the suite rpc (conformance/rpc/README.md), in the dialects connect and grpc-web: descriptions on
// standard input, reports on standard output. Over HTTP/2 where a call needs it, and else over HTTP/1.1.
package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"connectrpc.com/connect"
)

var features = []string{"streams", "bidi", "json", "get", "gzip", "deadline", "cancel", "details"}

// Octets are messages as they are.
type Octets struct{ data []byte }
type codec struct{ name string }

func (c codec) Name() string                            { return c.name }
func (c codec) IsBinary() bool                          { return c.name != "json" }
func (codec) Marshal(message any) ([]byte, error)       { return message.(*Octets).data, nil }
func (codec) MarshalStable(message any) ([]byte, error) { return message.(*Octets).data, nil }
func (codec) Unmarshal(data []byte, message any) error {
	message.(*Octets).data = append([]byte{}, data...)
	return nil
}

type call struct {
	Kind, Path, Encoding string
	Messages             []string
	Metadata             [][2]string
	TimeoutMs            *float64
	Open, Turns, Get     bool
	Cancel               struct{ AfterMs, AfterMessages *int }
}
type description struct {
	ID              int
	Features        bool
	Target, Dialect string
	Channel         struct{ Format string }
	Rounds          [][]call
}
type report struct {
	Status   int         `json:"status"`
	Message  string      `json:"message"`
	Headers  [][2]string `json:"headers"`
	Trailers [][2]string `json:"trailers"`
	Messages []string    `json:"messages"`
	Details  [][2]string `json:"details"`
}

func isBinary(name string) bool { return strings.HasSuffix(strings.ToLower(name), "-bin") }

func pairs(header http.Header) [][2]string {
	found := [][2]string{}
	for name, values := range header {
		for _, value := range values {
			if isBinary(name) {
				octets, _ := connect.DecodeBinaryHeader(value)
				value = hex.EncodeToString(octets)
			}
			found = append(found, [2]string{strings.ToLower(name), value})
		}
	}
	return found
}

func raw(text string) *Octets {
	found, _ := hex.DecodeString(text)
	return &Octets{found}
}

func (c call) fill(header http.Header) {
	for _, one := range c.Metadata {
		if isBinary(one[0]) {
			header.Add(one[0], connect.EncodeBinaryHeader(raw(one[1]).data))
		} else {
			header.Add(one[0], one[1])
		}
	}
}

func (c call) make(client *http.Client, d description) report {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if c.TimeoutMs != nil {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(*c.TimeoutMs*float64(time.Millisecond)))
		defer cancel()
	}
	if c.Cancel.AfterMs != nil {
		defer time.AfterFunc(time.Duration(*c.Cancel.AfterMs)*time.Millisecond, cancel).Stop()
	}
	format := d.Channel.Format
	if format == "" {
		format = "proto"
	}
	options := []connect.ClientOption{connect.WithCodec(codec{format})}
	if d.Dialect == "grpc-web" {
		options = append(options, connect.WithGRPCWeb())
	}
	if c.Encoding == "gzip" {
		options = append(options, connect.WithSendGzip())
	}
	if c.Get {
		options = append(options, connect.WithHTTPGet(), connect.WithIdempotency(connect.IdempotencyNoSideEffects))
	}
	found := report{Headers: [][2]string{}, Trailers: [][2]string{}, Messages: []string{}, Details: [][2]string{}}
	take := func(message *Octets) {
		found.Messages = append(found.Messages, hex.EncodeToString(message.data))
		if c.Cancel.AfterMessages != nil && *c.Cancel.AfterMessages == len(found.Messages) {
			cancel()
		}
	}
	made := connect.NewClient[Octets, Octets](client, "http://"+d.Target+c.Path, options...)
	err := c.exchange(ctx, made, take, func(header, trailer http.Header) {
		found.Headers, found.Trailers = pairs(header), pairs(trailer)
	})
	if err == nil {
		return found
	}
	found.Status, found.Message = int(connect.CodeOf(err)), err.Error()
	failure := new(connect.Error)
	if errors.As(err, &failure) {
		found.Message = failure.Message()
		// An error has headers and trailers as one.
		if len(found.Trailers) == 0 {
			found.Trailers = pairs(failure.Meta())
		}
		for _, one := range failure.Details() {
			found.Details = append(found.Details, [2]string{one.Type(), hex.EncodeToString(one.Bytes())})
		}
	}
	return found
}

func (c call) exchange(ctx context.Context, client *connect.Client[Octets, Octets], take func(*Octets), metadata func(header, trailer http.Header)) error {
	switch c.Kind {
	case "unary":
		request := connect.NewRequest(raw(c.Messages[0]))
		c.fill(request.Header())
		response, err := client.CallUnary(ctx, request)
		if err == nil {
			take(response.Msg)
			metadata(response.Header(), response.Trailer())
		}
		return err
	case "server-stream":
		request := connect.NewRequest(raw(c.Messages[0]))
		c.fill(request.Header())
		stream, err := client.CallServerStream(ctx, request)
		if err != nil {
			return err
		}
		defer stream.Close()
		for stream.Receive() {
			take(stream.Msg())
		}
		metadata(stream.ResponseHeader(), stream.ResponseTrailer())
		return stream.Err()
	case "client-stream":
		stream := client.CallClientStream(ctx)
		c.fill(stream.RequestHeader())
		for _, text := range c.Messages {
			// How a call ended is learned by reading.
			if stream.Send(raw(text)) != nil {
				break
			}
		}
		response, err := stream.CloseAndReceive()
		if err == nil {
			take(response.Msg)
			metadata(response.Header(), response.Trailer())
		}
		return err
	}
	stream := client.CallBidiStream(ctx)
	defer stream.CloseResponse()
	c.fill(stream.RequestHeader())
	receive := func() error {
		message, err := stream.Receive()
		if err == nil {
			take(message)
		}
		return err
	}
	for at, text := range c.Messages {
		if c.Turns && at > 0 {
			if err := receive(); err != nil {
				return unlessEnd(err)
			}
		}
		if stream.Send(raw(text)) != nil {
			break
		}
	}
	if !c.Open {
		_ = stream.CloseRequest()
	} else {
		defer stream.CloseRequest()
	}
	for {
		if err := receive(); err != nil {
			metadata(stream.ResponseHeader(), stream.ResponseTrailer())
			return unlessEnd(err)
		}
	}
}

func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (d description) answer() map[string]any {
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	for _, round := range d.Rounds {
		for _, one := range round {
			if one.Kind == "bidi" {
				protocols.SetHTTP1(false)
				protocols.SetUnencryptedHTTP2(true)
			}
		}
	}
	transport := &http.Transport{Protocols: protocols}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	all := []report{}
	for _, round := range d.Rounds {
		found := make([]report, len(round))
		var group sync.WaitGroup
		for at, one := range round {
			group.Go(func() { found[at] = one.make(client, d) })
		}
		group.Wait()
		all = append(all, found...)
	}
	return map[string]any{"id": d.ID, "calls": all}
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked description
		var found map[string]any
		if err := json.Unmarshal(line, &asked); err != nil {
			found = map[string]any{"id": asked.ID, "error": err.Error()}
		} else if asked.Features {
			found = map[string]any{"id": asked.ID, "features": features}
		} else {
			found = asked.answer()
		}
		printed, _ := json.Marshal(found)
		fmt.Println(string(printed))
	}
}
