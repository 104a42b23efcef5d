import {where} from "./dep.js"; postMessage([location.href, import.meta.url, where(), self.origin]);
