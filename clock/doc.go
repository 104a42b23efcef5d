// Package clock is the time seam: code that waits or asks for the time takes a Clock, so that a
// test or an experiment can run a year in a second and twice the same.
//
// Real is the machine's clock. Virtual stands still until it is moved. There are two ways to
// move it:
//
//   - by hand: Advance, AdvanceTo, AdvanceNext (to the next deadline). BlockUntil waits until
//     the code under test has as many waits under way as the test expects, so nobody sleeps.
//   - by itself: Go registers workers, Run wakes them one at a time in the order of their
//     deadlines and returns when all have ended. Between two wake-ups every worker is asleep, so
//     only one runs at any moment and the run is the same every time.
//
// The order of waits is by deadline, and by age where deadlines are equal:
//
//	Run:  while workers are left
//	        wait until no worker is awake
//	        now = earliest deadline; wake its owner
//
// A wait costs O(log n) for n waits under way. Inside a testing/synctest bubble Real is virtual
// already; use that for code whose goroutines wait for each other as well as for time.
package clock
