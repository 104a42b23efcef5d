// Package retention decides what of an archive may be deleted, and when: retention rules, holds, reviews; and it hands what is
// under a hold to others with proof.
//
// Terms. A *unit* is what is deleted as a whole: the WARC files of one crawl with its folder, or one file that was imported. A
// *rule* says for how many days the units of a collection are kept, counted from their newest capture. A *hold* keeps captures by
// collection, address and time, whatever rules say, until it is released. A unit *needs* another where its revisits stand for
// content that only the other has. Decisions are lines of a journal that only grows ([docs/formats/retention.md]).
//
// WARC files are never rewritten here. A unit goes only if all of this is so:
//
//	a rule covers its collection, and its newest capture is older than the rule says
//	no hold is about any of its captures
//	no unit that stays needs it
//	all of its files are in the index and can be read whole: what is not known may be under a hold
//	a person has reviewed it and said so, and the days in which that can be taken back are over
//	its files are those that the person saw
//
// Judge is a pure function of these. Needs are closed by a fixed point: with D the units that are to go, remove from D what a unit
// outside of D needs, until nothing changes; D is then the largest set that can go and leaves all that stays whole. Each round takes
// one from D, so it costs O(units × needs) at most; needs are pairs of units, not of captures.
//
// A survey reads the index of captures twice (once where nothing is due): O(captures) time, memory for the units and one number for
// each payload that a revisit stands for. A deletion is written down before the first file goes and after the last, so that one
// that was killed is finished by the next; what was deleted (names, sizes, digests, who, why) stays in the journal for good.
//
// A takedown (serve/access) withholds and deletes nothing; a purge is refused where it would remove a captured record under a hold, or
// content that such a record needs.
package retention
