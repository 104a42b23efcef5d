package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"varve/crawl"
)

// lookoutEvery is how often a step that goes on says what it is at.
const lookoutEvery = 5 * time.Second

// lookout says every few seconds of a long step what it does and what it waits for.
type lookout struct {
	out io.Writer

	mu         sync.Mutex
	collection string
	run        *crawl.Run // the newest; nil before the first of the step
}

// see is told of each crawl that starts.
func (l *lookout) see(collection string, run *crawl.Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.collection, l.run = collection, run
}

// watch speaks while the command of a step runs, until the function is called.
func (l *lookout) watch(step int, command string) (end func()) {
	l.see("", nil)
	begun, stop := time.Now(), make(chan struct{})
	var told sync.WaitGroup
	told.Go(func() {
		tick := time.NewTicker(lookoutEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				fmt.Fprintf(l.out, "   ... step %d, %s: %s\n", step, time.Since(begun).Round(time.Second), l.at(command))
			case <-stop:
				return
			}
		}
	})
	return func() { close(stop); told.Wait() }
}

// at says what the step is at.
func (l *lookout) at(command string) string {
	l.mu.Lock()
	collection, run := l.collection, l.run
	l.mu.Unlock()
	if run == nil {
		return "varve " + command + " is at work"
	}
	p := run.Progress()
	if p.Waits == "" {
		return fmt.Sprintf("crawl %s of %s has ended; its captures are being indexed", p.Crawl, collection)
	}
	return fmt.Sprintf("crawl %s of %s: %s; waits for %s", p.Crawl, collection, p.Counts(), p.Waits)
}

// oneAtATime lets several write whole lines to one place.
type oneAtATime struct {
	mu sync.Mutex
	w  io.Writer
}

// Write passes p on.
func (o *oneAtATime) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(p)
}
