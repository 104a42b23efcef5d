// Package chromium finds, starts, measures and ends a Chromium whose only way out is a proxy.
//
//	Find  -> path of the program, or ErrMissing with how to get it
//	Start -> profile folder with a lock, process group, pipes; the first answer, or why there is none
//	Usage -> processor time and memory of all processes of the group, from /proc
//	Close -> kill the group, wait, remove the profile
//
// Nothing outlives us: the browser gets SIGKILL when this process dies (and its pipes end, which
// makes it exit, too), its children go with it, and Sweep removes the profile folders that a killed
// process left. Such a folder is known by a lock that nobody holds.
//
// What a page can reach: no name is resolved, every connection goes to a proxy, loopback included;
// no QUIC, no UDP of WebRTC, no prefetch, no component updates, no extensions, no DevTools port.
// The flags are in flags.go with their reasons.
//
// Cost: a start takes some 0.5 s of processor time and 150 MB; Usage reads one line per process of
// the machine.
package chromium
