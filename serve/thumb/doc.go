// Package thumb makes small pictures of archived pages and keeps them beside the archive.
//
// Terms. A *thumbnail* is the window of a page as a browser drew it from the archive at the capture's time, reduced to
// Width. Its *parts* are the captures that the browser was given for it, the page itself first.
//
//	asked for -> kept? -> may who asks see every part of it? -> the JPEG
//	          -> not kept: a picture that the crawl took, where nothing of the collection is withheld from anybody
//	                       else wait for the one browser -> draw with what everybody may see
//	                       -> keep -> as above
//
// What the browser asks is answered by the archive alone, as the server answered then (replay.ServeAsWas); it has no
// other way out (crawl/browser). It sees what everybody may see, so nothing withheld at that time is drawn; what was
// withheld later is a part that is asked about each time the picture is shown, and hides the whole of it.
//
// A thumbnail is one file of <collection>/derived/thumbs, a JPEG whose comment is JSON: address, time, parts. The folder
// can be deleted at any time; what is looked at is drawn again. It is bounded by Config.Most; the oldest go first.
//
// Cost: some 0.5 s of processor time and 200 MB for a browser, which ends when nothing was wanted for Config.Idle; 10 to
// 20 KB of disk a picture. Pictures are drawn one after the other, and beyond Config.Waiting wishes are refused.
package thumb
