package jail

import "errors"

// Addr is where the program finds the door, in its own network.
const Addr = "127.0.0.1:8118"

// ErrUnavailable is the error of a system that gives programs no network of their own.
var ErrUnavailable = errors.New("no network of its own")
