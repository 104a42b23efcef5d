// Package media captures streams: it is the collector for HLS and DASH, for files that are too large
// for one answer or are served in ranges only, and for what pages say about the films and sounds on them.
//
// Terms. A *stream* is what one play list or manifest describes; a *track* is one list of segments of it
// that we take: a variant, a language of sound, subtitles. A *recording* is a list that we write of what
// was taken of a live stream, so that replay shows the same from beginning to end. A *media object* is
// what a page shows (package object).
//
//	page            -> its media objects as fields of its metadata record; streams and files as links;
//	                   what only other programs can get goes to the Queue
//	list, manifest  -> choose tracks -> maps, keys and segments in order, through the Net
//	live            -> ask again (target duration; half of it where nothing had changed) until the
//	                   set time is over; what is new is taken, nothing twice; then the recording
//	file            -> where the answer was cut short, or only ranges are given: range after range
//
// Everything is fetched by the Net, so it is recorded byte for byte under its own address, and lists
// stay as they were served. The recording is a resource record with the address urn:vod:URL, which replay
// shows in place of the list (docs/algorithms/media.md).
//
// Cost: one request per segment, one at a time per stream; memory is one list and the names of the
// segments taken. Limits bound time, bytes and segments of a stream; what was cut is told.
package media
