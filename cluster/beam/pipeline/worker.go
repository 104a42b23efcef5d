package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// workerEnv is set for processes that the engine starts: their arguments are Beam's.
const workerEnv = "VARVE_BEAM_WORKER"

// IsWorker reports whether an engine has started this process.
func IsWorker() bool { return os.Getenv(workerEnv) != "" }

// Serve does what the engine asks of this process, until it lets go. It stands in the place of Beam's boot program, which copies the
// program of the worker into a folder that nobody removes, and of its harness, which never ends.
func Serve(ctx context.Context, args []string) error {
	_ = os.Unsetenv(workerEnv) // processes of this one are none
	f := flag.NewFlagSet("worker", flag.ContinueOnError)
	id := f.String("id", "", "")
	provision := f.String("provision_endpoint", "", "")
	for _, name := range []string{"logging_endpoint", "artifact_endpoint", "control_endpoint"} { // of older engines
		_ = f.String(name, "", "")
	}
	if err := f.Parse(args); err != nil {
		return err
	}
	ctx = grpcx.WriteWorkerID(ctx, *id)
	info, err := tools.ProvisionInfo(ctx, *provision)
	if err != nil {
		return fmt.Errorf("ask the engine at %s what to do: %w", *provision, err)
	}
	if info.GetLoggingEndpoint().GetUrl() == "" || info.GetControlEndpoint().GetUrl() == "" {
		return errors.New("the engine does not say where it is to be reached")
	}
	beam.Init()
	return harness.MainWithOptions(ctx, info.GetLoggingEndpoint().GetUrl(), info.GetControlEndpoint().GetUrl(), harness.Options{
		StatusEndpoint: info.GetStatusEndpoint().GetUrl(), RunnerCapabilities: info.GetRunnerCapabilities(),
	})
}

// Program is a digest of the program that runs.
var Program = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})
