// Package ca makes the certificates by which a proxy of ours stands in for the servers of https
// sites: replay shows archived sites under their own names, and the crawl's browser is recorded.
//
// An *authority* is a key and a certificate of its own; it signs certificates for single hosts,
// valid for some weeks and kept in memory. One lives in a folder (Open), for people who tell their
// browser to trust it, or in memory only (New), for a browser that we start and end ourselves.
//
//	Certificate(host): known and not about to end -> that one
//	                   else a new one for the host, signed with the authority's key, which it shares
//
// Cost: one signature of some 50 microseconds per host.
package ca
