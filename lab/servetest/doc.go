// Package servetest makes small archives of a simulated web, for the tests and the pictures of
// serve and its packages.
//
// An archive is made by the real crawler over loopback; only its clock is set: each crawl begins
// at the instant that the simulated web has reached, so two years of crawls take seconds and the
// captures carry the dates of these two years.
package servetest
