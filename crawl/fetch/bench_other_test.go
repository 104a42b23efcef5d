//go:build !unix

package fetch

// runChild is for the benchmarks, which measure CPU time as Unix tells it.
func runChild() bool { return false }
