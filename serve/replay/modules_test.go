package replay_test

import (
	"testing"

	"varve/serve/replay/replaytest"
)

// A module that others import is one instance, whenever each was captured, and however it is named: VitePress stayed blank because
// its framework was loaded twice. What stands behind the number sign of an address reaches the page, since docsify routes by it.
func TestBrowserModulesAndRoutes(t *testing.T) {
	p := newRecorder(t)
	ctx := browser(t, p)
	const site = "http://app.sim.test/"
	script := func(path, second, text string) replaytest.Answer {
		return replaytest.Answer{URL: site + path, Time: "2020-02-03T04:05:" + second + "Z", Header: "Content-Type: text/javascript\n", Body: text}
	}
	pages := []replaytest.Answer{
		{URL: site, Time: "2020-02-03T04:05:06Z", Header: "Content-Type: text/html\n", Body: `<title>app</title><link rel="modulepreload" href="/lib/shared.js">` +
			`<script type="module" src="/lib/a.js"></script><script type="module">import {state} from "/lib/shared.js"; state.by.push("page")</script><p id="out"></p>`},
		script("lib/a.js", "07", `import {state} from "./shared.js"; import "./b.js"; import("./c.js").then(() => import("/lib/d.js")).then(() => {
			state.by.push("a"); document.getElementById("out").textContent = state.by.sort().join(" ") + " " + state.instances + " " + location.hash })`),
		script("lib/b.js", "08", `import {state} from "http://app.sim.test/lib/shared.js"; state.by.push("b")`),
		script("lib/c.js", "09", `import {state} from "./shared.js"; state.by.push("c")`),
		script("lib/d.js", "10", `import {state} from "../lib/shared.js"; state.by.push("d")`),
		script("lib/shared.js", "11", `window.instances = (window.instances || 0) + 1; export const state = {by: [], instances: window.instances}`),
	}
	_, host, addr := serveReplay(t, replaytest.Write(t, pages...), "")
	p.only(host, addr)
	navigate(t, ctx, "http://"+host+"/n/20200203040506/"+site+"#/guide/loaf1?id=flour")
	in := inside(t, ctx, "mp_/"+site)
	waitFor(t, in, "document.getElementById('out') && document.getElementById('out').textContent !== ''")
	if got, want := eval[string](t, in, "document.getElementById('out').textContent"), "a b c d page 1 #/guide/loaf1?id=flour"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
