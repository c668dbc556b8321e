package main

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// The echo service of reference/serve/rpc/echo.ts, as a mark for benches. Its message {text = 1, octets = 2, number = 3} is one that
// generated code of the protobuf module reads and writes already: {name = 1, extendee = 2, number = 3}.
type message = descriptorpb.FieldDescriptorProto

func echoUnary(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	request := &message{}
	return request, decode(request)
}

func echoRepeat(_ any, stream grpc.ServerStream) error {
	request := &message{}
	if err := stream.RecvMsg(request); err != nil {
		return err
	}
	for count := int32(1); count <= request.GetNumber(); count++ {
		if err := stream.SendMsg(&message{Name: request.Name, Extendee: request.Extendee, Number: proto.Int32(count)}); err != nil {
			return err
		}
	}
	return nil
}

var echoService = grpc.ServiceDesc{
	ServiceName: "touchstone.echo.v1.Echo",
	HandlerType: (*any)(nil),
	Methods:     []grpc.MethodDesc{{MethodName: "Unary", Handler: echoUnary}},
	Streams:     []grpc.StreamDesc{{StreamName: "Repeat", Handler: echoRepeat, ServerStreams: true}},
}
