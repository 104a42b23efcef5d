// Package api is the programming interface: REST under /api/, JSON in and out, errors as
// problem+json, lists in pages, live views as server-sent events.
//
// One table (routes.go) says for each route its method and path, who may call it, its parameters
// and the Go type of its answer. The mux is made from the table, and so is the OpenAPI document
// (openapi.go), whose schemas are derived from the types by reflection: they cannot differ.
//
//	GET /api/collections?limit=50&cursor=...   ->   {"items": [...], "next": "cursor of the next page"}
//	anything wrong                             ->   {"type": "about:blank", "title": "not_found", "status": 404, "detail": "...", "hint": "..."}
//
// Cost: lists stream from the index and stop at their limit; a page of captures costs its own
// length, wherever it begins.
package api
