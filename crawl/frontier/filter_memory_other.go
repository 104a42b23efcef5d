//go:build !unix

package frontier

// newBlocks gives memory for a stage of the filter. free gives it back.
func newBlocks(n int64) (blocks []block, free func()) { return make([]block, n), func() {} }
