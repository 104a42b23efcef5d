package capture

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"varve/lab/websim/difficult"
)

// look shows the views of a site from the archive, in a browser that reaches nothing but the replay.
func (l *Line) look(ctx context.Context, s *difficult.Site, replay Replayer, archive string) (err error) {
	base, stop, err := replay(ctx, archive)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	defer func() { err = errors.Join(err, stop()) }()
	u, err := url.Parse(base)
	if err != nil {
		return err
	}
	eye, err := OpenEye(ctx, "MAP * ~NOTFOUND, EXCLUDE "+u.Hostname()+", EXCLUDE *."+u.Hostname())
	if err != nil {
		return err
	}
	defer eye.Close()
	for _, v := range s.Views {
		l.Views++
		sight, err := eye.Look(base+v.URL, v)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && len(sight.Missing) == 0 {
			l.Shown++
			continue
		}
		why := "unseen " + strings.Join(sight.Missing, ", ")
		if err != nil {
			why += ": " + err.Error()
		}
		l.Unshown = append(l.Unshown, Unshown{URL: v.URL, Do: v.Do, Why: why})
	}
	return nil
}
