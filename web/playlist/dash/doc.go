// Package dash reads manifests of MPEG-DASH (ISO/IEC 23009-1), the MPD, and writes those of recordings.
//
// Terms. A *manifest* has *periods*, one after the other; a period has *sets* (pictures, a language of
// sound, subtitles); a set has *representations* of the same at several bit rates, of which a player
// takes one; a representation has an *initialisation* and *segments*. A manifest that is *live*
// (dynamic) is asked for again, and its segments are there for a time only.
//
// How segments are named, and what Segments makes of it:
//
//	SegmentTemplate with timeline   one per run of S; $Time$ and $Number$ put in
//	SegmentTemplate with duration   number n = start .. end of the period; of live ones those that are
//	                                there now: availabilityStartTime + period + (n-start+1)·d <= now
//	SegmentList                     one per SegmentURL, with ranges
//	SegmentBase, or BaseURL alone   one file; its index (sidx) tells the ranges
//
// Attributes of SegmentTemplate and SegmentList are inherited from period to set to representation, the
// inner one winning attribute by attribute. BaseURL elements chain likewise; of several the first is used.
//
// Cost: one pass over the XML, segments on demand; Limits bound depth, elements and segments, so that a
// manifest that says "a segment of a microsecond for a year" costs no more than its limit.
package dash
