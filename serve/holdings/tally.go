package holdings

import (
	"encoding/json"
	"fmt"
	"os"
)

// CoherenceFile is where a crawl keeps how well it hangs together.
const CoherenceFile = "coherence.json"

// tallyLayer is the layer of equality that strips and lists show: what people read.
const tallyLayer = "text"

// readTally reads the counts of a coherence report (coherence/report) on the layer of text.
func readTally(path string) (*Tally, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rep struct {
		Layers map[string]struct{ Coherent, Changed, Links, Missing, Unknown int64 }
	}
	if err := json.Unmarshal(b, &rep); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	t, ok := rep.Layers[tallyLayer]
	if !ok {
		return nil, fmt.Errorf("read %s: it has no layer %q", path, tallyLayer)
	}
	return &Tally{Coherent: t.Coherent, Content: t.Changed, Links: t.Links, Missing: t.Missing, Unknown: t.Unknown}, nil
}
