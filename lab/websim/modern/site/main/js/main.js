import { name } from './part.js';
import lib from 'lib';
import { far } from 'http://cdn.sim.test/mod.js';
window.results.module = name + lib + far + ' ' + new URL(import.meta.url).pathname.split('/').pop();
window.moduleRan = true;
