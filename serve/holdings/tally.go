package holdings

import (
	"encoding/json"
	"fmt"
	"os"
)

// CoherenceFile is where a crawl keeps how well it hangs together.
const CoherenceFile = "coherence.json"

// readTally reads the counts of a coherence report.
func readTally(path string) (*Tally, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rep struct {
		Tally *Tally `json:"tally"`
	}
	if err := json.Unmarshal(b, &rep); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return rep.Tally, nil
}
