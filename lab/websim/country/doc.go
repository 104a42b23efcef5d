// Package country is a small invented country whose people write about what happens in it: a simulated web with texts that
// can be read, so that questions about opinions, laws and contracts have an answer.
//
// Vestria has an election on 22 September 2024, a rent law that is drafted, passed and amended, a storm flood and an affair
// about a ferry contract ([Events]). Eight sites tell of it from January 2023 on:
//
//	news      a newspaper: front page, notes that stay for a day, sections, articles, corrections, a dossier with polls
//	forum     threads of many pages, quotes, profiles with who was seen when, edited and deleted posts, moderators, bans
//	ministry  the law in all its versions as page and PDF, questions and answers, press releases, ministers who change
//	uni       a monthly survey with figures and a chart, institutes, courses
//	shop      products with prices and how many are left, terms that change, once without saying so
//	blog      one citizen, with answers of others below the entries
//	wiki      an encyclopaedia in the markup of MediaWiki: persons, the law, the contract; a company that is called otherwise in the end
//	islands   a small site that goes offline and comes back
//
// How it is made:
//
//	chronicle.txt   dated stories, written by hand; phrases.txt has sentences by subject
//	opinion(t)      shares of the parties, a line through dated points; polls, charts and posts follow it
//	page(path)      the instants at which it changes, and a function from such an instant to its bytes
//
// The pages are websim.Written, so history, validators, truth and log are those of any simulated web. The same Config and
// seed give the same bytes.
//
// Cost: New is linear in articles and posts (a few thousand); bodies are written when asked for, in about 20 µs.
package country
