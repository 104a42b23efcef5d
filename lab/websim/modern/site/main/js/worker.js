onmessage = function (e) { fetch(e.data).then(function (r) { return r.json(); }).then(function (j) { self.postMessage(j.name + ' ' + location.pathname); }); };
