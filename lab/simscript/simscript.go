// Package simscript gives scripts of testscript a simulated web.
package simscript

import (
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/media"
	"varve/lab/websim/server"
	"varve/lab/websim/spam"
)

// Serve serves a simulated web until the script ends: sim PRESET, sim FILE.toml, or sim media, the
// broadcaster of websim/media at the speed of the real clock. The script
// then has $RESOLVE (a rule for --resolve), $SEED (the first seed) and $ADDR.
func Serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sim PRESET|FILE.toml")
	}
	var spec *websim.Spec
	var options []websim.Option
	var err error
	speed, ago := 0.0, time.Duration(0)
	if args[0] == "media" {
		spec, err = websim.Load("media", []byte(media.Spec))
		options, speed = media.Options(), 1
	} else if args[0] == "spam" {
		world, err2 := spam.New(spam.Small(), 1)
		ts.Check(err2)
		spec, err = world.Spec()
		options, ago = world.Options(), spam.Late*24*time.Hour
	} else if strings.HasSuffix(args[0], ".toml") {
		var text []byte
		text, err = os.ReadFile(ts.MkAbs(args[0]))
		ts.Check(err)
		spec, err = websim.Load(args[0], text)
	} else {
		spec, err = websim.Preset(args[0])
	}
	ts.Check(err)
	web, err := websim.New(spec, 1, options...)
	ts.Check(err)
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch().Add(ago), speed)})
	ts.Check(err)
	ts.Defer(func() { _ = s.Close() })
	ts.Setenv("RESOLVE", s.Resolve()[0])
	ts.Setenv("SEED", s.Seeds()[0])
	ts.Setenv("ADDR", s.Addr())
}
