// The client of grpc-go as an adapter of the suite rpc (conformance/rpc/README.md): descriptions on standard input, reports on standard output.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip"
	_ "google.golang.org/grpc/health"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/dns"
	"google.golang.org/grpc/resolver/manual"
	"google.golang.org/grpc/status"
	_ "google.golang.org/grpc/xds" // outlier detection
)

var features = []string{"streams", "cancel", "deadline", "gzip", "identity-per-call", "receive-limit", "service-config", "retries", "health-check", "addresses", "outlier-detection", "weighted-round-robin", "names", "published-config", "unix", "wait-for-ready", "tls", "client-certificate"}

// Octets are messages as they are.
type octets struct{}

func (octets) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (octets) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = append([]byte{}, data...)
	return nil
}
func (octets) Name() string { return "proto" }

type call struct {
	Kind, Path, Encoding      string
	Messages                  []string
	Metadata                  [][2]string
	TimeoutMs                 *float64
	WaitForReady, Open, Turns bool
	Cancel                    struct{ AfterMs, AfterMessages *int }
}
type description struct {
	ID       int
	Features bool
	Target   string
	Targets  []string
	TLS      *struct{ CA, Cert, Key string }
	Channel  struct {
		MaxMessageOctets int
		Encoding         string
		ServiceConfig    json.RawMessage
		PublishedConfig  bool
		LookUpApartMs    int
	}
	Rounds [][]call
}
type report struct {
	Status   int         `json:"status"`
	Message  string      `json:"message"`
	Headers  [][2]string `json:"headers"`
	Trailers [][2]string `json:"trailers"`
	Messages []string    `json:"messages"`
}

func pairs(md metadata.MD) [][2]string {
	found := [][2]string{}
	for name, values := range md {
		for _, value := range values {
			if strings.HasSuffix(name, "-bin") {
				value = hex.EncodeToString([]byte(value))
			}
			found = append(found, [2]string{name, value})
		}
	}
	return found
}

func raw(text string) []byte {
	found, _ := hex.DecodeString(text)
	return found
}

func (c call) make(conn *grpc.ClientConn) report {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if c.TimeoutMs != nil {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(*c.TimeoutMs*float64(time.Millisecond)))
		defer cancel()
	}
	if c.Cancel.AfterMs != nil {
		defer time.AfterFunc(time.Duration(*c.Cancel.AfterMs)*time.Millisecond, cancel).Stop()
	}
	for _, one := range c.Metadata {
		value := one[1]
		if strings.HasSuffix(one[0], "-bin") {
			value = string(raw(value))
		}
		ctx = metadata.AppendToOutgoingContext(ctx, one[0], value)
	}
	var header, trailer metadata.MD
	options := []grpc.CallOption{grpc.ForceCodec(octets{}), grpc.Header(&header), grpc.Trailer(&trailer), grpc.WaitForReady(c.WaitForReady)}
	if c.Encoding != "" {
		options = append(options, grpc.UseCompressor(c.Encoding))
	}
	messages := []string{}
	err := c.exchange(ctx, conn, options, func(message []byte) {
		messages = append(messages, hex.EncodeToString(message))
		if c.Cancel.AfterMessages != nil && *c.Cancel.AfterMessages == len(messages) {
			cancel()
		}
	})
	state, _ := status.FromError(err)
	return report{int(state.Code()), state.Message(), pairs(header), pairs(trailer), messages}
}

func (c call) exchange(ctx context.Context, conn *grpc.ClientConn, options []grpc.CallOption, take func([]byte)) error {
	if c.Kind == "unary" {
		request, response := raw(c.Messages[0]), []byte{}
		err := conn.Invoke(ctx, c.Path, &request, &response, options...)
		if err == nil {
			take(response)
		}
		return err
	}
	desc := &grpc.StreamDesc{ClientStreams: c.Kind != "server-stream", ServerStreams: c.Kind != "client-stream"}
	stream, err := conn.NewStream(ctx, desc, c.Path, options...)
	if err != nil {
		return err
	}
	receive := func() error {
		response := []byte{}
		if err := stream.RecvMsg(&response); err != nil {
			return err
		}
		take(response)
		return nil
	}
	for at, text := range c.Messages {
		if c.Turns && at > 0 {
			if err := receive(); err != nil {
				return unlessEnd(err)
			}
		}
		request := raw(text)
		// How a call ended is learned by reading.
		if err := stream.SendMsg(&request); err != nil {
			break
		}
	}
	if !c.Open {
		_ = stream.CloseSend()
	}
	if c.Kind == "client-stream" {
		return receive()
	}
	for {
		if err := receive(); err != nil {
			return unlessEnd(err)
		}
	}
}

func unlessEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func (d description) answer() (map[string]any, error) {
	calls := []grpc.CallOption{}
	if d.Channel.MaxMessageOctets > 0 {
		calls = append(calls, grpc.MaxCallRecvMsgSize(d.Channel.MaxMessageOctets))
	}
	if d.Channel.Encoding != "" {
		calls = append(calls, grpc.UseCompressor(d.Channel.Encoding))
	}
	security := insecure.NewCredentials()
	if d.TLS != nil {
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM([]byte(d.TLS.CA))
		config := &tls.Config{RootCAs: roots}
		if d.TLS.Cert != "" {
			own, err := tls.X509KeyPair([]byte(d.TLS.Cert), []byte(d.TLS.Key))
			if err != nil {
				return nil, err
			}
			config.Certificates = []tls.Certificate{own}
		}
		security = credentials.NewTLS(config)
	}
	options := []grpc.DialOption{grpc.WithTransportCredentials(security), grpc.WithDefaultCallOptions(calls...)}
	if len(d.Channel.ServiceConfig) > 0 {
		// The name that this version has for the policy.
		config := strings.ReplaceAll(string(d.Channel.ServiceConfig), `"outlier_detection"`, `"outlier_detection_experimental"`)
		options = append(options, grpc.WithDefaultServiceConfig(config))
	}
	if !d.Channel.PublishedConfig {
		options = append(options, grpc.WithDisableServiceConfig())
	}
	if d.Channel.LookUpApartMs > 0 {
		dns.SetMinResolutionInterval(time.Duration(d.Channel.LookUpApartMs) * time.Millisecond)
	}
	target := d.Target
	if len(d.Targets) > 0 {
		listed := manual.NewBuilderWithScheme("listed")
		state := resolver.State{}
		for _, one := range d.Targets {
			state.Addresses = append(state.Addresses, resolver.Address{Addr: one})
		}
		listed.InitialState(state)
		options = append(options, grpc.WithResolvers(listed))
		target = "listed:///" + d.Target
	}
	all := []report{}
	conn, err := grpc.NewClient(target, options...)
	if err != nil {
		// Nothing can be called then, and that is what a user of it sees.
		for _, round := range d.Rounds {
			for range round {
				all = append(all, report{Status: 2, Message: err.Error(), Messages: []string{}})
			}
		}
		return map[string]any{"id": d.ID, "calls": all}, nil
	}
	// It waits for a look-up that goes on.
	defer func() { go conn.Close() }()
	for _, round := range d.Rounds {
		found := make([]report, len(round))
		var group sync.WaitGroup
		for at, one := range round {
			group.Go(func() { found[at] = one.make(conn) })
		}
		group.Wait()
		all = append(all, found...)
	}
	return map[string]any{"id": d.ID, "calls": all}, nil
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked description
		found := map[string]any{}
		if err := json.Unmarshal(line, &asked); err != nil {
			found = map[string]any{"id": asked.ID, "error": err.Error()}
		} else if asked.Features {
			found = map[string]any{"id": asked.ID, "features": features, "language": "go"}
		} else if found, err = asked.answer(); err != nil {
			found = map[string]any{"id": asked.ID, "error": err.Error()}
		}
		printed, _ := json.Marshal(found)
		fmt.Println(string(printed))
	}
}
