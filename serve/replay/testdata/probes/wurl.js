import {where} from "./dep.js";
postMessage([import.meta.url, where(), self.location.href, new URL("d.json", import.meta.url).href]);
