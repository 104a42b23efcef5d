// Package chance gives tests that depend on chance a seed that is printed and can be given back: VARVE_SEED=N go test -run TestX.
package chance

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Variable of the environment that holds a seed.
const Variable = "VARVE_SEED"

// Rand returns random numbers for a test, of a new seed or that of the environment, and prints the seed. Streams of one seed differ.
func Rand(t testing.TB, stream uint64) *rand.Rand {
	t.Helper()
	seed := rand.Uint64() >> 32
	if s := os.Getenv(Variable); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", Variable, err)
		}
		seed = n
	}
	t.Logf("%s=%d", Variable, seed)
	return rand.New(rand.NewPCG(seed, stream))
}
