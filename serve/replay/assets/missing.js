// Tells the banner that the page it was led to is not in the archive.
'use strict';
(function () {
  var said = document.currentScript.dataset;
  if (window.top !== window) window.top.postMessage({ varve: { gone: { url: said.url } } }, said.top);
})();
