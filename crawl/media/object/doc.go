// Package object finds the media objects of a page: films and sounds that it shows, and what it says
// about them.
//
// Terms. An *object* is known by its address: a file, a stream (HLS, DASH), or the page of a *player* that
// shows it in a frame. *Well-known* players (players.toml) are those that external programs understand.
//
//	video, audio, source     -> file or stream, with poster, caption and tracks
//	iframe, embed, object    -> player, or file
//	data-* and scripts       -> addresses that end in .m3u8, .mpd
//	og:video, twitter:player -> file or player, title, description, duration
//	JSON-LD VideoObject      -> contentUrl, embedUrl, name, description, duration, thumbnail, date
//	link rel=alternate       -> oEmbed
//
// Mentions of one address are joined: the first that tells a fact wins, in the order JSON-LD, elements,
// Open Graph, since that is how particular they are. The text around an object is what a reader sees next
// to it: the caption of its figure, else the blocks before and behind it.
//
// Pictures finds the pictures of a page and what it says of them, on the same tree and by the same rule of what stands beside them.
//
// Cost: pages without a trace of media (Likely) are told in one pass over the bytes; others are parsed
// once. Limits bound bytes, objects and the length of texts.
package object
