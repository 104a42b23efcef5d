package temporal

import "errors"

// The errors that callers tell apart.
var (
	ErrVersion = errors.New("temporal index has another format version")
	ErrQuery   = errors.New("bad query")
)
