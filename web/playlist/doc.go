// Package playlist groups the readers and writers of play lists: hls (HTTP Live Streaming) and dash (MPEG-DASH). The
// crawler takes streams by them, links names what they lead to, replay rewrites their addresses.
package playlist
