// The conformance service (vectors/rpc/conformance.proto) on connect-go, over HTTP/1.1 and HTTP/2 in clear text; with a certificate over TLS, and
// at the same port over HTTP/3, by quic-go.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"connectrpc.com/connect"
	"github.com/quic-go/quic-go/http3"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
)

const (
	running   = 1
	ended     = 2
	cancelled = 3
)

// Message reads and writes fields by name.
type Message struct{ *dynamicpb.Message }

func (m Message) field(name string) protoreflect.FieldDescriptor {
	return m.Descriptor().Fields().ByName(protoreflect.Name(name))
}
func (m Message) text(name string) string    { return m.Get(m.field(name)).String() }
func (m Message) octets(name string) []byte  { return m.Get(m.field(name)).Bytes() }
func (m Message) is(name string) bool        { return m.Get(m.field(name)).Bool() }
func (m Message) number(name string) uint64  { return m.Get(m.field(name)).Uint() }
func (m Message) set(name string, value any) { m.Set(m.field(name), protoreflect.ValueOf(value)) }
func of(message protoreflect.Message) Message {
	return Message{message.Interface().(*dynamicpb.Message)}
}
func fresh(name string) Message {
	return Message{dynamicpb.NewMessage(file.Messages().ByName(protoreflect.Name(name)))}
}

type fate struct {
	state    int32
	requests uint32
}

var (
	file  protoreflect.FileDescriptor
	mutex sync.Mutex
	fates = map[string]*fate{}
)

func isBinary(name string) bool { return strings.HasSuffix(name, "-bin") }

func add(headers http.Header, plan Message, name string) {
	list := plan.Get(plan.field(name)).List()
	for i := range list.Len() {
		one := of(list.Get(i).Message())
		if isBinary(one.text("name")) {
			headers.Add(one.text("name"), connect.EncodeBinaryHeader(one.octets("octets")))
		} else {
			headers.Add(one.text("name"), one.text("text"))
		}
	}
}

// What one call does.
type course struct {
	ctx               context.Context
	request           http.Header
	headers, trailers http.Header
	plan              *Message
	fate              fate
	hasSeen           bool
	isUnary           bool
}

func (c *course) end(state int32) {
	mutex.Lock()
	defer mutex.Unlock()
	if c.fate.state == running {
		c.fate.state = state
	}
}

func (c *course) take(request Message) {
	mutex.Lock()
	c.fate.requests++
	first := c.fate.requests == 1
	mutex.Unlock()
	if !first || !request.Has(request.field("plan")) {
		return
	}
	plan := of(request.Get(request.field("plan")).Message())
	c.plan = &plan
	if name := plan.text("call"); name != "" {
		mutex.Lock()
		fates[name] = &c.fate
		mutex.Unlock()
		context.AfterFunc(c.ctx, func() { c.end(cancelled) })
	}
	add(c.headers, plan, "headers")
	add(c.trailers, plan, "trailers")
	if ms := plan.number("delay_ms"); ms > 0 {
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
		case <-c.ctx.Done():
		}
	}
}

func (c *course) early() bool { return c.plan != nil && c.plan.is("early") }

func isOwn(name string) bool {
	for _, prefix := range []string{"connect-", "grpc-", "content-", "accept"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "host" || name == "user-agent" || name == "te" || name == "x-grpc-web"
}

func (c *course) response(payload []byte, number uint32) Message {
	response := fresh("Response")
	if c.plan != nil && c.plan.number("response_octets") > 0 {
		payload = make([]byte, c.plan.number("response_octets"))
	}
	response.set("payload", payload)
	response.set("number", number)
	if c.hasSeen {
		return response
	}
	c.hasSeen = true
	seen := of(response.Mutable(response.field("seen")).Message())
	list := seen.Mutable(seen.field("metadata")).List()
	for key, values := range c.request {
		name := strings.ToLower(key)
		if isOwn(name) {
			continue
		}
		for _, value := range values {
			if !isBinary(name) {
				one := fresh("Field")
				one.set("name", name)
				one.set("text", strings.ToValidUTF8(value, "?"))
				list.Append(protoreflect.ValueOfMessage(one.ProtoReflect()))
				continue
			}
			// Headers are as HTTP has them: a field may have several values.
			for _, part := range strings.Split(value, ",") {
				one := fresh("Field")
				one.set("name", name)
				if octets, err := connect.DecodeBinaryHeader(strings.TrimSpace(part)); err == nil {
					one.set("octets", octets)
				}
				list.Append(protoreflect.ValueOfMessage(one.ProtoReflect()))
			}
		}
	}
	if deadline, has := c.ctx.Deadline(); has {
		seen.set("has_deadline", true)
		seen.set("left_ms", uint64(max(0, time.Until(deadline).Milliseconds())))
	}
	return response
}

// details are those in an encoded google.rpc.Status: its field 3.
func details(octets []byte) []*connect.ErrorDetail {
	var found []*connect.ErrorDetail
	for len(octets) > 0 {
		number, kind, length := protowire.ConsumeTag(octets)
		if length < 0 {
			return found
		}
		octets = octets[length:]
		size := protowire.ConsumeFieldValue(number, kind, octets)
		if size < 0 {
			return found
		}
		if number == 3 && kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(octets)
			one := &anypb.Any{}
			if proto.Unmarshal(value, one) == nil {
				if detail, err := connect.NewErrorDetail(one); err == nil {
					found = append(found, detail)
				}
			}
		}
		octets = octets[size:]
	}
	return found
}

func (c *course) finish() error {
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	c.end(ended)
	if c.plan == nil {
		return nil
	}
	if c.plan.is("throws") {
		return errors.New("a failure without a status")
	}
	code := connect.Code(c.plan.number("status"))
	if code == 0 {
		return nil
	}
	failure := connect.NewError(code, errors.New(c.plan.text("message")))
	// A call that fails has the metadata of its error; a stream has sent its own.
	if c.isUnary {
		for _, all := range []http.Header{c.headers, c.trailers} {
			for name, values := range all {
				failure.Meta()[name] = append(failure.Meta()[name], values...)
			}
		}
	}
	for _, one := range details(c.plan.octets("details")) {
		failure.AddDetail(one)
	}
	return failure
}

func courseOf(ctx context.Context, request, headers, trailers http.Header) *course {
	return &course{ctx: ctx, request: request, headers: headers, trailers: trailers, fate: fate{state: running}}
}

type Dynamic = dynamicpb.Message

func unary(ctx context.Context, request *connect.Request[Dynamic]) (*connect.Response[Dynamic], error) {
	headers, trailers := http.Header{}, http.Header{}
	c := courseOf(ctx, request.Header(), headers, trailers)
	c.isUnary = true
	c.take(Message{request.Msg})
	if err := c.finish(); err != nil {
		return nil, err
	}
	return withMetadata(connect.NewResponse(c.response(Message{request.Msg}.octets("payload"), 1).Message), headers, trailers), nil
}

func withMetadata(response *connect.Response[Dynamic], headers, trailers http.Header) *connect.Response[Dynamic] {
	for name, values := range headers {
		response.Header()[name] = values
	}
	for name, values := range trailers {
		response.Trailer()[name] = values
	}
	return response
}

func clientStream(ctx context.Context, stream *connect.ClientStream[Dynamic]) (*connect.Response[Dynamic], error) {
	headers, trailers := http.Header{}, http.Header{}
	c := courseOf(ctx, stream.RequestHeader(), headers, trailers)
	c.isUnary = true
	var all []byte
	var count uint32
	for !c.early() && stream.Receive() {
		request := Message{stream.Msg()}
		all = append(all, request.octets("payload")...)
		count++
		c.take(request)
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	return withMetadata(connect.NewResponse(c.response(all, count).Message), headers, trailers), nil
}

func serverStream(ctx context.Context, request *connect.Request[Dynamic], stream *connect.ServerStream[Dynamic]) error {
	c := courseOf(ctx, request.Header(), stream.ResponseHeader(), stream.ResponseTrailer())
	message := Message{request.Msg}
	c.take(message)
	if c.plan != nil && ctx.Err() == nil {
		for number := uint32(1); uint64(number) <= c.plan.number("responses"); number++ {
			if err := stream.Send(c.response(message.octets("payload"), number).Message); err != nil {
				return err
			}
		}
	}
	return c.finish()
}

func bidiStream(ctx context.Context, stream *connect.BidiStream[Dynamic, Dynamic]) error {
	c := courseOf(ctx, stream.RequestHeader(), stream.ResponseHeader(), stream.ResponseTrailer())
	for number := uint32(1); !c.early(); number++ {
		got, err := stream.Receive()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		request := Message{got}
		c.take(request)
		if err := stream.Send(c.response(request.octets("payload"), number).Message); err != nil {
			return err
		}
	}
	return c.finish()
}

func fateOf(_ context.Context, request *connect.Request[Dynamic]) (*connect.Response[Dynamic], error) {
	report := fresh("FateReport")
	mutex.Lock()
	defer mutex.Unlock()
	if known, has := fates[Message{request.Msg}.text("call")]; has {
		report.Set(report.field("state"), protoreflect.ValueOfEnum(protoreflect.EnumNumber(known.state)))
		report.set("requests", known.requests)
	}
	return connect.NewResponse(report.Message), nil
}

func initialize(spec connect.Spec, message any) error {
	if dynamic, is := message.(*dynamicpb.Message); is {
		*dynamic = *dynamicpb.NewMessage(spec.Schema.(protoreflect.MethodDescriptor).Input())
	}
	return nil
}

func main() {
	port := flag.String("port", "8080", "")
	descriptors := flag.String("descriptors", "", "a set of file descriptors")
	cert := flag.String("cert", "", "the certificate of the server")
	key := flag.String("key", "", "its key")
	flag.Parse()
	octets, err := os.ReadFile(*descriptors)
	if err != nil {
		log.Fatal(err)
	}
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(octets, set); err != nil {
		log.Fatal(err)
	}
	if file, err = protodesc.NewFile(set.GetFile()[0], nil); err != nil {
		log.Fatal(err)
	}
	service := file.Services().ByName("Conformance")
	mux := http.NewServeMux()
	register := func(name string, make func(path string, options ...connect.HandlerOption) *connect.Handler) {
		method := service.Methods().ByName(protoreflect.Name(name))
		path := "/" + string(service.FullName()) + "/" + name
		options := []connect.HandlerOption{connect.WithSchema(method), connect.WithRequestInitializer(initialize)}
		if name == "Unary" {
			options = append(options, connect.WithIdempotency(connect.IdempotencyNoSideEffects))
		}
		mux.Handle(path, make(path, options...))
	}
	register("Unary", func(path string, options ...connect.HandlerOption) *connect.Handler {
		return connect.NewUnaryHandler(path, unary, options...)
	})
	register("Fate", func(path string, options ...connect.HandlerOption) *connect.Handler {
		return connect.NewUnaryHandler(path, fateOf, options...)
	})
	register("ClientStream", func(path string, options ...connect.HandlerOption) *connect.Handler {
		return connect.NewClientStreamHandler(path, clientStream, options...)
	})
	register("ServerStream", func(path string, options ...connect.HandlerOption) *connect.Handler {
		return connect.NewServerStreamHandler(path, serverStream, options...)
	})
	register("BidiStream", func(path string, options ...connect.HandlerOption) *connect.Handler {
		return connect.NewBidiStreamHandler(path, bidiStream, options...)
	})
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(*cert != "")
	protocols.SetUnencryptedHTTP2(*cert == "")
	place := "127.0.0.1:" + *port
	server := &http.Server{Addr: place, Handler: mux, Protocols: protocols, ReadHeaderTimeout: 10 * time.Second}
	if *cert == "" {
		log.Fatal(server.ListenAndServe())
	}
	// It listens over UDP before it does over TCP, by which a start is noticed.
	udp, err := net.ListenPacket("udp", place)
	if err != nil {
		log.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(*cert, *key)
	if err != nil {
		log.Fatal(err)
	}
	over := &http3.Server{Handler: mux, TLSConfig: http3.ConfigureTLSConfig(&tls.Config{Certificates: []tls.Certificate{pair}})}
	go func() { log.Fatal(over.Serve(udp)) }()
	log.Fatal(server.ListenAndServeTLS(*cert, *key))
}
