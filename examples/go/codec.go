package main

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/protobuf/proto"
)

// codec encodes messages with google.golang.org/protobuf. The gRPC library of Debian 12 uses an older library, which cannot encode
// them. With current versions of both libraries, leave this file out.
type codec struct{}

func (codec) Marshal(v interface{}) ([]byte, error) { return proto.Marshal(v.(proto.Message)) }

func (codec) Unmarshal(data []byte, v interface{}) error {
	return proto.Unmarshal(data, v.(proto.Message))
}

func (codec) Name() string { return "proto" }

func init() { encoding.RegisterCodec(codec{}) }
