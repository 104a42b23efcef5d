package crawl

import (
	"errors"
	"os"
	"path/filepath"
)

// finish writes the report and closes everything.
func (r *Run) finish() {
	finished := r.finished()
	if finished {
		for _, s := range r.stages.finishers {
			if err := s.Finish(); err != nil {
				r.Fail(err)
			}
		}
	}
	err := r.writer.Close()
	if err == nil && r.fatalError() == nil {
		err = errors.Join(r.keepReach(), r.keepTotals(true))
	}
	r.report = r.makeReport(finished && err == nil) // finished is what is durable
	r.events.add("ended", "complete", r.report.Complete, "finished", r.report.Finished, "why", r.report.Why, "urls", r.report.URLs, "pages", r.report.Pages)
	r.writer = nil
	err = errors.Join(r.fatalError(), err, r.report.write(r.place.Dir), r.closeAll())
	if r.report.Finished && r.report.Queued == 0 && err == nil {
		err = r.dropFrontier()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = Ended
	r.fatal = err
}

// dropFrontier removes the frontier of a crawl with nothing left: all that it knew is in the WARC files, the
// history and the report.
func (r *Run) dropFrontier() error {
	dir := filepath.Join(r.place.Dir, "frontier")
	if r.place.Store == nil {
		return os.RemoveAll(dir)
	}
	return r.place.Store.RemoveAll(dir)
}

func (r *Run) closeAll() error {
	var errs []error
	if r.writer != nil {
		errs = append(errs, r.writer.Close())
	}
	if r.frontier != nil {
		errs = append(errs, r.frontier.Close())
	}
	if r.lines != nil {
		errs = append(errs, r.lines.close())
	}
	if r.events != nil {
		errs = append(errs, r.events.close())
	}
	return errors.Join(errs...)
}

// Wait returns when the run has ended, with its report. The report is there also with an error.
func (r *Run) Wait() (*Report, error) {
	<-r.done
	return r.report, r.fatalError()
}

// Done is closed when the run has ended.
func (r *Run) Done() <-chan struct{} { return r.done }

func (r *Run) fatalError() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fatal
}

// Fail ends the run because of an error that no further visit would be spared.
func (r *Run) Fail(err error) {
	r.mu.Lock()
	if r.fatal == nil {
		r.fatal = err
	}
	r.mu.Unlock()
	r.Stop("failed: " + err.Error())
}
