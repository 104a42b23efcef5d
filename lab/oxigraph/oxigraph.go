// Package oxigraph runs Oxigraph, a SPARQL engine of another hand, as a peer: tests compare answers with it, benchmarks
// CPU time. It is had by its Python package and is no dependency: Install says why where it cannot be had.
//
//	python, err := oxigraph.Install(ctx, dir)     a Python that has pyoxigraph
//	peer, err := oxigraph.Start(ctx, python, "")  a store in memory, or in a folder
//	body, used, err := peer.Query(ctx, "SELECT ...")   the answer as SPARQL JSON, and the CPU time of the process for it
package oxigraph

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"varve/lab/eval/cpu"
)

//go:embed oxigraph.py
var script string

// Variable of the environment that names a Python with pyoxigraph.
const Variable = "VARVE_OXIGRAPH"

// Release is what Install asks pip for.
const Release = "0.5.13"

// Install returns a Python that has pyoxigraph: the one that the environment names, python3 if it has it, or a new one in
// dir, into which pip installs it.
func Install(ctx context.Context, dir string) (string, error) {
	if python := os.Getenv(Variable); python != "" {
		return python, nil
	}
	if exec.CommandContext(ctx, "python3", "-c", "import pyoxigraph").Run() == nil {
		return "python3", nil
	}
	out, err := exec.CommandContext(ctx, "sh", "-c", `python3 -m venv "$0" && "$0/bin/pip" -q install pyoxigraph==`+Release, dir).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("pip cannot install pyoxigraph, and %s names no Python that has it: %w %s", Variable, err, out)
	}
	return filepath.Join(dir, "bin", "python"), nil
}

// Peer is a process with a store. It does one thing at a time.
type Peer struct {
	Version string

	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// Start starts a peer with the store in a folder, or in memory where that is "". It must be closed.
func Start(ctx context.Context, python, folder string) (*Peer, error) {
	p := &Peer{cmd: exec.CommandContext(ctx, python, "-c", script, folder)}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start Oxigraph: %w", err)
	}
	a, err := p.read()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start Oxigraph: %w", err), p.Close())
	}
	p.Version = a.Version
	return p, nil
}

type answer struct {
	Version, Error, Result string
	CPU                    float64
}

func (p *Peer) read() (a answer, err error) {
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(line, &a); err != nil {
		return a, err
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}

func (p *Peer) ask(request map[string]any) (answer, error) {
	line, err := json.Marshal(request)
	if err != nil {
		return answer{}, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return answer{}, err
	}
	return p.read()
}

func (a answer) used() time.Duration { return time.Duration(a.CPU * float64(time.Second)) }

// Load adds a file of N-Quads by its bulk loader, and merges what that wrote if tidy.
func (p *Peer) Load(path string, tidy bool) (time.Duration, error) {
	a, err := p.ask(map[string]any{"do": "load", "path": path, "tidy": tidy})
	return a.used(), err
}

// Replace makes the quads of a document of N-Quads the store's only ones; blank nodes keep their labels.
func (p *Peer) Replace(quads string) error {
	_, err := p.ask(map[string]any{"do": "replace", "quads": quads})
	return err
}

// Query returns the answer to SELECT or ASK as SPARQL JSON. A query that the context ends ends the process too, since it
// cannot be asked to stop.
func (p *Peer) Query(ctx context.Context, text string) ([]byte, time.Duration, error) {
	stop := context.AfterFunc(ctx, func() { _ = p.cmd.Process.Kill() })
	defer stop()
	a, err := p.ask(map[string]any{"do": "query", "query": text})
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return []byte(a.Result), a.used(), err
}

// Peak returns the largest resident memory of the process so far, in bytes; 0 without a peer.
func (p *Peer) Peak() int64 {
	if p == nil {
		return 0
	}
	return cpu.PeakOf(p.cmd.Process.Pid)
}

// Close ends the process.
func (p *Peer) Close() error { return errors.Join(p.in.Close(), p.cmd.Wait()) }
