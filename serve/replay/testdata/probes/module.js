import {where, metaURL} from "./dep.js";
import * as ns from "/dir/dep.js";
const {location: here} = globalThis;
window.moduleSaw = [import.meta.url, metaURL, where(), ns.where === where, here.href, typeof this, new URL("pic.png", import.meta.url).href, import.meta.resolve ? import.meta.resolve("./x.js") : ""];
window.moduleLater = import("./dep.js").then(m => m === ns);
const spec = "./de" + "p.js";
window.moduleVar = import(spec).then(m => m === ns, e => "EXC " + e);
