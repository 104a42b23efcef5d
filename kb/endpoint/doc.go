// Package endpoint serves a triple store over HTTP: the SPARQL 1.1 protocol, the graph store protocol, and a description
// of the service.
//
//	/sparql    queries by GET and POST, updates by POST where they are allowed; without a query, the description
//	/graphs    graphs: GET, HEAD, PUT, POST, DELETE with ?graph=IRI or ?default, or a path below it as the graph's IRI
//
// Each request has a time limit and the limits of kb/sparql. An answer that fails after it began is cut off, so that no
// client takes a part for the whole. Requests that change something are refused when a browser sends them from another
// site, and all requests when they name a host that is not ours (Config.Hosts).
package endpoint
