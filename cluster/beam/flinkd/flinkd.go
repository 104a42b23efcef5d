// Package flinkd runs a real Flink cluster on loopback for drills: a JobManager, TaskManagers and the Beam job server, each a process of its own.
//
// Nothing of it is linked: pom.xml names the versions, and the first drill fetches them with Maven into the cache of the user (152 MB). Java 17 or
// later and Maven are needed; where they cannot be had, Jars says so and drills are skipped.
package flinkd

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

//go:embed pom.xml
var pom []byte

// thin is a folder whose jars Beam's job server does not upload (PipelineResources.isStageable). Else it sends its whole class path, 152 MB, to Flink with
// each job, and Flink to each TaskManager, all of which have it.
const thin = "gradle/wrapper"

// Jars fetches the jars of the cluster, or finds them fetched, and returns their folder.
func Jars(ctx context.Context) (dir string, err error) {
	for _, p := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(p); err != nil {
			return "", fmt.Errorf("no Flink: %w (Debian: apt-get install openjdk-17-jre-headless maven)", err)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	home := filepath.Join(cache, "varve-test", "flink-1.19.0-beam-2.62.0-thin")
	dir = filepath.Join(home, thin)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(filepath.Dir(home), "fetch-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if err := os.WriteFile(filepath.Join(work, "pom.xml"), pom, 0o644); err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, "mvn", "-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies", "-DoutputDirectory="+filepath.Join(work, "jars", thin))
	c.Dir = work
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("no Flink: fetch it from Maven Central: %w\n%.1000s", err, out)
	}
	if err := os.Rename(filepath.Join(work, "jars"), home); err != nil {
		if _, there := os.Stat(dir); there != nil { // not even by another drill
			return "", err
		}
	}
	return dir, nil
}

// Cluster is a running cluster.
type Cluster struct {
	Endpoint string // of the Beam job service
	REST     string // of the JobManager
	dir      string
	jars     string

	mu       sync.Mutex
	managers []*process // TaskManagers
	others   []*process
}

// process is a JVM, in a process group of its own: its workers are in it.
type process struct {
	name string
	cmd  *exec.Cmd
	log  string
	done chan struct{}
}

// opens is what Flink and Beam need of the inside of Java 17.
var opens = []string{
	"java.base/java.lang", "java.base/java.net", "java.base/java.io", "java.base/java.nio", "java.base/sun.nio.ch", "java.base/java.lang.reflect", "java.base/java.text",
	"java.base/java.time", "java.base/java.util", "java.base/java.util.concurrent", "java.base/java.util.concurrent.atomic", "java.base/java.util.concurrent.locks",
}

// Start runs a cluster with some TaskManagers in a folder. A job takes one slot of each; each has two, so that a job goes on when one manager is lost.
func Start(ctx context.Context, jars, dir string, managers int) (_ *Cluster, err error) {
	var ports [5]int
	for i := range ports {
		if ports[i], err = freePort(); err != nil {
			return nil, err
		}
	}
	c := &Cluster{Endpoint: "127.0.0.1:" + strconv.Itoa(ports[2]), REST: "127.0.0.1:" + strconv.Itoa(ports[1]), dir: dir, jars: jars}
	conf := fmt.Sprintf(`jobmanager.rpc.address: 127.0.0.1
jobmanager.bind-host: 127.0.0.1
jobmanager.rpc.port: %d
jobmanager.memory.process.size: 400m
jobmanager.memory.jvm-metaspace.size: 128m
jobmanager.memory.jvm-overhead.min: 48m
jobmanager.memory.jvm-overhead.max: 48m
jobmanager.memory.off-heap.size: 48m
rest.address: 127.0.0.1
rest.bind-address: 127.0.0.1
rest.port: %d
blob.server.port: 0
taskmanager.host: 127.0.0.1
taskmanager.bind-host: 127.0.0.1
taskmanager.numberOfTaskSlots: 2
taskmanager.memory.task.heap.size: 160m
taskmanager.memory.task.off-heap.size: 32m
taskmanager.memory.managed.size: 64m
taskmanager.memory.network.min: 48m
taskmanager.memory.network.max: 48m
taskmanager.memory.framework.heap.size: 64m
taskmanager.memory.framework.off-heap.size: 64m
taskmanager.memory.jvm-metaspace.size: 160m
taskmanager.memory.jvm-overhead.min: 64m
taskmanager.memory.jvm-overhead.max: 64m
taskmanager.cpu.cores: 1
cluster.evenly-spread-out-slots: true
parallelism.default: %d
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 10
restart-strategy.fixed-delay.delay: 2 s
heartbeat.interval: 2000
heartbeat.timeout: 10000
slot.request.timeout: 120000
io.tmp.dirs: %s
`, ports[0], ports[1], managers, filepath.Join(dir, "tmp"))
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o755); err != nil {
		return nil, err
	}
	for _, name := range []string{"config.yaml", "flink-conf.yaml"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(conf), 0o644); err != nil {
			return nil, err
		}
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Stop())
		}
	}()
	if err := c.other("jobmanager", []string{"-Xmx160m", "-XX:MaxMetaspaceSize=128m"}, "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint", "--configDir", dir, "--executionMode", "cluster"); err != nil {
		return nil, err
	}
	for range managers {
		if err := c.AddManager(); err != nil {
			return nil, err
		}
	}
	err = c.other("jobserver", []string{"-Xmx256m"}, "org.apache.beam.runners.flink.FlinkJobServerDriver", "--flink-master="+c.REST, "--flink-conf-dir="+dir,
		"--job-host=127.0.0.1", "--job-port="+strconv.Itoa(ports[2]), "--artifact-port="+strconv.Itoa(ports[3]), "--expansion-port="+strconv.Itoa(ports[4]), "--artifacts-dir="+filepath.Join(dir, "artifacts"))
	if err != nil {
		return nil, err
	}
	return c, c.await(ctx, managers)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

func (c *Cluster) other(name string, vm []string, class string, args ...string) error {
	p, err := c.start(name, vm, class, args...)
	if err == nil {
		c.others = append(c.others, p)
	}
	return err
}

// AddManager starts one more TaskManager, of about 700 MB.
func (c *Cluster) AddManager() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := c.start("taskmanager-"+strconv.Itoa(len(c.managers)), []string{"-Xmx224m", "-XX:MaxMetaspaceSize=160m", "-XX:MaxDirectMemorySize=144m"}, "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "--configDir", c.dir)
	if err == nil {
		c.managers = append(c.managers, p)
	}
	return err
}

func (c *Cluster) start(name string, vm []string, class string, args ...string) (*process, error) {
	p := &process{name: name, log: filepath.Join(c.dir, name+".log"), done: make(chan struct{})}
	out, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	list := append([]string{"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + filepath.Join(c.dir, "tmp")}, vm...)
	for _, o := range opens {
		list = append(list, "--add-opens="+o+"=ALL-UNNAMED")
	}
	p.cmd = exec.Command("java", append(append(list, "-cp", filepath.Join(c.jars, "*"), class), args...)...)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(c.dir, "tmp"))
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := errors.Join(p.cmd.Start(), out.Close()); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // it is killed in the end
	}()
	return p, nil
}

// await waits until all slots are there and the job service listens.
func (c *Cluster) await(ctx context.Context, managers int) error {
	want := fmt.Sprintf(`"slots-total":%d`, 2*managers)
	said := ""
	for deadline := time.Now().Add(20 * time.Minute); time.Now().Before(deadline); {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, p := range append(c.others, c.managers...) {
			select {
			case <-p.done:
				return fmt.Errorf("%s ended: %s", p.name, tail(p.log))
			default:
			}
		}
		if text, err := c.get("/overview"); err != nil {
			said = err.Error()
		} else if said = text; strings.Contains(text, want) {
			conn, err := net.DialTimeout("tcp", c.Endpoint, time.Second)
			if err == nil {
				return conn.Close()
			}
			said = err.Error()
		}
		time.Sleep(300 * time.Millisecond)
	}
	return fmt.Errorf("Flink does not come up: %s", said)
}

// get asks the JobManager.
func (c *Cluster) get(path string) (string, error) {
	client := &http.Client{Timeout: 5 * time.Second}
	r, err := client.Get("http://" + c.REST + path)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	return string(b), err
}

// Kill kills one TaskManager with SIGKILL, and nothing else: what becomes of its workers is part of the drill.
func (c *Cluster) Kill(manager int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.managers[manager]
	err := p.cmd.Process.Kill()
	<-p.done
	return err
}

// CPU is the time that the JVMs have taken so far, with those of their workers that have ended.
func (c *Cluster) CPU() (out map[string]time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out = map[string]time.Duration{}
	for _, p := range append(c.others, c.managers...) {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
		if err != nil {
			continue
		}
		fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		for i := 11; i < 15 && i < len(fields); i++ { // user and system, its own and that of workers that have ended
			ticks, _ := strconv.ParseInt(fields[i], 10, 64)
			out[p.name] += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	return out
}

// RSS is the memory of each JVM in bytes.
func (c *Cluster) RSS() (out map[string]int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out = map[string]int64{}
	for _, p := range append(c.others, c.managers...) {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
				kb, _ := strconv.ParseInt(f[1], 10, 64)
				out[p.name] = kb << 10
			}
		}
	}
	return out
}

// Left lists the processes of TaskManagers' groups that are still there, beside the JVMs: workers.
func (c *Cluster) Left() (out []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		group, err := syscall.Getpgid(pid)
		for _, p := range c.managers {
			if err == nil && group == p.cmd.Process.Pid && pid != group {
				out = append(out, pid)
			}
		}
	}
	return out
}

// Stop kills everything: the JVMs and the workers that they started.
func (c *Cluster) Stop() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range append(c.managers, c.others...) {
		if err := syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
		<-p.done
	}
	return nil
}

// Logs are the ends of what the processes said.
func (c *Cluster) Logs() string {
	var b strings.Builder
	for _, p := range append(c.others, c.managers...) {
		fmt.Fprintf(&b, "== %s\n%s\n", p.name, tail(p.log))
	}
	return b.String()
}

func tail(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(b[max(0, len(b)-6000):])
}
