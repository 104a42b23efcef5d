import {where} from "./dep.js";
const {url} = import.meta;
const meta = import.meta;
export const location = "own", top = 7;
export const seen = [url, meta.url, import.meta["url"], import.meta.resolve("./x.js"), typeof import.meta.resolve, Object.keys(import.meta).sort().join(), where() === where()];
export const worker = () => new Promise((done, no) => { const w = new Worker(new URL("wurl.js", import.meta.url), {type: "module"}); w.onmessage = e => done(JSON.stringify(e.data)); w.onerror = e => no(e.message || "error"); });
