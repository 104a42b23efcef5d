package temporal

import (
	"errors"

	"varve/index/renew"
)

// The errors that callers tell apart.
var (
	ErrVersion = renew.ErrFormat
	ErrQuery   = errors.New("bad query")
)
