// Package external gets media objects with the help of other programs: yt-dlp for what hides behind players,
// ffmpeg for files that no browser of today plays. Both are optional; without them everything else works, and
// ErrMissing says how to get them.
//
// It is a collector. Answered by
//
//	a page of a player  -> yt-dlp asks its way through to the file
//	a film or sound     -> ffmpeg converts it to what browsers play
//
// the result is a resource record urn:media:URL beside the answer, with where it was found, what it is called
// and which program made it. Replay shows it in place of the dead player (serve/replay).
//
// Safeguards. These programs read what strangers wrote, so:
//
//	network   yt-dlp has a network of its own (crawl/jail) whose only door is our recording proxy (crawl/browser/proxy), so
//	          what it asks is recorded, in scope, polite and guarded like all else; ffmpeg gets a file and has no network.
//	          Where the system gives no such network, Config.Unjailed is told, and the programs are only asked to behave
//	probe     type, length and size are asked for first; what is too long, too large or no media is refused
//	limits    wall time, bytes on disk, niceness; output is read only to its end piece
//	process   a group of its own, killed as a whole at the end, and by the system if we are killed; an
//	          environment of four variables; a scratch folder that is its home
//
// Cost: one process per object and as many at a time as the crawl has slots; the file is on disk once before
// it is recorded.
package external
