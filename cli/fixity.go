package cli

import (
	"context"
	"os/user"
	"time"

	"varve/archive/catalog"
	"varve/archive/fixity"
)

// agent is this program in journals.
func agent() string { return "varve/" + Version }

// operator is who runs this process, for journals; empty where the system does not say.
func operator() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}

// keepRecord records the digests of files that came into a collection and what brought them. The caller holds
// the collection's lock.
func keepRecord(ctx context.Context, col *catalog.Collection, e catalog.Event) error {
	rep, err := fixity.Audit(ctx, col, fixity.Config{NewOnly: true, By: operator(), Now: time.Now})
	if err != nil {
		return err
	}
	if rep.Bad() {
		e.Outcome = "fixity findings"
	}
	e.Time, e.Agent, e.By = time.Now().UTC(), agent(), operator()
	return col.Note(e)
}
