importScripts("wdep.js");
self.onmessage = function (e) {
  fetch("data.json").then(r => r.json().then(j => [r.url, j.n])).catch(e => ["EXC " + e]).then(function (f) {
    postMessage([location.href, self.location.pathname, self.origin, String(location), wdep, f, typeof window, new URL("a", location).href, e.origin]);
  });
};
