package engine_test

import (
	"testing"

	"varve/crawl/nodes/engine"
	"varve/crawl/nodes/engine/enginetest"
)

func TestMemory(t *testing.T) {
	enginetest.Run(t, func(*testing.T) func() engine.Engine {
		m := engine.NewMemory()
		return func() engine.Engine { return m.Join() }
	})
}
