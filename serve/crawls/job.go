package crawls

import "time"

// State says how far a job is.
type State string

// The states of a job, by the exit codes of the program.
const (
	Running  State = "running"
	Complete State = "complete" // nothing is left that belongs to the crawl
	Stopped  State = "stopped"  // stopped early, or something could not be had; the report says which
	Failed   State = "failed"   // could not, or was killed
)

// Job is a crawl that was started here, and how it ended.
type Job struct {
	Collection string    `json:"collection"`
	Definition string    `json:"definition,omitempty"` // of the plan
	Resumed    string    `json:"resumed,omitempty"`    // the crawl that it goes on with
	By         string    `json:"by"`
	State      State     `json:"state"`
	PID        int       `json:"pid,omitempty"`
	Started    time.Time `json:"started"`
	Ended      time.Time `json:"ended,omitzero"`
	Why        string    `json:"why,omitempty"` // of a failed job: the last words of the program
}

// ended fills in how the program ended; words are the last that it wrote.
func (j *Job) ended(exit int, words string, now time.Time) {
	j.Ended, j.State = now, Failed
	switch exit {
	case 0:
		j.State = Complete
	case 1:
		j.State = Stopped
	default:
		if j.Why = words; words == "" {
			j.Why = "the program ended without a word"
		}
	}
}
