// Handshakes of crypto/tls for QUIC, driven from outside: a JSON object a line in, one answer a line out.
//
// {"config": NAME, …} makes a configuration, which keeps its sessions and ticket keys.
// {"open": ID, "with": NAME, "parameters": HEX} begins a connection.
// {"on": ID, "level": NAME, "octets": HEX} gives it handshake octets.
// {"on": ID, "ticket": true} sends a session ticket that permits 0-RTT data.
// {"on": ID, "export": LABEL} exports 32 octets.
//
// An answer has the events of the connection, and `error` with the alert where the handshake failed.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

type request struct {
	Config     string   `json:"config"`
	Server     bool     `json:"server"`
	Name       string   `json:"name"`
	Protocols  []string `json:"protocols"`
	Groups     []uint16 `json:"groups"`
	Identity   string   `json:"identity"`
	Authority  string   `json:"authority"`
	Clients    bool     `json:"clients"`
	Sessions   bool     `json:"sessions"`
	Open       string   `json:"open"`
	With       string   `json:"with"`
	Parameters string   `json:"parameters"`
	On         string   `json:"on"`
	Level      string   `json:"level"`
	Octets     string   `json:"octets"`
	Ticket     bool     `json:"ticket"`
	Export     string   `json:"export"`
}

type event struct {
	Is        string   `json:"is"`
	Level     string   `json:"level,omitempty"`
	Direction string   `json:"direction,omitempty"`
	Suite     string   `json:"suite,omitempty"`
	Octets    string   `json:"octets,omitempty"`
	Protocol  string   `json:"protocol,omitempty"`
	Resumed   bool     `json:"resumed,omitempty"`
	Group     uint16   `json:"group,omitempty"`
	Chain     []string `json:"chain,omitempty"`
}

type answer struct {
	Events []event `json:"events"`
	Log    string  `json:"log,omitempty"`
	Error  string  `json:"error,omitempty"`
	Alert  int     `json:"alert,omitempty"`
}

type configuration struct {
	tls    *tls.Config
	server bool
	log    *bytes.Buffer
}

type connection struct {
	quic       *tls.QUICConn
	with       *configuration
	parameters []byte
}

var levels = map[string]tls.QUICEncryptionLevel{
	"initial": tls.QUICEncryptionLevelInitial, "early": tls.QUICEncryptionLevelEarly,
	"handshake": tls.QUICEncryptionLevelHandshake, "application": tls.QUICEncryptionLevelApplication,
}

func levelName(level tls.QUICEncryptionLevel) string {
	for name, one := range levels {
		if one == level {
			return name
		}
	}
	return "unknown"
}

func configure(r request) (*configuration, error) {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(r.Authority))
	log := new(bytes.Buffer)
	config := &tls.Config{MinVersion: tls.VersionTLS13, ServerName: r.Name, NextProtos: r.Protocols, KeyLogWriter: log}
	config.RootCAs, config.ClientCAs = pool, pool
	for _, group := range r.Groups {
		config.CurvePreferences = append(config.CurvePreferences, tls.CurveID(group))
	}
	if r.Identity != "" {
		pair, err := tls.X509KeyPair([]byte(r.Identity), []byte(r.Identity))
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if r.Clients {
		config.ClientAuth = tls.RequireAndVerifyClientCert
	}
	if r.Sessions {
		config.ClientSessionCache = tls.NewLRUClientSessionCache(10)
	}
	return &configuration{config, r.Server, log}, nil
}

func (c *connection) drain() []event {
	events := []event{}
	for {
		e := c.quic.NextEvent()
		one := event{Level: levelName(e.Level)}
		switch e.Kind {
		case tls.QUICNoEvent:
			return events
		case tls.QUICSetReadSecret:
			one.Is, one.Direction = "secret", "read"
			one.Suite, one.Octets = tls.CipherSuiteName(e.Suite), hex.EncodeToString(e.Data)
		case tls.QUICSetWriteSecret:
			one.Is, one.Direction = "secret", "write"
			one.Suite, one.Octets = tls.CipherSuiteName(e.Suite), hex.EncodeToString(e.Data)
		case tls.QUICWriteData:
			one.Is, one.Octets = "octets", hex.EncodeToString(e.Data)
		case tls.QUICTransportParameters:
			one.Is, one.Octets = "parameters", hex.EncodeToString(e.Data)
		case tls.QUICTransportParametersRequired:
			c.quic.SetTransportParameters(c.parameters)
			continue
		case tls.QUICRejectedEarlyData:
			one.Is = "earlyRejected"
		case tls.QUICHandshakeDone:
			state := c.quic.ConnectionState()
			one.Is, one.Protocol, one.Resumed, one.Group = "complete", state.NegotiatedProtocol, state.DidResume, uint16(state.CurveID)
			for _, certificate := range state.PeerCertificates {
				one.Chain = append(one.Chain, hex.EncodeToString(certificate.Raw))
			}
		default:
			continue
		}
		events = append(events, one)
	}
}

func main() {
	configurations := map[string]*configuration{}
	connections := map[string]*connection{}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var r request
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		var events []event
		var err error
		var c *connection
		switch {
		case r.Config != "":
			configurations[r.Config], err = configure(r)
		case r.Open != "":
			with := configurations[r.With]
			parameters, _ := hex.DecodeString(r.Parameters)
			c = &connection{with: with, parameters: parameters}
			config := &tls.QUICConfig{TLSConfig: with.tls}
			if with.server {
				c.quic = tls.QUICServer(config)
			} else {
				c.quic = tls.QUICClient(config)
				c.quic.SetTransportParameters(parameters)
			}
			err = c.quic.Start(context.Background())
			connections[r.Open] = c
		case r.Ticket:
			c = connections[r.On]
			err = c.quic.SendSessionTicket(tls.QUICSessionTicketOptions{EarlyData: true})
		case r.Export != "":
			state := connections[r.On].quic.ConnectionState()
			var octets []byte
			octets, err = state.ExportKeyingMaterial(r.Export, []byte("context"), 32)
			events = []event{{Is: "exported", Octets: hex.EncodeToString(octets)}}
		default:
			c = connections[r.On]
			octets, _ := hex.DecodeString(r.Octets)
			err = c.quic.HandleData(levels[r.Level], octets)
		}
		said := answer{Events: events}
		if c != nil {
			said.Events = c.drain()
			said.Log = c.with.log.String()
			c.with.log.Reset()
		}
		if err != nil {
			said.Error = err.Error()
			var alert tls.AlertError
			if errors.As(err, &alert) {
				said.Alert = int(alert)
			}
		}
		out.Encode(said)
	}
}
