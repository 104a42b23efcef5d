// Package versions answers questions about the versions of pages over HTTP and for the command line:
// which were valid at an instant, or lie to a span of time in some way (index/temporal).
//
//	GET ?at=2014-05-01                                    alive
//	GET ?relation=inside&from=2014-05-01&to=2014-06-01    inside, contains, intersects
//	GET ?url=https://example.org/                         all versions of a page
//
// Further parameters: validity (nominal, inferred, proven), matchType (exact, prefix, host, domain),
// mime, status, limit (1000, at most 10,000), start (where an earlier answer ended), count=true.
// The answer is one JSON object; it says which validity was asked for, and of proven spans how they
// are known. Errors are problem+json.
//
// Cost: that of the temporal index; the answer is built in memory, so the limit bounds it. Conditions
// on mime and status read the version of each hit until the limit is reached.
package versions
