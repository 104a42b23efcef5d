// Package proxy lets a browser use the archive as its HTTP proxy: the web as it was, under its own names and without
// a byte rewritten. It is the most faithful replay, and cannot leak, since the browser reaches nothing but the proxy
// and the proxy forwards nothing.
//
//	GET http://a.example/x        -> capture of http://a.example/x at the proxy's time, or at Accept-Datetime
//	CONNECT a.example:443         -> TLS with a certificate of our own authority for a.example -> as above, with https
//	GET http://varve.proxy/       -> what this is; /ca.pem is the certificate of the authority
//
// Terms. The *authority* is a key and certificate made for one archive, kept in its keys folder; a browser that should
// see https pages must trust it, so use a browser profile of its own. It signs certificates for single hosts that are
// valid for a short time and are kept in memory.
//
// Cost: one signature per host; a connection is one goroutine.
package proxy
