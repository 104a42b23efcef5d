// Package media is a small broadcaster: recordings and live streams in HLS and DASH, files that are
// served in ranges only, encrypted segments, pages that describe what they show, and a player of another
// host that will be dead when the page is replayed.
//
// The pictures are synthetic (testdata/README.md). A recording has 3 renditions of 8 s in segments of
// 2 s, sound and subtitles. A live stream goes on for ever: segment n of it is segment n mod 4 of the
// recording with its times moved, so every segment has its own bytes and a browser plays them in a row.
// Which segments there are is a function of the instant alone:
//
//	newest segment  n = seconds since 1970 / 2 - 1
//	in the list     n-2 .. n
//	on the server   n-7 .. n; others are 404
//
// It is a websim.Handler for two hosts, Host and Player:
//
//	spec, err := websim.Load("media", []byte(media.Spec))
//	web, err := websim.New(spec, 1, media.Options()...)
package media
