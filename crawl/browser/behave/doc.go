// Package behave says what the crawl's browser does on a page besides loading it: scroll, open, press
// what looks as if it did something, and leave alone what would change the world.
//
// Knowledge about pages is data (rules.toml, and files of the user in the same form): words for
// buttons that bring more, words for buttons never to be pressed, cookie banners, steps for single
// sites. Two scripts act by it, made from the rules for each page:
//
//	hook.js    in the page's world, before its scripts: a seed for Math.random, no dialogs, new windows
//	           noted instead of opened, shadow roots open, does anything wait for scrolling?
//	behave.js  in a world of its own: watches the document, offers steps. It sees the page's elements,
//	           but the page cannot see or change it.
//
// A step acts once and says what changed; the driver waits for quiet between steps, counts them against
// the page's budget, and decides the order:
//
//	consent -> steps of the site -> unfold (details, menus) -> scroll until nothing comes -> play media
//	-> choose options that a script listens to -> press what looks clickable, more-buttons first
//
// Pressing: elements are told apart by place and words, not by identity, since pages make them anew. An
// element is pressed once, a more-button as long as it has an effect; a kind of element is given up after
// some presses without any effect. Links are never pressed: their address is known. What vanishes from
// the document meanwhile is kept as text, because its links were there.
//
// Cost: choosing looks at each element of the page at most once per change of the document, up to
// Limits.Elements.
package behave
