// The conformance service (vectors/rpc/conformance.proto) and the service of the interoperability tests on grpc-go.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"google.golang.org/grpc"
	channelz "google.golang.org/grpc/channelz/service"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/interop"
	testing "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
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
func (m Message) text(name string) string   { return m.Get(m.field(name)).String() }
func (m Message) octets(name string) []byte { return m.Get(m.field(name)).Bytes() }
func (m Message) is(name string) bool       { return m.Get(m.field(name)).Bool() }
func (m Message) number(name string) uint64 {
	return m.Get(m.field(name)).Uint()
}
func (m Message) set(name string, value any) { m.Set(m.field(name), protoreflect.ValueOf(value)) }

type fate struct {
	state    int32
	requests uint32
}

var (
	file  protoreflect.FileDescriptor
	mutex sync.Mutex
	fates = map[string]*fate{}
)

func fresh(name string) Message {
	return Message{dynamicpb.NewMessage(file.Messages().ByName(protoreflect.Name(name)))}
}

func isBinary(name string) bool { return strings.HasSuffix(name, "-bin") }

func metadataOf(plan Message, name string) metadata.MD {
	md := metadata.MD{}
	list := plan.Get(plan.field(name)).List()
	for i := range list.Len() {
		one := Message{list.Get(i).Message().Interface().(*dynamicpb.Message)}
		if isBinary(one.text("name")) {
			md.Append(one.text("name"), string(one.octets("octets")))
		} else {
			md.Append(one.text("name"), one.text("text"))
		}
	}
	return md
}

// What one call does.
type course struct {
	ctx     context.Context
	headers func(metadata.MD) error
	trailer func(metadata.MD)
	plan    *Message
	fate    fate
	hasSeen bool
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
	plan := Message{request.Get(request.field("plan")).Message().Interface().(*dynamicpb.Message)}
	c.plan = &plan
	if name := plan.text("call"); name != "" {
		mutex.Lock()
		c.fate.state = running
		fates[name] = &c.fate
		mutex.Unlock()
		context.AfterFunc(c.ctx, func() { c.end(cancelled) })
	}
	c.trailer(metadataOf(plan, "trailers"))
	switch plan.Get(plan.field("compression")).Enum() {
	case 1:
		_ = grpc.SetSendCompressor(c.ctx, gzip.Name)
	case 2:
		_ = grpc.SetSendCompressor(c.ctx, "identity")
	}
	headers := metadataOf(plan, "headers")
	if plan.is("headers_first") || len(headers) > 0 {
		_ = c.headers(headers)
	}
	if ms := plan.number("delay_ms"); ms > 0 {
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
		case <-c.ctx.Done():
		}
	}
}

func (c *course) early() bool { return c.plan != nil && c.plan.is("early") }

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
	seen := Message{response.Mutable(response.field("seen")).Message().Interface().(*dynamicpb.Message)}
	md, _ := metadata.FromIncomingContext(c.ctx)
	list := seen.Mutable(seen.field("metadata")).List()
	for name, values := range md {
		if strings.HasPrefix(name, ":") || strings.HasPrefix(name, "grpc-") || name == "content-type" || name == "user-agent" {
			continue
		}
		for _, value := range values {
			one := fresh("Field")
			one.set("name", name)
			if isBinary(name) {
				one.set("octets", []byte(value))
			} else if !utf8.ValidString(value) {
				continue
			} else {
				one.set("text", value)
			}
			list.Append(protoreflect.ValueOfMessage(one.ProtoReflect()))
		}
	}
	if deadline, has := c.ctx.Deadline(); has {
		seen.set("has_deadline", true)
		seen.set("left_ms", uint64(max(0, time.Until(deadline).Milliseconds())))
	}
	return response
}

func (c *course) finish() error {
	if c.ctx.Err() == nil {
		c.end(ended)
	}
	if c.plan == nil {
		return nil
	}
	if c.plan.is("throws") {
		return fmt.Errorf("a failure without a status")
	}
	code := codes.Code(c.plan.number("status"))
	if code == codes.OK {
		return nil
	}
	return status.Error(code, c.plan.text("message"))
}

func courseOf(stream grpc.ServerStream) *course {
	return &course{ctx: stream.Context(), headers: stream.SendHeader, trailer: stream.SetTrailer, fate: fate{state: running}}
}

func clientStream(_ any, stream grpc.ServerStream) error {
	c := courseOf(stream)
	var all []byte
	var count uint32
	for !c.early() {
		request := fresh("Request")
		if err := stream.RecvMsg(request.Message); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		all = append(all, request.octets("payload")...)
		count++
		c.take(request)
	}
	if err := c.finish(); err != nil {
		return err
	}
	return stream.SendMsg(c.response(all, count).Message)
}

func serverStream(_ any, stream grpc.ServerStream) error {
	c := courseOf(stream)
	request := fresh("Request")
	if err := stream.RecvMsg(request.Message); err != nil {
		return err
	}
	c.take(request)
	for number := uint32(1); c.plan != nil && uint64(number) <= c.plan.number("responses"); number++ {
		if err := stream.SendMsg(c.response(request.octets("payload"), number).Message); err != nil {
			return err
		}
	}
	return c.finish()
}

func bidiStream(_ any, stream grpc.ServerStream) error {
	c := courseOf(stream)
	for number := uint32(1); !c.early(); number++ {
		request := fresh("Request")
		if err := stream.RecvMsg(request.Message); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		c.take(request)
		if err := stream.SendMsg(c.response(request.octets("payload"), number).Message); err != nil {
			return err
		}
	}
	return c.finish()
}

func unary(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	request := fresh("Request")
	if err := decode(request.Message); err != nil {
		return nil, err
	}
	c := &course{
		ctx:     ctx,
		headers: func(md metadata.MD) error { return grpc.SendHeader(ctx, md) },
		trailer: func(md metadata.MD) { _ = grpc.SetTrailer(ctx, md) },
		fate:    fate{state: running},
	}
	c.take(request)
	if err := c.finish(); err != nil {
		return nil, err
	}
	return c.response(request.octets("payload"), 1).Message, nil
}

func fateOf(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	request := fresh("FateRequest")
	if err := decode(request.Message); err != nil {
		return nil, err
	}
	report := fresh("FateReport")
	mutex.Lock()
	defer mutex.Unlock()
	if known, has := fates[request.text("call")]; has {
		report.set("state", protoreflect.EnumNumber(known.state))
		report.set("requests", known.requests)
	}
	return report.Message, nil
}

// The standard services, which describe and show those above.
func serveStandard(server *grpc.Server) {
	healthy := health.NewServer()
	for name := range server.GetServiceInfo() {
		healthy.SetServingStatus(name, healthpb.HealthCheckResponse_SERVING)
	}
	healthpb.RegisterHealthServer(server, healthy)
	channelz.RegisterChannelzServiceToServer(server)
	reflection.Register(server)
}

func main() {
	port := flag.Int("port", 8080, "port")
	set := flag.String("descriptors", "", "the descriptor set of conformance.proto")
	flag.Parse()
	octets, err := os.ReadFile(*set)
	if err != nil {
		log.Fatal(err)
	}
	var descriptors descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(octets, &descriptors); err != nil {
		log.Fatal(err)
	}
	files, err := protodesc.NewFiles(&descriptors)
	if err != nil {
		log.Fatal(err)
	}
	if file, err = files.FindFileByPath("conformance.proto"); err != nil {
		log.Fatal(err)
	}
	if err := protoregistry.GlobalFiles.RegisterFile(file); err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "touchstone.conformance.v1.Conformance",
		HandlerType: (*any)(nil),
		Methods:     []grpc.MethodDesc{{MethodName: "Unary", Handler: unary}, {MethodName: "Fate", Handler: fateOf}},
		Streams: []grpc.StreamDesc{
			{StreamName: "ClientStream", Handler: clientStream, ClientStreams: true},
			{StreamName: "ServerStream", Handler: serverStream, ServerStreams: true},
			{StreamName: "BidiStream", Handler: bidiStream, ClientStreams: true, ServerStreams: true},
		},
	}, struct{}{})
	server.RegisterService(&echoService, struct{}{})
	testing.RegisterTestServiceServer(server, interop.NewTestServer())
	serveStandard(server)
	log.Fatal(server.Serve(listener))
}
