// Package server is the simulated web on loopback: HTTP/1.1 over TCP, plain and TLS on one port, any
// number of hosts by their Host header.
//
// It is a server of its own because tests need what net/http prevents: exact bytes on the wire, lying
// lengths, resets, a log of every byte sent. The good way is short:
//
//	accept -> first byte 0x16? TLS : plain
//	loop:    read head (one read as a rule) -> parse -> answer of the web -> one writev of head and
//	         body -> log entry with the version and the digest of the bytes sent
//
// Each connection is one goroutine with a 4 KB buffer, up to a limit of connections. Heads, bodies
// and waits are limited. Close ends all connections and returns when their goroutines have ended.
//
// Requests whose Host is an address of the server itself reach the control pages (control.go): log,
// seeds, history of a URL, the simulated clock.
package server
