package main

import (
	"errors"
	"fmt"
	"time"

	"varve/cli"
	"varve/clock"
	"varve/crawl/browser/chromium"
	"varve/lab/websim"
	"varve/lab/websim/media"
	"varve/lab/websim/server"
)

// The pages of the broadcaster that are captured: a film as a stream, one as a file, and one that only a running script puts on its page.
const (
	filmURL  = "http://" + media.Host + "/vod.html"
	clipURL  = "http://" + media.Host + "/clip.html"
	watchURL = "http://" + media.Host + "/watch.html"
)

// film captures a broadcaster. Its pages are executed where Chromium is installed; the streams are followed without it, too. A browser lives in
// real time, so this is the one crawl that does.
func (d *demo) film() {
	if d.failed != nil || d.ctx.Err() != nil {
		return
	}
	if d.failed = d.describe("broadcaster", "The broadcaster", "Films and sounds, and pages that are programs."); d.failed != nil {
		return
	}
	capture := "browser"
	if _, err := chromium.Find(""); err != nil {
		capture = "parser"
		fmt.Fprintln(d.out, "\nNo Chromium is installed: pages of the broadcaster are read, not executed.")
	}
	d.failed = d.onBroadcaster(func(resolve []string) error {
		args := []string{"crawl", filmURL, clipURL, watchURL, "--scope", "page", "--delay", "0s", "--capture", capture, "--media-players", "none", "--archive", d.dir, "--collection", "broadcaster", "--quiet"}
		for _, r := range resolve {
			args = append(args, "--resolve", r)
		}
		d.run("A broadcaster: a film as a stream, one as a file, and a player that only a running script makes", cli.New(), d.out, args...)
		return d.failed
	})
}

// onBroadcaster serves the simulated broadcaster while something is done on it.
func (d *demo) onBroadcaster(do func(resolve []string) error) (err error) {
	spec, err := websim.Load("media", []byte(media.Spec))
	if err != nil {
		return err
	}
	web, err := websim.New(spec, demoSeed, media.Options()...)
	if err != nil {
		return err
	}
	real := clock.Real()
	srv, err := server.Listen(web, server.Options{Clock: real, Timeline: server.NewTimeline(real, time.Date(2025, 12, 10, 9, 0, 0, 0, time.UTC), 1), NoDigest: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.Close()) }()
	return do(srv.Resolve())
}
