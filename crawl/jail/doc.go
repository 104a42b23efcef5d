// Package jail runs a program of others in a network of its own, in which there is nothing but one door: a listener that
// the caller answers. Being told to use a proxy is a request; here it is the only way out.
//
// On Linux, without any privilege:
//
//	caller   starts the helper (ourselves) in a new user and network namespace, with one end of a pair of sockets
//	helper   switches the loopback of the namespace on, listens on Addr, hands the listener over, becomes the program
//	caller   accepts connections on it: a socket belongs to the network it was made in, whoever holds it
//
// The namespace has no interface but its loopback, so no name can be resolved and nothing else be reached, by the program
// and by all that it starts. The program has no capabilities, in its namespace neither. Where the system does not
// allow it (containers, hardened kernels, other systems) the error is ErrUnavailable, and the caller decides.
//
// Cost: one start of our own program per run, some 50 ms.
package jail
