package kind

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Program is a model that users bring: any program, in any language, that reads pictures and says what they show. It is started once and asked picture by
// picture:
//
//	to its standard input    {"format":"jpeg","width":640,"height":480,"bytes":51234,"url":"http://..."} and a line break, then as many bytes: the file as it was archived
//	from its standard output {"label":"map","confidence":0.93} and a line break; {} if it has nothing to say; {"error":"..."} if it could not
//
// It ends when its input does. What it writes to standard error is the user's to see. It runs with the rights of whoever starts it, on bytes of anybody: a program that
// decodes pictures should be kept apart from what matters.
type Program struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	answers chan answered
	wait    time.Duration
}

// Asked is what a program is told of a picture.
type Asked struct {
	Format string `json:"format"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Bytes  int    `json:"bytes"`
	URL    string `json:"url"`
}

// Answer is what it says.
type Answer struct {
	Label      string  `json:"label"`
	Confidence float64 `json:"confidence"`
	Error      string  `json:"error"`
}

type answered struct {
	Answer
	err error
}

const (
	maxAnswer = 64 << 10
	maxLabel  = 100 // bytes
)

// ErrProgram says that a program does not do what is asked of it; no other picture can be asked about.
var ErrProgram = errors.New("the program of the user")

// Start starts a program. Each picture may take as long as wait. Close ends it.
func Start(ctx context.Context, command []string, stderr io.Writer, wait time.Duration) (*Program, error) {
	if len(command) == 0 {
		return nil, fmt.Errorf("%w: no command", ErrProgram)
	}
	p := &Program{cmd: exec.CommandContext(ctx, command[0], command[1:]...), wait: wait, answers: make(chan answered)}
	p.cmd.Stderr = stderr
	p.cmd.WaitDelay = time.Second
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProgram, err)
	}
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, maxAnswer)
	go p.read()
	return p, nil
}

// read reads answers until the program has no more.
func (p *Program) read() {
	defer close(p.answers)
	for p.out.Scan() {
		var a answered
		if err := json.Unmarshal(p.out.Bytes(), &a.Answer); err != nil {
			a.err = fmt.Errorf("%w: its answer %.80q: %w", ErrProgram, p.out.Text(), err)
		}
		p.answers <- a
	}
	if err := p.out.Err(); err != nil {
		p.answers <- answered{err: fmt.Errorf("%w: %w", ErrProgram, err)}
	}
}

// Ask asks about one picture. An error of one picture is in the answer; an error that is returned ends the conversation.
func (p *Program) Ask(ctx context.Context, a Asked, body []byte) (Answer, error) {
	a.Bytes = len(body)
	head, err := json.Marshal(a)
	if err != nil {
		return Answer{}, err
	}
	sent := make(chan error, 1)
	go func() {
		_, err := p.in.Write(append(append(head, '\n'), body...))
		sent <- err
	}()
	timer := time.NewTimer(p.wait)
	defer timer.Stop()
	for {
		select {
		case err := <-sent:
			if sent = nil; err != nil {
				return Answer{}, fmt.Errorf("%w ended: %w", ErrProgram, err)
			}
		case got, ok := <-p.answers:
			switch {
			case !ok:
				return Answer{}, fmt.Errorf("%w ended before it answered", ErrProgram)
			case got.err != nil:
				return Answer{}, got.err
			case len(got.Label) > maxLabel || strings.ContainsAny(got.Label, "\n\t") || !(got.Confidence >= 0 && got.Confidence <= 1):
				return Answer{}, fmt.Errorf("%w: label %.40q with confidence %v: at most %d bytes in one line, and a number from 0 to 1", ErrProgram, got.Label, got.Confidence, maxLabel)
			}
			return got.Answer, nil
		case <-timer.C:
			return Answer{}, fmt.Errorf("%w took more than %v for one picture", ErrProgram, p.wait)
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		}
	}
}

// closing is how long a program may take to end behind its input.
const closing = 5 * time.Second

// Close ends the input of the program and waits for its end; one that stays is killed.
func (p *Program) Close() error {
	_ = p.in.Close() // it may have ended
	go func() {
		for range p.answers { // so that its reader ends
		}
	}()
	stop := time.AfterFunc(closing, func() { _ = p.cmd.Process.Kill() })
	if err := p.cmd.Wait(); err != nil && stop.Stop() {
		return fmt.Errorf("%w: %w", ErrProgram, err)
	}
	return nil
}
