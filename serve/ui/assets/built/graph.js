(()=>{var Cs=Object.create;var ao=Object.defineProperty;var ks=Object.getOwnPropertyDescriptor;var Ls=Object.getOwnPropertyNames;var Fs=Object.getPrototypeOf,Ns=Object.prototype.hasOwnProperty;var so=(X,K)=>()=>{try{return K||X((K={exports:{}}).exports,K),K.exports}catch(he){throw K=0,he}};var Ds=(X,K,he,be)=>{if(K&&typeof K=="object"||typeof K=="function")for(let ge of Ls(K))!Ns.call(X,ge)&&ge!==he&&ao(X,ge,{get:()=>K[ge],enumerable:!(be=ks(K,ge))||be.enumerable});return X};var co=(X,K,he)=>(he=X!=null?Cs(Fs(X)):{},Ds(K||!X||!X.__esModule?ao(he,"default",{value:X,enumerable:!0}):he,X));var uo=so((Dr,Gr)=>{(function(X,K){typeof Dr=="object"&&typeof Gr<"u"?Gr.exports=K():typeof define=="function"&&define.amd?define(K):(X=typeof globalThis<"u"?globalThis:X||self).graphology=K()})(Dr,(function(){"use strict";function X(c){if(c===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return c}function K(c,l,h){return(l=(function(n){var o=(function(u,f){if(typeof u!="object"||!u)return u;var m=u[Symbol.toPrimitive];if(m!==void 0){var E=m.call(u,f||"default");if(typeof E!="object")return E;throw new TypeError("@@toPrimitive must return a primitive value.")}return(f==="string"?String:Number)(u)})(n,"string");return typeof o=="symbol"?o:o+""})(l))in c?Object.defineProperty(c,l,{value:h,enumerable:!0,configurable:!0,writable:!0}):c[l]=h,c}function he(c){return he=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(l){return l.__proto__||Object.getPrototypeOf(l)},he(c)}function be(c,l){c.prototype=Object.create(l.prototype),c.prototype.constructor=c,ke(c,l)}function ge(){try{var c=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],(function(){})))}catch{}return(ge=function(){return!!c})()}function ke(c,l){return ke=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(h,n){return h.__proto__=n,h},ke(c,l)}function Je(c){return Je=typeof Symbol=="function"&&typeof Symbol.iterator=="symbol"?function(l){return typeof l}:function(l){return l&&typeof Symbol=="function"&&l.constructor===Symbol&&l!==Symbol.prototype?"symbol":typeof l},Je(c)}function xt(c){var l=typeof Map=="function"?new Map:void 0;return xt=function(h){if(h===null||!(function(o){try{return Function.toString.call(o).indexOf("[native code]")!==-1}catch{return typeof o=="function"}})(h))return h;if(typeof h!="function")throw new TypeError("Super expression must either be null or a function");if(l!==void 0){if(l.has(h))return l.get(h);l.set(h,n)}function n(){return(function(o,u,f){if(ge())return Reflect.construct.apply(null,arguments);var m=[null];m.push.apply(m,u);var E=new(o.bind.apply(o,m));return f&&ke(E,f.prototype),E})(h,arguments,he(this).constructor)}return n.prototype=Object.create(h.prototype,{constructor:{value:n,enumerable:!1,writable:!0,configurable:!0}}),ke(n,h)},xt(c)}var ae=function(){for(var c=arguments[0],l=1,h=arguments.length;l<h;l++)if(arguments[l])for(var n in arguments[l])c[n]=arguments[l][n];return c};function de(c,l,h,n){var o=c._nodes.get(l),u=null;return o?u=n==="mixed"?o.out&&o.out[h]||o.undirected&&o.undirected[h]:n==="directed"?o.out&&o.out[h]:o.undirected&&o.undirected[h]:u}function se(c){return Je(c)==="object"&&c!==null}function Ze(c){var l;for(l in c)return!1;return!0}function pe(c,l,h){Object.defineProperty(c,l,{enumerable:!1,configurable:!1,writable:!0,value:h})}function Te(c,l,h){var n={enumerable:!0,configurable:!0};typeof h=="function"?n.get=h:(n.value=h,n.writable=!1),Object.defineProperty(c,l,n)}function et(c){return!!se(c)&&!(c.attributes&&!Array.isArray(c.attributes))}function Le(){var c=arguments,l=null,h=-1;return K(K({},Symbol.iterator,(function(){return this})),"next",(function(){for(var n=null;;){if(l===null){if(++h>=c.length)return{done:!0};l=c[h][Symbol.iterator]()}if(!(n=l.next()).done)break;l=null}return n}))}function $e(){return K(K({},Symbol.iterator,(function(){return this})),"next",(function(){return{done:!0}}))}typeof Object.assign=="function"&&(ae=Object.assign);var Xt,Rt={exports:{}},Re=typeof Reflect=="object"?Reflect:null,tt=Re&&typeof Re.apply=="function"?Re.apply:function(c,l,h){return Function.prototype.apply.call(c,l,h)};Xt=Re&&typeof Re.ownKeys=="function"?Re.ownKeys:Object.getOwnPropertySymbols?function(c){return Object.getOwnPropertyNames(c).concat(Object.getOwnPropertySymbols(c))}:function(c){return Object.getOwnPropertyNames(c)};var St=Number.isNaN||function(c){return c!=c};function ee(){ee.init.call(this)}Rt.exports=ee,Rt.exports.once=function(c,l){return new Promise((function(h,n){function o(f){c.removeListener(l,u),n(f)}function u(){typeof c.removeListener=="function"&&c.removeListener("error",o),h([].slice.call(arguments))}$t(c,l,u,{once:!0}),l!=="error"&&(function(f,m,E){typeof f.on=="function"&&$t(f,"error",m,E)})(c,o,{once:!0})}))},ee.EventEmitter=ee,ee.prototype._events=void 0,ee.prototype._eventsCount=0,ee.prototype._maxListeners=void 0;var ut=10;function Qe(c){if(typeof c!="function")throw new TypeError('The "listener" argument must be of type Function. Received type '+typeof c)}function At(c){return c._maxListeners===void 0?ee.defaultMaxListeners:c._maxListeners}function ce(c,l,h,n){var o,u,f,m;if(Qe(h),(u=c._events)===void 0?(u=c._events=Object.create(null),c._eventsCount=0):(u.newListener!==void 0&&(c.emit("newListener",l,h.listener?h.listener:h),u=c._events),f=u[l]),f===void 0)f=u[l]=h,++c._eventsCount;else if(typeof f=="function"?f=u[l]=n?[h,f]:[f,h]:n?f.unshift(h):f.push(h),(o=At(c))>0&&f.length>o&&!f.warned){f.warned=!0;var E=new Error("Possible EventEmitter memory leak detected. "+f.length+" "+String(l)+" listeners added. Use emitter.setMaxListeners() to increase limit");E.name="MaxListenersExceededWarning",E.emitter=c,E.type=l,E.count=f.length,m=E,console&&console.warn&&console.warn(m)}return c}function Kt(){if(!this.fired)return this.target.removeListener(this.type,this.wrapFn),this.fired=!0,arguments.length===0?this.listener.call(this.target):this.listener.apply(this.target,arguments)}function Me(c,l,h){var n={fired:!1,wrapFn:void 0,target:c,type:l,listener:h},o=Kt.bind(n);return o.listener=h,n.wrapFn=o,o}function Zt(c,l,h){var n=c._events;if(n===void 0)return[];var o=n[l];return o===void 0?[]:typeof o=="function"?h?[o.listener||o]:[o]:h?(function(u){for(var f=new Array(u.length),m=0;m<f.length;++m)f[m]=u[m].listener||u[m];return f})(o):Ct(o,o.length)}function ht(c){var l=this._events;if(l!==void 0){var h=l[c];if(typeof h=="function")return 1;if(h!==void 0)return h.length}return 0}function Ct(c,l){for(var h=new Array(l),n=0;n<l;++n)h[n]=c[n];return h}function $t(c,l,h,n){if(typeof c.on=="function")n.once?c.once(l,h):c.on(l,h);else{if(typeof c.addEventListener!="function")throw new TypeError('The "emitter" argument must be of type EventEmitter. Received type '+typeof c);c.addEventListener(l,(function o(u){n.once&&c.removeEventListener(l,o),h(u)}))}}Object.defineProperty(ee,"defaultMaxListeners",{enumerable:!0,get:function(){return ut},set:function(c){if(typeof c!="number"||c<0||St(c))throw new RangeError('The value of "defaultMaxListeners" is out of range. It must be a non-negative number. Received '+c+".");ut=c}}),ee.init=function(){this._events!==void 0&&this._events!==Object.getPrototypeOf(this)._events||(this._events=Object.create(null),this._eventsCount=0),this._maxListeners=this._maxListeners||void 0},ee.prototype.setMaxListeners=function(c){if(typeof c!="number"||c<0||St(c))throw new RangeError('The value of "n" is out of range. It must be a non-negative number. Received '+c+".");return this._maxListeners=c,this},ee.prototype.getMaxListeners=function(){return At(this)},ee.prototype.emit=function(c){for(var l=[],h=1;h<arguments.length;h++)l.push(arguments[h]);var n=c==="error",o=this._events;if(o!==void 0)n=n&&o.error===void 0;else if(!n)return!1;if(n){var u;if(l.length>0&&(u=l[0]),u instanceof Error)throw u;var f=new Error("Unhandled error."+(u?" ("+u.message+")":""));throw f.context=u,f}var m=o[c];if(m===void 0)return!1;if(typeof m=="function")tt(m,this,l);else{var E=m.length,G=Ct(m,E);for(h=0;h<E;++h)tt(G[h],this,l)}return!0},ee.prototype.addListener=function(c,l){return ce(this,c,l,!1)},ee.prototype.on=ee.prototype.addListener,ee.prototype.prependListener=function(c,l){return ce(this,c,l,!0)},ee.prototype.once=function(c,l){return Qe(l),this.on(c,Me(this,c,l)),this},ee.prototype.prependOnceListener=function(c,l){return Qe(l),this.prependListener(c,Me(this,c,l)),this},ee.prototype.removeListener=function(c,l){var h,n,o,u,f;if(Qe(l),(n=this._events)===void 0)return this;if((h=n[c])===void 0)return this;if(h===l||h.listener===l)--this._eventsCount==0?this._events=Object.create(null):(delete n[c],n.removeListener&&this.emit("removeListener",c,h.listener||l));else if(typeof h!="function"){for(o=-1,u=h.length-1;u>=0;u--)if(h[u]===l||h[u].listener===l){f=h[u].listener,o=u;break}if(o<0)return this;o===0?h.shift():(function(m,E){for(;E+1<m.length;E++)m[E]=m[E+1];m.pop()})(h,o),h.length===1&&(n[c]=h[0]),n.removeListener!==void 0&&this.emit("removeListener",c,f||l)}return this},ee.prototype.off=ee.prototype.removeListener,ee.prototype.removeAllListeners=function(c){var l,h,n;if((h=this._events)===void 0)return this;if(h.removeListener===void 0)return arguments.length===0?(this._events=Object.create(null),this._eventsCount=0):h[c]!==void 0&&(--this._eventsCount==0?this._events=Object.create(null):delete h[c]),this;if(arguments.length===0){var o,u=Object.keys(h);for(n=0;n<u.length;++n)(o=u[n])!=="removeListener"&&this.removeAllListeners(o);return this.removeAllListeners("removeListener"),this._events=Object.create(null),this._eventsCount=0,this}if(typeof(l=h[c])=="function")this.removeListener(c,l);else if(l!==void 0)for(n=l.length-1;n>=0;n--)this.removeListener(c,l[n]);return this},ee.prototype.listeners=function(c){return Zt(this,c,!0)},ee.prototype.rawListeners=function(c){return Zt(this,c,!1)},ee.listenerCount=function(c,l){return typeof c.listenerCount=="function"?c.listenerCount(l):ht.call(c,l)},ee.prototype.listenerCount=ht,ee.prototype.eventNames=function(){return this._eventsCount>0?Xt(this._events):[]};var it=(function(c){function l(h){var n;return(n=c.call(this)||this).name="GraphError",n.message=h,n}return be(l,c),l})(xt(Error)),B=(function(c){function l(h){var n;return(n=c.call(this,h)||this).name="InvalidArgumentsGraphError",typeof Error.captureStackTrace=="function"&&Error.captureStackTrace(X(n),l.prototype.constructor),n}return be(l,c),l})(it),M=(function(c){function l(h){var n;return(n=c.call(this,h)||this).name="NotFoundGraphError",typeof Error.captureStackTrace=="function"&&Error.captureStackTrace(X(n),l.prototype.constructor),n}return be(l,c),l})(it),Y=(function(c){function l(h){var n;return(n=c.call(this,h)||this).name="UsageGraphError",typeof Error.captureStackTrace=="function"&&Error.captureStackTrace(X(n),l.prototype.constructor),n}return be(l,c),l})(it);function Qt(c,l){this.key=c,this.attributes=l,this.clear()}function kt(c,l){this.key=c,this.attributes=l,this.clear()}function dt(c,l){this.key=c,this.attributes=l,this.clear()}function Ue(c,l,h,n,o){this.key=l,this.attributes=o,this.undirected=c,this.source=h,this.target=n}Qt.prototype.clear=function(){this.inDegree=0,this.outDegree=0,this.undirectedDegree=0,this.undirectedLoops=0,this.directedLoops=0,this.in={},this.out={},this.undirected={}},kt.prototype.clear=function(){this.inDegree=0,this.outDegree=0,this.directedLoops=0,this.in={},this.out={}},dt.prototype.clear=function(){this.undirectedDegree=0,this.undirectedLoops=0,this.undirected={}},Ue.prototype.attach=function(){var c="out",l="in";this.undirected&&(c=l="undirected");var h=this.source.key,n=this.target.key;this.source[c][n]=this,this.undirected&&h===n||(this.target[l][h]=this)},Ue.prototype.attachMulti=function(){var c="out",l="in",h=this.source.key,n=this.target.key;this.undirected&&(c=l="undirected");var o=this.source[c],u=o[n];if(u===void 0)return o[n]=this,void(this.undirected&&h===n||(this.target[l][h]=this));u.previous=this,this.next=u,o[n]=this,this.target[l][h]=this},Ue.prototype.detach=function(){var c=this.source.key,l=this.target.key,h="out",n="in";this.undirected&&(h=n="undirected"),delete this.source[h][l],delete this.target[n][c]},Ue.prototype.detachMulti=function(){var c=this.source.key,l=this.target.key,h="out",n="in";this.undirected&&(h=n="undirected"),this.previous===void 0?this.next===void 0?(delete this.source[h][l],delete this.target[n][c]):(this.next.previous=void 0,this.source[h][l]=this.next,this.target[n][c]=this.next):(this.previous.next=this.next,this.next!==void 0&&(this.next.previous=this.previous))};var Jt=0,Lt=1,rt=3;function Se(c,l,h,n,o,u,f){var m,E,G,N;if(n=""+n,h===Jt){if(!(m=c._nodes.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" node in the graph.'));G=o,N=u}else if(h===rt){if(o=""+o,!(E=c._edges.get(o)))throw new M("Graph.".concat(l,': could not find the "').concat(o,'" edge in the graph.'));var A=E.source.key,D=E.target.key;if(n===A)m=E.target;else{if(n!==D)throw new M("Graph.".concat(l,': the "').concat(n,'" node is not attached to the "').concat(o,'" edge (').concat(A,", ").concat(D,")."));m=E.source}G=u,N=f}else{if(!(E=c._edges.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'));m=h===Lt?E.source:E.target,G=o,N=u}return[m,G,N]}var Si=[{name:function(c){return"get".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Se(this,l,h,n,o,u),m=f[0],E=f[1];return m.attributes[E]}}},{name:function(c){return"get".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o){return Se(this,l,h,n,o)[0].attributes}}},{name:function(c){return"has".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Se(this,l,h,n,o,u),m=f[0],E=f[1];return m.attributes.hasOwnProperty(E)}}},{name:function(c){return"set".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u,f){var m=Se(this,l,h,n,o,u,f),E=m[0],G=m[1],N=m[2];return E.attributes[G]=N,this.emit("nodeAttributesUpdated",{key:E.key,type:"set",attributes:E.attributes,name:G}),this}}},{name:function(c){return"update".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u,f){var m=Se(this,l,h,n,o,u,f),E=m[0],G=m[1],N=m[2];if(typeof N!="function")throw new B("Graph.".concat(l,": updater should be a function."));var A=E.attributes,D=N(A[G]);return A[G]=D,this.emit("nodeAttributesUpdated",{key:E.key,type:"set",attributes:E.attributes,name:G}),this}}},{name:function(c){return"remove".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Se(this,l,h,n,o,u),m=f[0],E=f[1];return delete m.attributes[E],this.emit("nodeAttributesUpdated",{key:m.key,type:"remove",attributes:m.attributes,name:E}),this}}},{name:function(c){return"replace".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Se(this,l,h,n,o,u),m=f[0],E=f[1];if(!se(E))throw new B("Graph.".concat(l,": provided attributes are not a plain object."));return m.attributes=E,this.emit("nodeAttributesUpdated",{key:m.key,type:"replace",attributes:m.attributes}),this}}},{name:function(c){return"merge".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Se(this,l,h,n,o,u),m=f[0],E=f[1];if(!se(E))throw new B("Graph.".concat(l,": provided attributes are not a plain object."));return ae(m.attributes,E),this.emit("nodeAttributesUpdated",{key:m.key,type:"merge",attributes:m.attributes,data:E}),this}}},{name:function(c){return"update".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Se(this,l,h,n,o,u),m=f[0],E=f[1];if(typeof E!="function")throw new B("Graph.".concat(l,": provided updater is not a function."));return m.attributes=E(m.attributes),this.emit("nodeAttributesUpdated",{key:m.key,type:"update",attributes:m.attributes}),this}}}],Ai=[{name:function(c){return"get".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new Y("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new Y("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=de(this,f,m,h)))throw new M("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new Y("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}return u.attributes[o]}}},{name:function(c){return"get".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n){var o;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new Y("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>1){if(this.multi)throw new Y("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var u=""+n,f=""+arguments[1];if(!(o=de(this,u,f,h)))throw new M("Graph.".concat(l,': could not find an edge for the given path ("').concat(u,'" - "').concat(f,'").'))}else{if(h!=="mixed")throw new Y("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(o=this._edges.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}return o.attributes}}},{name:function(c){return"has".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new Y("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new Y("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=de(this,f,m,h)))throw new M("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new Y("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}return u.attributes.hasOwnProperty(o)}}},{name:function(c){return"set".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new Y("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>3){if(this.multi)throw new Y("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var m=""+n,E=""+o;if(o=arguments[2],u=arguments[3],!(f=de(this,m,E,h)))throw new M("Graph.".concat(l,': could not find an edge for the given path ("').concat(m,'" - "').concat(E,'").'))}else{if(h!=="mixed")throw new Y("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(f=this._edges.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}return f.attributes[o]=u,this.emit("edgeAttributesUpdated",{key:f.key,type:"set",attributes:f.attributes,name:o}),this}}},{name:function(c){return"update".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new Y("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>3){if(this.multi)throw new Y("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var m=""+n,E=""+o;if(o=arguments[2],u=arguments[3],!(f=de(this,m,E,h)))throw new M("Graph.".concat(l,': could not find an edge for the given path ("').concat(m,'" - "').concat(E,'").'))}else{if(h!=="mixed")throw new Y("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(f=this._edges.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}if(typeof u!="function")throw new B("Graph.".concat(l,": updater should be a function."));return f.attributes[o]=u(f.attributes[o]),this.emit("edgeAttributesUpdated",{key:f.key,type:"set",attributes:f.attributes,name:o}),this}}},{name:function(c){return"remove".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new Y("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new Y("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=de(this,f,m,h)))throw new M("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new Y("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}return delete u.attributes[o],this.emit("edgeAttributesUpdated",{key:u.key,type:"remove",attributes:u.attributes,name:o}),this}}},{name:function(c){return"replace".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new Y("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new Y("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=de(this,f,m,h)))throw new M("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new Y("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}if(!se(o))throw new B("Graph.".concat(l,": provided attributes are not a plain object."));return u.attributes=o,this.emit("edgeAttributesUpdated",{key:u.key,type:"replace",attributes:u.attributes}),this}}},{name:function(c){return"merge".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new Y("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new Y("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=de(this,f,m,h)))throw new M("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new Y("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}if(!se(o))throw new B("Graph.".concat(l,": provided attributes are not a plain object."));return ae(u.attributes,o),this.emit("edgeAttributesUpdated",{key:u.key,type:"merge",attributes:u.attributes,data:o}),this}}},{name:function(c){return"update".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new Y("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new Y("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=de(this,f,m,h)))throw new M("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new Y("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new M("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}if(typeof o!="function")throw new B("Graph.".concat(l,": provided updater is not a function."));return u.attributes=o(u.attributes),this.emit("edgeAttributesUpdated",{key:u.key,type:"update",attributes:u.attributes}),this}}}],Ci=[{name:"edges",type:"mixed"},{name:"inEdges",type:"directed",direction:"in"},{name:"outEdges",type:"directed",direction:"out"},{name:"inboundEdges",type:"mixed",direction:"in"},{name:"outboundEdges",type:"mixed",direction:"out"},{name:"directedEdges",type:"directed"},{name:"undirectedEdges",type:"undirected"}];function ki(c,l,h,n){var o=!1;for(var u in l)if(u!==n){var f=l[u];if(o=h(f.key,f.attributes,f.source.key,f.target.key,f.source.attributes,f.target.attributes,f.undirected),c&&o)return f.key}}function Li(c,l,h,n){var o,u,f,m=!1;for(var E in l)if(E!==n){o=l[E];do{if(u=o.source,f=o.target,m=h(o.key,o.attributes,u.key,f.key,u.attributes,f.attributes,o.undirected),c&&m)return o.key;o=o.next}while(o!==void 0)}}function lt(c,l){var h,n=Object.keys(c),o=n.length,u=0;return K(K({},Symbol.iterator,(function(){return this})),"next",(function(){do if(h)h=h.next;else{if(u>=o)return{done:!0};var f=n[u++];if(f===l){h=void 0;continue}h=c[f]}while(!h);return{done:!1,value:{edge:h.key,attributes:h.attributes,source:h.source.key,target:h.target.key,sourceAttributes:h.source.attributes,targetAttributes:h.target.attributes,undirected:h.undirected}}}))}function ei(c,l,h,n){var o=l[h];if(o){var u=o.source,f=o.target;return n(o.key,o.attributes,u.key,f.key,u.attributes,f.attributes,o.undirected)&&c?o.key:void 0}}function Ft(c,l,h,n){var o=l[h];if(o){var u=!1;do{if(u=n(o.key,o.attributes,o.source.key,o.target.key,o.source.attributes,o.target.attributes,o.undirected),c&&u)return o.key;o=o.next}while(o!==void 0)}}function Nt(c,l){var h=c[l];if(h.next!==void 0)return K(K({},Symbol.iterator,(function(){return this})),"next",(function(){if(!h)return{done:!0};var o={edge:h.key,attributes:h.attributes,source:h.source.key,target:h.target.key,sourceAttributes:h.source.attributes,targetAttributes:h.target.attributes,undirected:h.undirected};return h=h.next,{done:!1,value:o}}));var n=!1;return K(K({},Symbol.iterator,(function(){return this})),"next",(function(){return n===!0?{done:!0}:(n=!0,{done:!1,value:{edge:h.key,attributes:h.attributes,source:h.source.key,target:h.target.key,sourceAttributes:h.source.attributes,targetAttributes:h.target.attributes,undirected:h.undirected}})}))}function ft(c,l,h,n){if(l.size!==0){for(var o,u,f=h!=="mixed"&&h!==l.type,m=h==="undirected",E=!1,G=l._edges.values();(o=G.next()).done!==!0;)if(u=o.value,!f||u.undirected===m){var N=u,A=N.key,D=N.attributes,P=N.source,V=N.target;if(E=n(A,D,P.key,V.key,P.attributes,V.attributes,u.undirected),c&&E)return A}}}function Dt(c,l,h,n,o,u){var f,m=l?Li:ki;if(h!=="undirected"&&(n!=="out"&&(f=m(c,o.in,u),c&&f)||n!=="in"&&(f=m(c,o.out,u,n?void 0:o.key),c&&f))||h!=="directed"&&(f=m(c,o.undirected,u),c&&f))return f}function Gt(c,l,h,n,o,u,f){var m,E=h?Ft:ei;if(l!=="undirected"&&(o.in!==void 0&&n!=="out"&&(m=E(c,o.in,u,f),c&&m)||o.out!==void 0&&n!=="in"&&(n||o.key!==u)&&(m=E(c,o.out,u,f),c&&m))||l!=="directed"&&o.undirected!==void 0&&(m=E(c,o.undirected,u,f),c&&m))return m}function Fi(c,l){var h=l.name,n=l.type,o=l.direction;c.prototype[h]=function(u,f){if(n!=="mixed"&&this.type!=="mixed"&&n!==this.type)return[];if(!arguments.length)return(function(G,N){if(G.size===0)return[];if(N==="mixed"||N===G.type)return Array.from(G._edges.keys());for(var A,D,P=N==="undirected"?G.undirectedSize:G.directedSize,V=new Array(P),Z=N==="undirected",Q=G._edges.values(),oe=0;(A=Q.next()).done!==!0;)(D=A.value).undirected===Z&&(V[oe++]=D.key);return V})(this,n);if(arguments.length===1){u=""+u;var m=this._nodes.get(u);if(m===void 0)throw new M("Graph.".concat(h,': could not find the "').concat(u,'" node in the graph.'));return(function(G,N,A,D){var P=[];return Dt(!1,G,N,A,D,(function(V){P.push(V)})),P})(this.multi,n==="mixed"?this.type:n,o,m)}if(arguments.length===2){u=""+u,f=""+f;var E=this._nodes.get(u);if(!E)throw new M("Graph.".concat(h,':  could not find the "').concat(u,'" source node in the graph.'));if(!this._nodes.has(f))throw new M("Graph.".concat(h,':  could not find the "').concat(f,'" target node in the graph.'));return(function(G,N,A,D,P){var V=[];return Gt(!1,G,N,A,D,P,(function(Z){V.push(Z)})),V})(n,this.multi,o,E,f)}throw new B("Graph.".concat(h,": too many arguments (expecting 0, 1 or 2 and got ").concat(arguments.length,")."))}}function Ni(c,l){var h=l.name,n=l.type,o=l.direction,u=h.slice(0,-1)+"Entries";c.prototype[u]=function(f,m){if(n!=="mixed"&&this.type!=="mixed"&&n!==this.type)return $e();if(!arguments.length)return(function(N,A){if(N.size===0)return $e();var D=A!=="mixed"&&A!==N.type,P=A==="undirected",V=N._edges.values();return K(K({},Symbol.iterator,(function(){return this})),"next",(function(){for(var Z,Q;;){if((Z=V.next()).done)return Z;if(Q=Z.value,!D||Q.undirected===P)break}return{value:{edge:Q.key,attributes:Q.attributes,source:Q.source.key,target:Q.target.key,sourceAttributes:Q.source.attributes,targetAttributes:Q.target.attributes,undirected:Q.undirected},done:!1}}))})(this,n);if(arguments.length===1){f=""+f;var E=this._nodes.get(f);if(!E)throw new M("Graph.".concat(u,': could not find the "').concat(f,'" node in the graph.'));return(function(N,A,D){var P=$e();return N!=="undirected"&&(A!=="out"&&D.in!==void 0&&(P=Le(P,lt(D.in))),A!=="in"&&D.out!==void 0&&(P=Le(P,lt(D.out,A?void 0:D.key)))),N!=="directed"&&D.undirected!==void 0&&(P=Le(P,lt(D.undirected))),P})(n,o,E)}if(arguments.length===2){f=""+f,m=""+m;var G=this._nodes.get(f);if(!G)throw new M("Graph.".concat(u,':  could not find the "').concat(f,'" source node in the graph.'));if(!this._nodes.has(m))throw new M("Graph.".concat(u,':  could not find the "').concat(m,'" target node in the graph.'));return(function(N,A,D,P){var V=$e();return N!=="undirected"&&(D.in!==void 0&&A!=="out"&&P in D.in&&(V=Le(V,Nt(D.in,P))),D.out!==void 0&&A!=="in"&&P in D.out&&(A||D.key!==P)&&(V=Le(V,Nt(D.out,P)))),N!=="directed"&&D.undirected!==void 0&&P in D.undirected&&(V=Le(V,Nt(D.undirected,P))),V})(n,o,G,m)}throw new B("Graph.".concat(u,": too many arguments (expecting 0, 1 or 2 and got ").concat(arguments.length,")."))}}var ti=[{name:"neighbors",type:"mixed"},{name:"inNeighbors",type:"directed",direction:"in"},{name:"outNeighbors",type:"directed",direction:"out"},{name:"inboundNeighbors",type:"mixed",direction:"in"},{name:"outboundNeighbors",type:"mixed",direction:"out"},{name:"directedNeighbors",type:"directed"},{name:"undirectedNeighbors",type:"undirected"}];function nt(){this.A=null,this.B=null}function Pe(c,l,h,n,o){for(var u in n){var f=n[u],m=f.source,E=f.target,G=m===h?E:m;if(!l||!l.has(G.key)){var N=o(G.key,G.attributes);if(c&&N)return G.key}}}function Ot(c,l,h,n,o){if(l!=="mixed"){if(l==="undirected")return Pe(c,null,n,n.undirected,o);if(typeof h=="string")return Pe(c,null,n,n[h],o)}var u,f=new nt;if(l!=="undirected"){if(h!=="out"){if(u=Pe(c,null,n,n.in,o),c&&u)return u;f.wrap(n.in)}if(h!=="in"){if(u=Pe(c,f,n,n.out,o),c&&u)return u;f.wrap(n.out)}}if(l!=="directed"&&(u=Pe(c,f,n,n.undirected,o),c&&u))return u}function ze(c,l,h){var n=Object.keys(h),o=n.length,u=0;return K(K({},Symbol.iterator,(function(){return this})),"next",(function(){var f=null;do{if(u>=o)return c&&c.wrap(h),{done:!0};var m=h[n[u++]],E=m.source,G=m.target;f=E===l?G:E,c&&c.has(f.key)&&(f=null)}while(f===null);return{done:!1,value:{neighbor:f.key,attributes:f.attributes}}}))}function ii(c,l){var h=l.name,n=l.type,o=l.direction;c.prototype[h]=function(u){if(n!=="mixed"&&this.type!=="mixed"&&n!==this.type)return[];u=""+u;var f=this._nodes.get(u);if(f===void 0)throw new M("Graph.".concat(h,': could not find the "').concat(u,'" node in the graph.'));return(function(m,E,G){if(m!=="mixed"){if(m==="undirected")return Object.keys(G.undirected);if(typeof E=="string")return Object.keys(G[E])}var N=[];return Ot(!1,m,E,G,(function(A){N.push(A)})),N})(n==="mixed"?this.type:n,o,f)}}function Di(c,l){var h=l.name,n=l.type,o=l.direction,u=h.slice(0,-1)+"Entries";c.prototype[u]=function(f){if(n!=="mixed"&&this.type!=="mixed"&&n!==this.type)return $e();f=""+f;var m=this._nodes.get(f);if(m===void 0)throw new M("Graph.".concat(u,': could not find the "').concat(f,'" node in the graph.'));return(function(E,G,N){if(E!=="mixed"){if(E==="undirected")return ze(null,N,N.undirected);if(typeof G=="string")return ze(null,N,N[G])}var A=$e(),D=new nt;return E!=="undirected"&&(G!=="out"&&(A=Le(A,ze(D,N,N.in))),G!=="in"&&(A=Le(A,ze(D,N,N.out)))),E!=="directed"&&(A=Le(A,ze(D,N,N.undirected))),A})(n==="mixed"?this.type:n,o,m)}}function gt(c,l,h,n,o){for(var u,f,m,E,G,N,A,D=n._nodes.values(),P=n.type;(u=D.next()).done!==!0;){var V=!1;if(f=u.value,P!=="undirected")for(m in E=f.out){G=E[m];do{if(N=G.target,V=!0,A=o(f.key,N.key,f.attributes,N.attributes,G.key,G.attributes,G.undirected),c&&A)return G;G=G.next}while(G)}if(P!=="directed"){for(m in E=f.undirected)if(!(l&&f.key>m)){G=E[m];do{if((N=G.target).key!==m&&(N=G.source),V=!0,A=o(f.key,N.key,f.attributes,N.attributes,G.key,G.attributes,G.undirected),c&&A)return G;G=G.next}while(G)}}if(h&&!V&&(A=o(f.key,null,f.attributes,null,null,null,null),c&&A))return null}}function Gi(c){if(!se(c))throw new B('Graph.import: invalid serialized node. A serialized node should be a plain object with at least a "key" property.');if(!("key"in c))throw new B("Graph.import: serialized node is missing its key.");if("attributes"in c&&(!se(c.attributes)||c.attributes===null))throw new B("Graph.import: invalid attributes. Attributes should be a plain object, null or omitted.")}function Oi(c){if(!se(c))throw new B('Graph.import: invalid serialized edge. A serialized edge should be a plain object with at least a "source" & "target" property.');if(!("source"in c))throw new B("Graph.import: serialized edge is missing its source.");if(!("target"in c))throw new B("Graph.import: serialized edge is missing its target.");if("attributes"in c&&(!se(c.attributes)||c.attributes===null))throw new B("Graph.import: invalid attributes. Attributes should be a plain object, null or omitted.");if("undirected"in c&&typeof c.undirected!="boolean")throw new B("Graph.import: invalid undirectedness information. Undirected should be boolean or omitted.")}nt.prototype.wrap=function(c){this.A===null?this.A=c:this.B===null&&(this.B=c)},nt.prototype.has=function(c){return this.A!==null&&c in this.A||this.B!==null&&c in this.B};var Pt,ri=(Pt=255&Math.floor(256*Math.random()),function(){return Pt++}),Be=new Set(["directed","undirected","mixed"]),ni=new Set(["domain","_events","_eventsCount","_maxListeners"]),Pi={allowSelfLoops:!0,multi:!1,type:"mixed"};function zt(c,l,h){var n=new c.NodeDataClass(l,h);return c._nodes.set(l,n),c.emit("nodeAdded",{key:l,attributes:h}),n}function oi(c,l,h,n,o,u,f,m){if(!n&&c.type==="undirected")throw new Y("Graph.".concat(l,": you cannot add a directed edge to an undirected graph. Use the #.addEdge or #.addUndirectedEdge instead."));if(n&&c.type==="directed")throw new Y("Graph.".concat(l,": you cannot add an undirected edge to a directed graph. Use the #.addEdge or #.addDirectedEdge instead."));if(m&&!se(m))throw new B("Graph.".concat(l,': invalid attributes. Expecting an object but got "').concat(m,'"'));if(u=""+u,f=""+f,m=m||{},!c.allowSelfLoops&&u===f)throw new Y("Graph.".concat(l,': source & target are the same ("').concat(u,`"), thus creating a loop explicitly forbidden by this graph 'allowSelfLoops' option set to false.`));var E=c._nodes.get(u),G=c._nodes.get(f);if(!E)throw new M("Graph.".concat(l,': source node "').concat(u,'" not found.'));if(!G)throw new M("Graph.".concat(l,': target node "').concat(f,'" not found.'));var N={key:null,undirected:n,source:u,target:f,attributes:m};if(h)o=c._edgeKeyGenerator();else if(o=""+o,c._edges.has(o))throw new Y("Graph.".concat(l,': the "').concat(o,'" edge already exists in the graph.'));if(!c.multi&&(n?E.undirected[f]!==void 0:E.out[f]!==void 0))throw new Y("Graph.".concat(l,': an edge linking "').concat(u,'" to "').concat(f,`" already exists. If you really want to add multiple edges linking those nodes, you should create a multi graph by using the 'multi' option.`));var A=new Ue(n,o,E,G,m);c._edges.set(o,A);var D=u===f;return n?(E.undirectedDegree++,G.undirectedDegree++,D&&(E.undirectedLoops++,c._undirectedSelfLoopCount++)):(E.outDegree++,G.inDegree++,D&&(E.directedLoops++,c._directedSelfLoopCount++)),c.multi?A.attachMulti():A.attach(),n?c._undirectedSize++:c._directedSize++,N.key=o,c.emit("edgeAdded",N),o}function zi(c,l,h,n,o,u,f,m,E){if(!n&&c.type==="undirected")throw new Y("Graph.".concat(l,": you cannot merge/update a directed edge to an undirected graph. Use the #.mergeEdge/#.updateEdge or #.addUndirectedEdge instead."));if(n&&c.type==="directed")throw new Y("Graph.".concat(l,": you cannot merge/update an undirected edge to a directed graph. Use the #.mergeEdge/#.updateEdge or #.addDirectedEdge instead."));if(m){if(E){if(typeof m!="function")throw new B("Graph.".concat(l,': invalid updater function. Expecting a function but got "').concat(m,'"'))}else if(!se(m))throw new B("Graph.".concat(l,': invalid attributes. Expecting an object but got "').concat(m,'"'))}var G;if(u=""+u,f=""+f,E&&(G=m,m=void 0),!c.allowSelfLoops&&u===f)throw new Y("Graph.".concat(l,': source & target are the same ("').concat(u,`"), thus creating a loop explicitly forbidden by this graph 'allowSelfLoops' option set to false.`));var N,A,D=c._nodes.get(u),P=c._nodes.get(f);if(!h&&(N=c._edges.get(o))){if(!(N.source.key===u&&N.target.key===f||n&&N.source.key===f&&N.target.key===u))throw new Y("Graph.".concat(l,': inconsistency detected when attempting to merge the "').concat(o,'" edge with "').concat(u,'" source & "').concat(f,'" target vs. ("').concat(N.source.key,'", "').concat(N.target.key,'").'));A=N}if(A||c.multi||!D||(A=n?D.undirected[f]:D.out[f]),A){var V=[A.key,!1,!1,!1];if(E?!G:!m)return V;if(E){var Z=A.attributes;A.attributes=G(Z),c.emit("edgeAttributesUpdated",{type:"replace",key:A.key,attributes:A.attributes})}else ae(A.attributes,m),c.emit("edgeAttributesUpdated",{type:"merge",key:A.key,attributes:A.attributes,data:m});return V}m=m||{},E&&G&&(m=G(m));var Q={key:null,undirected:n,source:u,target:f,attributes:m};if(h)o=c._edgeKeyGenerator();else if(o=""+o,c._edges.has(o))throw new Y("Graph.".concat(l,': the "').concat(o,'" edge already exists in the graph.'));var oe=!1,ue=!1;D||(D=zt(c,u,{}),oe=!0,u===f&&(P=D,ue=!0)),P||(P=zt(c,f,{}),ue=!0),N=new Ue(n,o,D,P,m),c._edges.set(o,N);var _e=u===f;return n?(D.undirectedDegree++,P.undirectedDegree++,_e&&(D.undirectedLoops++,c._undirectedSelfLoopCount++)):(D.outDegree++,P.inDegree++,_e&&(D.directedLoops++,c._directedSelfLoopCount++)),c.multi?N.attachMulti():N.attach(),n?c._undirectedSize++:c._directedSize++,Q.key=o,c.emit("edgeAdded",Q),[o,!0,oe,ue]}function je(c,l){c._edges.delete(l.key);var h=l.source,n=l.target,o=l.attributes,u=l.undirected,f=h===n;u?(h.undirectedDegree--,n.undirectedDegree--,f&&(h.undirectedLoops--,c._undirectedSelfLoopCount--)):(h.outDegree--,n.inDegree--,f&&(h.directedLoops--,c._directedSelfLoopCount--)),c.multi?l.detachMulti():l.detach(),u?c._undirectedSize--:c._directedSize--,c.emit("edgeDropped",{key:l.key,attributes:o,source:h.key,target:n.key,undirected:u})}var ie=(function(c){function l(n){var o;if(o=c.call(this)||this,typeof(n=ae({},Pi,n)).multi!="boolean")throw new B(`Graph.constructor: invalid 'multi' option. Expecting a boolean but got "`.concat(n.multi,'".'));if(!Be.has(n.type))throw new B(`Graph.constructor: invalid 'type' option. Should be one of "mixed", "directed" or "undirected" but got "`.concat(n.type,'".'));if(typeof n.allowSelfLoops!="boolean")throw new B(`Graph.constructor: invalid 'allowSelfLoops' option. Expecting a boolean but got "`.concat(n.allowSelfLoops,'".'));var u=n.type==="mixed"?Qt:n.type==="directed"?kt:dt;pe(X(o),"NodeDataClass",u);var f="geid_"+ri()+"_",m=0;return pe(X(o),"_attributes",{}),pe(X(o),"_nodes",new Map),pe(X(o),"_edges",new Map),pe(X(o),"_directedSize",0),pe(X(o),"_undirectedSize",0),pe(X(o),"_directedSelfLoopCount",0),pe(X(o),"_undirectedSelfLoopCount",0),pe(X(o),"_edgeKeyGenerator",(function(){var E;do E=f+m++;while(o._edges.has(E));return E})),pe(X(o),"_options",n),ni.forEach((function(E){return pe(X(o),E,o[E])})),Te(X(o),"order",(function(){return o._nodes.size})),Te(X(o),"size",(function(){return o._edges.size})),Te(X(o),"directedSize",(function(){return o._directedSize})),Te(X(o),"undirectedSize",(function(){return o._undirectedSize})),Te(X(o),"selfLoopCount",(function(){return o._directedSelfLoopCount+o._undirectedSelfLoopCount})),Te(X(o),"directedSelfLoopCount",(function(){return o._directedSelfLoopCount})),Te(X(o),"undirectedSelfLoopCount",(function(){return o._undirectedSelfLoopCount})),Te(X(o),"multi",o._options.multi),Te(X(o),"type",o._options.type),Te(X(o),"allowSelfLoops",o._options.allowSelfLoops),Te(X(o),"implementation",(function(){return"graphology"})),o}be(l,c);var h=l.prototype;return h._resetInstanceCounters=function(){this._directedSize=0,this._undirectedSize=0,this._directedSelfLoopCount=0,this._undirectedSelfLoopCount=0},h.hasNode=function(n){return this._nodes.has(""+n)},h.hasDirectedEdge=function(n,o){if(this.type==="undirected")return!1;if(arguments.length===1){var u=""+n,f=this._edges.get(u);return!!f&&!f.undirected}if(arguments.length===2){n=""+n,o=""+o;var m=this._nodes.get(n);return!!m&&m.out.hasOwnProperty(o)}throw new B("Graph.hasDirectedEdge: invalid arity (".concat(arguments.length,", instead of 1 or 2). You can either ask for an edge id or for the existence of an edge between a source & a target."))},h.hasUndirectedEdge=function(n,o){if(this.type==="directed")return!1;if(arguments.length===1){var u=""+n,f=this._edges.get(u);return!!f&&f.undirected}if(arguments.length===2){n=""+n,o=""+o;var m=this._nodes.get(n);return!!m&&m.undirected.hasOwnProperty(o)}throw new B("Graph.hasDirectedEdge: invalid arity (".concat(arguments.length,", instead of 1 or 2). You can either ask for an edge id or for the existence of an edge between a source & a target."))},h.hasEdge=function(n,o){if(arguments.length===1){var u=""+n;return this._edges.has(u)}if(arguments.length===2){n=""+n,o=""+o;var f=this._nodes.get(n);return!!f&&(f.out!==void 0&&f.out.hasOwnProperty(o)||f.undirected!==void 0&&f.undirected.hasOwnProperty(o))}throw new B("Graph.hasEdge: invalid arity (".concat(arguments.length,", instead of 1 or 2). You can either ask for an edge id or for the existence of an edge between a source & a target."))},h.directedEdge=function(n,o){if(this.type!=="undirected"){if(n=""+n,o=""+o,this.multi)throw new Y("Graph.directedEdge: this method is irrelevant with multigraphs since there might be multiple edges between source & target. See #.directedEdges instead.");var u=this._nodes.get(n);if(!u)throw new M('Graph.directedEdge: could not find the "'.concat(n,'" source node in the graph.'));if(!this._nodes.has(o))throw new M('Graph.directedEdge: could not find the "'.concat(o,'" target node in the graph.'));var f=u.out&&u.out[o]||void 0;return f?f.key:void 0}},h.undirectedEdge=function(n,o){if(this.type!=="directed"){if(n=""+n,o=""+o,this.multi)throw new Y("Graph.undirectedEdge: this method is irrelevant with multigraphs since there might be multiple edges between source & target. See #.undirectedEdges instead.");var u=this._nodes.get(n);if(!u)throw new M('Graph.undirectedEdge: could not find the "'.concat(n,'" source node in the graph.'));if(!this._nodes.has(o))throw new M('Graph.undirectedEdge: could not find the "'.concat(o,'" target node in the graph.'));var f=u.undirected&&u.undirected[o]||void 0;return f?f.key:void 0}},h.edge=function(n,o){if(this.multi)throw new Y("Graph.edge: this method is irrelevant with multigraphs since there might be multiple edges between source & target. See #.edges instead.");n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new M('Graph.edge: could not find the "'.concat(n,'" source node in the graph.'));if(!this._nodes.has(o))throw new M('Graph.edge: could not find the "'.concat(o,'" target node in the graph.'));var f=u.out&&u.out[o]||u.undirected&&u.undirected[o]||void 0;if(f)return f.key},h.areDirectedNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new M('Graph.areDirectedNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&(o in u.in||o in u.out)},h.areOutNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new M('Graph.areOutNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&o in u.out},h.areInNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new M('Graph.areInNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&o in u.in},h.areUndirectedNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new M('Graph.areUndirectedNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="directed"&&o in u.undirected},h.areNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new M('Graph.areNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&(o in u.in||o in u.out)||this.type!=="directed"&&o in u.undirected},h.areInboundNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new M('Graph.areInboundNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&o in u.in||this.type!=="directed"&&o in u.undirected},h.areOutboundNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new M('Graph.areOutboundNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&o in u.out||this.type!=="directed"&&o in u.undirected},h.inDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.inDegree: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.inDegree},h.outDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.outDegree: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.outDegree},h.directedDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.directedDegree: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.inDegree+o.outDegree},h.undirectedDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.undirectedDegree: could not find the "'.concat(n,'" node in the graph.'));return this.type==="directed"?0:o.undirectedDegree},h.inboundDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.inboundDegree: could not find the "'.concat(n,'" node in the graph.'));var u=0;return this.type!=="directed"&&(u+=o.undirectedDegree),this.type!=="undirected"&&(u+=o.inDegree),u},h.outboundDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.outboundDegree: could not find the "'.concat(n,'" node in the graph.'));var u=0;return this.type!=="directed"&&(u+=o.undirectedDegree),this.type!=="undirected"&&(u+=o.outDegree),u},h.degree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.degree: could not find the "'.concat(n,'" node in the graph.'));var u=0;return this.type!=="directed"&&(u+=o.undirectedDegree),this.type!=="undirected"&&(u+=o.inDegree+o.outDegree),u},h.inDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.inDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.inDegree-o.directedLoops},h.outDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.outDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.outDegree-o.directedLoops},h.directedDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.directedDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.inDegree+o.outDegree-2*o.directedLoops},h.undirectedDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.undirectedDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));return this.type==="directed"?0:o.undirectedDegree-2*o.undirectedLoops},h.inboundDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.inboundDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));var u=0,f=0;return this.type!=="directed"&&(u+=o.undirectedDegree,f+=2*o.undirectedLoops),this.type!=="undirected"&&(u+=o.inDegree,f+=o.directedLoops),u-f},h.outboundDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.outboundDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));var u=0,f=0;return this.type!=="directed"&&(u+=o.undirectedDegree,f+=2*o.undirectedLoops),this.type!=="undirected"&&(u+=o.outDegree,f+=o.directedLoops),u-f},h.degreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new M('Graph.degreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));var u=0,f=0;return this.type!=="directed"&&(u+=o.undirectedDegree,f+=2*o.undirectedLoops),this.type!=="undirected"&&(u+=o.inDegree+o.outDegree,f+=2*o.directedLoops),u-f},h.source=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new M('Graph.source: could not find the "'.concat(n,'" edge in the graph.'));return o.source.key},h.target=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new M('Graph.target: could not find the "'.concat(n,'" edge in the graph.'));return o.target.key},h.extremities=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new M('Graph.extremities: could not find the "'.concat(n,'" edge in the graph.'));return[o.source.key,o.target.key]},h.opposite=function(n,o){n=""+n,o=""+o;var u=this._edges.get(o);if(!u)throw new M('Graph.opposite: could not find the "'.concat(o,'" edge in the graph.'));var f=u.source.key,m=u.target.key;if(n===f)return m;if(n===m)return f;throw new M('Graph.opposite: the "'.concat(n,'" node is not attached to the "').concat(o,'" edge (').concat(f,", ").concat(m,")."))},h.hasExtremity=function(n,o){n=""+n,o=""+o;var u=this._edges.get(n);if(!u)throw new M('Graph.hasExtremity: could not find the "'.concat(n,'" edge in the graph.'));return u.source.key===o||u.target.key===o},h.isUndirected=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new M('Graph.isUndirected: could not find the "'.concat(n,'" edge in the graph.'));return o.undirected},h.isDirected=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new M('Graph.isDirected: could not find the "'.concat(n,'" edge in the graph.'));return!o.undirected},h.isSelfLoop=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new M('Graph.isSelfLoop: could not find the "'.concat(n,'" edge in the graph.'));return o.source===o.target},h.addNode=function(n,o){var u=(function(f,m,E){if(E&&!se(E))throw new B('Graph.addNode: invalid attributes. Expecting an object but got "'.concat(E,'"'));if(m=""+m,E=E||{},f._nodes.has(m))throw new Y('Graph.addNode: the "'.concat(m,'" node already exist in the graph.'));var G=new f.NodeDataClass(m,E);return f._nodes.set(m,G),f.emit("nodeAdded",{key:m,attributes:E}),G})(this,n,o);return u.key},h.mergeNode=function(n,o){if(o&&!se(o))throw new B('Graph.mergeNode: invalid attributes. Expecting an object but got "'.concat(o,'"'));n=""+n,o=o||{};var u=this._nodes.get(n);return u?(o&&(ae(u.attributes,o),this.emit("nodeAttributesUpdated",{type:"merge",key:n,attributes:u.attributes,data:o})),[n,!1]):(u=new this.NodeDataClass(n,o),this._nodes.set(n,u),this.emit("nodeAdded",{key:n,attributes:o}),[n,!0])},h.updateNode=function(n,o){if(o&&typeof o!="function")throw new B('Graph.updateNode: invalid updater function. Expecting a function but got "'.concat(o,'"'));n=""+n;var u=this._nodes.get(n);if(u){if(o){var f=u.attributes;u.attributes=o(f),this.emit("nodeAttributesUpdated",{type:"replace",key:n,attributes:u.attributes})}return[n,!1]}var m=o?o({}):{};return u=new this.NodeDataClass(n,m),this._nodes.set(n,u),this.emit("nodeAdded",{key:n,attributes:m}),[n,!0]},h.dropNode=function(n){n=""+n;var o,u=this._nodes.get(n);if(!u)throw new M('Graph.dropNode: could not find the "'.concat(n,'" node in the graph.'));if(this.type!=="undirected"){for(var f in u.out){o=u.out[f];do je(this,o),o=o.next;while(o)}for(var m in u.in){o=u.in[m];do je(this,o),o=o.next;while(o)}}if(this.type!=="directed")for(var E in u.undirected){o=u.undirected[E];do je(this,o),o=o.next;while(o)}this._nodes.delete(n),this.emit("nodeDropped",{key:n,attributes:u.attributes})},h.dropEdge=function(n){var o;if(arguments.length>1){var u=""+arguments[0],f=""+arguments[1];if(!(o=de(this,u,f,this.type)))throw new M('Graph.dropEdge: could not find the "'.concat(u,'" -> "').concat(f,'" edge in the graph.'))}else if(n=""+n,!(o=this._edges.get(n)))throw new M('Graph.dropEdge: could not find the "'.concat(n,'" edge in the graph.'));return je(this,o),this},h.dropDirectedEdge=function(n,o){if(arguments.length<2)throw new Y("Graph.dropDirectedEdge: it does not make sense to try and drop a directed edge by key. What if the edge with this key is undirected? Use #.dropEdge for this purpose instead.");if(this.multi)throw new Y("Graph.dropDirectedEdge: cannot use a {source,target} combo when dropping an edge in a MultiGraph since we cannot infer the one you want to delete as there could be multiple ones.");var u=de(this,n=""+n,o=""+o,"directed");if(!u)throw new M('Graph.dropDirectedEdge: could not find a "'.concat(n,'" -> "').concat(o,'" edge in the graph.'));return je(this,u),this},h.dropUndirectedEdge=function(n,o){if(arguments.length<2)throw new Y("Graph.dropUndirectedEdge: it does not make sense to drop a directed edge by key. What if the edge with this key is undirected? Use #.dropEdge for this purpose instead.");if(this.multi)throw new Y("Graph.dropUndirectedEdge: cannot use a {source,target} combo when dropping an edge in a MultiGraph since we cannot infer the one you want to delete as there could be multiple ones.");var u=de(this,n,o,"undirected");if(!u)throw new M('Graph.dropUndirectedEdge: could not find a "'.concat(n,'" -> "').concat(o,'" edge in the graph.'));return je(this,u),this},h.clear=function(){this._edges.clear(),this._nodes.clear(),this._resetInstanceCounters(),this.emit("cleared")},h.clearEdges=function(){for(var n,o=this._nodes.values();(n=o.next()).done!==!0;)n.value.clear();this._edges.clear(),this._resetInstanceCounters(),this.emit("edgesCleared")},h.getAttribute=function(n){return this._attributes[n]},h.getAttributes=function(){return this._attributes},h.hasAttribute=function(n){return this._attributes.hasOwnProperty(n)},h.setAttribute=function(n,o){return this._attributes[n]=o,this.emit("attributesUpdated",{type:"set",attributes:this._attributes,name:n}),this},h.updateAttribute=function(n,o){if(typeof o!="function")throw new B("Graph.updateAttribute: updater should be a function.");var u=this._attributes[n];return this._attributes[n]=o(u),this.emit("attributesUpdated",{type:"set",attributes:this._attributes,name:n}),this},h.removeAttribute=function(n){return delete this._attributes[n],this.emit("attributesUpdated",{type:"remove",attributes:this._attributes,name:n}),this},h.replaceAttributes=function(n){if(!se(n))throw new B("Graph.replaceAttributes: provided attributes are not a plain object.");return this._attributes=n,this.emit("attributesUpdated",{type:"replace",attributes:this._attributes}),this},h.mergeAttributes=function(n){if(!se(n))throw new B("Graph.mergeAttributes: provided attributes are not a plain object.");return ae(this._attributes,n),this.emit("attributesUpdated",{type:"merge",attributes:this._attributes,data:n}),this},h.updateAttributes=function(n){if(typeof n!="function")throw new B("Graph.updateAttributes: provided updater is not a function.");return this._attributes=n(this._attributes),this.emit("attributesUpdated",{type:"update",attributes:this._attributes}),this},h.updateEachNodeAttributes=function(n,o){if(typeof n!="function")throw new B("Graph.updateEachNodeAttributes: expecting an updater function.");if(o&&!et(o))throw new B("Graph.updateEachNodeAttributes: invalid hints. Expecting an object having the following shape: {attributes?: [string]}");for(var u,f,m=this._nodes.values();(u=m.next()).done!==!0;)(f=u.value).attributes=n(f.key,f.attributes);this.emit("eachNodeAttributesUpdated",{hints:o||null})},h.updateEachEdgeAttributes=function(n,o){if(typeof n!="function")throw new B("Graph.updateEachEdgeAttributes: expecting an updater function.");if(o&&!et(o))throw new B("Graph.updateEachEdgeAttributes: invalid hints. Expecting an object having the following shape: {attributes?: [string]}");for(var u,f,m,E,G=this._edges.values();(u=G.next()).done!==!0;)m=(f=u.value).source,E=f.target,f.attributes=n(f.key,f.attributes,m.key,E.key,m.attributes,E.attributes,f.undirected);this.emit("eachEdgeAttributesUpdated",{hints:o||null})},h.forEachAdjacencyEntry=function(n){if(typeof n!="function")throw new B("Graph.forEachAdjacencyEntry: expecting a callback.");gt(!1,!1,!1,this,n)},h.forEachAdjacencyEntryWithOrphans=function(n){if(typeof n!="function")throw new B("Graph.forEachAdjacencyEntryWithOrphans: expecting a callback.");gt(!1,!1,!0,this,n)},h.forEachAssymetricAdjacencyEntry=function(n){if(typeof n!="function")throw new B("Graph.forEachAssymetricAdjacencyEntry: expecting a callback.");gt(!1,!0,!1,this,n)},h.forEachAssymetricAdjacencyEntryWithOrphans=function(n){if(typeof n!="function")throw new B("Graph.forEachAssymetricAdjacencyEntryWithOrphans: expecting a callback.");gt(!1,!0,!0,this,n)},h.nodes=function(){return Array.from(this._nodes.keys())},h.forEachNode=function(n){if(typeof n!="function")throw new B("Graph.forEachNode: expecting a callback.");for(var o,u,f=this._nodes.values();(o=f.next()).done!==!0;)n((u=o.value).key,u.attributes)},h.findNode=function(n){if(typeof n!="function")throw new B("Graph.findNode: expecting a callback.");for(var o,u,f=this._nodes.values();(o=f.next()).done!==!0;)if(n((u=o.value).key,u.attributes))return u.key},h.mapNodes=function(n){if(typeof n!="function")throw new B("Graph.mapNode: expecting a callback.");for(var o,u,f=this._nodes.values(),m=new Array(this.order),E=0;(o=f.next()).done!==!0;)u=o.value,m[E++]=n(u.key,u.attributes);return m},h.someNode=function(n){if(typeof n!="function")throw new B("Graph.someNode: expecting a callback.");for(var o,u,f=this._nodes.values();(o=f.next()).done!==!0;)if(n((u=o.value).key,u.attributes))return!0;return!1},h.everyNode=function(n){if(typeof n!="function")throw new B("Graph.everyNode: expecting a callback.");for(var o,u,f=this._nodes.values();(o=f.next()).done!==!0;)if(!n((u=o.value).key,u.attributes))return!1;return!0},h.filterNodes=function(n){if(typeof n!="function")throw new B("Graph.filterNodes: expecting a callback.");for(var o,u,f=this._nodes.values(),m=[];(o=f.next()).done!==!0;)n((u=o.value).key,u.attributes)&&m.push(u.key);return m},h.reduceNodes=function(n,o){if(typeof n!="function")throw new B("Graph.reduceNodes: expecting a callback.");if(arguments.length<2)throw new B("Graph.reduceNodes: missing initial value. You must provide it because the callback takes more than one argument and we cannot infer the initial value from the first iteration, as you could with a simple array.");for(var u,f,m=o,E=this._nodes.values();(u=E.next()).done!==!0;)m=n(m,(f=u.value).key,f.attributes);return m},h.nodeEntries=function(){var n=this._nodes.values();return K(K({},Symbol.iterator,(function(){return this})),"next",(function(){var o=n.next();if(o.done)return o;var u=o.value;return{value:{node:u.key,attributes:u.attributes},done:!1}}))},h.export=function(){var n=this,o=new Array(this._nodes.size),u=0;this._nodes.forEach((function(m,E){o[u++]=(function(G,N){var A={key:G};return Ze(N.attributes)||(A.attributes=ae({},N.attributes)),A})(E,m)}));var f=new Array(this._edges.size);return u=0,this._edges.forEach((function(m,E){f[u++]=(function(G,N,A){var D={key:N,source:A.source.key,target:A.target.key};return Ze(A.attributes)||(D.attributes=ae({},A.attributes)),G==="mixed"&&A.undirected&&(D.undirected=!0),D})(n.type,E,m)})),{options:{type:this.type,multi:this.multi,allowSelfLoops:this.allowSelfLoops},attributes:this.getAttributes(),nodes:o,edges:f}},h.import=function(n){var o,u,f,m,E,G=this,N=arguments.length>1&&arguments[1]!==void 0&&arguments[1];if(n instanceof l)return n.forEachNode((function(we,Ae){N?G.mergeNode(we,Ae):G.addNode(we,Ae)})),n.forEachEdge((function(we,Ae,ot,pt,Ii,Mi,Ne){N?Ne?G.mergeUndirectedEdgeWithKey(we,ot,pt,Ae):G.mergeDirectedEdgeWithKey(we,ot,pt,Ae):Ne?G.addUndirectedEdgeWithKey(we,ot,pt,Ae):G.addDirectedEdgeWithKey(we,ot,pt,Ae)})),this;if(!se(n))throw new B("Graph.import: invalid argument. Expecting a serialized graph or, alternatively, a Graph instance.");if(n.attributes){if(!se(n.attributes))throw new B("Graph.import: invalid attributes. Expecting a plain object.");N?this.mergeAttributes(n.attributes):this.replaceAttributes(n.attributes)}if(n.nodes){if(f=n.nodes,!Array.isArray(f))throw new B("Graph.import: invalid nodes. Expecting an array.");for(o=0,u=f.length;o<u;o++){Gi(m=f[o]);var A=m,D=A.key,P=A.attributes;N?this.mergeNode(D,P):this.addNode(D,P)}}if(n.edges){var V=!1;if(this.type==="undirected"&&(V=!0),f=n.edges,!Array.isArray(f))throw new B("Graph.import: invalid edges. Expecting an array.");for(o=0,u=f.length;o<u;o++){Oi(E=f[o]);var Z=E,Q=Z.source,oe=Z.target,ue=Z.attributes,_e=Z.undirected,xe=_e===void 0?V:_e;"key"in E?(N?xe?this.mergeUndirectedEdgeWithKey:this.mergeDirectedEdgeWithKey:xe?this.addUndirectedEdgeWithKey:this.addDirectedEdgeWithKey).call(this,E.key,Q,oe,ue):(N?xe?this.mergeUndirectedEdge:this.mergeDirectedEdge:xe?this.addUndirectedEdge:this.addDirectedEdge).call(this,Q,oe,ue)}}return this},h.nullCopy=function(n){var o=new l(ae({},this._options,n));return o.replaceAttributes(ae({},this.getAttributes())),o},h.emptyCopy=function(n){var o=this.nullCopy(n);return this._nodes.forEach((function(u,f){var m=ae({},u.attributes);u=new o.NodeDataClass(f,m),o._nodes.set(f,u)})),o},h.copy=function(n){if(typeof(n=n||{}).type=="string"&&n.type!==this.type&&n.type!=="mixed")throw new Y('Graph.copy: cannot create an incompatible copy from "'.concat(this.type,'" type to "').concat(n.type,'" because this would mean losing information about the current graph.'));if(typeof n.multi=="boolean"&&n.multi!==this.multi&&n.multi!==!0)throw new Y("Graph.copy: cannot create an incompatible copy by downgrading a multi graph to a simple one because this would mean losing information about the current graph.");if(typeof n.allowSelfLoops=="boolean"&&n.allowSelfLoops!==this.allowSelfLoops&&n.allowSelfLoops!==!0)throw new Y("Graph.copy: cannot create an incompatible copy from a graph allowing self loops to one that does not because this would mean losing information about the current graph.");for(var o,u,f=this.emptyCopy(n),m=this._edges.values();(o=m.next()).done!==!0;)oi(f,"copy",!1,(u=o.value).undirected,u.key,u.source.key,u.target.key,ae({},u.attributes));return f},h.toJSON=function(){return this.export()},h.toString=function(){return"[object Graph]"},h.inspect=function(){var n=this,o={};this._nodes.forEach((function(G,N){o[N]=G.attributes}));var u={},f={};this._edges.forEach((function(G,N){var A,D=G.undirected?"--":"->",P="",V=G.source.key,Z=G.target.key;G.undirected&&V>Z&&(A=V,V=Z,Z=A);var Q="(".concat(V,")").concat(D,"(").concat(Z,")");N.startsWith("geid_")?n.multi&&(f[Q]===void 0?f[Q]=0:f[Q]++,P+="".concat(f[Q],". ")):P+="[".concat(N,"]: "),u[P+=Q]=G.attributes}));var m={};for(var E in this)this.hasOwnProperty(E)&&!ni.has(E)&&typeof this[E]!="function"&&Je(E)!=="symbol"&&(m[E]=this[E]);return m.attributes=this._attributes,m.nodes=o,m.edges=u,pe(m,"constructor",this.constructor),m},l})(Rt.exports.EventEmitter);typeof Symbol<"u"&&(ie.prototype[Symbol.for("nodejs.util.inspect.custom")]=ie.prototype.inspect),[{name:function(c){return"".concat(c,"Edge")},generateKey:!0},{name:function(c){return"".concat(c,"DirectedEdge")},generateKey:!0,type:"directed"},{name:function(c){return"".concat(c,"UndirectedEdge")},generateKey:!0,type:"undirected"},{name:function(c){return"".concat(c,"EdgeWithKey")}},{name:function(c){return"".concat(c,"DirectedEdgeWithKey")},type:"directed"},{name:function(c){return"".concat(c,"UndirectedEdgeWithKey")},type:"undirected"}].forEach((function(c){["add","merge","update"].forEach((function(l){var h=c.name(l),n=l==="add"?oi:zi;c.generateKey?ie.prototype[h]=function(o,u,f){return n(this,h,!0,(c.type||this.type)==="undirected",null,o,u,f,l==="update")}:ie.prototype[h]=function(o,u,f,m){return n(this,h,!1,(c.type||this.type)==="undirected",o,u,f,m,l==="update")}}))})),(function(c){Si.forEach((function(l){var h=l.name,n=l.attacher;n(c,h("Node"),Jt),n(c,h("Source"),Lt),n(c,h("Target"),2),n(c,h("Opposite"),rt)}))})(ie),(function(c){Ai.forEach((function(l){var h=l.name,n=l.attacher;n(c,h("Edge"),"mixed"),n(c,h("DirectedEdge"),"directed"),n(c,h("UndirectedEdge"),"undirected")}))})(ie),(function(c){Ci.forEach((function(l){Fi(c,l),(function(h,n){var o=n.name,u=n.type,f=n.direction,m="forEach"+o[0].toUpperCase()+o.slice(1,-1);h.prototype[m]=function(A,D,P){if(u==="mixed"||this.type==="mixed"||u===this.type){if(arguments.length===1)return ft(!1,this,u,P=A);if(arguments.length===2){A=""+A,P=D;var V=this._nodes.get(A);if(V===void 0)throw new M("Graph.".concat(m,': could not find the "').concat(A,'" node in the graph.'));return Dt(!1,this.multi,u==="mixed"?this.type:u,f,V,P)}if(arguments.length===3){A=""+A,D=""+D;var Z=this._nodes.get(A);if(!Z)throw new M("Graph.".concat(m,':  could not find the "').concat(A,'" source node in the graph.'));if(!this._nodes.has(D))throw new M("Graph.".concat(m,':  could not find the "').concat(D,'" target node in the graph.'));return Gt(!1,u,this.multi,f,Z,D,P)}throw new B("Graph.".concat(m,": too many arguments (expecting 1, 2 or 3 and got ").concat(arguments.length,")."))}};var E="map"+o[0].toUpperCase()+o.slice(1);h.prototype[E]=function(){var A,D=Array.prototype.slice.call(arguments),P=D.pop();if(D.length===0){var V=0;u!=="directed"&&(V+=this.undirectedSize),u!=="undirected"&&(V+=this.directedSize),A=new Array(V);var Z=0;D.push((function(Q,oe,ue,_e,xe,we,Ae){A[Z++]=P(Q,oe,ue,_e,xe,we,Ae)}))}else A=[],D.push((function(Q,oe,ue,_e,xe,we,Ae){A.push(P(Q,oe,ue,_e,xe,we,Ae))}));return this[m].apply(this,D),A};var G="filter"+o[0].toUpperCase()+o.slice(1);h.prototype[G]=function(){var A=Array.prototype.slice.call(arguments),D=A.pop(),P=[];return A.push((function(V,Z,Q,oe,ue,_e,xe){D(V,Z,Q,oe,ue,_e,xe)&&P.push(V)})),this[m].apply(this,A),P};var N="reduce"+o[0].toUpperCase()+o.slice(1);h.prototype[N]=function(){var A,D,P=Array.prototype.slice.call(arguments);if(P.length<2||P.length>4)throw new B("Graph.".concat(N,": invalid number of arguments (expecting 2, 3 or 4 and got ").concat(P.length,")."));if(typeof P[P.length-1]=="function"&&typeof P[P.length-2]!="function")throw new B("Graph.".concat(N,": missing initial value. You must provide it because the callback takes more than one argument and we cannot infer the initial value from the first iteration, as you could with a simple array."));P.length===2?(A=P[0],D=P[1],P=[]):P.length===3?(A=P[1],D=P[2],P=[P[0]]):P.length===4&&(A=P[2],D=P[3],P=[P[0],P[1]]);var V=D;return P.push((function(Z,Q,oe,ue,_e,xe,we){V=A(V,Z,Q,oe,ue,_e,xe,we)})),this[m].apply(this,P),V}})(c,l),(function(h,n){var o=n.name,u=n.type,f=n.direction,m="find"+o[0].toUpperCase()+o.slice(1,-1);h.prototype[m]=function(N,A,D){if(u!=="mixed"&&this.type!=="mixed"&&u!==this.type)return!1;if(arguments.length===1)return ft(!0,this,u,D=N);if(arguments.length===2){N=""+N,D=A;var P=this._nodes.get(N);if(P===void 0)throw new M("Graph.".concat(m,': could not find the "').concat(N,'" node in the graph.'));return Dt(!0,this.multi,u==="mixed"?this.type:u,f,P,D)}if(arguments.length===3){N=""+N,A=""+A;var V=this._nodes.get(N);if(!V)throw new M("Graph.".concat(m,':  could not find the "').concat(N,'" source node in the graph.'));if(!this._nodes.has(A))throw new M("Graph.".concat(m,':  could not find the "').concat(A,'" target node in the graph.'));return Gt(!0,u,this.multi,f,V,A,D)}throw new B("Graph.".concat(m,": too many arguments (expecting 1, 2 or 3 and got ").concat(arguments.length,")."))};var E="some"+o[0].toUpperCase()+o.slice(1,-1);h.prototype[E]=function(){var N=Array.prototype.slice.call(arguments),A=N.pop();return N.push((function(D,P,V,Z,Q,oe,ue){return A(D,P,V,Z,Q,oe,ue)})),!!this[m].apply(this,N)};var G="every"+o[0].toUpperCase()+o.slice(1,-1);h.prototype[G]=function(){var N=Array.prototype.slice.call(arguments),A=N.pop();return N.push((function(D,P,V,Z,Q,oe,ue){return!A(D,P,V,Z,Q,oe,ue)})),!this[m].apply(this,N)}})(c,l),Ni(c,l)}))})(ie),(function(c){ti.forEach((function(l){ii(c,l),(function(h,n){var o=n.name,u=n.type,f=n.direction,m="forEach"+o[0].toUpperCase()+o.slice(1,-1);h.prototype[m]=function(A,D){if(u==="mixed"||this.type==="mixed"||u===this.type){A=""+A;var P=this._nodes.get(A);if(P===void 0)throw new M("Graph.".concat(m,': could not find the "').concat(A,'" node in the graph.'));Ot(!1,u==="mixed"?this.type:u,f,P,D)}};var E="map"+o[0].toUpperCase()+o.slice(1);h.prototype[E]=function(A,D){var P=[];return this[m](A,(function(V,Z){P.push(D(V,Z))})),P};var G="filter"+o[0].toUpperCase()+o.slice(1);h.prototype[G]=function(A,D){var P=[];return this[m](A,(function(V,Z){D(V,Z)&&P.push(V)})),P};var N="reduce"+o[0].toUpperCase()+o.slice(1);h.prototype[N]=function(A,D,P){if(arguments.length<3)throw new B("Graph.".concat(N,": missing initial value. You must provide it because the callback takes more than one argument and we cannot infer the initial value from the first iteration, as you could with a simple array."));var V=P;return this[m](A,(function(Z,Q){V=D(V,Z,Q)})),V}})(c,l),(function(h,n){var o=n.name,u=n.type,f=n.direction,m=o[0].toUpperCase()+o.slice(1,-1),E="find"+m;h.prototype[E]=function(A,D){if(u==="mixed"||this.type==="mixed"||u===this.type){A=""+A;var P=this._nodes.get(A);if(P===void 0)throw new M("Graph.".concat(E,': could not find the "').concat(A,'" node in the graph.'));return Ot(!0,u==="mixed"?this.type:u,f,P,D)}};var G="some"+m;h.prototype[G]=function(A,D){return!!this[E](A,D)};var N="every"+m;h.prototype[N]=function(A,D){return!this[E](A,(function(P,V){return!D(P,V)}))}})(c,l),Di(c,l)}))})(ie);var ai=(function(c){function l(h){var n=ae({type:"directed"},h);if("multi"in n&&n.multi!==!1)throw new B("DirectedGraph.from: inconsistent indication that the graph should be multi in given options!");if(n.type!=="directed")throw new B('DirectedGraph.from: inconsistent "'+n.type+'" type in given options!');return c.call(this,n)||this}return be(l,c),l})(ie),si=(function(c){function l(h){var n=ae({type:"undirected"},h);if("multi"in n&&n.multi!==!1)throw new B("UndirectedGraph.from: inconsistent indication that the graph should be multi in given options!");if(n.type!=="undirected")throw new B('UndirectedGraph.from: inconsistent "'+n.type+'" type in given options!');return c.call(this,n)||this}return be(l,c),l})(ie),ci=(function(c){function l(h){var n=ae({multi:!0},h);if("multi"in n&&n.multi!==!0)throw new B("MultiGraph.from: inconsistent indication that the graph should be simple in given options!");return c.call(this,n)||this}return be(l,c),l})(ie),ui=(function(c){function l(h){var n=ae({type:"directed",multi:!0},h);if("multi"in n&&n.multi!==!0)throw new B("MultiDirectedGraph.from: inconsistent indication that the graph should be simple in given options!");if(n.type!=="directed")throw new B('MultiDirectedGraph.from: inconsistent "'+n.type+'" type in given options!');return c.call(this,n)||this}return be(l,c),l})(ie),It=(function(c){function l(h){var n=ae({type:"undirected",multi:!0},h);if("multi"in n&&n.multi!==!0)throw new B("MultiUndirectedGraph.from: inconsistent indication that the graph should be simple in given options!");if(n.type!=="undirected")throw new B('MultiUndirectedGraph.from: inconsistent "'+n.type+'" type in given options!');return c.call(this,n)||this}return be(l,c),l})(ie);function He(c){c.from=function(l,h){var n=ae({},l.options,h),o=new c(n);return o.import(l),o}}return He(ie),He(ai),He(si),He(ci),He(ui),He(It),ie.Graph=ie,ie.DirectedGraph=ai,ie.UndirectedGraph=si,ie.MultiGraph=ci,ie.MultiDirectedGraph=ui,ie.MultiUndirectedGraph=It,ie.InvalidArgumentsGraphError=B,ie.NotFoundGraphError=M,ie.UsageGraphError=Y,ie}))});var ho=so((Or,Pr)=>{(function(X,K){typeof Or=="object"&&typeof Pr<"u"?Pr.exports=K():typeof define=="function"&&define.amd?define(K):(X=typeof globalThis<"u"?globalThis:X||self,X.Sigma=K())})(Or,function(){"use strict";function X(t,e){if(typeof t!="object"||!t)return t;var i=t[Symbol.toPrimitive];if(i!==void 0){var r=i.call(t,e);if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(e==="string"?String:Number)(t)}function K(t){var e=X(t,"string");return typeof e=="symbol"?e:e+""}function he(t,e){if(!(t instanceof e))throw new TypeError("Cannot call a class as a function")}function be(t,e){for(var i=0;i<e.length;i++){var r=e[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(t,K(r.key),r)}}function ge(t,e,i){return e&&be(t.prototype,e),Object.defineProperty(t,"prototype",{writable:!1}),t}function ke(t){return ke=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(e){return e.__proto__||Object.getPrototypeOf(e)},ke(t)}function Je(){try{var t=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],function(){}))}catch{}return(Je=function(){return!!t})()}function xt(t){if(t===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return t}function ae(t,e){if(e&&(typeof e=="object"||typeof e=="function"))return e;if(e!==void 0)throw new TypeError("Derived constructors may only return object or undefined");return xt(t)}function de(t,e,i){return e=ke(e),ae(t,Je()?Reflect.construct(e,i||[],ke(t).constructor):e.apply(t,i))}function se(t,e){return se=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(i,r){return i.__proto__=r,i},se(t,e)}function Ze(t,e){if(typeof e!="function"&&e!==null)throw new TypeError("Super expression must either be null or a function");t.prototype=Object.create(e&&e.prototype,{constructor:{value:t,writable:!0,configurable:!0}}),Object.defineProperty(t,"prototype",{writable:!1}),e&&se(t,e)}var pe={black:"#000000",silver:"#C0C0C0",gray:"#808080",grey:"#808080",white:"#FFFFFF",maroon:"#800000",red:"#FF0000",purple:"#800080",fuchsia:"#FF00FF",green:"#008000",lime:"#00FF00",olive:"#808000",yellow:"#FFFF00",navy:"#000080",blue:"#0000FF",teal:"#008080",aqua:"#00FFFF",darkblue:"#00008B",mediumblue:"#0000CD",darkgreen:"#006400",darkcyan:"#008B8B",deepskyblue:"#00BFFF",darkturquoise:"#00CED1",mediumspringgreen:"#00FA9A",springgreen:"#00FF7F",cyan:"#00FFFF",midnightblue:"#191970",dodgerblue:"#1E90FF",lightseagreen:"#20B2AA",forestgreen:"#228B22",seagreen:"#2E8B57",darkslategray:"#2F4F4F",darkslategrey:"#2F4F4F",limegreen:"#32CD32",mediumseagreen:"#3CB371",turquoise:"#40E0D0",royalblue:"#4169E1",steelblue:"#4682B4",darkslateblue:"#483D8B",mediumturquoise:"#48D1CC",indigo:"#4B0082",darkolivegreen:"#556B2F",cadetblue:"#5F9EA0",cornflowerblue:"#6495ED",rebeccapurple:"#663399",mediumaquamarine:"#66CDAA",dimgray:"#696969",dimgrey:"#696969",slateblue:"#6A5ACD",olivedrab:"#6B8E23",slategray:"#708090",slategrey:"#708090",lightslategray:"#778899",lightslategrey:"#778899",mediumslateblue:"#7B68EE",lawngreen:"#7CFC00",chartreuse:"#7FFF00",aquamarine:"#7FFFD4",skyblue:"#87CEEB",lightskyblue:"#87CEFA",blueviolet:"#8A2BE2",darkred:"#8B0000",darkmagenta:"#8B008B",saddlebrown:"#8B4513",darkseagreen:"#8FBC8F",lightgreen:"#90EE90",mediumpurple:"#9370DB",darkviolet:"#9400D3",palegreen:"#98FB98",darkorchid:"#9932CC",yellowgreen:"#9ACD32",sienna:"#A0522D",brown:"#A52A2A",darkgray:"#A9A9A9",darkgrey:"#A9A9A9",lightblue:"#ADD8E6",greenyellow:"#ADFF2F",paleturquoise:"#AFEEEE",lightsteelblue:"#B0C4DE",powderblue:"#B0E0E6",firebrick:"#B22222",darkgoldenrod:"#B8860B",mediumorchid:"#BA55D3",rosybrown:"#BC8F8F",darkkhaki:"#BDB76B",mediumvioletred:"#C71585",indianred:"#CD5C5C",peru:"#CD853F",chocolate:"#D2691E",tan:"#D2B48C",lightgray:"#D3D3D3",lightgrey:"#D3D3D3",thistle:"#D8BFD8",orchid:"#DA70D6",goldenrod:"#DAA520",palevioletred:"#DB7093",crimson:"#DC143C",gainsboro:"#DCDCDC",plum:"#DDA0DD",burlywood:"#DEB887",lightcyan:"#E0FFFF",lavender:"#E6E6FA",darksalmon:"#E9967A",violet:"#EE82EE",palegoldenrod:"#EEE8AA",lightcoral:"#F08080",khaki:"#F0E68C",aliceblue:"#F0F8FF",honeydew:"#F0FFF0",azure:"#F0FFFF",sandybrown:"#F4A460",wheat:"#F5DEB3",beige:"#F5F5DC",whitesmoke:"#F5F5F5",mintcream:"#F5FFFA",ghostwhite:"#F8F8FF",salmon:"#FA8072",antiquewhite:"#FAEBD7",linen:"#FAF0E6",lightgoldenrodyellow:"#FAFAD2",oldlace:"#FDF5E6",magenta:"#FF00FF",deeppink:"#FF1493",orangered:"#FF4500",tomato:"#FF6347",hotpink:"#FF69B4",coral:"#FF7F50",darkorange:"#FF8C00",lightsalmon:"#FFA07A",orange:"#FFA500",lightpink:"#FFB6C1",pink:"#FFC0CB",gold:"#FFD700",peachpuff:"#FFDAB9",navajowhite:"#FFDEAD",moccasin:"#FFE4B5",bisque:"#FFE4C4",mistyrose:"#FFE4E1",blanchedalmond:"#FFEBCD",papayawhip:"#FFEFD5",lavenderblush:"#FFF0F5",seashell:"#FFF5EE",cornsilk:"#FFF8DC",lemonchiffon:"#FFFACD",floralwhite:"#FFFAF0",snow:"#FFFAFA",lightyellow:"#FFFFE0",ivory:"#FFFFF0"},Te=new Int8Array(4),et=new Int32Array(Te.buffer,0,1),Le=new Float32Array(Te.buffer,0,1),$e=/^\s*rgba?\s*\(/,Xt=/^\s*rgba?\s*\(\s*([0-9]*)\s*,\s*([0-9]*)\s*,\s*([0-9]*)(?:\s*,\s*(.*)?)?\)\s*$/;function Rt(t){var e=0,i=0,r=0,a=1;if(t[0]==="#")t.length===4?(e=parseInt(t.charAt(1)+t.charAt(1),16),i=parseInt(t.charAt(2)+t.charAt(2),16),r=parseInt(t.charAt(3)+t.charAt(3),16)):(e=parseInt(t.charAt(1)+t.charAt(2),16),i=parseInt(t.charAt(3)+t.charAt(4),16),r=parseInt(t.charAt(5)+t.charAt(6),16)),t.length===9&&(a=parseInt(t.charAt(7)+t.charAt(8),16)/255);else if($e.test(t)){var s=t.match(Xt);s&&(e=+s[1],i=+s[2],r=+s[3],s[4]&&(a=+s[4]))}return{r:e,g:i,b:r,a}}var Re={};for(var tt in pe)Re[tt]=ee(pe[tt]),Re[pe[tt]]=Re[tt];function St(t,e,i,r,a){return et[0]=r<<24|i<<16|e<<8|t,et[0]=et[0]&4278190079,Le[0]}function ee(t){if(t=t.toLowerCase(),typeof Re[t]<"u")return Re[t];var e=Rt(t),i=e.r,r=e.g,a=e.b,s=e.a;s=s*255|0;var d=St(i,r,a,s);return Re[t]=d,d}function ut(t,e){Le[0]=ee(t);var i=et[0],r=i&255,a=i>>8&255,s=i>>16&255,d=i>>24&255;return[r,a,s,d]}var Qe={};function At(t){if(typeof Qe[t]<"u")return Qe[t];var e=(t&16711680)>>>16,i=(t&65280)>>>8,r=t&255,a=255,s=St(e,i,r,a);return Qe[t]=s,s}function ce(t,e,i){return(e=K(e))in t?Object.defineProperty(t,e,{value:i,enumerable:!0,configurable:!0,writable:!0}):t[e]=i,t}function Kt(t,e){var i=Object.keys(t);if(Object.getOwnPropertySymbols){var r=Object.getOwnPropertySymbols(t);e&&(r=r.filter(function(a){return Object.getOwnPropertyDescriptor(t,a).enumerable})),i.push.apply(i,r)}return i}function Me(t){for(var e=1;e<arguments.length;e++){var i=arguments[e]!=null?arguments[e]:{};e%2?Kt(Object(i),!0).forEach(function(r){ce(t,r,i[r])}):Object.getOwnPropertyDescriptors?Object.defineProperties(t,Object.getOwnPropertyDescriptors(i)):Kt(Object(i)).forEach(function(r){Object.defineProperty(t,r,Object.getOwnPropertyDescriptor(i,r))})}return t}function Zt(t,e){for(;!{}.hasOwnProperty.call(t,e)&&(t=ke(t))!==null;);return t}function ht(){return ht=typeof Reflect<"u"&&Reflect.get?Reflect.get.bind():function(t,e,i){var r=Zt(t,e);if(r){var a=Object.getOwnPropertyDescriptor(r,e);return a.get?a.get.call(arguments.length<3?t:i):a.value}},ht.apply(null,arguments)}function Ct(t,e,i,r){var a=ht(ke(t.prototype),e,i);return typeof a=="function"?function(s){return a.apply(i,s)}:a}function $t(t){return t.normalized?1:t.size}function it(t){var e=0;return t.forEach(function(i){return e+=$t(i)}),e}function B(t,e,i){var r=t==="VERTEX"?e.VERTEX_SHADER:e.FRAGMENT_SHADER,a=e.createShader(r);if(a===null)throw new Error("loadShader: error while creating the shader");e.shaderSource(a,i),e.compileShader(a);var s=e.getShaderParameter(a,e.COMPILE_STATUS);if(!s){var d=e.getShaderInfoLog(a);throw e.deleteShader(a),new Error(`loadShader: error while compiling the shader:
`.concat(d,`
`).concat(i))}return a}function M(t,e){return B("VERTEX",t,e)}function Y(t,e){return B("FRAGMENT",t,e)}function Qt(t,e){var i=t.createProgram();if(i===null)throw new Error("loadProgram: error while creating the program.");var r,a;for(r=0,a=e.length;r<a;r++)t.attachShader(i,e[r]);t.linkProgram(i);var s=t.getProgramParameter(i,t.LINK_STATUS);if(!s)throw t.deleteProgram(i),new Error("loadProgram: error while linking the program.");return i}function kt(t){var e=t.gl,i=t.buffer,r=t.program,a=t.vertexShader,s=t.fragmentShader;e.deleteShader(a),e.deleteShader(s),e.deleteProgram(r),e.deleteBuffer(i)}function dt(t){return t%1===0?t.toFixed(1):t.toString()}var Ue=`#define PICKING_MODE
`,Jt=ce(ce(ce(ce(ce(ce(ce(ce({},WebGL2RenderingContext.BOOL,1),WebGL2RenderingContext.BYTE,1),WebGL2RenderingContext.UNSIGNED_BYTE,1),WebGL2RenderingContext.SHORT,2),WebGL2RenderingContext.UNSIGNED_SHORT,2),WebGL2RenderingContext.INT,4),WebGL2RenderingContext.UNSIGNED_INT,4),WebGL2RenderingContext.FLOAT,4),Lt=(function(){function t(e,i,r){he(this,t),ce(this,"array",new Float32Array),ce(this,"constantArray",new Float32Array),ce(this,"capacity",0),ce(this,"verticesCount",0);var a=this.getDefinition();if(this.VERTICES=a.VERTICES,this.VERTEX_SHADER_SOURCE=a.VERTEX_SHADER_SOURCE,this.FRAGMENT_SHADER_SOURCE=a.FRAGMENT_SHADER_SOURCE,this.UNIFORMS=a.UNIFORMS,this.ATTRIBUTES=a.ATTRIBUTES,this.METHOD=a.METHOD,this.CONSTANT_ATTRIBUTES="CONSTANT_ATTRIBUTES"in a?a.CONSTANT_ATTRIBUTES:[],this.CONSTANT_DATA="CONSTANT_DATA"in a?a.CONSTANT_DATA:[],this.isInstanced="CONSTANT_ATTRIBUTES"in a,this.ATTRIBUTES_ITEMS_COUNT=it(this.ATTRIBUTES),this.STRIDE=this.VERTICES*this.ATTRIBUTES_ITEMS_COUNT,this.renderer=r,this.normalProgram=this.getProgramInfo("normal",e,a.VERTEX_SHADER_SOURCE,a.FRAGMENT_SHADER_SOURCE,null),this.pickProgram=i?this.getProgramInfo("pick",e,Ue+a.VERTEX_SHADER_SOURCE,Ue+a.FRAGMENT_SHADER_SOURCE,i):null,this.isInstanced){var s=it(this.CONSTANT_ATTRIBUTES);if(this.CONSTANT_DATA.length!==this.VERTICES)throw new Error("Program: error while getting constant data (expected ".concat(this.VERTICES," items, received ").concat(this.CONSTANT_DATA.length," instead)"));this.constantArray=new Float32Array(this.CONSTANT_DATA.length*s);for(var d=0;d<this.CONSTANT_DATA.length;d++){var g=this.CONSTANT_DATA[d];if(g.length!==s)throw new Error("Program: error while getting constant data (one vector has ".concat(g.length," items instead of ").concat(s,")"));for(var v=0;v<g.length;v++)this.constantArray[d*s+v]=g[v]}this.STRIDE=this.ATTRIBUTES_ITEMS_COUNT}}return ge(t,[{key:"kill",value:function(){kt(this.normalProgram),this.pickProgram&&(kt(this.pickProgram),this.pickProgram=null)}},{key:"getProgramInfo",value:function(e,i,r,a,s){var d=this.getDefinition(),g=i.createBuffer();if(g===null)throw new Error("Program: error while creating the WebGL buffer.");var v=M(i,r),p=Y(i,a),y=Qt(i,[v,p]),b={};d.UNIFORMS.forEach(function(S){var C=i.getUniformLocation(y,S);C&&(b[S]=C)});var w={};d.ATTRIBUTES.forEach(function(S){w[S.name]=i.getAttribLocation(y,S.name)});var T;if("CONSTANT_ATTRIBUTES"in d&&(d.CONSTANT_ATTRIBUTES.forEach(function(S){w[S.name]=i.getAttribLocation(y,S.name)}),T=i.createBuffer(),T===null))throw new Error("Program: error while creating the WebGL constant buffer.");return{name:e,program:y,gl:i,frameBuffer:s,buffer:g,constantBuffer:T||{},uniformLocations:b,attributeLocations:w,isPicking:e==="pick",vertexShader:v,fragmentShader:p}}},{key:"bindProgram",value:function(e){var i=this,r=0,a=e.gl,s=e.buffer;this.isInstanced?(a.bindBuffer(a.ARRAY_BUFFER,e.constantBuffer),r=0,this.CONSTANT_ATTRIBUTES.forEach(function(d){return r+=i.bindAttribute(d,e,r,!1)}),a.bufferData(a.ARRAY_BUFFER,this.constantArray,a.STATIC_DRAW),a.bindBuffer(a.ARRAY_BUFFER,e.buffer),r=0,this.ATTRIBUTES.forEach(function(d){return r+=i.bindAttribute(d,e,r,!0)}),a.bufferData(a.ARRAY_BUFFER,this.array,a.DYNAMIC_DRAW)):(a.bindBuffer(a.ARRAY_BUFFER,s),r=0,this.ATTRIBUTES.forEach(function(d){return r+=i.bindAttribute(d,e,r)}),a.bufferData(a.ARRAY_BUFFER,this.array,a.DYNAMIC_DRAW)),a.bindBuffer(a.ARRAY_BUFFER,null)}},{key:"unbindProgram",value:function(e){var i=this;this.isInstanced?(this.CONSTANT_ATTRIBUTES.forEach(function(r){return i.unbindAttribute(r,e,!1)}),this.ATTRIBUTES.forEach(function(r){return i.unbindAttribute(r,e,!0)})):this.ATTRIBUTES.forEach(function(r){return i.unbindAttribute(r,e)})}},{key:"bindAttribute",value:function(e,i,r,a){var s=Jt[e.type];if(typeof s!="number")throw new Error('Program.bind: yet unsupported attribute type "'.concat(e.type,'"'));var d=i.attributeLocations[e.name],g=i.gl;if(d!==-1){g.enableVertexAttribArray(d);var v=this.isInstanced?(a?this.ATTRIBUTES_ITEMS_COUNT:it(this.CONSTANT_ATTRIBUTES))*Float32Array.BYTES_PER_ELEMENT:this.ATTRIBUTES_ITEMS_COUNT*Float32Array.BYTES_PER_ELEMENT;if(g.vertexAttribPointer(d,e.size,e.type,e.normalized||!1,v,r),this.isInstanced&&a)if(g instanceof WebGL2RenderingContext)g.vertexAttribDivisor(d,1);else{var p=g.getExtension("ANGLE_instanced_arrays");p&&p.vertexAttribDivisorANGLE(d,1)}}return e.size*s}},{key:"unbindAttribute",value:function(e,i,r){var a=i.attributeLocations[e.name],s=i.gl;if(a!==-1&&(s.disableVertexAttribArray(a),this.isInstanced&&r))if(s instanceof WebGL2RenderingContext)s.vertexAttribDivisor(a,0);else{var d=s.getExtension("ANGLE_instanced_arrays");d&&d.vertexAttribDivisorANGLE(a,0)}}},{key:"reallocate",value:function(e){e!==this.capacity&&(this.capacity=e,this.verticesCount=this.VERTICES*e,this.array=new Float32Array(this.isInstanced?this.capacity*this.ATTRIBUTES_ITEMS_COUNT:this.verticesCount*this.ATTRIBUTES_ITEMS_COUNT))}},{key:"hasNothingToRender",value:function(){return this.verticesCount===0}},{key:"renderProgram",value:function(e,i){var r=i.gl,a=i.program;r.enable(r.BLEND),r.useProgram(a),this.setUniforms(e,i),this.drawWebGL(this.METHOD,i)}},{key:"render",value:function(e){this.hasNothingToRender()||(this.pickProgram&&(this.pickProgram.gl.viewport(0,0,e.width*e.pixelRatio/e.downSizingRatio,e.height*e.pixelRatio/e.downSizingRatio),this.bindProgram(this.pickProgram),this.renderProgram(Me(Me({},e),{},{pixelRatio:e.pixelRatio/e.downSizingRatio}),this.pickProgram),this.unbindProgram(this.pickProgram)),this.normalProgram.gl.viewport(0,0,e.width*e.pixelRatio,e.height*e.pixelRatio),this.bindProgram(this.normalProgram),this.renderProgram(e,this.normalProgram),this.unbindProgram(this.normalProgram))}},{key:"drawWebGL",value:function(e,i){var r=i.gl,a=i.frameBuffer;if(r.bindFramebuffer(r.FRAMEBUFFER,a),!this.isInstanced)r.drawArrays(e,0,this.verticesCount);else if(r instanceof WebGL2RenderingContext)r.drawArraysInstanced(e,0,this.VERTICES,this.capacity);else{var s=r.getExtension("ANGLE_instanced_arrays");s&&s.drawArraysInstancedANGLE(e,0,this.VERTICES,this.capacity)}}}])})(),rt=(function(t){function e(){return he(this,e),de(this,e,arguments)}return Ze(e,t),ge(e,[{key:"kill",value:function(){Ct(e,"kill",this)([])}},{key:"process",value:function(i,r,a){var s=r*this.STRIDE;if(a.hidden){for(var d=s+this.STRIDE;s<d;s++)this.array[s]=0;return}return this.processVisibleItem(At(i),s,a)}}])})(Lt),Se=(function(t){function e(){var i;he(this,e);for(var r=arguments.length,a=new Array(r),s=0;s<r;s++)a[s]=arguments[s];return i=de(this,e,[].concat(a)),ce(i,"drawLabel",void 0),i}return Ze(e,t),ge(e,[{key:"kill",value:function(){Ct(e,"kill",this)([])}},{key:"process",value:function(i,r,a,s,d){var g=r*this.STRIDE;if(d.hidden||a.hidden||s.hidden){for(var v=g+this.STRIDE;g<v;g++)this.array[g]=0;return}return this.processVisibleItem(At(i),g,a,s,d)}}])})(Lt);function Si(t,e){return(function(){function i(r,a,s){he(this,i),ce(this,"drawLabel",e),this.programs=t.map(function(d){return new d(r,a,s)})}return ge(i,[{key:"reallocate",value:function(r){this.programs.forEach(function(a){return a.reallocate(r)})}},{key:"process",value:function(r,a,s,d,g){this.programs.forEach(function(v){return v.process(r,a,s,d,g)})}},{key:"render",value:function(r){this.programs.forEach(function(a){return a.render(r)})}},{key:"kill",value:function(){this.programs.forEach(function(r){return r.kill()})}}])})()}var Ai=`
precision highp float;

varying vec4 v_color;
varying vec2 v_diffVector;
varying float v_radius;

uniform float u_correctionRatio;

const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main(void) {
  float border = u_correctionRatio * 2.0;
  float dist = length(v_diffVector) - v_radius + border;

  // No antialiasing for picking mode:
  #ifdef PICKING_MODE
  if (dist > border)
    gl_FragColor = transparent;
  else
    gl_FragColor = v_color;

  #else
  float t = 0.0;
  if (dist > border)
    t = 1.0;
  else if (dist > 0.0)
    t = dist / border;

  gl_FragColor = mix(v_color, transparent, t);
  #endif
}
`,Ci=Ai,ki=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_position;
attribute float a_size;
attribute float a_angle;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;

varying vec4 v_color;
varying vec2 v_diffVector;
varying float v_radius;
varying float v_border;

const float bias = 255.0 / 254.0;

void main() {
  float size = a_size * u_correctionRatio / u_sizeRatio * 4.0;
  vec2 diffVector = size * vec2(cos(a_angle), sin(a_angle));
  vec2 position = a_position + diffVector;
  gl_Position = vec4(
    (u_matrix * vec3(position, 1)).xy,
    0,
    1
  );

  v_diffVector = diffVector;
  v_radius = size / 2.0;

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,Li=ki,lt=WebGLRenderingContext,ei=lt.UNSIGNED_BYTE,Ft=lt.FLOAT,Nt=["u_sizeRatio","u_correctionRatio","u_matrix"],ft=(function(t){function e(){return he(this,e),de(this,e,arguments)}return Ze(e,t),ge(e,[{key:"getDefinition",value:function(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Li,FRAGMENT_SHADER_SOURCE:Ci,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:Nt,ATTRIBUTES:[{name:"a_position",size:2,type:Ft},{name:"a_size",size:1,type:Ft},{name:"a_color",size:4,type:ei,normalized:!0},{name:"a_id",size:4,type:ei,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_angle",size:1,type:Ft}],CONSTANT_DATA:[[e.ANGLE_1],[e.ANGLE_2],[e.ANGLE_3]]}}},{key:"processVisibleItem",value:function(i,r,a){var s=this.array,d=ee(a.color);s[r++]=a.x,s[r++]=a.y,s[r++]=a.size,s[r++]=d,s[r++]=i}},{key:"setUniforms",value:function(i,r){var a=r.gl,s=r.uniformLocations,d=s.u_sizeRatio,g=s.u_correctionRatio,v=s.u_matrix;a.uniform1f(g,i.correctionRatio),a.uniform1f(d,i.sizeRatio),a.uniformMatrix3fv(v,!1,i.matrix)}}])})(rt);ce(ft,"ANGLE_1",0),ce(ft,"ANGLE_2",2*Math.PI/3),ce(ft,"ANGLE_3",4*Math.PI/3);var Dt=`
precision mediump float;

varying vec4 v_color;

void main(void) {
  gl_FragColor = v_color;
}
`,Gt=Dt,Fi=`
attribute vec2 a_position;
attribute vec2 a_normal;
attribute float a_radius;
attribute vec3 a_barycentric;

#ifdef PICKING_MODE
attribute vec4 a_id;
#else
attribute vec4 a_color;
#endif

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;
uniform float u_minEdgeThickness;
uniform float u_lengthToThicknessRatio;
uniform float u_widenessToThicknessRatio;

varying vec4 v_color;

const float bias = 255.0 / 254.0;

void main() {
  float minThickness = u_minEdgeThickness;

  float normalLength = length(a_normal);
  vec2 unitNormal = a_normal / normalLength;

  // These first computations are taken from edge.vert.glsl and
  // edge.clamped.vert.glsl. Please read it to get better comments on what's
  // happening:
  float pixelsThickness = max(normalLength / u_sizeRatio, minThickness);
  float webGLThickness = pixelsThickness * u_correctionRatio;
  float webGLNodeRadius = a_radius * 2.0 * u_correctionRatio / u_sizeRatio;
  float webGLArrowHeadLength = webGLThickness * u_lengthToThicknessRatio * 2.0;
  float webGLArrowHeadThickness = webGLThickness * u_widenessToThicknessRatio;

  float da = a_barycentric.x;
  float db = a_barycentric.y;
  float dc = a_barycentric.z;

  vec2 delta = vec2(
      da * (webGLNodeRadius * unitNormal.y)
    + db * ((webGLNodeRadius + webGLArrowHeadLength) * unitNormal.y + webGLArrowHeadThickness * unitNormal.x)
    + dc * ((webGLNodeRadius + webGLArrowHeadLength) * unitNormal.y - webGLArrowHeadThickness * unitNormal.x),

      da * (-webGLNodeRadius * unitNormal.x)
    + db * (-(webGLNodeRadius + webGLArrowHeadLength) * unitNormal.x + webGLArrowHeadThickness * unitNormal.y)
    + dc * (-(webGLNodeRadius + webGLArrowHeadLength) * unitNormal.x - webGLArrowHeadThickness * unitNormal.y)
  );

  vec2 position = (u_matrix * vec3(a_position + delta, 1)).xy;

  gl_Position = vec4(position, 0, 1);

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,Ni=Fi,ti=WebGLRenderingContext,nt=ti.UNSIGNED_BYTE,Pe=ti.FLOAT,Ot=["u_matrix","u_sizeRatio","u_correctionRatio","u_minEdgeThickness","u_lengthToThicknessRatio","u_widenessToThicknessRatio"],ze={extremity:"target",lengthToThicknessRatio:2.5,widenessToThicknessRatio:2};function ii(t){var e=Me(Me({},ze),{});return(function(i){function r(){return he(this,r),de(this,r,arguments)}return Ze(r,i),ge(r,[{key:"getDefinition",value:function(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Ni,FRAGMENT_SHADER_SOURCE:Gt,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:Ot,ATTRIBUTES:[{name:"a_position",size:2,type:Pe},{name:"a_normal",size:2,type:Pe},{name:"a_radius",size:1,type:Pe},{name:"a_color",size:4,type:nt,normalized:!0},{name:"a_id",size:4,type:nt,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_barycentric",size:3,type:Pe}],CONSTANT_DATA:[[1,0,0],[0,1,0],[0,0,1]]}}},{key:"processVisibleItem",value:function(a,s,d,g,v){if(e.extremity==="source"){var p=[g,d];d=p[0],g=p[1]}var y=v.size||1,b=g.size||1,w=d.x,T=d.y,S=g.x,C=g.y,x=ee(v.color),L=S-w,O=C-T,R=L*L+O*O,_=0,k=0;R&&(R=1/Math.sqrt(R),_=-O*R*y,k=L*R*y);var F=this.array;F[s++]=S,F[s++]=C,F[s++]=-_,F[s++]=-k,F[s++]=b,F[s++]=x,F[s++]=a}},{key:"setUniforms",value:function(a,s){var d=s.gl,g=s.uniformLocations,v=g.u_matrix,p=g.u_sizeRatio,y=g.u_correctionRatio,b=g.u_minEdgeThickness,w=g.u_lengthToThicknessRatio,T=g.u_widenessToThicknessRatio;d.uniformMatrix3fv(v,!1,a.matrix),d.uniform1f(p,a.sizeRatio),d.uniform1f(y,a.correctionRatio),d.uniform1f(b,a.minEdgeThickness),d.uniform1f(w,e.lengthToThicknessRatio),d.uniform1f(T,e.widenessToThicknessRatio)}}])})(Se)}ii();var Di=`
precision mediump float;

varying vec4 v_color;
varying vec2 v_normal;
varying float v_thickness;
varying float v_feather;

const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main(void) {
  // We only handle antialiasing for normal mode:
  #ifdef PICKING_MODE
  gl_FragColor = v_color;
  #else
  float dist = length(v_normal) * v_thickness;

  float t = smoothstep(
    v_thickness - v_feather,
    v_thickness,
    dist
  );

  gl_FragColor = mix(v_color, transparent, t);
  #endif
}
`,gt=Di,Gi=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_normal;
attribute float a_normalCoef;
attribute vec2 a_positionStart;
attribute vec2 a_positionEnd;
attribute float a_positionCoef;
attribute float a_radius;
attribute float a_radiusCoef;

uniform mat3 u_matrix;
uniform float u_zoomRatio;
uniform float u_sizeRatio;
uniform float u_pixelRatio;
uniform float u_correctionRatio;
uniform float u_minEdgeThickness;
uniform float u_lengthToThicknessRatio;
uniform float u_feather;

varying vec4 v_color;
varying vec2 v_normal;
varying float v_thickness;
varying float v_feather;

const float bias = 255.0 / 254.0;

void main() {
  float minThickness = u_minEdgeThickness;

  float radius = a_radius * a_radiusCoef;
  vec2 normal = a_normal * a_normalCoef;
  vec2 position = a_positionStart * (1.0 - a_positionCoef) + a_positionEnd * a_positionCoef;

  float normalLength = length(normal);
  vec2 unitNormal = normal / normalLength;

  // These first computations are taken from edge.vert.glsl. Please read it to
  // get better comments on what's happening:
  float pixelsThickness = max(normalLength, minThickness * u_sizeRatio);
  float webGLThickness = pixelsThickness * u_correctionRatio / u_sizeRatio;

  // Here, we move the point to leave space for the arrow head:
  float direction = sign(radius);
  float webGLNodeRadius = direction * radius * 2.0 * u_correctionRatio / u_sizeRatio;
  float webGLArrowHeadLength = webGLThickness * u_lengthToThicknessRatio * 2.0;

  vec2 compensationVector = vec2(-direction * unitNormal.y, direction * unitNormal.x) * (webGLNodeRadius + webGLArrowHeadLength);

  // Here is the proper position of the vertex
  gl_Position = vec4((u_matrix * vec3(position + unitNormal * webGLThickness + compensationVector, 1)).xy, 0, 1);

  v_thickness = webGLThickness / u_zoomRatio;

  v_normal = unitNormal;

  v_feather = u_feather * u_correctionRatio / u_zoomRatio / u_pixelRatio * 2.0;

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,Oi=Gi,Pt=WebGLRenderingContext,ri=Pt.UNSIGNED_BYTE,Be=Pt.FLOAT,ni=["u_matrix","u_zoomRatio","u_sizeRatio","u_correctionRatio","u_pixelRatio","u_feather","u_minEdgeThickness","u_lengthToThicknessRatio"],Pi={lengthToThicknessRatio:ze.lengthToThicknessRatio};function zt(t){var e=Me(Me({},Pi),{});return(function(i){function r(){return he(this,r),de(this,r,arguments)}return Ze(r,i),ge(r,[{key:"getDefinition",value:function(){return{VERTICES:6,VERTEX_SHADER_SOURCE:Oi,FRAGMENT_SHADER_SOURCE:gt,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:ni,ATTRIBUTES:[{name:"a_positionStart",size:2,type:Be},{name:"a_positionEnd",size:2,type:Be},{name:"a_normal",size:2,type:Be},{name:"a_color",size:4,type:ri,normalized:!0},{name:"a_id",size:4,type:ri,normalized:!0},{name:"a_radius",size:1,type:Be}],CONSTANT_ATTRIBUTES:[{name:"a_positionCoef",size:1,type:Be},{name:"a_normalCoef",size:1,type:Be},{name:"a_radiusCoef",size:1,type:Be}],CONSTANT_DATA:[[0,1,0],[0,-1,0],[1,1,1],[1,1,1],[0,-1,0],[1,-1,-1]]}}},{key:"processVisibleItem",value:function(a,s,d,g,v){var p=v.size||1,y=d.x,b=d.y,w=g.x,T=g.y,S=ee(v.color),C=w-y,x=T-b,L=g.size||1,O=C*C+x*x,R=0,_=0;O&&(O=1/Math.sqrt(O),R=-x*O*p,_=C*O*p);var k=this.array;k[s++]=y,k[s++]=b,k[s++]=w,k[s++]=T,k[s++]=R,k[s++]=_,k[s++]=S,k[s++]=a,k[s++]=L}},{key:"setUniforms",value:function(a,s){var d=s.gl,g=s.uniformLocations,v=g.u_matrix,p=g.u_zoomRatio,y=g.u_feather,b=g.u_pixelRatio,w=g.u_correctionRatio,T=g.u_sizeRatio,S=g.u_minEdgeThickness,C=g.u_lengthToThicknessRatio;d.uniformMatrix3fv(v,!1,a.matrix),d.uniform1f(p,a.zoomRatio),d.uniform1f(T,a.sizeRatio),d.uniform1f(w,a.correctionRatio),d.uniform1f(b,a.pixelRatio),d.uniform1f(y,a.antiAliasingFeather),d.uniform1f(S,a.minEdgeThickness),d.uniform1f(C,e.lengthToThicknessRatio)}}])})(Se)}zt();function oi(t){return Si([zt(),ii()])}oi();function zi(t){return t&&t.__esModule&&Object.prototype.hasOwnProperty.call(t,"default")?t.default:t}var je,ie;function ai(){return ie||(ie=1,je=function(t){return t!==null&&typeof t=="object"&&typeof t.addUndirectedEdgeWithKey=="function"&&typeof t.dropNode=="function"&&typeof t.multi=="boolean"}),je}var si=ai();let ci=zi(si);function ui(t,e){if(typeof t!="object"||!t)return t;var i=t[Symbol.toPrimitive];if(i!==void 0){var r=i.call(t,e);if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(e==="string"?String:Number)(t)}function It(t){var e=ui(t,"string");return typeof e=="symbol"?e:e+""}function He(t,e,i){return(e=It(e))in t?Object.defineProperty(t,e,{value:i,enumerable:!0,configurable:!0,writable:!0}):t[e]=i,t}function c(t,e){var i=Object.keys(t);if(Object.getOwnPropertySymbols){var r=Object.getOwnPropertySymbols(t);e&&(r=r.filter(function(a){return Object.getOwnPropertyDescriptor(t,a).enumerable})),i.push.apply(i,r)}return i}function l(t){for(var e=1;e<arguments.length;e++){var i=arguments[e]!=null?arguments[e]:{};e%2?c(Object(i),!0).forEach(function(r){He(t,r,i[r])}):Object.getOwnPropertyDescriptors?Object.defineProperties(t,Object.getOwnPropertyDescriptors(i)):c(Object(i)).forEach(function(r){Object.defineProperty(t,r,Object.getOwnPropertyDescriptor(i,r))})}return t}function h(t,e){if(!(t instanceof e))throw new TypeError("Cannot call a class as a function")}function n(t,e){for(var i=0;i<e.length;i++){var r=e[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(t,It(r.key),r)}}function o(t,e,i){return e&&n(t.prototype,e),Object.defineProperty(t,"prototype",{writable:!1}),t}function u(t){return u=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(e){return e.__proto__||Object.getPrototypeOf(e)},u(t)}function f(){try{var t=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],function(){}))}catch{}return(f=function(){return!!t})()}function m(t){if(t===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return t}function E(t,e){if(e&&(typeof e=="object"||typeof e=="function"))return e;if(e!==void 0)throw new TypeError("Derived constructors may only return object or undefined");return m(t)}function G(t,e,i){return e=u(e),E(t,f()?Reflect.construct(e,i||[],u(t).constructor):e.apply(t,i))}function N(t,e){return N=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(i,r){return i.__proto__=r,i},N(t,e)}function A(t,e){if(typeof e!="function"&&e!==null)throw new TypeError("Super expression must either be null or a function");t.prototype=Object.create(e&&e.prototype,{constructor:{value:t,writable:!0,configurable:!0}}),Object.defineProperty(t,"prototype",{writable:!1}),e&&N(t,e)}function D(t,e){(e==null||e>t.length)&&(e=t.length);for(var i=0,r=Array(e);i<e;i++)r[i]=t[i];return r}function P(t){if(Array.isArray(t))return D(t)}function V(t){if(typeof Symbol<"u"&&t[Symbol.iterator]!=null||t["@@iterator"]!=null)return Array.from(t)}function Z(t,e){if(t){if(typeof t=="string")return D(t,e);var i={}.toString.call(t).slice(8,-1);return i==="Object"&&t.constructor&&(i=t.constructor.name),i==="Map"||i==="Set"?Array.from(t):i==="Arguments"||/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array$/.test(i)?D(t,e):void 0}}function Q(){throw new TypeError(`Invalid attempt to spread non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function oe(t){return P(t)||V(t)||Z(t)||Q()}function ue(t,e,i,r){var a=Math.pow(1-t,2)*e.x+2*(1-t)*t*i.x+Math.pow(t,2)*r.x,s=Math.pow(1-t,2)*e.y+2*(1-t)*t*i.y+Math.pow(t,2)*r.y;return{x:a,y:s}}function _e(t,e,i){for(var r=20,a=0,s=t,d=0;d<r;d++){var g=ue((d+1)/r,t,e,i);a+=Math.sqrt(Math.pow(s.x-g.x,2)+Math.pow(s.y-g.y,2)),s=g}return a}function xe(t){var e=t.curvatureAttribute,i=t.defaultCurvature,r=t.keepLabelUpright,a=r===void 0?!0:r;return function(s,d,g,v,p){var y=p.edgeLabelSize,b=d[e]||i,w=p.edgeLabelFont,T=p.edgeLabelWeight,S=p.edgeLabelColor.attribute?d[p.edgeLabelColor.attribute]||p.edgeLabelColor.color||"#000":p.edgeLabelColor.color,C=d.label;if(C){s.fillStyle=S,s.font="".concat(T," ").concat(y,"px ").concat(w);var x=!a||g.x<v.x,L=x?g.x:v.x,O=x?g.y:v.y,R=x?v.x:g.x,_=x?v.y:g.y,k=(L+R)/2,F=(O+_)/2,j=R-L,H=_-O,q=Math.sqrt(Math.pow(j,2)+Math.pow(H,2)),J=x?1:-1,re=k+H*b*J,fe=F-j*b*J,le=d.size*.7+5,Ee={x:fe-O,y:-(re-L)},Oe=Math.sqrt(Math.pow(Ee.x,2)+Math.pow(Ee.y,2)),z={x:_-fe,y:-(R-re)},I=Math.sqrt(Math.pow(z.x,2)+Math.pow(z.y,2));L+=le*Ee.x/Oe,O+=le*Ee.y/Oe,R+=le*z.x/I,_+=le*z.y/I,re+=le*H/q,fe-=le*j/q;var U={x:re,y:fe},$={x:L,y:O},W={x:R,y:_},te=_e($,U,W);if(!(te<g.size+v.size)){var ne=s.measureText(C).width,ve=te-g.size-v.size;if(ne>ve){var ye="…";for(C=C+ye,ne=s.measureText(C).width;ne>ve&&C.length>1;)C=C.slice(0,-2)+ye,ne=s.measureText(C).width;if(C.length<4)return}for(var Ie={},Xe=0,Ke=C.length;Xe<Ke;Xe++){var Fr=C[Xe];Ie[Fr]||(Ie[Fr]=s.measureText(Fr).width*(1+b*.35))}for(var Tt=.5-ne/te/2,Nr=0,xs=C.length;Nr<xs;Nr++){var no=C[Nr],oo=ue(Tt,$,U,W),Rs=2*(1-Tt)*(re-L)+2*Tt*(R-re),Ss=2*(1-Tt)*(fe-O)+2*Tt*(_-fe),As=Math.atan2(Ss,Rs);s.save(),s.translate(oo.x,oo.y),s.rotate(As),s.fillText(no,0,0),s.restore(),Tt+=Ie[no]/te}}}}}function we(t){var e=t.arrowHead,i=e?.extremity==="target"||e?.extremity==="both",r=e?.extremity==="source"||e?.extremity==="both",a=`
precision highp float;

varying vec4 v_color;
varying float v_thickness;
varying float v_feather;
varying vec2 v_cpA;
varying vec2 v_cpB;
varying vec2 v_cpC;
`.concat(i?`
varying float v_targetSize;
varying vec2 v_targetPoint;`:"",`
`).concat(r?`
varying float v_sourceSize;
varying vec2 v_sourcePoint;`:"",`
`).concat(e?`
uniform float u_lengthToThicknessRatio;
uniform float u_widenessToThicknessRatio;`:"",`

float det(vec2 a, vec2 b) {
  return a.x * b.y - b.x * a.y;
}

vec2 getDistanceVector(vec2 b0, vec2 b1, vec2 b2) {
  float a = det(b0, b2), b = 2.0 * det(b1, b0), d = 2.0 * det(b2, b1);
  float f = b * d - a * a;
  vec2 d21 = b2 - b1, d10 = b1 - b0, d20 = b2 - b0;
  vec2 gf = 2.0 * (b * d21 + d * d10 + a * d20);
  gf = vec2(gf.y, -gf.x);
  vec2 pp = -f * gf / dot(gf, gf);
  vec2 d0p = b0 - pp;
  float ap = det(d0p, d20), bp = 2.0 * det(d10, d0p);
  float t = clamp((ap + bp) / (2.0 * a + b + d), 0.0, 1.0);
  return mix(mix(b0, b1, t), mix(b1, b2, t), t);
}

float distToQuadraticBezierCurve(vec2 p, vec2 b0, vec2 b1, vec2 b2) {
  return length(getDistanceVector(b0 - p, b1 - p, b2 - p));
}

const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main(void) {
  float dist = distToQuadraticBezierCurve(gl_FragCoord.xy, v_cpA, v_cpB, v_cpC);
  float thickness = v_thickness;
`).concat(i?`
  float distToTarget = length(gl_FragCoord.xy - v_targetPoint);
  float targetArrowLength = v_targetSize + thickness * u_lengthToThicknessRatio;
  if (distToTarget < targetArrowLength) {
    thickness = (distToTarget - v_targetSize) / (targetArrowLength - v_targetSize) * u_widenessToThicknessRatio * thickness;
  }`:"",`
`).concat(r?`
  float distToSource = length(gl_FragCoord.xy - v_sourcePoint);
  float sourceArrowLength = v_sourceSize + thickness * u_lengthToThicknessRatio;
  if (distToSource < sourceArrowLength) {
    thickness = (distToSource - v_sourceSize) / (sourceArrowLength - v_sourceSize) * u_widenessToThicknessRatio * thickness;
  }`:"",`

  float halfThickness = thickness / 2.0;
  if (dist < halfThickness) {
    #ifdef PICKING_MODE
    gl_FragColor = v_color;
    #else
    float t = smoothstep(
      halfThickness - v_feather,
      halfThickness,
      dist
    );

    gl_FragColor = mix(v_color, transparent, t);
    #endif
  } else {
    gl_FragColor = transparent;
  }
}
`);return a}function Ae(t){var e=t.arrowHead,i=e?.extremity==="target"||e?.extremity==="both",r=e?.extremity==="source"||e?.extremity==="both",a=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute float a_direction;
attribute float a_thickness;
attribute vec2 a_source;
attribute vec2 a_target;
attribute float a_current;
attribute float a_curvature;
`.concat(i?`attribute float a_targetSize;
`:"",`
`).concat(r?`attribute float a_sourceSize;
`:"",`

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_pixelRatio;
uniform vec2 u_dimensions;
uniform float u_minEdgeThickness;
uniform float u_feather;

varying vec4 v_color;
varying float v_thickness;
varying float v_feather;
varying vec2 v_cpA;
varying vec2 v_cpB;
varying vec2 v_cpC;
`).concat(i?`
varying float v_targetSize;
varying vec2 v_targetPoint;`:"",`
`).concat(r?`
varying float v_sourceSize;
varying vec2 v_sourcePoint;`:"",`
`).concat(e?`
uniform float u_widenessToThicknessRatio;`:"",`

const float bias = 255.0 / 254.0;
const float epsilon = 0.7;

vec2 clipspaceToViewport(vec2 pos, vec2 dimensions) {
  return vec2(
    (pos.x + 1.0) * dimensions.x / 2.0,
    (pos.y + 1.0) * dimensions.y / 2.0
  );
}

vec2 viewportToClipspace(vec2 pos, vec2 dimensions) {
  return vec2(
    pos.x / dimensions.x * 2.0 - 1.0,
    pos.y / dimensions.y * 2.0 - 1.0
  );
}

void main() {
  float minThickness = u_minEdgeThickness;

  // Selecting the correct position
  // Branchless "position = a_source if a_current == 1.0 else a_target"
  vec2 position = a_source * max(0.0, a_current) + a_target * max(0.0, 1.0 - a_current);
  position = (u_matrix * vec3(position, 1)).xy;

  vec2 source = (u_matrix * vec3(a_source, 1)).xy;
  vec2 target = (u_matrix * vec3(a_target, 1)).xy;

  vec2 viewportPosition = clipspaceToViewport(position, u_dimensions);
  vec2 viewportSource = clipspaceToViewport(source, u_dimensions);
  vec2 viewportTarget = clipspaceToViewport(target, u_dimensions);

  vec2 delta = viewportTarget.xy - viewportSource.xy;
  float len = length(delta);
  vec2 normal = vec2(-delta.y, delta.x) * a_direction;
  vec2 unitNormal = normal / len;
  float boundingBoxThickness = len * a_curvature;

  float curveThickness = max(minThickness, a_thickness / u_sizeRatio);
  v_thickness = curveThickness * u_pixelRatio;
  v_feather = u_feather;

  v_cpA = viewportSource;
  v_cpB = 0.5 * (viewportSource + viewportTarget) + unitNormal * a_direction * boundingBoxThickness;
  v_cpC = viewportTarget;

  vec2 viewportOffsetPosition = (
    viewportPosition +
    unitNormal * (boundingBoxThickness / 2.0 + sign(boundingBoxThickness) * (`).concat(e?"curveThickness * u_widenessToThicknessRatio":"curveThickness",` + epsilon)) *
    max(0.0, a_direction) // NOTE: cutting the bounding box in half to avoid overdraw
  );

  position = viewportToClipspace(viewportOffsetPosition, u_dimensions);
  gl_Position = vec4(position, 0, 1);
    
`).concat(i?`
  v_targetSize = a_targetSize * u_pixelRatio / u_sizeRatio;
  v_targetPoint = viewportTarget;
`:"",`
`).concat(r?`
  v_sourceSize = a_sourceSize * u_pixelRatio / u_sizeRatio;
  v_sourcePoint = viewportSource;
`:"",`

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`);return a}var ot=.25,pt={arrowHead:null,curvatureAttribute:"curvature",defaultCurvature:ot},Ii=WebGLRenderingContext,Mi=Ii.UNSIGNED_BYTE,Ne=Ii.FLOAT;function Ui(t){var e=l(l({},pt),t||{}),i=e,r=i.arrowHead,a=i.curvatureAttribute,s=i.drawLabel,d=r?.extremity==="target"||r?.extremity==="both",g=r?.extremity==="source"||r?.extremity==="both",v=["u_matrix","u_sizeRatio","u_dimensions","u_pixelRatio","u_feather","u_minEdgeThickness"].concat(oe(r?["u_lengthToThicknessRatio","u_widenessToThicknessRatio"]:[]));return(function(p){function y(){var b;h(this,y);for(var w=arguments.length,T=new Array(w),S=0;S<w;S++)T[S]=arguments[S];return b=G(this,y,[].concat(T)),He(b,"drawLabel",s||xe(e)),b}return A(y,p),o(y,[{key:"getDefinition",value:function(){return{VERTICES:6,VERTEX_SHADER_SOURCE:Ae(e),FRAGMENT_SHADER_SOURCE:we(e),METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:v,ATTRIBUTES:[{name:"a_source",size:2,type:Ne},{name:"a_target",size:2,type:Ne}].concat(oe(d?[{name:"a_targetSize",size:1,type:Ne}]:[]),oe(g?[{name:"a_sourceSize",size:1,type:Ne}]:[]),[{name:"a_thickness",size:1,type:Ne},{name:"a_curvature",size:1,type:Ne},{name:"a_color",size:4,type:Mi,normalized:!0},{name:"a_id",size:4,type:Mi,normalized:!0}]),CONSTANT_ATTRIBUTES:[{name:"a_current",size:1,type:Ne},{name:"a_direction",size:1,type:Ne}],CONSTANT_DATA:[[0,1],[0,-1],[1,1],[0,-1],[1,1],[1,-1]]}}},{key:"processVisibleItem",value:function(b,w,T,S,C){var x,L=C.size||1,O=T.x,R=T.y,_=S.x,k=S.y,F=ee(C.color),j=(x=C[a])!==null&&x!==void 0?x:ot,H=this.array;H[w++]=O,H[w++]=R,H[w++]=_,H[w++]=k,d&&(H[w++]=S.size),g&&(H[w++]=T.size),H[w++]=L,H[w++]=j,H[w++]=F,H[w++]=b}},{key:"setUniforms",value:function(b,w){var T=w.gl,S=w.uniformLocations,C=S.u_matrix,x=S.u_pixelRatio,L=S.u_feather,O=S.u_sizeRatio,R=S.u_dimensions,_=S.u_minEdgeThickness;if(T.uniformMatrix3fv(C,!1,b.matrix),T.uniform1f(x,b.pixelRatio),T.uniform1f(O,b.sizeRatio),T.uniform1f(L,b.antiAliasingFeather),T.uniform2f(R,b.width*b.pixelRatio,b.height*b.pixelRatio),T.uniform1f(_,b.minEdgeThickness),r){var k=S.u_lengthToThicknessRatio,F=S.u_widenessToThicknessRatio;T.uniform1f(k,r.lengthToThicknessRatio),T.uniform1f(F,r.widenessToThicknessRatio)}}}])})(Se)}var go=Ui();Ui({arrowHead:ze}),Ui({arrowHead:l(l({},ze),{},{extremity:"both"})});function po(t){if(Array.isArray(t))return t}function mo(t,e){var i=t==null?null:typeof Symbol<"u"&&t[Symbol.iterator]||t["@@iterator"];if(i!=null){var r,a,s,d,g=[],v=!0,p=!1;try{if(s=(i=i.call(t)).next,e!==0)for(;!(v=(r=s.call(i)).done)&&(g.push(r.value),g.length!==e);v=!0);}catch(y){p=!0,a=y}finally{try{if(!v&&i.return!=null&&(d=i.return(),Object(d)!==d))return}finally{if(p)throw a}}return g}}function Bi(t,e){(e==null||e>t.length)&&(e=t.length);for(var i=0,r=Array(e);i<e;i++)r[i]=t[i];return r}function zr(t,e){if(t){if(typeof t=="string")return Bi(t,e);var i={}.toString.call(t).slice(8,-1);return i==="Object"&&t.constructor&&(i=t.constructor.name),i==="Map"||i==="Set"?Array.from(t):i==="Arguments"||/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array$/.test(i)?Bi(t,e):void 0}}function vo(){throw new TypeError(`Invalid attempt to destructure non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function yo(t,e){return po(t)||mo(t,e)||zr(t,e)||vo()}function bo(t,e){if(!(t instanceof e))throw new TypeError("Cannot call a class as a function")}function _o(t,e){if(typeof t!="object"||!t)return t;var i=t[Symbol.toPrimitive];if(i!==void 0){var r=i.call(t,e);if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(e==="string"?String:Number)(t)}function Ir(t){var e=_o(t,"string");return typeof e=="symbol"?e:e+""}function wo(t,e){for(var i=0;i<e.length;i++){var r=e[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(t,Ir(r.key),r)}}function Eo(t,e,i){return e&&wo(t.prototype,e),Object.defineProperty(t,"prototype",{writable:!1}),t}function hi(t){return hi=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(e){return e.__proto__||Object.getPrototypeOf(e)},hi(t)}function Mr(){try{var t=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],function(){}))}catch{}return(Mr=function(){return!!t})()}function To(t){if(t===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return t}function xo(t,e){if(e&&(typeof e=="object"||typeof e=="function"))return e;if(e!==void 0)throw new TypeError("Derived constructors may only return object or undefined");return To(t)}function Ro(t,e,i){return e=hi(e),xo(t,Mr()?Reflect.construct(e,i||[],hi(t).constructor):e.apply(t,i))}function ji(t,e){return ji=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(i,r){return i.__proto__=r,i},ji(t,e)}function So(t,e){if(typeof e!="function"&&e!==null)throw new TypeError("Super expression must either be null or a function");t.prototype=Object.create(e&&e.prototype,{constructor:{value:t,writable:!0,configurable:!0}}),Object.defineProperty(t,"prototype",{writable:!1}),e&&ji(t,e)}function mt(t,e,i){return(e=Ir(e))in t?Object.defineProperty(t,e,{value:i,enumerable:!0,configurable:!0,writable:!0}):t[e]=i,t}function Ao(t){if(Array.isArray(t))return Bi(t)}function Co(t){if(typeof Symbol<"u"&&t[Symbol.iterator]!=null||t["@@iterator"]!=null)return Array.from(t)}function ko(){throw new TypeError(`Invalid attempt to spread non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function Hi(t){return Ao(t)||Co(t)||zr(t)||ko()}function Ur(t,e){var i=Object.keys(t);if(Object.getOwnPropertySymbols){var r=Object.getOwnPropertySymbols(t);e&&(r=r.filter(function(a){return Object.getOwnPropertyDescriptor(t,a).enumerable})),i.push.apply(i,r)}return i}function Br(t){for(var e=1;e<arguments.length;e++){var i=arguments[e]!=null?arguments[e]:{};e%2?Ur(Object(i),!0).forEach(function(r){mt(t,r,i[r])}):Object.getOwnPropertyDescriptors?Object.defineProperties(t,Object.getOwnPropertyDescriptors(i)):Ur(Object(i)).forEach(function(r){Object.defineProperty(t,r,Object.getOwnPropertyDescriptor(i,r))})}return t}var Lo="relative",Fo={drawLabel:void 0,drawHover:void 0,borders:[{size:{value:.1},color:{attribute:"borderColor"}},{size:{fill:!0},color:{attribute:"color"}}]},No="#000000";function Do(t){var e=t.borders,i=dt(e.filter(function(a){var s=a.size;return"fill"in s}).length),r=`
precision highp float;

varying vec2 v_diffVector;
varying float v_radius;

#ifdef PICKING_MODE
varying vec4 v_color;
#else
// For normal mode, we use the border colors defined in the program:
`.concat(e.flatMap(function(a,s){var d=a.size;return"attribute"in d?["varying float v_borderSize_".concat(s+1,";")]:[]}).join(`
`),`
`).concat(e.flatMap(function(a,s){var d=a.color;return"attribute"in d?["varying vec4 v_borderColor_".concat(s+1,";")]:"value"in d?["uniform vec4 u_borderColor_".concat(s+1,";")]:[]}).join(`
`),`
#endif

uniform float u_correctionRatio;

const float bias = 255.0 / 254.0;
const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main(void) {
  float dist = length(v_diffVector);
  float aaBorder = 2.0 * u_correctionRatio;
  float v_borderSize_0 = v_radius;
  vec4 v_borderColor_0 = transparent;

  // No antialiasing for picking mode:
  #ifdef PICKING_MODE
  if (dist > v_radius)
    gl_FragColor = transparent;
  else {
    gl_FragColor = v_color;
    gl_FragColor.a *= bias;
  }
  #else
  // Sizes:
`).concat(e.flatMap(function(a,s){var d=a.size;if("fill"in d)return[];d=d;var g="attribute"in d?"v_borderSize_".concat(s+1):dt(d.value),v=(d.mode||Lo)==="pixels"?"u_correctionRatio":"v_radius";return["  float borderSize_".concat(s+1," = ").concat(v," * ").concat(g,";")]}).join(`
`),`
  // Now, let's split the remaining space between "fill" borders:
  float fillBorderSize = (v_radius - (`).concat(e.flatMap(function(a,s){var d=a.size;return"fill"in d?[]:["borderSize_".concat(s+1)]}).join(" + "),") ) / ").concat(i,`;
`).concat(e.flatMap(function(a,s){var d=a.size;return"fill"in d?["  float borderSize_".concat(s+1," = fillBorderSize;")]:[]}).join(`
`),`

  // Finally, normalize all border sizes, to start from the full size and to end with the smallest:
  float adjustedBorderSize_0 = v_radius;
`).concat(e.map(function(a,s){return"  float adjustedBorderSize_".concat(s+1," = adjustedBorderSize_").concat(s," - borderSize_").concat(s+1,";")}).join(`
`),`

  // Colors:
  vec4 borderColor_0 = transparent;
`).concat(e.map(function(a,s){var d=a.color,g=[];return"attribute"in d?g.push("  vec4 borderColor_".concat(s+1," = v_borderColor_").concat(s+1,";")):"transparent"in d?g.push("  vec4 borderColor_".concat(s+1," = vec4(0.0, 0.0, 0.0, 0.0);")):g.push("  vec4 borderColor_".concat(s+1," = u_borderColor_").concat(s+1,";")),g.push("  borderColor_".concat(s+1,".a *= bias;")),g.push("  if (borderSize_".concat(s+1," <= 1.0 * u_correctionRatio) { borderColor_").concat(s+1," = borderColor_").concat(s,"; }")),g.join(`
`)}).join(`
`),`
  if (dist > adjustedBorderSize_0) {
    gl_FragColor = borderColor_0;
  } else `).concat(e.map(function(a,s){return"if (dist > adjustedBorderSize_".concat(s,` - aaBorder) {
    gl_FragColor = mix(borderColor_`).concat(s+1,", borderColor_").concat(s,", (dist - adjustedBorderSize_").concat(s,` + aaBorder) / aaBorder);
  } else if (dist > adjustedBorderSize_`).concat(s+1,`) {
    gl_FragColor = borderColor_`).concat(s+1,`;
  } else `)}).join(""),` { /* Nothing to add here */ }
  #endif
}
`);return r}function Go(t){var e=t.borders,i=`
attribute vec2 a_position;
attribute float a_size;
attribute float a_angle;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;

varying vec2 v_diffVector;
varying float v_radius;

#ifdef PICKING_MODE
attribute vec4 a_id;
varying vec4 v_color;
#else
`.concat(e.flatMap(function(r,a){var s=r.size;return"attribute"in s?["attribute float a_borderSize_".concat(a+1,";"),"varying float v_borderSize_".concat(a+1,";")]:[]}).join(`
`),`
`).concat(e.flatMap(function(r,a){var s=r.color;return"attribute"in s?["attribute vec4 a_borderColor_".concat(a+1,";"),"varying vec4 v_borderColor_".concat(a+1,";")]:[]}).join(`
`),`
#endif

const float bias = 255.0 / 254.0;
const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main() {
  float size = a_size * u_correctionRatio / u_sizeRatio * 4.0;
  vec2 diffVector = size * vec2(cos(a_angle), sin(a_angle));
  vec2 position = a_position + diffVector;
  gl_Position = vec4(
    (u_matrix * vec3(position, 1)).xy,
    0,
    1
  );

  v_radius = size / 2.0;
  v_diffVector = diffVector;

  #ifdef PICKING_MODE
  v_color = a_id;
  #else
`).concat(e.flatMap(function(r,a){var s=r.size;return"attribute"in s?["  v_borderSize_".concat(a+1," = a_borderSize_").concat(a+1,";")]:[]}).join(`
`),`
`).concat(e.flatMap(function(r,a){var s=r.color;return"attribute"in s?["  v_borderColor_".concat(a+1," = a_borderColor_").concat(a+1,";")]:[]}).join(`
`),`
  #endif
}
`);return i}var jr=WebGLRenderingContext,Hr=jr.UNSIGNED_BYTE,di=jr.FLOAT;function Vr(t){var e,i=Br(Br({},Fo),t||{}),r=i.borders,a=i.drawLabel,s=i.drawHover,d=["u_sizeRatio","u_correctionRatio","u_matrix"].concat(Hi(r.flatMap(function(g,v){var p=g.color;return"value"in p?["u_borderColor_".concat(v+1)]:[]})));return e=(function(g){function v(){var p;bo(this,v);for(var y=arguments.length,b=new Array(y),w=0;w<y;w++)b[w]=arguments[w];return p=Ro(this,v,[].concat(b)),mt(p,"drawLabel",a),mt(p,"drawHover",s),p}return So(v,g),Eo(v,[{key:"getDefinition",value:function(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Go(i),FRAGMENT_SHADER_SOURCE:Do(i),METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:d,ATTRIBUTES:[{name:"a_position",size:2,type:di},{name:"a_id",size:4,type:Hr,normalized:!0},{name:"a_size",size:1,type:di}].concat(Hi(r.flatMap(function(p,y){var b=p.color;return"attribute"in b?[{name:"a_borderColor_".concat(y+1),size:4,type:Hr,normalized:!0}]:[]})),Hi(r.flatMap(function(p,y){var b=p.size;return"attribute"in b?[{name:"a_borderSize_".concat(y+1),size:1,type:di}]:[]}))),CONSTANT_ATTRIBUTES:[{name:"a_angle",size:1,type:di}],CONSTANT_DATA:[[v.ANGLE_1],[v.ANGLE_2],[v.ANGLE_3]]}}},{key:"processVisibleItem",value:function(p,y,b){var w=this.array;w[y++]=b.x,w[y++]=b.y,w[y++]=p,w[y++]=b.size,r.forEach(function(T){var S=T.color;"attribute"in S&&(w[y++]=ee(b[S.attribute]||S.defaultValue||No))}),r.forEach(function(T){var S=T.size;"attribute"in S&&(w[y++]=b[S.attribute]||S.defaultValue)})}},{key:"setUniforms",value:function(p,y){var b=y.gl,w=y.uniformLocations,T=w.u_sizeRatio,S=w.u_correctionRatio,C=w.u_matrix;b.uniform1f(S,p.correctionRatio),b.uniform1f(T,p.sizeRatio),b.uniformMatrix3fv(C,!1,p.matrix),r.forEach(function(x,L){var O=x.color;if("value"in O){var R=w["u_borderColor_".concat(L+1)],_=ut(O.value),k=yo(_,4),F=k[0],j=k[1],H=k[2],q=k[3];b.uniform4f(R,F/255,j/255,H/255,q/255)}})}}])})(rt),mt(e,"ANGLE_1",0),mt(e,"ANGLE_2",2*Math.PI/3),mt(e,"ANGLE_3",4*Math.PI/3),e}Vr();var li={exports:{}},Wr;function Oo(){if(Wr)return li.exports;Wr=1;var t=typeof Reflect=="object"?Reflect:null,e=t&&typeof t.apply=="function"?t.apply:function(_,k,F){return Function.prototype.apply.call(_,k,F)},i;t&&typeof t.ownKeys=="function"?i=t.ownKeys:Object.getOwnPropertySymbols?i=function(_){return Object.getOwnPropertyNames(_).concat(Object.getOwnPropertySymbols(_))}:i=function(_){return Object.getOwnPropertyNames(_)};function r(_){console&&console.warn&&console.warn(_)}var a=Number.isNaN||function(_){return _!==_};function s(){s.init.call(this)}li.exports=s,li.exports.once=L,s.EventEmitter=s,s.prototype._events=void 0,s.prototype._eventsCount=0,s.prototype._maxListeners=void 0;var d=10;function g(_){if(typeof _!="function")throw new TypeError('The "listener" argument must be of type Function. Received type '+typeof _)}Object.defineProperty(s,"defaultMaxListeners",{enumerable:!0,get:function(){return d},set:function(_){if(typeof _!="number"||_<0||a(_))throw new RangeError('The value of "defaultMaxListeners" is out of range. It must be a non-negative number. Received '+_+".");d=_}}),s.init=function(){(this._events===void 0||this._events===Object.getPrototypeOf(this)._events)&&(this._events=Object.create(null),this._eventsCount=0),this._maxListeners=this._maxListeners||void 0},s.prototype.setMaxListeners=function(_){if(typeof _!="number"||_<0||a(_))throw new RangeError('The value of "n" is out of range. It must be a non-negative number. Received '+_+".");return this._maxListeners=_,this};function v(_){return _._maxListeners===void 0?s.defaultMaxListeners:_._maxListeners}s.prototype.getMaxListeners=function(){return v(this)},s.prototype.emit=function(_){for(var k=[],F=1;F<arguments.length;F++)k.push(arguments[F]);var j=_==="error",H=this._events;if(H!==void 0)j=j&&H.error===void 0;else if(!j)return!1;if(j){var q;if(k.length>0&&(q=k[0]),q instanceof Error)throw q;var J=new Error("Unhandled error."+(q?" ("+q.message+")":""));throw J.context=q,J}var re=H[_];if(re===void 0)return!1;if(typeof re=="function")e(re,this,k);else for(var fe=re.length,le=S(re,fe),F=0;F<fe;++F)e(le[F],this,k);return!0};function p(_,k,F,j){var H,q,J;if(g(F),q=_._events,q===void 0?(q=_._events=Object.create(null),_._eventsCount=0):(q.newListener!==void 0&&(_.emit("newListener",k,F.listener?F.listener:F),q=_._events),J=q[k]),J===void 0)J=q[k]=F,++_._eventsCount;else if(typeof J=="function"?J=q[k]=j?[F,J]:[J,F]:j?J.unshift(F):J.push(F),H=v(_),H>0&&J.length>H&&!J.warned){J.warned=!0;var re=new Error("Possible EventEmitter memory leak detected. "+J.length+" "+String(k)+" listeners added. Use emitter.setMaxListeners() to increase limit");re.name="MaxListenersExceededWarning",re.emitter=_,re.type=k,re.count=J.length,r(re)}return _}s.prototype.addListener=function(_,k){return p(this,_,k,!1)},s.prototype.on=s.prototype.addListener,s.prototype.prependListener=function(_,k){return p(this,_,k,!0)};function y(){if(!this.fired)return this.target.removeListener(this.type,this.wrapFn),this.fired=!0,arguments.length===0?this.listener.call(this.target):this.listener.apply(this.target,arguments)}function b(_,k,F){var j={fired:!1,wrapFn:void 0,target:_,type:k,listener:F},H=y.bind(j);return H.listener=F,j.wrapFn=H,H}s.prototype.once=function(_,k){return g(k),this.on(_,b(this,_,k)),this},s.prototype.prependOnceListener=function(_,k){return g(k),this.prependListener(_,b(this,_,k)),this},s.prototype.removeListener=function(_,k){var F,j,H,q,J;if(g(k),j=this._events,j===void 0)return this;if(F=j[_],F===void 0)return this;if(F===k||F.listener===k)--this._eventsCount===0?this._events=Object.create(null):(delete j[_],j.removeListener&&this.emit("removeListener",_,F.listener||k));else if(typeof F!="function"){for(H=-1,q=F.length-1;q>=0;q--)if(F[q]===k||F[q].listener===k){J=F[q].listener,H=q;break}if(H<0)return this;H===0?F.shift():C(F,H),F.length===1&&(j[_]=F[0]),j.removeListener!==void 0&&this.emit("removeListener",_,J||k)}return this},s.prototype.off=s.prototype.removeListener,s.prototype.removeAllListeners=function(_){var k,F,j;if(F=this._events,F===void 0)return this;if(F.removeListener===void 0)return arguments.length===0?(this._events=Object.create(null),this._eventsCount=0):F[_]!==void 0&&(--this._eventsCount===0?this._events=Object.create(null):delete F[_]),this;if(arguments.length===0){var H=Object.keys(F),q;for(j=0;j<H.length;++j)q=H[j],q!=="removeListener"&&this.removeAllListeners(q);return this.removeAllListeners("removeListener"),this._events=Object.create(null),this._eventsCount=0,this}if(k=F[_],typeof k=="function")this.removeListener(_,k);else if(k!==void 0)for(j=k.length-1;j>=0;j--)this.removeListener(_,k[j]);return this};function w(_,k,F){var j=_._events;if(j===void 0)return[];var H=j[k];return H===void 0?[]:typeof H=="function"?F?[H.listener||H]:[H]:F?x(H):S(H,H.length)}s.prototype.listeners=function(_){return w(this,_,!0)},s.prototype.rawListeners=function(_){return w(this,_,!1)},s.listenerCount=function(_,k){return typeof _.listenerCount=="function"?_.listenerCount(k):T.call(_,k)},s.prototype.listenerCount=T;function T(_){var k=this._events;if(k!==void 0){var F=k[_];if(typeof F=="function")return 1;if(F!==void 0)return F.length}return 0}s.prototype.eventNames=function(){return this._eventsCount>0?i(this._events):[]};function S(_,k){for(var F=new Array(k),j=0;j<k;++j)F[j]=_[j];return F}function C(_,k){for(;k+1<_.length;k++)_[k]=_[k+1];_.pop()}function x(_){for(var k=new Array(_.length),F=0;F<k.length;++F)k[F]=_[F].listener||_[F];return k}function L(_,k){return new Promise(function(F,j){function H(J){_.removeListener(k,q),j(J)}function q(){typeof _.removeListener=="function"&&_.removeListener("error",H),F([].slice.call(arguments))}R(_,k,q,{once:!0}),k!=="error"&&O(_,H,{once:!0})})}function O(_,k,F){typeof _.on=="function"&&R(_,"error",k,F)}function R(_,k,F,j){if(typeof _.on=="function")j.once?_.once(k,F):_.on(k,F);else if(typeof _.addEventListener=="function")_.addEventListener(k,function H(q){j.once&&_.removeEventListener(k,H),F(q)});else throw new TypeError('The "emitter" argument must be of type EventEmitter. Received type '+typeof _)}return li.exports}var Yr=Oo();function Vi(t,e){(e==null||e>t.length)&&(e=t.length);for(var i=0,r=Array(e);i<e;i++)r[i]=t[i];return r}function Po(t){if(Array.isArray(t))return Vi(t)}function zo(t){if(typeof Symbol<"u"&&t[Symbol.iterator]!=null||t["@@iterator"]!=null)return Array.from(t)}function Io(t,e){if(t){if(typeof t=="string")return Vi(t,e);var i={}.toString.call(t).slice(8,-1);return i==="Object"&&t.constructor&&(i=t.constructor.name),i==="Map"||i==="Set"?Array.from(t):i==="Arguments"||/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array$/.test(i)?Vi(t,e):void 0}}function Mo(){throw new TypeError(`Invalid attempt to spread non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function Wi(t){return Po(t)||zo(t)||Io(t)||Mo()}function Yi(t,e){if(!(t instanceof e))throw new TypeError("Cannot call a class as a function")}function Uo(t,e){if(typeof t!="object"||!t)return t;var i=t[Symbol.toPrimitive];if(i!==void 0){var r=i.call(t,e);if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(e==="string"?String:Number)(t)}function qr(t){var e=Uo(t,"string");return typeof e=="symbol"?e:e+""}function Bo(t,e){for(var i=0;i<e.length;i++){var r=e[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(t,qr(r.key),r)}}function qi(t,e,i){return e&&Bo(t.prototype,e),Object.defineProperty(t,"prototype",{writable:!1}),t}function vt(t){return vt=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(e){return e.__proto__||Object.getPrototypeOf(e)},vt(t)}function Xr(){try{var t=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],function(){}))}catch{}return(Xr=function(){return!!t})()}function jo(t){if(t===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return t}function Ho(t,e){if(e&&(typeof e=="object"||typeof e=="function"))return e;if(e!==void 0)throw new TypeError("Derived constructors may only return object or undefined");return jo(t)}function Kr(t,e,i){return e=vt(e),Ho(t,Xr()?Reflect.construct(e,i||[],vt(t).constructor):e.apply(t,i))}function Vo(t,e){for(;!{}.hasOwnProperty.call(t,e)&&(t=vt(t))!==null;);return t}function Xi(){return Xi=typeof Reflect<"u"&&Reflect.get?Reflect.get.bind():function(t,e,i){var r=Vo(t,e);if(r){var a=Object.getOwnPropertyDescriptor(r,e);return a.get?a.get.call(arguments.length<3?t:i):a.value}},Xi.apply(null,arguments)}function Zr(t,e,i,r){var a=Xi(vt(t.prototype),e,i);return typeof a=="function"?function(s){return a.apply(i,s)}:a}function Ki(t,e){return Ki=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(i,r){return i.__proto__=r,i},Ki(t,e)}function $r(t,e){if(typeof e!="function"&&e!==null)throw new TypeError("Super expression must either be null or a function");t.prototype=Object.create(e&&e.prototype,{constructor:{value:t,writable:!0,configurable:!0}}),Object.defineProperty(t,"prototype",{writable:!1}),e&&Ki(t,e)}function me(t,e,i){return(e=qr(e))in t?Object.defineProperty(t,e,{value:i,enumerable:!0,configurable:!0,writable:!0}):t[e]=i,t}function Wo(t,e){if(t==null)return{};var i={};for(var r in t)if({}.hasOwnProperty.call(t,r)){if(e.indexOf(r)!==-1)continue;i[r]=t[r]}return i}function Yo(t,e){if(t==null)return{};var i,r,a=Wo(t,e);if(Object.getOwnPropertySymbols){var s=Object.getOwnPropertySymbols(t);for(r=0;r<s.length;r++)i=s[r],e.indexOf(i)===-1&&{}.propertyIsEnumerable.call(t,i)&&(a[i]=t[i])}return a}function Qr(t,e){var i=Object.keys(t);if(Object.getOwnPropertySymbols){var r=Object.getOwnPropertySymbols(t);e&&(r=r.filter(function(a){return Object.getOwnPropertyDescriptor(t,a).enumerable})),i.push.apply(i,r)}return i}function Ce(t){for(var e=1;e<arguments.length;e++){var i=arguments[e]!=null?arguments[e]:{};e%2?Qr(Object(i),!0).forEach(function(r){me(t,r,i[r])}):Object.getOwnPropertyDescriptors?Object.defineProperties(t,Object.getOwnPropertyDescriptors(i)):Qr(Object(i)).forEach(function(r){Object.defineProperty(t,r,Object.getOwnPropertyDescriptor(i,r))})}return t}function qo(t){var e=t.texturesCount,i=`
precision highp float;

varying vec4 v_color;
varying vec2 v_diffVector;
varying float v_radius;
varying vec4 v_texture;
varying float v_textureIndex;

uniform sampler2D u_atlas[`.concat(e,`];
uniform float u_correctionRatio;
uniform float u_cameraAngle;
uniform float u_percentagePadding;
uniform bool u_colorizeImages;
uniform bool u_keepWithinCircle;

const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

const float radius = 0.5;

void main(void) {
  float border = 2.0 * u_correctionRatio;
  float dist = length(v_diffVector);
  vec4 color = gl_FragColor;

  float c = cos(-u_cameraAngle);
  float s = sin(-u_cameraAngle);
  vec2 diffVector = mat2(c, s, -s, c) * (v_diffVector);

  // No antialiasing for picking mode:
  #ifdef PICKING_MODE
  border = 0.0;
  color = v_color;

  #else
  // First case: No image to display
  if (v_texture.w <= 0.0) {
    if (!u_colorizeImages) {
      color = v_color;
    }
  }

  // Second case: Image loaded into the texture
  else {
    float paddingRatio = 1.0 + 2.0 * u_percentagePadding;
    float coef = u_keepWithinCircle ? 1.0 : `).concat(Math.SQRT2,`;
    vec2 coordinateInTexture = diffVector * vec2(paddingRatio, -paddingRatio) / v_radius / 2.0 * coef + vec2(0.5, 0.5);
    int index = int(v_textureIndex + 0.5); // +0.5 avoid rounding errors

    bool noTextureFound = false;
    vec4 texel;

    `).concat(Wi(new Array(e)).map(function(r,a){return"if (index == ".concat(a,") texel = texture2D(u_atlas[").concat(a,"], (v_texture.xy + coordinateInTexture * v_texture.zw), -1.0);")}).join(`
    else `)+`else {
      texel = texture2D(u_atlas[0], (v_texture.xy + coordinateInTexture * v_texture.zw), -1.0);
      noTextureFound = true;
    }`,`

    if (noTextureFound) {
      color = v_color;
    } else {
      // Colorize all visible image pixels:
      if (u_colorizeImages) {
        color = mix(gl_FragColor, v_color, texel.a);
      }

      // Colorize background pixels, keep image pixel colors:
      else {
        color = vec4(mix(v_color, texel, texel.a).rgb, max(texel.a, v_color.a));
      }

      // Erase pixels "in the padding":
      if (abs(diffVector.x) > v_radius / paddingRatio || abs(diffVector.y) > v_radius / paddingRatio) {
        color = u_colorizeImages ? gl_FragColor : v_color;
      }
    }
  }
  #endif

  // Crop in a circle when u_keepWithinCircle is truthy:
  if (u_keepWithinCircle) {
    if (dist < v_radius - border) {
      gl_FragColor = color;
    } else if (dist < v_radius) {
      gl_FragColor = mix(transparent, color, (v_radius - dist) / border);
    }
  }

  // Crop in a square else:
  else {
    float squareHalfSize = v_radius * `).concat(Math.SQRT1_2*Math.cos(Math.PI/12),`;
    if (abs(diffVector.x) > squareHalfSize || abs(diffVector.y) > squareHalfSize) {
      gl_FragColor = transparent;
    } else {
      gl_FragColor = color;
    }
  }
}
`);return i}var Xo=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_position;
attribute float a_size;
attribute float a_angle;
attribute vec4 a_texture;
attribute float a_textureIndex;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;

varying vec4 v_color;
varying vec2 v_diffVector;
varying float v_radius;
varying vec4 v_texture;
varying float v_textureIndex;

const float bias = 255.0 / 254.0;
const float marginRatio = 1.05;

void main() {
  float size = a_size * u_correctionRatio / u_sizeRatio * 4.0;
  vec2 diffVector = size * vec2(cos(a_angle), sin(a_angle));
  vec2 position = a_position + diffVector * marginRatio;
  gl_Position = vec4(
    (u_matrix * vec3(position, 1)).xy,
    0,
    1
  );

  v_diffVector = diffVector;
  v_radius = size / 2.0 / marginRatio;

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;

  // Pass the texture coordinates:
  v_textureIndex = a_textureIndex;
  v_texture = a_texture;
  #endif

  v_color.a *= bias;
}
`,Ko=Xo;function at(){at=function(){return e};var t,e={},i=Object.prototype,r=i.hasOwnProperty,a=Object.defineProperty||function(z,I,U){z[I]=U.value},s=typeof Symbol=="function"?Symbol:{},d=s.iterator||"@@iterator",g=s.asyncIterator||"@@asyncIterator",v=s.toStringTag||"@@toStringTag";function p(z,I,U){return Object.defineProperty(z,I,{value:U,enumerable:!0,configurable:!0,writable:!0}),z[I]}try{p({},"")}catch{p=function(z,I,U){return z[I]=U}}function y(z,I,U,$){var W=I&&I.prototype instanceof L?I:L,te=Object.create(W.prototype),ne=new Ee($||[]);return a(te,"_invoke",{value:J(z,U,ne)}),te}function b(z,I,U){try{return{type:"normal",arg:z.call(I,U)}}catch($){return{type:"throw",arg:$}}}e.wrap=y;var w="suspendedStart",T="suspendedYield",S="executing",C="completed",x={};function L(){}function O(){}function R(){}var _={};p(_,d,function(){return this});var k=Object.getPrototypeOf,F=k&&k(k(Oe([])));F&&F!==i&&r.call(F,d)&&(_=F);var j=R.prototype=L.prototype=Object.create(_);function H(z){["next","throw","return"].forEach(function(I){p(z,I,function(U){return this._invoke(I,U)})})}function q(z,I){function U(W,te,ne,ve){var ye=b(z[W],z,te);if(ye.type!=="throw"){var Ie=ye.arg,Xe=Ie.value;return Xe&&typeof Xe=="object"&&r.call(Xe,"__await")?I.resolve(Xe.__await).then(function(Ke){U("next",Ke,ne,ve)},function(Ke){U("throw",Ke,ne,ve)}):I.resolve(Xe).then(function(Ke){Ie.value=Ke,ne(Ie)},function(Ke){return U("throw",Ke,ne,ve)})}ve(ye.arg)}var $;a(this,"_invoke",{value:function(W,te){function ne(){return new I(function(ve,ye){U(W,te,ve,ye)})}return $=$?$.then(ne,ne):ne()}})}function J(z,I,U){var $=w;return function(W,te){if($===S)throw Error("Generator is already running");if($===C){if(W==="throw")throw te;return{value:t,done:!0}}for(U.method=W,U.arg=te;;){var ne=U.delegate;if(ne){var ve=re(ne,U);if(ve){if(ve===x)continue;return ve}}if(U.method==="next")U.sent=U._sent=U.arg;else if(U.method==="throw"){if($===w)throw $=C,U.arg;U.dispatchException(U.arg)}else U.method==="return"&&U.abrupt("return",U.arg);$=S;var ye=b(z,I,U);if(ye.type==="normal"){if($=U.done?C:T,ye.arg===x)continue;return{value:ye.arg,done:U.done}}ye.type==="throw"&&($=C,U.method="throw",U.arg=ye.arg)}}}function re(z,I){var U=I.method,$=z.iterator[U];if($===t)return I.delegate=null,U==="throw"&&z.iterator.return&&(I.method="return",I.arg=t,re(z,I),I.method==="throw")||U!=="return"&&(I.method="throw",I.arg=new TypeError("The iterator does not provide a '"+U+"' method")),x;var W=b($,z.iterator,I.arg);if(W.type==="throw")return I.method="throw",I.arg=W.arg,I.delegate=null,x;var te=W.arg;return te?te.done?(I[z.resultName]=te.value,I.next=z.nextLoc,I.method!=="return"&&(I.method="next",I.arg=t),I.delegate=null,x):te:(I.method="throw",I.arg=new TypeError("iterator result is not an object"),I.delegate=null,x)}function fe(z){var I={tryLoc:z[0]};1 in z&&(I.catchLoc=z[1]),2 in z&&(I.finallyLoc=z[2],I.afterLoc=z[3]),this.tryEntries.push(I)}function le(z){var I=z.completion||{};I.type="normal",delete I.arg,z.completion=I}function Ee(z){this.tryEntries=[{tryLoc:"root"}],z.forEach(fe,this),this.reset(!0)}function Oe(z){if(z||z===""){var I=z[d];if(I)return I.call(z);if(typeof z.next=="function")return z;if(!isNaN(z.length)){var U=-1,$=function W(){for(;++U<z.length;)if(r.call(z,U))return W.value=z[U],W.done=!1,W;return W.value=t,W.done=!0,W};return $.next=$}}throw new TypeError(typeof z+" is not iterable")}return O.prototype=R,a(j,"constructor",{value:R,configurable:!0}),a(R,"constructor",{value:O,configurable:!0}),O.displayName=p(R,v,"GeneratorFunction"),e.isGeneratorFunction=function(z){var I=typeof z=="function"&&z.constructor;return!!I&&(I===O||(I.displayName||I.name)==="GeneratorFunction")},e.mark=function(z){return Object.setPrototypeOf?Object.setPrototypeOf(z,R):(z.__proto__=R,p(z,v,"GeneratorFunction")),z.prototype=Object.create(j),z},e.awrap=function(z){return{__await:z}},H(q.prototype),p(q.prototype,g,function(){return this}),e.AsyncIterator=q,e.async=function(z,I,U,$,W){W===void 0&&(W=Promise);var te=new q(y(z,I,U,$),W);return e.isGeneratorFunction(I)?te:te.next().then(function(ne){return ne.done?ne.value:te.next()})},H(j),p(j,v,"Generator"),p(j,d,function(){return this}),p(j,"toString",function(){return"[object Generator]"}),e.keys=function(z){var I=Object(z),U=[];for(var $ in I)U.push($);return U.reverse(),function W(){for(;U.length;){var te=U.pop();if(te in I)return W.value=te,W.done=!1,W}return W.done=!0,W}},e.values=Oe,Ee.prototype={constructor:Ee,reset:function(z){if(this.prev=0,this.next=0,this.sent=this._sent=t,this.done=!1,this.delegate=null,this.method="next",this.arg=t,this.tryEntries.forEach(le),!z)for(var I in this)I.charAt(0)==="t"&&r.call(this,I)&&!isNaN(+I.slice(1))&&(this[I]=t)},stop:function(){this.done=!0;var z=this.tryEntries[0].completion;if(z.type==="throw")throw z.arg;return this.rval},dispatchException:function(z){if(this.done)throw z;var I=this;function U(ye,Ie){return te.type="throw",te.arg=z,I.next=ye,Ie&&(I.method="next",I.arg=t),!!Ie}for(var $=this.tryEntries.length-1;$>=0;--$){var W=this.tryEntries[$],te=W.completion;if(W.tryLoc==="root")return U("end");if(W.tryLoc<=this.prev){var ne=r.call(W,"catchLoc"),ve=r.call(W,"finallyLoc");if(ne&&ve){if(this.prev<W.catchLoc)return U(W.catchLoc,!0);if(this.prev<W.finallyLoc)return U(W.finallyLoc)}else if(ne){if(this.prev<W.catchLoc)return U(W.catchLoc,!0)}else{if(!ve)throw Error("try statement without catch or finally");if(this.prev<W.finallyLoc)return U(W.finallyLoc)}}}},abrupt:function(z,I){for(var U=this.tryEntries.length-1;U>=0;--U){var $=this.tryEntries[U];if($.tryLoc<=this.prev&&r.call($,"finallyLoc")&&this.prev<$.finallyLoc){var W=$;break}}W&&(z==="break"||z==="continue")&&W.tryLoc<=I&&I<=W.finallyLoc&&(W=null);var te=W?W.completion:{};return te.type=z,te.arg=I,W?(this.method="next",this.next=W.finallyLoc,x):this.complete(te)},complete:function(z,I){if(z.type==="throw")throw z.arg;return z.type==="break"||z.type==="continue"?this.next=z.arg:z.type==="return"?(this.rval=this.arg=z.arg,this.method="return",this.next="end"):z.type==="normal"&&I&&(this.next=I),x},finish:function(z){for(var I=this.tryEntries.length-1;I>=0;--I){var U=this.tryEntries[I];if(U.finallyLoc===z)return this.complete(U.completion,U.afterLoc),le(U),x}},catch:function(z){for(var I=this.tryEntries.length-1;I>=0;--I){var U=this.tryEntries[I];if(U.tryLoc===z){var $=U.completion;if($.type==="throw"){var W=$.arg;le(U)}return W}}throw Error("illegal catch attempt")},delegateYield:function(z,I,U){return this.delegate={iterator:Oe(z),resultName:I,nextLoc:U},this.method==="next"&&(this.arg=t),x}},e}function Jr(t,e,i,r,a,s,d){try{var g=t[s](d),v=g.value}catch(p){return void i(p)}g.done?e(v):Promise.resolve(v).then(r,a)}function Zi(t){return function(){var e=this,i=arguments;return new Promise(function(r,a){var s=t.apply(e,i);function d(v){Jr(s,r,a,d,g,"next",v)}function g(v){Jr(s,r,a,d,g,"throw",v)}d(void 0)})}}var $i={size:{mode:"max",value:512},objectFit:"cover",correctCentering:!1,maxTextureSize:4096,debounceTimeout:500,crossOrigin:"anonymous"},Zo=1;function Qi(t){var e=arguments.length>1&&arguments[1]!==void 0?arguments[1]:{},i=e.crossOrigin;return new Promise(function(r,a){var s=new Image;s.addEventListener("load",function(){r(s)},{once:!0}),s.addEventListener("error",function(d){a(d.error)},{once:!0}),i&&s.setAttribute("crossOrigin",i),s.src=t})}function $o(t){return Ji.apply(this,arguments)}function Ji(){return Ji=Zi(at().mark(function t(e){var i,r,a,s,d,g,v,p,y,b,w,T,S,C=arguments;return at().wrap(function(x){for(;;)switch(x.prev=x.next){case 0:if(i=C.length>1&&C[1]!==void 0?C[1]:{},r=i.size,a=i.crossOrigin,a!=="use-credentials"){x.next=7;break}return x.next=4,fetch(e,{credentials:"include"});case 4:s=x.sent,x.next=10;break;case 7:return x.next=9,fetch(e);case 9:s=x.sent;case 10:return x.next=12,s.text();case 12:if(d=x.sent,g=new DOMParser().parseFromString(d,"image/svg+xml"),v=g.documentElement,p=v.getAttribute("width"),y=v.getAttribute("height"),!(!p||!y)){x.next=19;break}throw new Error("loadSVGImage: cannot use `size` if target SVG has no definite dimensions.");case 19:return typeof r=="number"&&(v.setAttribute("width",""+r),v.setAttribute("height",""+r)),b=new XMLSerializer().serializeToString(g),w=new Blob([b],{type:"image/svg+xml"}),T=URL.createObjectURL(w),S=Qi(T),S.finally(function(){return URL.revokeObjectURL(T)}),x.abrupt("return",S);case 26:case"end":return x.stop()}},t)})),Ji.apply(this,arguments)}function Qo(t){return er.apply(this,arguments)}function er(){return er=Zi(at().mark(function t(e){var i,r,a,s,d,g,v=arguments;return at().wrap(function(p){for(;;)switch(p.prev=p.next){case 0:if(r=v.length>1&&v[1]!==void 0?v[1]:{},a=r.size,s=r.crossOrigin,d=((i=e.split(/[#?]/)[0].split(".").pop())===null||i===void 0?void 0:i.trim().toLowerCase())==="svg",!(d&&a)){p.next=16;break}return p.prev=3,p.next=6,$o(e,{size:a,crossOrigin:s});case 6:g=p.sent,p.next=14;break;case 9:return p.prev=9,p.t0=p.catch(3),p.next=13,Qi(e,{crossOrigin:s});case 13:g=p.sent;case 14:p.next=19;break;case 16:return p.next=18,Qi(e,{crossOrigin:s});case 18:g=p.sent;case 19:return p.abrupt("return",g);case 20:case"end":return p.stop()}},t,null,[[3,9]])})),er.apply(this,arguments)}function Jo(t,e,i){var r=i.objectFit,a=i.size,s=i.correctCentering,d=r==="contain"?Math.max(t.width,t.height):Math.min(t.width,t.height),g=a.mode==="auto"?d:a.mode==="force"?a.value:Math.min(a.value,d),v=(t.width-d)/2,p=(t.height-d)/2;if(s){var y=e.getCorrectionOffset(t,d);v=y.x,p=y.y}return{sourceX:v,sourceY:p,sourceSize:d,destinationSize:g}}function ea(t,e,i){for(var r=e.canvas,a=r.width,s=r.height,d=[],g=i.x,v=i.y,p=i.rowHeight,y=i.maxRowWidth,b={},w=0,T=t.length;w<T;w++){var S=t[w],C=S.key,x=S.image,L=S.sourceSize,O=S.sourceX,R=S.sourceY,_=S.destinationSize,k=_+Zo;v+k>s||g+k>a&&v+k+p>s||(g+k>a&&(y=Math.max(y,g),g=0,v+=p,p=k),d.push({key:C,image:x,sourceX:O,sourceY:R,sourceSize:L,destinationX:g,destinationY:v,destinationSize:_}),b[C]={x:g,y:v,size:_},g+=k,p=Math.max(p,k))}y=Math.max(y,g);for(var F=y,j=v+p,H=0,q=d.length;H<q;H++){var J=d[H],re=J.image,fe=J.sourceSize,le=J.sourceX,Ee=J.sourceY,Oe=J.destinationSize,z=J.destinationX,I=J.destinationY;e.drawImage(re,le,Ee,fe,fe,z,I,Oe,Oe)}return{atlas:b,texture:e.getImageData(0,0,F,j),cursor:{x:g,y:v,rowHeight:p,maxRowWidth:y}}}function ta(t,e,i){var r=t.atlas,a=t.textures,s=t.cursor,d={atlas:Ce({},r),textures:Wi(a.slice(0,-1)),cursor:Ce({},s)},g=[];for(var v in e){var p,y=e[v];if(y.status==="ready"){var b=(p=r[v])===null||p===void 0?void 0:p.textureIndex;typeof b!="number"&&g.push(Ce({key:v},y))}}for(var w=function(){var T=ea(g,i,d.cursor),S=T.atlas,C=T.texture,x=T.cursor;d.cursor=x;var L=[];g.forEach(function(O){S[O.key]?d.atlas[O.key]=Ce(Ce({},S[O.key]),{},{textureIndex:d.textures.length}):L.push(O)}),d.textures.push(C),g=L,g.length&&(d.cursor={x:0,y:0,rowHeight:0,maxRowWidth:0},i.clearRect(0,0,i.canvas.width,i.canvas.height))};g.length;)w();return d}var ia=(function(){function t(){Yi(this,t),this.canvas=document.createElement("canvas"),this.context=this.canvas.getContext("2d",{willReadFrequently:!0})}return qi(t,[{key:"getCorrectionOffset",value:function(e,i){this.canvas.width=i,this.canvas.height=i,this.context.clearRect(0,0,i,i),this.context.drawImage(e,0,0,i,i);for(var r=this.context.getImageData(0,0,i,i).data,a=new Uint8ClampedArray(r.length/4),s=0;s<r.length;s++)a[s]=r[s*4+3];for(var d=0,g=0,v=0,p=0;p<i;p++)for(var y=0;y<i;y++){var b=a[p*i+y];v+=b,d+=b*y,g+=b*p}var w=d/v,T=g/v;return{x:w-i/2,y:T-i/2}}}])})(),fi=(function(t){function e(){var i,r=arguments.length>0&&arguments[0]!==void 0?arguments[0]:{};return Yi(this,e),i=Kr(this,e),me(i,"canvas",document.createElement("canvas")),me(i,"ctx",i.canvas.getContext("2d",{willReadFrequently:!0})),me(i,"corrector",new ia),me(i,"imageStates",{}),me(i,"textures",[i.ctx.getImageData(0,0,1,1)]),me(i,"lastTextureCursor",{x:0,y:0,rowHeight:0,maxRowWidth:0}),me(i,"atlas",{}),i.options=Ce(Ce({},$i),r),i.canvas.width=i.options.maxTextureSize,i.canvas.height=i.options.maxTextureSize,i}return $r(e,t),qi(e,[{key:"scheduleGenerateTexture",value:function(){var i=this;typeof this.frameId!="number"&&(typeof this.options.debounceTimeout=="number"?this.frameId=window.setTimeout(function(){i.generateTextures(),i.frameId=void 0},this.options.debounceTimeout):this.generateTextures())}},{key:"generateTextures",value:function(){var i=ta({atlas:this.atlas,textures:this.textures,cursor:this.lastTextureCursor},this.imageStates,this.ctx),r=i.atlas,a=i.textures,s=i.cursor;this.atlas=r,this.textures=a,this.lastTextureCursor=s,this.emit(e.NEW_TEXTURE_EVENT,{atlas:r,textures:a})}},{key:"registerImage",value:(function(){var i=Zi(at().mark(function a(s){var d,g;return at().wrap(function(v){for(;;)switch(v.prev=v.next){case 0:if(!this.imageStates[s]){v.next=2;break}return v.abrupt("return");case 2:return this.imageStates[s]={status:"loading"},v.prev=3,d=this.options.size,v.next=7,Qo(s,{size:d.mode==="force"?d.value:void 0,crossOrigin:this.options.crossOrigin||void 0});case 7:g=v.sent,this.imageStates[s]=Ce({status:"ready",image:g},Jo(g,this.corrector,this.options)),this.scheduleGenerateTexture(),v.next=15;break;case 12:v.prev=12,v.t0=v.catch(3),this.imageStates[s]={status:"error"};case 15:case"end":return v.stop()}},a,this,[[3,12]])}));function r(a){return i.apply(this,arguments)}return r})()},{key:"getAtlas",value:function(){return this.atlas}},{key:"getTextures",value:function(){return this.textures}}])})(Yr.EventEmitter);me(fi,"NEW_TEXTURE_EVENT","newTexture");var ra=["drawHover","drawLabel","drawingMode","keepWithinCircle","padding","colorAttribute","imageAttribute"],en=WebGLRenderingContext,tn=en.UNSIGNED_BYTE,Mt=en.FLOAT,na=Ce(Ce({},$i),{},{drawingMode:"background",keepWithinCircle:!0,drawLabel:void 0,drawHover:void 0,padding:0,colorAttribute:"color",imageAttribute:"image"}),oa=["u_sizeRatio","u_correctionRatio","u_cameraAngle","u_percentagePadding","u_matrix","u_colorizeImages","u_keepWithinCircle","u_atlas"];function tr(t){var e,i=document.createElement("canvas").getContext("webgl"),r=Math.min(i.getParameter(i.MAX_TEXTURE_SIZE),$i.maxTextureSize);i.canvas.remove();var a=Ce(Ce(Ce({},na),{maxTextureSize:r}),t||{}),s=a.drawHover,d=a.drawLabel,g=a.drawingMode,v=a.keepWithinCircle,p=a.padding,y=a.colorAttribute,b=a.imageAttribute,w=Yo(a,ra),T=new fi(w);return e=(function(S){function C(x,L,O){var R;return Yi(this,C),R=Kr(this,C,[x,L,O]),me(R,"drawLabel",d),me(R,"drawHover",s),me(R,"textureManagerCallback",null),R.textureManagerCallback=function(_){var k=_.atlas,F=_.textures,j=F.length!==R.textures.length;R.atlas=k,R.textureImages=F,j&&R.upgradeShaders(),R.bindTextures(),R.latestRenderParams&&R.render(R.latestRenderParams),R.renderer&&R.renderer.refresh&&R.renderer.refresh()},T.on(fi.NEW_TEXTURE_EVENT,R.textureManagerCallback),R.atlas=T.getAtlas(),R.textureImages=T.getTextures(),R.textures=R.textureImages.map(function(){return x.createTexture()}),R.bindTextures(),R}return $r(C,S),qi(C,[{key:"getDefinition",value:function(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Ko,FRAGMENT_SHADER_SOURCE:qo({texturesCount:T.getTextures().length}),METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:oa,ATTRIBUTES:[{name:"a_position",size:2,type:Mt},{name:"a_size",size:1,type:Mt},{name:"a_color",size:4,type:tn,normalized:!0},{name:"a_id",size:4,type:tn,normalized:!0},{name:"a_texture",size:4,type:Mt},{name:"a_textureIndex",size:1,type:Mt}],CONSTANT_ATTRIBUTES:[{name:"a_angle",size:1,type:Mt}],CONSTANT_DATA:[[C.ANGLE_1],[C.ANGLE_2],[C.ANGLE_3]]}}},{key:"upgradeShaders",value:function(){var x=this.getDefinition(),L=this.normalProgram,O=L.program,R=L.buffer,_=L.vertexShader,k=L.fragmentShader,F=L.gl;F.deleteProgram(O),F.deleteBuffer(R),F.deleteShader(_),F.deleteShader(k),this.normalProgram=this.getProgramInfo("normal",F,x.VERTEX_SHADER_SOURCE,x.FRAGMENT_SHADER_SOURCE,null)}},{key:"kill",value:function(){var x,L=(x=this.normalProgram)===null||x===void 0?void 0:x.gl;if(L)for(var O=0;O<this.textures.length;O++)L.deleteTexture(this.textures[O]);this.textureManagerCallback&&(T.off(fi.NEW_TEXTURE_EVENT,this.textureManagerCallback),this.textureManagerCallback=null),Zr(C,"kill",this)([])}},{key:"bindTextures",value:function(){for(var x=this.normalProgram.gl,L=0;L<this.textureImages.length;L++){if(L>=this.textures.length){var O=x.createTexture();O&&this.textures.push(O)}x.activeTexture(x.TEXTURE0+L),x.bindTexture(x.TEXTURE_2D,this.textures[L]),x.texImage2D(x.TEXTURE_2D,0,x.RGBA,x.RGBA,x.UNSIGNED_BYTE,this.textureImages[L]),x.generateMipmap(x.TEXTURE_2D)}}},{key:"renderProgram",value:function(x,L){if(!L.isPicking)for(var O=L.gl,R=0;R<this.textureImages.length;R++)O.activeTexture(O.TEXTURE0+R),O.bindTexture(O.TEXTURE_2D,this.textures[R]);Zr(C,"renderProgram",this)([x,L])}},{key:"processVisibleItem",value:function(x,L,O){var R=this.array,_=ee(O[y]),k=O[b],F=k?this.atlas[k]:void 0;if(typeof k=="string"&&!F&&T.registerImage(k),R[L++]=O.x,R[L++]=O.y,R[L++]=O.size,R[L++]=_,R[L++]=x,F&&typeof F.textureIndex=="number"){var j=this.textureImages[F.textureIndex],H=j.width,q=j.height;R[L++]=F.x/H,R[L++]=F.y/q,R[L++]=F.size/H,R[L++]=F.size/q,R[L++]=F.textureIndex}else R[L++]=0,R[L++]=0,R[L++]=0,R[L++]=0,R[L++]=0}},{key:"setUniforms",value:function(x,L){var O=L.gl,R=L.uniformLocations,_=R.u_sizeRatio,k=R.u_correctionRatio,F=R.u_matrix,j=R.u_atlas,H=R.u_colorizeImages,q=R.u_keepWithinCircle,J=R.u_cameraAngle,re=R.u_percentagePadding;this.latestRenderParams=x,O.uniform1f(k,x.correctionRatio),O.uniform1f(_,v?x.sizeRatio:x.sizeRatio/Math.SQRT2),O.uniform1f(J,x.cameraAngle),O.uniform1f(re,p),O.uniformMatrix3fv(F,!1,x.matrix),O.uniform1iv(j,Wi(new Array(this.textureImages.length)).map(function(fe,le){return le})),O.uniform1i(H,g==="color"?1:0),O.uniform1i(q,v?1:0)}}])})(rt),me(e,"ANGLE_1",0),me(e,"ANGLE_2",2*Math.PI/3),me(e,"ANGLE_3",4*Math.PI/3),me(e,"textureManager",T),e}tr(),tr({keepWithinCircle:!1,size:{mode:"force",value:256},drawingMode:"color",correctCentering:!0});function aa(t){if(Array.isArray(t))return t}function sa(t,e){var i=t==null?null:typeof Symbol<"u"&&t[Symbol.iterator]||t["@@iterator"];if(i!=null){var r,a,s,d,g=[],v=!0,p=!1;try{if(s=(i=i.call(t)).next,e!==0)for(;!(v=(r=s.call(i)).done)&&(g.push(r.value),g.length!==e);v=!0);}catch(y){p=!0,a=y}finally{try{if(!v&&i.return!=null&&(d=i.return(),Object(d)!==d))return}finally{if(p)throw a}}return g}}function ir(t,e){(e==null||e>t.length)&&(e=t.length);for(var i=0,r=Array(e);i<e;i++)r[i]=t[i];return r}function rn(t,e){if(t){if(typeof t=="string")return ir(t,e);var i={}.toString.call(t).slice(8,-1);return i==="Object"&&t.constructor&&(i=t.constructor.name),i==="Map"||i==="Set"?Array.from(t):i==="Arguments"||/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array$/.test(i)?ir(t,e):void 0}}function ca(){throw new TypeError(`Invalid attempt to destructure non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function nn(t,e){return aa(t)||sa(t,e)||rn(t,e)||ca()}function ua(t,e){if(!(t instanceof e))throw new TypeError("Cannot call a class as a function")}function ha(t,e){if(typeof t!="object"||!t)return t;var i=t[Symbol.toPrimitive];if(i!==void 0){var r=i.call(t,e);if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(e==="string"?String:Number)(t)}function on(t){var e=ha(t,"string");return typeof e=="symbol"?e:e+""}function da(t,e){for(var i=0;i<e.length;i++){var r=e[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(t,on(r.key),r)}}function la(t,e,i){return e&&da(t.prototype,e),Object.defineProperty(t,"prototype",{writable:!1}),t}function gi(t){return gi=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(e){return e.__proto__||Object.getPrototypeOf(e)},gi(t)}function an(){try{var t=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],function(){}))}catch{}return(an=function(){return!!t})()}function fa(t){if(t===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return t}function ga(t,e){if(e&&(typeof e=="object"||typeof e=="function"))return e;if(e!==void 0)throw new TypeError("Derived constructors may only return object or undefined");return fa(t)}function pa(t,e,i){return e=gi(e),ga(t,an()?Reflect.construct(e,i||[],gi(t).constructor):e.apply(t,i))}function rr(t,e){return rr=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(i,r){return i.__proto__=r,i},rr(t,e)}function ma(t,e){if(typeof e!="function"&&e!==null)throw new TypeError("Super expression must either be null or a function");t.prototype=Object.create(e&&e.prototype,{constructor:{value:t,writable:!0,configurable:!0}}),Object.defineProperty(t,"prototype",{writable:!1}),e&&rr(t,e)}function yt(t,e,i){return(e=on(e))in t?Object.defineProperty(t,e,{value:i,enumerable:!0,configurable:!0,writable:!0}):t[e]=i,t}function va(t){if(Array.isArray(t))return ir(t)}function ya(t){if(typeof Symbol<"u"&&t[Symbol.iterator]!=null||t["@@iterator"]!=null)return Array.from(t)}function ba(){throw new TypeError(`Invalid attempt to spread non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function Ut(t){return va(t)||ya(t)||rn(t)||ba()}function sn(t,e){var i=Object.keys(t);if(Object.getOwnPropertySymbols){var r=Object.getOwnPropertySymbols(t);e&&(r=r.filter(function(a){return Object.getOwnPropertyDescriptor(t,a).enumerable})),i.push.apply(i,r)}return i}function cn(t){for(var e=1;e<arguments.length;e++){var i=arguments[e]!=null?arguments[e]:{};e%2?sn(Object(i),!0).forEach(function(r){yt(t,r,i[r])}):Object.getOwnPropertyDescriptors?Object.defineProperties(t,Object.getOwnPropertyDescriptors(i)):sn(Object(i)).forEach(function(r){Object.defineProperty(t,r,Object.getOwnPropertyDescriptor(i,r))})}return t}function _a(t){var e=t.slices,i=t.offset,r=`
precision highp float;

varying vec2 v_diffVector;
varying float v_radius;

#ifdef PICKING_MODE
varying vec4 v_color;
#else
// For normal mode, we use the border colors defined in the program:
`.concat(e.flatMap(function(a,s){var d=a.value;return"attribute"in d?["varying float v_sliceValue_".concat(s+1,";")]:[]}).join(`
`),`
`).concat(e.map(function(a,s){var d=a.color;return"attribute"in d?"varying vec4 v_sliceColor_".concat(s+1,";"):"uniform vec4 u_sliceColor_".concat(s+1,";")}).join(`
`),`
#endif

uniform vec4 u_defaultColor;
uniform float u_cameraAngle;
uniform float u_correctionRatio;

`).concat("attribute"in i?`varying float v_offset;
`:"",`
`).concat("value"in i?`uniform float u_offset;
`:"",`

const float bias = 255.0 / 254.0;
const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main(void) {
  float aaBorder = u_correctionRatio * 2.0;;
  float dist = length(v_diffVector);
  float offset = `).concat("attribute"in i?"v_offset":"u_offset",`;
  float angle = atan(v_diffVector.y / v_diffVector.x);
  if (v_diffVector.x < 0.0 && v_diffVector.y < 0.0) angle += `).concat(Math.PI,`;
  else if (v_diffVector.x < 0.0) angle += `).concat(Math.PI,`;
  else if (v_diffVector.y < 0.0) angle += `).concat(2*Math.PI,`;
  angle = angle - u_cameraAngle + offset;
  angle = mod(angle, `).concat(2*Math.PI,`);

  // No antialiasing for picking mode:
  #ifdef PICKING_MODE
  if (dist > v_radius)
    gl_FragColor = transparent;
  else {
    gl_FragColor = v_color;
    gl_FragColor.a *= bias;
  }
  #else
  // Colors:
`).concat(e.map(function(a,s){var d=a.color,g=[];return"attribute"in d?g.push("  vec4 sliceColor_".concat(s+1," = v_sliceColor_").concat(s+1,";")):"transparent"in d?g.push("  vec4 sliceColor_".concat(s+1," = vec4(0.0, 0.0, 0.0, 0.0);")):g.push("  vec4 sliceColor_".concat(s+1," = u_sliceColor_").concat(s+1,";")),g.push("  sliceColor_".concat(s+1,".a *= bias;")),g.join(`
`)}).join(`
`),`
  vec4 color = u_defaultColor;
  color.a *= bias;

  // Sizes:
`).concat(e.map(function(a,s){var d=a.value;return"  float sliceValue_".concat(s+1," = ").concat("attribute"in d?"v_sliceValue_".concat(s+1):dt(d.value),";")}).join(`
`),`

  // Angles and final color:
  float total = `).concat(e.map(function(a,s){return"sliceValue_".concat(s+1)}).join(" + "),`;
  float angle_0 = 0.0;
  if (total > 0.0) {
`).concat(e.map(function(a,s){return"    float angle_".concat(s+1," = angle_").concat(s," + sliceValue_").concat(s+1," * ").concat(2*Math.PI," / total;")}).join(`
`),`
    `).concat(e.map(function(a,s){return"if (angle < angle_".concat(s+1,") color = sliceColor_").concat(s+1,";")}).join(`
    else `),`
  }

  if (dist < v_radius - aaBorder) {
    gl_FragColor = color;
  } else if (dist < v_radius) {
    gl_FragColor = mix(transparent, color, (v_radius - dist) / aaBorder);
  }
  #endif
}
`);return r}function wa(t){var e=t.slices,i=t.offset,r=`
attribute vec4 a_id;
attribute vec2 a_position;
attribute float a_size;
attribute float a_angle;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;

varying vec2 v_diffVector;
varying float v_radius;

`.concat("attribute"in i?`attribute float a_offset;
`:"",`
`).concat("attribute"in i?`varying float v_offset;
`:"",`

#ifdef PICKING_MODE
varying vec4 v_color;
#else
`).concat(e.flatMap(function(a,s){var d=a.value;return"attribute"in d?["attribute float a_sliceValue_".concat(s+1,";"),"varying float v_sliceValue_".concat(s+1,";")]:[]}).join(`
`),`
`).concat(e.flatMap(function(a,s){var d=a.color;return"attribute"in d?["attribute vec4 a_sliceColor_".concat(s+1,";"),"varying vec4 v_sliceColor_".concat(s+1,";")]:[]}).join(`
`),`
#endif

const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main() {
  float size = a_size * u_correctionRatio / u_sizeRatio * 4.0;
  vec2 diffVector = size * vec2(cos(a_angle), sin(a_angle));
  vec2 position = a_position + diffVector;
  gl_Position = vec4(
    (u_matrix * vec3(position, 1)).xy,
    0,
    1
  );

  v_radius = size / 2.0;
  v_diffVector = diffVector;
  `).concat("attribute"in i?`v_offset = a_offset;
`:"",`

  #ifdef PICKING_MODE
  v_color = a_id;
  #else
`).concat(e.flatMap(function(a,s){var d=a.value;return"attribute"in d?["  v_sliceValue_".concat(s+1," = a_sliceValue_").concat(s+1,";")]:[]}).join(`
`),`
`).concat(e.flatMap(function(a,s){var d=a.color;return"attribute"in d?["  v_sliceColor_".concat(s+1," = a_sliceColor_").concat(s+1,";")]:[]}).join(`
`),`
  #endif
}
`);return r}var nr="#000000",Ea={drawLabel:void 0,drawHover:void 0,defaultColor:nr,offset:{value:0}},un=WebGLRenderingContext,hn=un.UNSIGNED_BYTE,Bt=un.FLOAT;function Ta(t){var e,i=cn(cn({},Ea),t),r=i.slices,a=i.offset,s=i.drawHover,d=i.drawLabel,g=["u_sizeRatio","u_correctionRatio","u_cameraAngle","u_matrix","u_defaultColor"].concat(Ut("value"in a?["u_offset"]:[]),Ut(r.flatMap(function(v,p){var y=v.color;return"value"in y?["u_sliceColor_".concat(p+1)]:[]})));return e=(function(v){function p(){var y;ua(this,p);for(var b=arguments.length,w=new Array(b),T=0;T<b;T++)w[T]=arguments[T];return y=pa(this,p,[].concat(w)),yt(y,"drawLabel",d),yt(y,"drawHover",s),y}return ma(p,v),la(p,[{key:"getDefinition",value:function(){return{VERTICES:3,VERTEX_SHADER_SOURCE:wa(i),FRAGMENT_SHADER_SOURCE:_a(i),METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:g,ATTRIBUTES:[{name:"a_position",size:2,type:Bt},{name:"a_id",size:4,type:hn,normalized:!0},{name:"a_size",size:1,type:Bt}].concat(Ut("attribute"in a?[{name:"a_offset",size:1,type:Bt}]:[]),Ut(r.flatMap(function(y,b){var w=y.color;return"attribute"in w?[{name:"a_sliceColor_".concat(b+1),size:4,type:hn,normalized:!0}]:[]})),Ut(r.flatMap(function(y,b){var w=y.value;return"attribute"in w?[{name:"a_sliceValue_".concat(b+1),size:1,type:Bt}]:[]}))),CONSTANT_ATTRIBUTES:[{name:"a_angle",size:1,type:Bt}],CONSTANT_DATA:[[p.ANGLE_1],[p.ANGLE_2],[p.ANGLE_3]]}}},{key:"processVisibleItem",value:function(y,b,w){var T=this.array;T[b++]=w.x,T[b++]=w.y,T[b++]=y,T[b++]=w.size,"attribute"in a&&(T[b++]=w[a.attribute]||0),r.forEach(function(S){var C=S.color;"attribute"in C&&(T[b++]=ee(w[C.attribute]||C.defaultValue||nr))}),r.forEach(function(S){var C=S.value;"attribute"in C&&(T[b++]=w[C.attribute]||0)})}},{key:"setUniforms",value:function(y,b){var w=b.gl,T=b.uniformLocations,S=T.u_sizeRatio,C=T.u_correctionRatio,x=T.u_cameraAngle,L=T.u_matrix,O=T.u_defaultColor;w.uniform1f(C,y.correctionRatio),w.uniform1f(S,y.sizeRatio),w.uniform1f(x,y.cameraAngle),w.uniformMatrix3fv(L,!1,y.matrix),"value"in a&&w.uniform1f(T.u_offset,a.value);var R=ut(i.defaultColor||nr),_=nn(R,4),k=_[0],F=_[1],j=_[2],H=_[3];w.uniform4f(O,k/255,F/255,j/255,H/255),r.forEach(function(q,J){var re=q.color;if("value"in re){var fe=T["u_sliceColor_".concat(J+1)],le=ut(re.value),Ee=nn(le,4),Oe=Ee[0],z=Ee[1],I=Ee[2],U=Ee[3];w.uniform4f(fe,Oe/255,z/255,I/255,U/255)}})}}])})(rt),yt(e,"ANGLE_1",0),yt(e,"ANGLE_2",2*Math.PI/3),yt(e,"ANGLE_3",4*Math.PI/3),e}let dn=t=>t,ln=t=>t*t,fn=t=>t*(2-t),gn=t=>(t*=2)<1?.5*t*t:-.5*(--t*(t-2)-1),pn=t=>t*t*t,mn=t=>--t*t*t+1,vn=t=>(t*=2)<1?.5*t*t*t:.5*((t-=2)*t*t+2),or={linear:dn,quadraticIn:ln,quadraticOut:fn,quadraticInOut:gn,cubicIn:pn,cubicOut:mn,cubicInOut:vn},ar={easing:"quadraticInOut",duration:150};function xa(t,e,i,r){let a=Object.assign({},ar,i),s=typeof a.easing=="function"?a.easing:or[a.easing],d=Date.now(),g={};for(let y in e){let b=e[y];g[y]={};for(let w in b)g[y][w]=t.getNodeAttribute(y,w)}let v=null,p=()=>{v=null;let y=(Date.now()-d)/a.duration;if(y>=1){for(let b in e){let w=e[b];for(let T in w)t.setNodeAttribute(b,T,w[T])}typeof r=="function"&&r();return}y=s(y);for(let b in e){let w=e[b],T=g[b];for(let S in w)t.setNodeAttribute(b,S,w[S]*y+T[S]*(1-y))}v=requestAnimationFrame(p)};return p(),()=>{v&&cancelAnimationFrame(v)}}let pi={black:"#000000",silver:"#C0C0C0",gray:"#808080",grey:"#808080",white:"#FFFFFF",maroon:"#800000",red:"#FF0000",purple:"#800080",fuchsia:"#FF00FF",green:"#008000",lime:"#00FF00",olive:"#808000",yellow:"#FFFF00",navy:"#000080",blue:"#0000FF",teal:"#008080",aqua:"#00FFFF",darkblue:"#00008B",mediumblue:"#0000CD",darkgreen:"#006400",darkcyan:"#008B8B",deepskyblue:"#00BFFF",darkturquoise:"#00CED1",mediumspringgreen:"#00FA9A",springgreen:"#00FF7F",cyan:"#00FFFF",midnightblue:"#191970",dodgerblue:"#1E90FF",lightseagreen:"#20B2AA",forestgreen:"#228B22",seagreen:"#2E8B57",darkslategray:"#2F4F4F",darkslategrey:"#2F4F4F",limegreen:"#32CD32",mediumseagreen:"#3CB371",turquoise:"#40E0D0",royalblue:"#4169E1",steelblue:"#4682B4",darkslateblue:"#483D8B",mediumturquoise:"#48D1CC",indigo:"#4B0082",darkolivegreen:"#556B2F",cadetblue:"#5F9EA0",cornflowerblue:"#6495ED",rebeccapurple:"#663399",mediumaquamarine:"#66CDAA",dimgray:"#696969",dimgrey:"#696969",slateblue:"#6A5ACD",olivedrab:"#6B8E23",slategray:"#708090",slategrey:"#708090",lightslategray:"#778899",lightslategrey:"#778899",mediumslateblue:"#7B68EE",lawngreen:"#7CFC00",chartreuse:"#7FFF00",aquamarine:"#7FFFD4",skyblue:"#87CEEB",lightskyblue:"#87CEFA",blueviolet:"#8A2BE2",darkred:"#8B0000",darkmagenta:"#8B008B",saddlebrown:"#8B4513",darkseagreen:"#8FBC8F",lightgreen:"#90EE90",mediumpurple:"#9370DB",darkviolet:"#9400D3",palegreen:"#98FB98",darkorchid:"#9932CC",yellowgreen:"#9ACD32",sienna:"#A0522D",brown:"#A52A2A",darkgray:"#A9A9A9",darkgrey:"#A9A9A9",lightblue:"#ADD8E6",greenyellow:"#ADFF2F",paleturquoise:"#AFEEEE",lightsteelblue:"#B0C4DE",powderblue:"#B0E0E6",firebrick:"#B22222",darkgoldenrod:"#B8860B",mediumorchid:"#BA55D3",rosybrown:"#BC8F8F",darkkhaki:"#BDB76B",mediumvioletred:"#C71585",indianred:"#CD5C5C",peru:"#CD853F",chocolate:"#D2691E",tan:"#D2B48C",lightgray:"#D3D3D3",lightgrey:"#D3D3D3",thistle:"#D8BFD8",orchid:"#DA70D6",goldenrod:"#DAA520",palevioletred:"#DB7093",crimson:"#DC143C",gainsboro:"#DCDCDC",plum:"#DDA0DD",burlywood:"#DEB887",lightcyan:"#E0FFFF",lavender:"#E6E6FA",darksalmon:"#E9967A",violet:"#EE82EE",palegoldenrod:"#EEE8AA",lightcoral:"#F08080",khaki:"#F0E68C",aliceblue:"#F0F8FF",honeydew:"#F0FFF0",azure:"#F0FFFF",sandybrown:"#F4A460",wheat:"#F5DEB3",beige:"#F5F5DC",whitesmoke:"#F5F5F5",mintcream:"#F5FFFA",ghostwhite:"#F8F8FF",salmon:"#FA8072",antiquewhite:"#FAEBD7",linen:"#FAF0E6",lightgoldenrodyellow:"#FAFAD2",oldlace:"#FDF5E6",magenta:"#FF00FF",deeppink:"#FF1493",orangered:"#FF4500",tomato:"#FF6347",hotpink:"#FF69B4",coral:"#FF7F50",darkorange:"#FF8C00",lightsalmon:"#FFA07A",orange:"#FFA500",lightpink:"#FFB6C1",pink:"#FFC0CB",gold:"#FFD700",peachpuff:"#FFDAB9",navajowhite:"#FFDEAD",moccasin:"#FFE4B5",bisque:"#FFE4C4",mistyrose:"#FFE4E1",blanchedalmond:"#FFEBCD",papayawhip:"#FFEFD5",lavenderblush:"#FFF0F5",seashell:"#FFF5EE",cornsilk:"#FFF8DC",lemonchiffon:"#FFFACD",floralwhite:"#FFFAF0",snow:"#FFFAFA",lightyellow:"#FFFFE0",ivory:"#FFFFF0"};function Ra(t,e,i,r){let a=r||new Uint8Array(4);return t.readPixels(e,i,1,1,t.RGBA,t.UNSIGNED_BYTE,a),a}let yn=new Int8Array(4),mi=new Int32Array(yn.buffer,0,1),bn=new Float32Array(yn.buffer,0,1),Sa=/^\s*rgba?\s*\(/,Aa=/^\s*rgba?\s*\(\s*([0-9]*)\s*,\s*([0-9]*)\s*,\s*([0-9]*)(?:\s*,\s*(.*)?)?\)\s*$/;function _n(t){let e=0,i=0,r=0,a=1;if(t[0]==="#")t.length===4?(e=parseInt(t.charAt(1)+t.charAt(1),16),i=parseInt(t.charAt(2)+t.charAt(2),16),r=parseInt(t.charAt(3)+t.charAt(3),16)):(e=parseInt(t.charAt(1)+t.charAt(2),16),i=parseInt(t.charAt(3)+t.charAt(4),16),r=parseInt(t.charAt(5)+t.charAt(6),16)),t.length===9&&(a=parseInt(t.charAt(7)+t.charAt(8),16)/255);else if(Sa.test(t)){let s=t.match(Aa);s&&(e=+s[1],i=+s[2],r=+s[3],s[4]&&(a=+s[4]))}return{r:e,g:i,b:r,a}}let bt={};for(let t in pi)bt[t]=De(pi[t]),bt[pi[t]]=bt[t];function sr(t,e,i,r,a){return mi[0]=r<<24|i<<16|e<<8|t,a&&(mi[0]=mi[0]&4278190079),bn[0]}function De(t){if(t=t.toLowerCase(),typeof bt[t]<"u")return bt[t];let e=_n(t),{r:i,g:r,b:a}=e,{a:s}=e;s=s*255|0;let d=sr(i,r,a,s,!0);return bt[t]=d,d}function Ca(t,e){bn[0]=De(t);let i=mi[0];e&&(i=i|16777216);let r=i&255,a=i>>8&255,s=i>>16&255,d=i>>24&255;return[r,a,s,d]}let cr={};function ur(t){if(typeof cr[t]<"u")return cr[t];let e=(t&16711680)>>>16,i=(t&65280)>>>8,r=t&255,a=sr(e,i,r,255,!0);return cr[t]=a,a}function hr(t,e,i,r){return i+(e<<8)+(t<<16)}function dr(t,e,i,r,a,s){let d=Math.floor(i/s*a),g=Math.floor(t.drawingBufferHeight/s-r/s*a),v=new Uint8Array(4);t.bindFramebuffer(t.FRAMEBUFFER,e),t.readPixels(d,g,1,1,t.RGBA,t.UNSIGNED_BYTE,v);let[p,y,b,w]=v;return[p,y,b,w]}function Fe(){return Float32Array.of(1,0,0,0,1,0,0,0,1)}function jt(t,e,i){return t[0]=e,t[4]=typeof i=="number"?i:e,t}function lr(t,e){let i=Math.sin(e),r=Math.cos(e);return t[0]=r,t[1]=i,t[3]=-i,t[4]=r,t}function fr(t,e,i){return t[6]=e,t[7]=i,t}function Ve(t,e){let i=t[0],r=t[1],a=t[2],s=t[3],d=t[4],g=t[5],v=t[6],p=t[7],y=t[8],b=e[0],w=e[1],T=e[2],S=e[3],C=e[4],x=e[5],L=e[6],O=e[7],R=e[8];return t[0]=b*i+w*s+T*v,t[1]=b*r+w*d+T*p,t[2]=b*a+w*g+T*y,t[3]=S*i+C*s+x*v,t[4]=S*r+C*d+x*p,t[5]=S*a+C*g+x*y,t[6]=L*i+O*s+R*v,t[7]=L*r+O*d+R*p,t[8]=L*a+O*g+R*y,t}function vi(t,e,i=1){let r=t[0],a=t[1],s=t[3],d=t[4],g=t[6],v=t[7],p=e.x,y=e.y;return{x:p*r+y*s+g*i,y:p*a+y*d+v*i}}function wn(t,e){let i=t.height/t.width,r=e.height/e.width;return i<1&&r>1||i>1&&r<1?1:Math.min(Math.max(r,1/r),Math.max(1/i,i))}function _t(t,e,i,r,a){let{angle:s,ratio:d,x:g,y:v}=t,{width:p,height:y}=e,b=Fe(),w=Math.min(p,y)-2*r,T=wn(e,i);return a?(Ve(b,fr(Fe(),g,v)),Ve(b,jt(Fe(),d)),Ve(b,lr(Fe(),s)),Ve(b,jt(Fe(),p/w/2/T,y/w/2/T))):(Ve(b,jt(Fe(),2*(w/p)*T,2*(w/y)*T)),Ve(b,lr(Fe(),-s)),Ve(b,jt(Fe(),1/d)),Ve(b,fr(Fe(),-g,-v))),b}function En(t,e,i){let{x:r,y:a}=vi(t,{x:Math.cos(e.angle),y:Math.sin(e.angle)},0);return 1/Math.sqrt(Math.pow(r,2)+Math.pow(a,2))/i.width}function gr(t,e){let i=e.size;if(i===0)return;let r=t.length;t.length+=i;let a=0;e.forEach(s=>{t[r+a]=s,a++})}function Tn(t){return typeof t=="object"&&t!==null&&t.constructor===Object}function yi(t,...e){t=t||{};for(let i=0,r=e.length;i<r;i++){let a=e[i];a&&Object.assign(t,a)}return t}function xn(t,...e){t=t||{};for(let i=0,r=e.length;i<r;i++){let a=e[i];if(a)for(let s in a)Tn(a[s])?t[s]=xn(t[s],a[s]):t[s]=a[s]}return t}function Rn(t){if(!t.order)return{x:[0,1],y:[0,1]};let e=1/0,i=-1/0,r=1/0,a=-1/0;return t.forEachNode((s,d)=>{let{x:g,y:v}=d;g<e&&(e=g),g>i&&(i=g),v<r&&(r=v),v>a&&(a=v)}),{x:[e,i],y:[r,a]}}function Sn(t){if(!ci(t))throw new Error("Sigma: invalid graph instance.");t.forEachNode((e,i)=>{if(!Number.isFinite(i.x)||!Number.isFinite(i.y))throw new Error(`Sigma: Coordinates of node ${e} are invalid. A node must have a numeric 'x' and 'y' attribute.`)})}function An(t,e,i){let r=document.createElement(t);if(e)for(let a in e)r.style[a]=e[a];if(i)for(let a in i)r.setAttribute(a,i[a]);return r}function pr(){return typeof window.devicePixelRatio<"u"?window.devicePixelRatio:1}function mr(t,e,i){return i.sort(function(r,a){let s=e(r)||0,d=e(a)||0;return s<d?-1:s>d?1:0})}function vr(t){let{x:[e,i],y:[r,a]}=t,s=Math.max(i-e,a-r),d=(i+e)/2,g=(a+r)/2;(s===0||Math.abs(s)===1/0||isNaN(s))&&(s=1),isNaN(d)&&(d=0),isNaN(g)&&(g=0);let v=p=>({x:.5+(p.x-d)/s,y:.5+(p.y-g)/s});return v.applyTo=p=>{p.x=.5+(p.x-d)/s,p.y=.5+(p.y-g)/s},v.inverse=p=>({x:d+s*(p.x-.5),y:g+s*(p.y-.5)}),v.ratio=s,v}let ka=Object.freeze(Object.defineProperty({__proto__:null,ANIMATE_DEFAULTS:ar,HTML_COLORS:pi,animateNodes:xa,assign:yi,assignDeep:xn,colorToArray:Ca,colorToIndex:hr,createElement:An,createNormalizationFunction:vr,cubicIn:pn,cubicInOut:vn,cubicOut:mn,easings:or,extend:gr,extractPixel:Ra,floatColor:De,getCorrectionRatio:wn,getMatrixImpact:En,getPixelColor:dr,getPixelRatio:pr,graphExtent:Rn,identity:Fe,indexToColor:ur,isPlainObject:Tn,linear:dn,matrixFromCamera:_t,multiply:Ve,multiplyVec2:vi,parseColor:_n,quadraticIn:ln,quadraticInOut:gn,quadraticOut:fn,rgbaToFloat:sr,rotate:lr,scale:jt,translate:fr,validateGraph:Sn,zIndexOrdering:mr},Symbol.toStringTag,{value:"Module"}));function Cn(t){return t.normalized?1:t.size}function bi(t){let e=0;return t.forEach(i=>e+=Cn(i)),e}function kn(t,e,i){let r=t==="VERTEX"?e.VERTEX_SHADER:e.FRAGMENT_SHADER,a=e.createShader(r);if(a===null)throw new Error("loadShader: error while creating the shader");if(e.shaderSource(a,i),e.compileShader(a),!e.getShaderParameter(a,e.COMPILE_STATUS)){let s=e.getShaderInfoLog(a);throw e.deleteShader(a),new Error(`loadShader: error while compiling the shader:
${s}
${i}`)}return a}function Ln(t,e){return kn("VERTEX",t,e)}function Fn(t,e){return kn("FRAGMENT",t,e)}function Nn(t,e){let i=t.createProgram();if(i===null)throw new Error("loadProgram: error while creating the program.");let r,a;for(r=0,a=e.length;r<a;r++)t.attachShader(i,e[r]);if(t.linkProgram(i),!t.getProgramParameter(i,t.LINK_STATUS))throw t.deleteProgram(i),new Error("loadProgram: error while linking the program.");return i}function yr({gl:t,buffer:e,program:i,vertexShader:r,fragmentShader:a}){t.deleteShader(r),t.deleteShader(a),t.deleteProgram(i),t.deleteBuffer(e)}function La(t){return t%1===0?t.toFixed(1):t.toString()}let Dn=`#define PICKING_MODE
`,Fa={[WebGL2RenderingContext.BOOL]:1,[WebGL2RenderingContext.BYTE]:1,[WebGL2RenderingContext.UNSIGNED_BYTE]:1,[WebGL2RenderingContext.SHORT]:2,[WebGL2RenderingContext.UNSIGNED_SHORT]:2,[WebGL2RenderingContext.INT]:4,[WebGL2RenderingContext.UNSIGNED_INT]:4,[WebGL2RenderingContext.FLOAT]:4};class br{constructor(e,i,r){}}class _r{constructor(e,i,r){this.array=new Float32Array,this.constantArray=new Float32Array,this.capacity=0,this.verticesCount=0;let a=this.getDefinition();if(this.VERTICES=a.VERTICES,this.VERTEX_SHADER_SOURCE=a.VERTEX_SHADER_SOURCE,this.FRAGMENT_SHADER_SOURCE=a.FRAGMENT_SHADER_SOURCE,this.UNIFORMS=a.UNIFORMS,this.ATTRIBUTES=a.ATTRIBUTES,this.METHOD=a.METHOD,this.CONSTANT_ATTRIBUTES="CONSTANT_ATTRIBUTES"in a?a.CONSTANT_ATTRIBUTES:[],this.CONSTANT_DATA="CONSTANT_DATA"in a?a.CONSTANT_DATA:[],this.isInstanced="CONSTANT_ATTRIBUTES"in a,this.ATTRIBUTES_ITEMS_COUNT=bi(this.ATTRIBUTES),this.STRIDE=this.VERTICES*this.ATTRIBUTES_ITEMS_COUNT,this.renderer=r,this.normalProgram=this.getProgramInfo("normal",e,a.VERTEX_SHADER_SOURCE,a.FRAGMENT_SHADER_SOURCE,null),this.pickProgram=i?this.getProgramInfo("pick",e,Dn+a.VERTEX_SHADER_SOURCE,Dn+a.FRAGMENT_SHADER_SOURCE,i):null,this.isInstanced){let s=bi(this.CONSTANT_ATTRIBUTES);if(this.CONSTANT_DATA.length!==this.VERTICES)throw new Error(`Program: error while getting constant data (expected ${this.VERTICES} items, received ${this.CONSTANT_DATA.length} instead)`);this.constantArray=new Float32Array(this.CONSTANT_DATA.length*s);for(let d=0;d<this.CONSTANT_DATA.length;d++){let g=this.CONSTANT_DATA[d];if(g.length!==s)throw new Error(`Program: error while getting constant data (one vector has ${g.length} items instead of ${s})`);for(let v=0;v<g.length;v++)this.constantArray[d*s+v]=g[v]}this.STRIDE=this.ATTRIBUTES_ITEMS_COUNT}}kill(){yr(this.normalProgram),this.pickProgram&&(yr(this.pickProgram),this.pickProgram=null)}getProgramInfo(e,i,r,a,s){let d=this.getDefinition(),g=i.createBuffer();if(g===null)throw new Error("Program: error while creating the WebGL buffer.");let v=Ln(i,r),p=Fn(i,a),y=Nn(i,[v,p]),b={};d.UNIFORMS.forEach(S=>{let C=i.getUniformLocation(y,S);C&&(b[S]=C)});let w={};d.ATTRIBUTES.forEach(S=>{w[S.name]=i.getAttribLocation(y,S.name)});let T;if("CONSTANT_ATTRIBUTES"in d&&(d.CONSTANT_ATTRIBUTES.forEach(S=>{w[S.name]=i.getAttribLocation(y,S.name)}),T=i.createBuffer(),T===null))throw new Error("Program: error while creating the WebGL constant buffer.");return{name:e,program:y,gl:i,frameBuffer:s,buffer:g,constantBuffer:T||{},uniformLocations:b,attributeLocations:w,isPicking:e==="pick",vertexShader:v,fragmentShader:p}}bindProgram(e){let i=0,{gl:r,buffer:a}=e;this.isInstanced?(r.bindBuffer(r.ARRAY_BUFFER,e.constantBuffer),i=0,this.CONSTANT_ATTRIBUTES.forEach(s=>i+=this.bindAttribute(s,e,i,!1)),r.bufferData(r.ARRAY_BUFFER,this.constantArray,r.STATIC_DRAW),r.bindBuffer(r.ARRAY_BUFFER,e.buffer),i=0,this.ATTRIBUTES.forEach(s=>i+=this.bindAttribute(s,e,i,!0)),r.bufferData(r.ARRAY_BUFFER,this.array,r.DYNAMIC_DRAW)):(r.bindBuffer(r.ARRAY_BUFFER,a),i=0,this.ATTRIBUTES.forEach(s=>i+=this.bindAttribute(s,e,i)),r.bufferData(r.ARRAY_BUFFER,this.array,r.DYNAMIC_DRAW)),r.bindBuffer(r.ARRAY_BUFFER,null)}unbindProgram(e){this.isInstanced?(this.CONSTANT_ATTRIBUTES.forEach(i=>this.unbindAttribute(i,e,!1)),this.ATTRIBUTES.forEach(i=>this.unbindAttribute(i,e,!0))):this.ATTRIBUTES.forEach(i=>this.unbindAttribute(i,e))}bindAttribute(e,i,r,a){let s=Fa[e.type];if(typeof s!="number")throw new Error(`Program.bind: yet unsupported attribute type "${e.type}"`);let d=i.attributeLocations[e.name],g=i.gl;if(d!==-1){g.enableVertexAttribArray(d);let v=this.isInstanced?(a?this.ATTRIBUTES_ITEMS_COUNT:bi(this.CONSTANT_ATTRIBUTES))*Float32Array.BYTES_PER_ELEMENT:this.ATTRIBUTES_ITEMS_COUNT*Float32Array.BYTES_PER_ELEMENT;if(g.vertexAttribPointer(d,e.size,e.type,e.normalized||!1,v,r),this.isInstanced&&a)if(g instanceof WebGL2RenderingContext)g.vertexAttribDivisor(d,1);else{let p=g.getExtension("ANGLE_instanced_arrays");p&&p.vertexAttribDivisorANGLE(d,1)}}return e.size*s}unbindAttribute(e,i,r){let a=i.attributeLocations[e.name],s=i.gl;if(a!==-1&&(s.disableVertexAttribArray(a),this.isInstanced&&r))if(s instanceof WebGL2RenderingContext)s.vertexAttribDivisor(a,0);else{let d=s.getExtension("ANGLE_instanced_arrays");d&&d.vertexAttribDivisorANGLE(a,0)}}reallocate(e){e!==this.capacity&&(this.capacity=e,this.verticesCount=this.VERTICES*e,this.array=new Float32Array(this.isInstanced?this.capacity*this.ATTRIBUTES_ITEMS_COUNT:this.verticesCount*this.ATTRIBUTES_ITEMS_COUNT))}hasNothingToRender(){return this.verticesCount===0}renderProgram(e,i){let{gl:r,program:a}=i;r.enable(r.BLEND),r.useProgram(a),this.setUniforms(e,i),this.drawWebGL(this.METHOD,i)}render(e){this.hasNothingToRender()||(this.pickProgram&&(this.pickProgram.gl.viewport(0,0,e.width*e.pixelRatio/e.downSizingRatio,e.height*e.pixelRatio/e.downSizingRatio),this.bindProgram(this.pickProgram),this.renderProgram({...e,pixelRatio:e.pixelRatio/e.downSizingRatio},this.pickProgram),this.unbindProgram(this.pickProgram)),this.normalProgram.gl.viewport(0,0,e.width*e.pixelRatio,e.height*e.pixelRatio),this.bindProgram(this.normalProgram),this.renderProgram(e,this.normalProgram),this.unbindProgram(this.normalProgram))}drawWebGL(e,{gl:i,frameBuffer:r}){if(i.bindFramebuffer(i.FRAMEBUFFER,r),!this.isInstanced)i.drawArrays(e,0,this.verticesCount);else if(i instanceof WebGL2RenderingContext)i.drawArraysInstanced(e,0,this.VERTICES,this.capacity);else{let a=i.getExtension("ANGLE_instanced_arrays");a&&a.drawArraysInstancedANGLE(e,0,this.VERTICES,this.capacity)}}}class Na extends br{}class wr extends _r{kill(){super.kill()}process(e,i,r){let a=i*this.STRIDE;if(r.hidden){for(let s=a+this.STRIDE;a<s;a++)this.array[a]=0;return}return this.processVisibleItem(ur(e),a,r)}}function Da(t,e,i){return class{constructor(r,a,s){this.drawLabel=e,this.drawHover=i,this.programs=t.map(d=>new d(r,a,s))}reallocate(r){this.programs.forEach(a=>a.reallocate(r))}process(r,a,s){this.programs.forEach(d=>d.process(r,a,s))}render(r){this.programs.forEach(a=>a.render(r))}kill(){this.programs.forEach(r=>r.kill())}}}class Ga extends br{}class st extends _r{constructor(){super(...arguments),this.drawLabel=void 0}kill(){super.kill()}process(e,i,r,a,s){let d=i*this.STRIDE;if(s.hidden||r.hidden||a.hidden){for(let g=d+this.STRIDE;d<g;d++)this.array[d]=0;return}return this.processVisibleItem(ur(e),d,r,a,s)}}function Er(t,e){return class{constructor(i,r,a){this.drawLabel=e,this.programs=t.map(s=>new s(i,r,a))}reallocate(i){this.programs.forEach(r=>r.reallocate(i))}process(i,r,a,s,d){this.programs.forEach(g=>g.process(i,r,a,s,d))}render(i){this.programs.forEach(r=>r.render(i))}kill(){this.programs.forEach(i=>i.kill())}}}function Gn(t,e,i,r,a){let s=a.edgeLabelSize,d=a.edgeLabelFont,g=a.edgeLabelWeight,v=a.edgeLabelColor.attribute?e[a.edgeLabelColor.attribute]||a.edgeLabelColor.color||"#000":a.edgeLabelColor.color,p=e.label;if(!p)return;t.fillStyle=v,t.font=`${g} ${s}px ${d}`;let y=i.size,b=r.size,w=i.x,T=i.y,S=r.x,C=r.y,x=(w+S)/2,L=(T+C)/2,O=S-w,R=C-T,_=Math.sqrt(O*O+R*R);if(_<y+b)return;w+=O*y/_,T+=R*y/_,S-=O*b/_,C-=R*b/_,x=(w+S)/2,L=(T+C)/2,O=S-w,R=C-T,_=Math.sqrt(O*O+R*R);let k=t.measureText(p).width;if(k>_){for(p=p+"…",k=t.measureText(p).width;k>_&&p.length>1;)p=p.slice(0,-2)+"…",k=t.measureText(p).width;if(p.length<4)return}let F;O>0?R>0?F=Math.acos(O/_):F=Math.asin(R/_):R>0?F=Math.acos(O/_)+Math.PI:F=Math.asin(O/_)+Math.PI/2,t.save(),t.translate(x,L),t.rotate(F),t.fillText(p,-k/2,e.size/2+s),t.restore()}function Tr(t,e,i){if(!e.label)return;let r=i.labelSize,a=i.labelFont,s=i.labelWeight,d=i.labelColor.attribute?e[i.labelColor.attribute]||i.labelColor.color||"#000":i.labelColor.color;t.fillStyle=d,t.font=`${s} ${r}px ${a}`,t.fillText(e.label,e.x+e.size+3,e.y+r/3)}function On(t,e,i){let r=i.labelSize,a=i.labelFont,s=i.labelWeight;t.font=`${s} ${r}px ${a}`,t.fillStyle="#FFF",t.shadowOffsetX=0,t.shadowOffsetY=0,t.shadowBlur=8,t.shadowColor="#000";let d=2;if(typeof e.label=="string"){let g=t.measureText(e.label).width,v=Math.round(g+5),p=Math.round(r+2*d),y=Math.max(e.size,r/2)+d,b=Math.asin(p/2/y),w=Math.sqrt(Math.abs(Math.pow(y,2)-Math.pow(p/2,2)));t.beginPath(),t.moveTo(e.x+w,e.y+p/2),t.lineTo(e.x+y+v,e.y+p/2),t.lineTo(e.x+y+v,e.y-p/2),t.lineTo(e.x+w,e.y-p/2),t.arc(e.x,e.y,y,b,-b),t.closePath(),t.fill()}else t.beginPath(),t.arc(e.x,e.y,e.size+d,0,Math.PI*2),t.closePath(),t.fill();t.shadowOffsetX=0,t.shadowOffsetY=0,t.shadowBlur=0,Tr(t,e,i)}let Oa=`
precision highp float;

varying vec4 v_color;
varying vec2 v_diffVector;
varying float v_radius;

uniform float u_correctionRatio;

const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main(void) {
  float border = u_correctionRatio * 2.0;
  float dist = length(v_diffVector) - v_radius + border;

  // No antialiasing for picking mode:
  #ifdef PICKING_MODE
  if (dist > border)
    gl_FragColor = transparent;
  else
    gl_FragColor = v_color;

  #else
  float t = 0.0;
  if (dist > border)
    t = 1.0;
  else if (dist > 0.0)
    t = dist / border;

  gl_FragColor = mix(v_color, transparent, t);
  #endif
}
`,Pa=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_position;
attribute float a_size;
attribute float a_angle;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;

varying vec4 v_color;
varying vec2 v_diffVector;
varying float v_radius;
varying float v_border;

const float bias = 255.0 / 254.0;

void main() {
  float size = a_size * u_correctionRatio / u_sizeRatio * 4.0;
  vec2 diffVector = size * vec2(cos(a_angle), sin(a_angle));
  vec2 position = a_position + diffVector;
  gl_Position = vec4(
    (u_matrix * vec3(position, 1)).xy,
    0,
    1
  );

  v_diffVector = diffVector;
  v_radius = size / 2.0;

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,{UNSIGNED_BYTE:Pn,FLOAT:xr}=WebGLRenderingContext,za=["u_sizeRatio","u_correctionRatio","u_matrix"],_i=class Ri extends wr{getDefinition(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Pa,FRAGMENT_SHADER_SOURCE:Oa,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:za,ATTRIBUTES:[{name:"a_position",size:2,type:xr},{name:"a_size",size:1,type:xr},{name:"a_color",size:4,type:Pn,normalized:!0},{name:"a_id",size:4,type:Pn,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_angle",size:1,type:xr}],CONSTANT_DATA:[[Ri.ANGLE_1],[Ri.ANGLE_2],[Ri.ANGLE_3]]}}processVisibleItem(e,i,r){let a=this.array,s=De(r.color);a[i++]=r.x,a[i++]=r.y,a[i++]=r.size,a[i++]=s,a[i++]=e}setUniforms(e,{gl:i,uniformLocations:r}){let{u_sizeRatio:a,u_correctionRatio:s,u_matrix:d}=r;i.uniform1f(s,e.correctionRatio),i.uniform1f(a,e.sizeRatio),i.uniformMatrix3fv(d,!1,e.matrix)}};_i.ANGLE_1=0,_i.ANGLE_2=2*Math.PI/3,_i.ANGLE_3=4*Math.PI/3;let zn=_i,Ia=`
precision mediump float;

varying vec4 v_color;
varying float v_border;

const float radius = 0.5;
const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main(void) {
  vec2 m = gl_PointCoord - vec2(0.5, 0.5);
  float dist = radius - length(m);

  // No antialiasing for picking mode:
  #ifdef PICKING_MODE
  if (dist > v_border)
    gl_FragColor = v_color;
  else
    gl_FragColor = transparent;

  #else
  float t = 0.0;
  if (dist > v_border)
    t = 1.0;
  else if (dist > 0.0)
    t = dist / v_border;

  gl_FragColor = mix(transparent, v_color, t);
  #endif
}
`,Ma=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_position;
attribute float a_size;

uniform float u_sizeRatio;
uniform float u_pixelRatio;
uniform mat3 u_matrix;

varying vec4 v_color;
varying float v_border;

const float bias = 255.0 / 254.0;

void main() {
  gl_Position = vec4(
    (u_matrix * vec3(a_position, 1)).xy,
    0,
    1
  );

  // Multiply the point size twice:
  //  - x SCALING_RATIO to correct the canvas scaling
  //  - x 2 to correct the formulae
  gl_PointSize = a_size / u_sizeRatio * u_pixelRatio * 2.0;

  v_border = (0.5 / a_size) * u_sizeRatio;

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,{UNSIGNED_BYTE:In,FLOAT:Mn}=WebGLRenderingContext,Ua=["u_sizeRatio","u_pixelRatio","u_matrix"];class Ba extends wr{getDefinition(){return{VERTICES:1,VERTEX_SHADER_SOURCE:Ma,FRAGMENT_SHADER_SOURCE:Ia,METHOD:WebGLRenderingContext.POINTS,UNIFORMS:Ua,ATTRIBUTES:[{name:"a_position",size:2,type:Mn},{name:"a_size",size:1,type:Mn},{name:"a_color",size:4,type:In,normalized:!0},{name:"a_id",size:4,type:In,normalized:!0}]}}processVisibleItem(e,i,r){let a=this.array;a[i++]=r.x,a[i++]=r.y,a[i++]=r.size,a[i++]=De(r.color),a[i++]=e}setUniforms({sizeRatio:e,pixelRatio:i,matrix:r},{gl:a,uniformLocations:s}){let{u_sizeRatio:d,u_pixelRatio:g,u_matrix:v}=s;a.uniform1f(g,i),a.uniform1f(d,e),a.uniformMatrix3fv(v,!1,r)}}let ja=`
precision mediump float;

varying vec4 v_color;

void main(void) {
  gl_FragColor = v_color;
}
`,Ha=`
attribute vec2 a_position;
attribute vec2 a_normal;
attribute float a_radius;
attribute vec3 a_barycentric;

#ifdef PICKING_MODE
attribute vec4 a_id;
#else
attribute vec4 a_color;
#endif

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;
uniform float u_minEdgeThickness;
uniform float u_lengthToThicknessRatio;
uniform float u_widenessToThicknessRatio;

varying vec4 v_color;

const float bias = 255.0 / 254.0;

void main() {
  float minThickness = u_minEdgeThickness;

  float normalLength = length(a_normal);
  vec2 unitNormal = a_normal / normalLength;

  // These first computations are taken from edge.vert.glsl and
  // edge.clamped.vert.glsl. Please read it to get better comments on what's
  // happening:
  float pixelsThickness = max(normalLength / u_sizeRatio, minThickness);
  float webGLThickness = pixelsThickness * u_correctionRatio;
  float webGLNodeRadius = a_radius * 2.0 * u_correctionRatio / u_sizeRatio;
  float webGLArrowHeadLength = webGLThickness * u_lengthToThicknessRatio * 2.0;
  float webGLArrowHeadThickness = webGLThickness * u_widenessToThicknessRatio;

  float da = a_barycentric.x;
  float db = a_barycentric.y;
  float dc = a_barycentric.z;

  vec2 delta = vec2(
      da * (webGLNodeRadius * unitNormal.y)
    + db * ((webGLNodeRadius + webGLArrowHeadLength) * unitNormal.y + webGLArrowHeadThickness * unitNormal.x)
    + dc * ((webGLNodeRadius + webGLArrowHeadLength) * unitNormal.y - webGLArrowHeadThickness * unitNormal.x),

      da * (-webGLNodeRadius * unitNormal.x)
    + db * (-(webGLNodeRadius + webGLArrowHeadLength) * unitNormal.x + webGLArrowHeadThickness * unitNormal.y)
    + dc * (-(webGLNodeRadius + webGLArrowHeadLength) * unitNormal.x - webGLArrowHeadThickness * unitNormal.y)
  );

  vec2 position = (u_matrix * vec3(a_position + delta, 1)).xy;

  gl_Position = vec4(position, 0, 1);

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,{UNSIGNED_BYTE:Un,FLOAT:wi}=WebGLRenderingContext,Va=["u_matrix","u_sizeRatio","u_correctionRatio","u_minEdgeThickness","u_lengthToThicknessRatio","u_widenessToThicknessRatio"],Ei={extremity:"target",lengthToThicknessRatio:2.5,widenessToThicknessRatio:2};function Ht(t){let e={...Ei,...t||{}};return class extends st{getDefinition(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Ha,FRAGMENT_SHADER_SOURCE:ja,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:Va,ATTRIBUTES:[{name:"a_position",size:2,type:wi},{name:"a_normal",size:2,type:wi},{name:"a_radius",size:1,type:wi},{name:"a_color",size:4,type:Un,normalized:!0},{name:"a_id",size:4,type:Un,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_barycentric",size:3,type:wi}],CONSTANT_DATA:[[1,0,0],[0,1,0],[0,0,1]]}}processVisibleItem(i,r,a,s,d){e.extremity==="source"&&([a,s]=[s,a]);let g=d.size||1,v=s.size||1,p=a.x,y=a.y,b=s.x,w=s.y,T=De(d.color),S=b-p,C=w-y,x=S*S+C*C,L=0,O=0;x&&(x=1/Math.sqrt(x),L=-C*x*g,O=S*x*g);let R=this.array;R[r++]=b,R[r++]=w,R[r++]=-L,R[r++]=-O,R[r++]=v,R[r++]=T,R[r++]=i}setUniforms(i,{gl:r,uniformLocations:a}){let{u_matrix:s,u_sizeRatio:d,u_correctionRatio:g,u_minEdgeThickness:v,u_lengthToThicknessRatio:p,u_widenessToThicknessRatio:y}=a;r.uniformMatrix3fv(s,!1,i.matrix),r.uniform1f(d,i.sizeRatio),r.uniform1f(g,i.correctionRatio),r.uniform1f(v,i.minEdgeThickness),r.uniform1f(p,e.lengthToThicknessRatio),r.uniform1f(y,e.widenessToThicknessRatio)}}}let Wa=Ht(),Rr=`
precision mediump float;

varying vec4 v_color;
varying vec2 v_normal;
varying float v_thickness;
varying float v_feather;

const vec4 transparent = vec4(0.0, 0.0, 0.0, 0.0);

void main(void) {
  // We only handle antialiasing for normal mode:
  #ifdef PICKING_MODE
  gl_FragColor = v_color;
  #else
  float dist = length(v_normal) * v_thickness;

  float t = smoothstep(
    v_thickness - v_feather,
    v_thickness,
    dist
  );

  gl_FragColor = mix(v_color, transparent, t);
  #endif
}
`,Ya=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_normal;
attribute float a_normalCoef;
attribute vec2 a_positionStart;
attribute vec2 a_positionEnd;
attribute float a_positionCoef;
attribute float a_radius;
attribute float a_radiusCoef;

uniform mat3 u_matrix;
uniform float u_zoomRatio;
uniform float u_sizeRatio;
uniform float u_pixelRatio;
uniform float u_correctionRatio;
uniform float u_minEdgeThickness;
uniform float u_lengthToThicknessRatio;
uniform float u_feather;

varying vec4 v_color;
varying vec2 v_normal;
varying float v_thickness;
varying float v_feather;

const float bias = 255.0 / 254.0;

void main() {
  float minThickness = u_minEdgeThickness;

  float radius = a_radius * a_radiusCoef;
  vec2 normal = a_normal * a_normalCoef;
  vec2 position = a_positionStart * (1.0 - a_positionCoef) + a_positionEnd * a_positionCoef;

  float normalLength = length(normal);
  vec2 unitNormal = normal / normalLength;

  // These first computations are taken from edge.vert.glsl. Please read it to
  // get better comments on what's happening:
  float pixelsThickness = max(normalLength, minThickness * u_sizeRatio);
  float webGLThickness = pixelsThickness * u_correctionRatio / u_sizeRatio;

  // Here, we move the point to leave space for the arrow head:
  float direction = sign(radius);
  float webGLNodeRadius = direction * radius * 2.0 * u_correctionRatio / u_sizeRatio;
  float webGLArrowHeadLength = webGLThickness * u_lengthToThicknessRatio * 2.0;

  vec2 compensationVector = vec2(-direction * unitNormal.y, direction * unitNormal.x) * (webGLNodeRadius + webGLArrowHeadLength);

  // Here is the proper position of the vertex
  gl_Position = vec4((u_matrix * vec3(position + unitNormal * webGLThickness + compensationVector, 1)).xy, 0, 1);

  v_thickness = webGLThickness / u_zoomRatio;

  v_normal = unitNormal;

  v_feather = u_feather * u_correctionRatio / u_zoomRatio / u_pixelRatio * 2.0;

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,{UNSIGNED_BYTE:Bn,FLOAT:ct}=WebGLRenderingContext,qa=["u_matrix","u_zoomRatio","u_sizeRatio","u_correctionRatio","u_pixelRatio","u_feather","u_minEdgeThickness","u_lengthToThicknessRatio"],jn={lengthToThicknessRatio:Ei.lengthToThicknessRatio};function Sr(t){let e={...jn,...t||{}};return class extends st{getDefinition(){return{VERTICES:6,VERTEX_SHADER_SOURCE:Ya,FRAGMENT_SHADER_SOURCE:Rr,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:qa,ATTRIBUTES:[{name:"a_positionStart",size:2,type:ct},{name:"a_positionEnd",size:2,type:ct},{name:"a_normal",size:2,type:ct},{name:"a_color",size:4,type:Bn,normalized:!0},{name:"a_id",size:4,type:Bn,normalized:!0},{name:"a_radius",size:1,type:ct}],CONSTANT_ATTRIBUTES:[{name:"a_positionCoef",size:1,type:ct},{name:"a_normalCoef",size:1,type:ct},{name:"a_radiusCoef",size:1,type:ct}],CONSTANT_DATA:[[0,1,0],[0,-1,0],[1,1,1],[1,1,1],[0,-1,0],[1,-1,-1]]}}processVisibleItem(i,r,a,s,d){let g=d.size||1,v=a.x,p=a.y,y=s.x,b=s.y,w=De(d.color),T=y-v,S=b-p,C=s.size||1,x=T*T+S*S,L=0,O=0;x&&(x=1/Math.sqrt(x),L=-S*x*g,O=T*x*g);let R=this.array;R[r++]=v,R[r++]=p,R[r++]=y,R[r++]=b,R[r++]=L,R[r++]=O,R[r++]=w,R[r++]=i,R[r++]=C}setUniforms(i,{gl:r,uniformLocations:a}){let{u_matrix:s,u_zoomRatio:d,u_feather:g,u_pixelRatio:v,u_correctionRatio:p,u_sizeRatio:y,u_minEdgeThickness:b,u_lengthToThicknessRatio:w}=a;r.uniformMatrix3fv(s,!1,i.matrix),r.uniform1f(d,i.zoomRatio),r.uniform1f(y,i.sizeRatio),r.uniform1f(p,i.correctionRatio),r.uniform1f(v,i.pixelRatio),r.uniform1f(g,i.antiAliasingFeather),r.uniform1f(b,i.minEdgeThickness),r.uniform1f(w,e.lengthToThicknessRatio)}}}let Xa=Sr(),Ka=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_normal;
attribute float a_normalCoef;
attribute vec2 a_positionStart;
attribute vec2 a_positionEnd;
attribute float a_positionCoef;
attribute float a_sourceRadius;
attribute float a_targetRadius;
attribute float a_sourceRadiusCoef;
attribute float a_targetRadiusCoef;

uniform mat3 u_matrix;
uniform float u_zoomRatio;
uniform float u_sizeRatio;
uniform float u_pixelRatio;
uniform float u_correctionRatio;
uniform float u_minEdgeThickness;
uniform float u_lengthToThicknessRatio;
uniform float u_feather;

varying vec4 v_color;
varying vec2 v_normal;
varying float v_thickness;
varying float v_feather;

const float bias = 255.0 / 254.0;

void main() {
  float minThickness = u_minEdgeThickness;

  vec2 normal = a_normal * a_normalCoef;
  vec2 position = a_positionStart * (1.0 - a_positionCoef) + a_positionEnd * a_positionCoef;

  float normalLength = length(normal);
  vec2 unitNormal = normal / normalLength;

  // These first computations are taken from edge.vert.glsl. Please read it to
  // get better comments on what's happening:
  float pixelsThickness = max(normalLength, minThickness * u_sizeRatio);
  float webGLThickness = pixelsThickness * u_correctionRatio / u_sizeRatio;

  // Here, we move the point to leave space for the arrow heads:
  // Source arrow head
  float sourceRadius = a_sourceRadius * a_sourceRadiusCoef;
  float sourceDirection = sign(sourceRadius);
  float webGLSourceRadius = sourceDirection * sourceRadius * 2.0 * u_correctionRatio / u_sizeRatio;
  float webGLSourceArrowHeadLength = webGLThickness * u_lengthToThicknessRatio * 2.0;
  vec2 sourceCompensationVector =
    vec2(-sourceDirection * unitNormal.y, sourceDirection * unitNormal.x)
    * (webGLSourceRadius + webGLSourceArrowHeadLength);
    
  // Target arrow head
  float targetRadius = a_targetRadius * a_targetRadiusCoef;
  float targetDirection = sign(targetRadius);
  float webGLTargetRadius = targetDirection * targetRadius * 2.0 * u_correctionRatio / u_sizeRatio;
  float webGLTargetArrowHeadLength = webGLThickness * u_lengthToThicknessRatio * 2.0;
  vec2 targetCompensationVector =
  vec2(-targetDirection * unitNormal.y, targetDirection * unitNormal.x)
    * (webGLTargetRadius + webGLTargetArrowHeadLength);

  // Here is the proper position of the vertex
  gl_Position = vec4((u_matrix * vec3(position + unitNormal * webGLThickness + sourceCompensationVector + targetCompensationVector, 1)).xy, 0, 1);

  v_thickness = webGLThickness / u_zoomRatio;

  v_normal = unitNormal;

  v_feather = u_feather * u_correctionRatio / u_zoomRatio / u_pixelRatio * 2.0;

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,{UNSIGNED_BYTE:Hn,FLOAT:We}=WebGLRenderingContext,Za=["u_matrix","u_zoomRatio","u_sizeRatio","u_correctionRatio","u_pixelRatio","u_feather","u_minEdgeThickness","u_lengthToThicknessRatio"],Vn={lengthToThicknessRatio:Ei.lengthToThicknessRatio};function Ar(t){let e={...Vn,...t||{}};return class extends st{getDefinition(){return{VERTICES:6,VERTEX_SHADER_SOURCE:Ka,FRAGMENT_SHADER_SOURCE:Rr,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:Za,ATTRIBUTES:[{name:"a_positionStart",size:2,type:We},{name:"a_positionEnd",size:2,type:We},{name:"a_normal",size:2,type:We},{name:"a_color",size:4,type:Hn,normalized:!0},{name:"a_id",size:4,type:Hn,normalized:!0},{name:"a_sourceRadius",size:1,type:We},{name:"a_targetRadius",size:1,type:We}],CONSTANT_ATTRIBUTES:[{name:"a_positionCoef",size:1,type:We},{name:"a_normalCoef",size:1,type:We},{name:"a_sourceRadiusCoef",size:1,type:We},{name:"a_targetRadiusCoef",size:1,type:We}],CONSTANT_DATA:[[0,1,-1,0],[0,-1,1,0],[1,1,0,1],[1,1,0,1],[0,-1,1,0],[1,-1,0,-1]]}}processVisibleItem(i,r,a,s,d){let g=d.size||1,v=a.x,p=a.y,y=s.x,b=s.y,w=De(d.color),T=y-v,S=b-p,C=a.size||1,x=s.size||1,L=T*T+S*S,O=0,R=0;L&&(L=1/Math.sqrt(L),O=-S*L*g,R=T*L*g);let _=this.array;_[r++]=v,_[r++]=p,_[r++]=y,_[r++]=b,_[r++]=O,_[r++]=R,_[r++]=w,_[r++]=i,_[r++]=C,_[r++]=x}setUniforms(i,{gl:r,uniformLocations:a}){let{u_matrix:s,u_zoomRatio:d,u_feather:g,u_pixelRatio:v,u_correctionRatio:p,u_sizeRatio:y,u_minEdgeThickness:b,u_lengthToThicknessRatio:w}=a;r.uniformMatrix3fv(s,!1,i.matrix),r.uniform1f(d,i.zoomRatio),r.uniform1f(y,i.sizeRatio),r.uniform1f(p,i.correctionRatio),r.uniform1f(v,i.pixelRatio),r.uniform1f(g,i.antiAliasingFeather),r.uniform1f(b,i.minEdgeThickness),r.uniform1f(w,e.lengthToThicknessRatio)}}}let $a=Ar();function Wn(t){return Er([Sr(t),Ht(t)])}let Yn=Wn();function qn(t){return Er([Ar(t),Ht(t),Ht({...t,extremity:"source"})])}let Qa=qn(),Ja=`
precision mediump float;

varying vec4 v_color;

void main(void) {
  gl_FragColor = v_color;
}
`,es=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_position;

uniform mat3 u_matrix;

varying vec4 v_color;

const float bias = 255.0 / 254.0;

void main() {
  // Scale from [[-1 1] [-1 1]] to the container:
  gl_Position = vec4(
    (u_matrix * vec3(a_position, 1)).xy,
    0,
    1
  );

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,{UNSIGNED_BYTE:Xn,FLOAT:ts}=WebGLRenderingContext,is=["u_matrix"];class rs extends st{getDefinition(){return{VERTICES:2,VERTEX_SHADER_SOURCE:es,FRAGMENT_SHADER_SOURCE:Ja,METHOD:WebGLRenderingContext.LINES,UNIFORMS:is,ATTRIBUTES:[{name:"a_position",size:2,type:ts},{name:"a_color",size:4,type:Xn,normalized:!0},{name:"a_id",size:4,type:Xn,normalized:!0}]}}processVisibleItem(e,i,r,a,s){let d=this.array,g=r.x,v=r.y,p=a.x,y=a.y,b=De(s.color);d[i++]=g,d[i++]=v,d[i++]=b,d[i++]=e,d[i++]=p,d[i++]=y,d[i++]=b,d[i++]=e}setUniforms(e,{gl:i,uniformLocations:r}){let{u_matrix:a}=r;i.uniformMatrix3fv(a,!1,e.matrix)}}let ns=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_normal;
attribute float a_normalCoef;
attribute vec2 a_positionStart;
attribute vec2 a_positionEnd;
attribute float a_positionCoef;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_zoomRatio;
uniform float u_pixelRatio;
uniform float u_correctionRatio;
uniform float u_minEdgeThickness;
uniform float u_feather;

varying vec4 v_color;
varying vec2 v_normal;
varying float v_thickness;
varying float v_feather;

const float bias = 255.0 / 254.0;

void main() {
  float minThickness = u_minEdgeThickness;

  vec2 normal = a_normal * a_normalCoef;
  vec2 position = a_positionStart * (1.0 - a_positionCoef) + a_positionEnd * a_positionCoef;

  float normalLength = length(normal);
  vec2 unitNormal = normal / normalLength;

  // We require edges to be at least "minThickness" pixels thick *on screen*
  // (so we need to compensate the size ratio):
  float pixelsThickness = max(normalLength, minThickness * u_sizeRatio);

  // Then, we need to retrieve the normalized thickness of the edge in the WebGL
  // referential (in a ([0, 1], [0, 1]) space), using our "magic" correction
  // ratio:
  float webGLThickness = pixelsThickness * u_correctionRatio / u_sizeRatio;

  // Here is the proper position of the vertex
  gl_Position = vec4((u_matrix * vec3(position + unitNormal * webGLThickness, 1)).xy, 0, 1);

  // For the fragment shader though, we need a thickness that takes the "magic"
  // correction ratio into account (as in webGLThickness), but so that the
  // antialiasing effect does not depend on the zoom level. So here's yet
  // another thickness version:
  v_thickness = webGLThickness / u_zoomRatio;

  v_normal = unitNormal;

  v_feather = u_feather * u_correctionRatio / u_zoomRatio / u_pixelRatio * 2.0;

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,{UNSIGNED_BYTE:Kn,FLOAT:Vt}=WebGLRenderingContext,os=["u_matrix","u_zoomRatio","u_sizeRatio","u_correctionRatio","u_pixelRatio","u_feather","u_minEdgeThickness"];class Zn extends st{getDefinition(){return{VERTICES:6,VERTEX_SHADER_SOURCE:ns,FRAGMENT_SHADER_SOURCE:Rr,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:os,ATTRIBUTES:[{name:"a_positionStart",size:2,type:Vt},{name:"a_positionEnd",size:2,type:Vt},{name:"a_normal",size:2,type:Vt},{name:"a_color",size:4,type:Kn,normalized:!0},{name:"a_id",size:4,type:Kn,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_positionCoef",size:1,type:Vt},{name:"a_normalCoef",size:1,type:Vt}],CONSTANT_DATA:[[0,1],[0,-1],[1,1],[1,1],[0,-1],[1,-1]]}}processVisibleItem(e,i,r,a,s){let d=s.size||1,g=r.x,v=r.y,p=a.x,y=a.y,b=De(s.color),w=p-g,T=y-v,S=w*w+T*T,C=0,x=0;S&&(S=1/Math.sqrt(S),C=-T*S*d,x=w*S*d);let L=this.array;L[i++]=g,L[i++]=v,L[i++]=p,L[i++]=y,L[i++]=C,L[i++]=x,L[i++]=b,L[i++]=e}setUniforms(e,{gl:i,uniformLocations:r}){let{u_matrix:a,u_zoomRatio:s,u_feather:d,u_pixelRatio:g,u_correctionRatio:v,u_sizeRatio:p,u_minEdgeThickness:y}=r;i.uniformMatrix3fv(a,!1,e.matrix),i.uniform1f(s,e.zoomRatio),i.uniform1f(p,e.sizeRatio),i.uniform1f(v,e.correctionRatio),i.uniform1f(g,e.pixelRatio),i.uniform1f(d,e.antiAliasingFeather),i.uniform1f(y,e.minEdgeThickness)}}let as=`
precision mediump float;

varying vec4 v_color;

void main(void) {
  gl_FragColor = v_color;
}
`,ss=`
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_normal;
attribute float a_normalCoef;
attribute vec2 a_positionStart;
attribute vec2 a_positionEnd;
attribute float a_positionCoef;

uniform mat3 u_matrix;
uniform float u_sizeRatio;
uniform float u_correctionRatio;

varying vec4 v_color;

const float minThickness = 1.7;
const float bias = 255.0 / 254.0;

void main() {
  vec2 normal = a_normal * a_normalCoef;
  vec2 position = a_positionStart * (1.0 - a_positionCoef) + a_positionEnd * a_positionCoef;

  // The only different here with edge.vert.glsl is that we need to handle null
  // input normal vector. Apart from that, you can read edge.vert.glsl more info
  // on how it works:
  float normalLength = length(normal);
  vec2 unitNormal = normal / normalLength;
  if (normalLength <= 0.0) unitNormal = normal;
  float pixelsThickness = max(normalLength, minThickness * u_sizeRatio);
  float webGLThickness = pixelsThickness * u_correctionRatio / u_sizeRatio;

  gl_Position = vec4((u_matrix * vec3(position + unitNormal * webGLThickness, 1)).xy, 0, 1);

  #ifdef PICKING_MODE
  // For picking mode, we use the ID as the color:
  v_color = a_id;
  #else
  // For normal mode, we use the color:
  v_color = a_color;
  #endif

  v_color.a *= bias;
}
`,{UNSIGNED_BYTE:$n,FLOAT:Wt}=WebGLRenderingContext,cs=["u_matrix","u_sizeRatio","u_correctionRatio","u_minEdgeThickness"];class us extends st{getDefinition(){return{VERTICES:3,VERTEX_SHADER_SOURCE:ss,FRAGMENT_SHADER_SOURCE:as,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:cs,ATTRIBUTES:[{name:"a_positionStart",size:2,type:Wt},{name:"a_positionEnd",size:2,type:Wt},{name:"a_normal",size:2,type:Wt},{name:"a_color",size:4,type:$n,normalized:!0},{name:"a_id",size:4,type:$n,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_positionCoef",size:1,type:Wt},{name:"a_normalCoef",size:1,type:Wt}],CONSTANT_DATA:[[0,1],[0,-1],[1,0]]}}processVisibleItem(e,i,r,a,s){let d=s.size||1,g=r.x,v=r.y,p=a.x,y=a.y,b=De(s.color),w=p-g,T=y-v,S=w*w+T*T,C=0,x=0;S&&(S=1/Math.sqrt(S),C=-T*S*d,x=w*S*d);let L=this.array;L[i++]=g,L[i++]=v,L[i++]=p,L[i++]=y,L[i++]=C,L[i++]=x,L[i++]=b,L[i++]=e}setUniforms(e,{gl:i,uniformLocations:r}){let{u_matrix:a,u_sizeRatio:s,u_correctionRatio:d,u_minEdgeThickness:g}=r;i.uniformMatrix3fv(a,!1,e.matrix),i.uniform1f(s,e.sizeRatio),i.uniform1f(d,e.correctionRatio),i.uniform1f(g,e.minEdgeThickness)}}let hs=Object.freeze(Object.defineProperty({__proto__:null,AbstractEdgeProgram:Ga,AbstractNodeProgram:Na,AbstractProgram:br,DEFAULT_EDGE_ARROW_HEAD_PROGRAM_OPTIONS:Ei,DEFAULT_EDGE_CLAMPED_PROGRAM_OPTIONS:jn,DEFAULT_EDGE_DOUBLE_CLAMPED_PROGRAM_OPTIONS:Vn,EdgeArrowHeadProgram:Wa,EdgeArrowProgram:Yn,EdgeClampedProgram:Xa,EdgeDoubleArrowProgram:Qa,EdgeDoubleClampedProgram:$a,EdgeLineProgram:rs,EdgeProgram:st,EdgeRectangleProgram:Zn,EdgeTriangleProgram:us,NodeCircleProgram:zn,NodePointProgram:Ba,NodeProgram:wr,Program:_r,createEdgeArrowHeadProgram:Ht,createEdgeArrowProgram:Wn,createEdgeClampedProgram:Sr,createEdgeCompoundProgram:Er,createEdgeDoubleArrowProgram:qn,createEdgeDoubleClampedProgram:Ar,createNodeCompoundProgram:Da,drawDiscNodeHover:On,drawDiscNodeLabel:Tr,drawStraightEdgeLabel:Gn,getAttributeItemsCount:Cn,getAttributesItemsCount:bi,killProgram:yr,loadFragmentShader:Fn,loadProgram:Nn,loadVertexShader:Ln,numberToGLSLFloat:La},Symbol.toStringTag,{value:"Module"}));class Cr extends Yr.EventEmitter{constructor(){super(),this.rawEmitter=this}}let Ti=1.5;class wt extends Cr{constructor(){super(),this.x=.5,this.y=.5,this.angle=0,this.ratio=1,this.minRatio=null,this.maxRatio=null,this.enabledZooming=!0,this.enabledPanning=!0,this.enabledRotation=!0,this.clean=null,this.nextFrame=null,this.previousState=null,this.enabled=!0,this.previousState=this.getState()}static from(e){return new wt().setState(e)}enable(){return this.enabled=!0,this}disable(){return this.enabled=!1,this}getState(){return{x:this.x,y:this.y,angle:this.angle,ratio:this.ratio}}hasState(e){return this.x===e.x&&this.y===e.y&&this.ratio===e.ratio&&this.angle===e.angle}getPreviousState(){let e=this.previousState;return e?{x:e.x,y:e.y,angle:e.angle,ratio:e.ratio}:null}getBoundedRatio(e){let i=e;return typeof this.minRatio=="number"&&(i=Math.max(i,this.minRatio)),typeof this.maxRatio=="number"&&(i=Math.min(i,this.maxRatio)),i}validateState(e){let i={};return this.enabledPanning&&typeof e.x=="number"&&(i.x=e.x),this.enabledPanning&&typeof e.y=="number"&&(i.y=e.y),this.enabledZooming&&typeof e.ratio=="number"&&(i.ratio=this.getBoundedRatio(e.ratio)),this.enabledRotation&&typeof e.angle=="number"&&(i.angle=e.angle),this.clean?this.clean({...this.getState(),...i}):i}isAnimated(){return!!this.nextFrame}setState(e){if(!this.enabled)return this;this.previousState=this.getState();let i=this.validateState(e);return typeof i.x=="number"&&(this.x=i.x),typeof i.y=="number"&&(this.y=i.y),typeof i.ratio=="number"&&(this.ratio=i.ratio),typeof i.angle=="number"&&(this.angle=i.angle),this.hasState(this.previousState)||this.emit("updated",this.getState()),this}updateState(e){return this.setState(e(this.getState())),this}animate(e,i={},r){if(!r)return new Promise(y=>this.animate(e,i,y));if(!this.enabled)return;let a={...ar,...i},s=this.validateState(e),d=typeof a.easing=="function"?a.easing:or[a.easing],g=Date.now(),v=this.getState(),p=()=>{let y=(Date.now()-g)/a.duration;if(y>=1){this.nextFrame=null,this.setState(s),this.animationCallback&&(this.animationCallback.call(null),this.animationCallback=void 0);return}let b=d(y),w={};typeof s.x=="number"&&(w.x=v.x+(s.x-v.x)*b),typeof s.y=="number"&&(w.y=v.y+(s.y-v.y)*b),this.enabledRotation&&typeof s.angle=="number"&&(w.angle=v.angle+(s.angle-v.angle)*b),typeof s.ratio=="number"&&(w.ratio=v.ratio+(s.ratio-v.ratio)*b),this.setState(w),this.nextFrame=requestAnimationFrame(p)};this.nextFrame?(cancelAnimationFrame(this.nextFrame),this.animationCallback&&this.animationCallback.call(null),this.nextFrame=requestAnimationFrame(p)):p(),this.animationCallback=r}animatedZoom(e){return e?typeof e=="number"?this.animate({ratio:this.ratio/e}):this.animate({ratio:this.ratio/(e.factor||Ti)},e):this.animate({ratio:this.ratio/Ti})}animatedUnzoom(e){return e?typeof e=="number"?this.animate({ratio:this.ratio*e}):this.animate({ratio:this.ratio*(e.factor||Ti)},e):this.animate({ratio:this.ratio*Ti})}animatedReset(e){return this.animate({x:.5,y:.5,ratio:1,angle:0},e)}copy(){return wt.from(this.getState())}}let kr={hideEdgesOnMove:!1,hideLabelsOnMove:!1,renderLabels:!0,renderEdgeLabels:!1,enableEdgeEvents:!1,defaultNodeColor:"#999",defaultNodeType:"circle",defaultEdgeColor:"#ccc",defaultEdgeType:"line",labelFont:"Arial",labelSize:14,labelWeight:"normal",labelColor:{color:"#000"},edgeLabelFont:"Arial",edgeLabelSize:14,edgeLabelWeight:"normal",edgeLabelColor:{attribute:"color"},stagePadding:30,defaultDrawEdgeLabel:Gn,defaultDrawNodeLabel:Tr,defaultDrawNodeHover:On,minEdgeThickness:1.7,antiAliasingFeather:1,dragTimeout:100,draggedEventsTolerance:3,inertiaDuration:200,inertiaRatio:3,zoomDuration:250,zoomingRatio:1.7,doubleClickTimeout:300,doubleClickZoomingRatio:2.2,doubleClickZoomingDuration:200,tapMoveTolerance:10,zoomToSizeRatioFunction:Math.sqrt,itemSizesReference:"screen",autoRescale:!0,autoCenter:!0,labelDensity:1,labelGridCellSize:100,labelRenderedSizeThreshold:6,nodeReducer:null,edgeReducer:null,zIndex:!1,minCameraRatio:null,maxCameraRatio:null,enableCameraZooming:!0,enableCameraPanning:!0,enableCameraRotation:!0,cameraPanBoundaries:null,allowInvalidContainer:!1,nodeProgramClasses:{},nodeHoverProgramClasses:{},edgeProgramClasses:{}},ds={circle:zn},ls={arrow:Yn,line:Zn};function Lr(t){if(typeof t.labelDensity!="number"||t.labelDensity<0)throw new Error("Settings: invalid `labelDensity`. Expecting a positive number.");let{minCameraRatio:e,maxCameraRatio:i}=t;if(typeof e=="number"&&typeof i=="number"&&i<e)throw new Error("Settings: invalid camera ratio boundaries. Expecting `maxCameraRatio` to be greater than `minCameraRatio`.")}function fs(t){let e=yi({},kr,t);return e.nodeProgramClasses=yi({},ds,e.nodeProgramClasses),e.edgeProgramClasses=yi({},ls,e.edgeProgramClasses),e}function Ge(t,e){let i=e.getBoundingClientRect();return{x:t.clientX-i.left,y:t.clientY-i.top}}function Ye(t,e){let i={...Ge(t,e),sigmaDefaultPrevented:!1,preventSigmaDefault(){i.sigmaDefaultPrevented=!0},original:t};return i}function Yt(t){let e="x"in t?t:{...t.touches[0]||t.previousTouches[0],original:t.original,sigmaDefaultPrevented:t.sigmaDefaultPrevented,preventSigmaDefault:()=>{t.sigmaDefaultPrevented=!0,e.sigmaDefaultPrevented=!0}};return e}function gs(t,e){return{...Ye(t,e),delta:Qn(t)}}let ps=2;function xi(t){let e=[];for(let i=0,r=Math.min(t.length,ps);i<r;i++)e.push(t[i]);return e}function qt(t,e,i){let r={touches:xi(t.touches).map(a=>Ge(a,i)),previousTouches:e.map(a=>Ge(a,i)),sigmaDefaultPrevented:!1,preventSigmaDefault(){r.sigmaDefaultPrevented=!0},original:t};return r}function Qn(t){if(typeof t.deltaY<"u")return t.deltaY*-3/360;if(typeof t.detail<"u")return t.detail/-9;throw new Error("Captor: could not extract delta from event.")}class Jn extends Cr{constructor(e,i){super(),this.container=e,this.renderer=i}}let ms=["doubleClickTimeout","doubleClickZoomingDuration","doubleClickZoomingRatio","dragTimeout","draggedEventsTolerance","inertiaDuration","inertiaRatio","zoomDuration","zoomingRatio"].reduce((t,e)=>({...t,[e]:kr[e]}),{});class eo extends Jn{constructor(e,i){super(e,i),this.enabled=!0,this.draggedEvents=0,this.downStartTime=null,this.lastMouseX=null,this.lastMouseY=null,this.isMouseDown=!1,this.isMoving=!1,this.movingTimeout=null,this.startCameraState=null,this.clicks=0,this.doubleClickTimeout=null,this.currentWheelDirection=0,this.settings=ms,this.handleClick=this.handleClick.bind(this),this.handleRightClick=this.handleRightClick.bind(this),this.handleDown=this.handleDown.bind(this),this.handleUp=this.handleUp.bind(this),this.handleMove=this.handleMove.bind(this),this.handleWheel=this.handleWheel.bind(this),this.handleLeave=this.handleLeave.bind(this),this.handleEnter=this.handleEnter.bind(this),e.addEventListener("click",this.handleClick,{capture:!1}),e.addEventListener("contextmenu",this.handleRightClick,{capture:!1}),e.addEventListener("mousedown",this.handleDown,{capture:!1}),e.addEventListener("wheel",this.handleWheel,{capture:!1}),e.addEventListener("mouseleave",this.handleLeave,{capture:!1}),e.addEventListener("mouseenter",this.handleEnter,{capture:!1}),document.addEventListener("mousemove",this.handleMove,{capture:!1}),document.addEventListener("mouseup",this.handleUp,{capture:!1})}kill(){let e=this.container;e.removeEventListener("click",this.handleClick),e.removeEventListener("contextmenu",this.handleRightClick),e.removeEventListener("mousedown",this.handleDown),e.removeEventListener("wheel",this.handleWheel),e.removeEventListener("mouseleave",this.handleLeave),e.removeEventListener("mouseenter",this.handleEnter),document.removeEventListener("mousemove",this.handleMove),document.removeEventListener("mouseup",this.handleUp)}handleClick(e){if(this.enabled){if(this.clicks++,this.clicks===2)return this.clicks=0,typeof this.doubleClickTimeout=="number"&&(clearTimeout(this.doubleClickTimeout),this.doubleClickTimeout=null),this.handleDoubleClick(e);setTimeout(()=>{this.clicks=0,this.doubleClickTimeout=null},this.settings.doubleClickTimeout),this.draggedEvents<this.settings.draggedEventsTolerance&&this.emit("click",Ye(e,this.container))}}handleRightClick(e){this.enabled&&this.emit("rightClick",Ye(e,this.container))}handleDoubleClick(e){if(!this.enabled)return;e.preventDefault(),e.stopPropagation();let i=Ye(e,this.container);if(this.emit("doubleClick",i),i.sigmaDefaultPrevented)return;let r=this.renderer.getCamera(),a=r.getBoundedRatio(r.getState().ratio/this.settings.doubleClickZoomingRatio);r.animate(this.renderer.getViewportZoomedState(Ge(e,this.container),a),{easing:"quadraticInOut",duration:this.settings.doubleClickZoomingDuration})}handleDown(e){if(this.enabled){if(e.button===0){this.startCameraState=this.renderer.getCamera().getState();let{x:i,y:r}=Ge(e,this.container);this.lastMouseX=i,this.lastMouseY=r,this.draggedEvents=0,this.downStartTime=Date.now(),this.isMouseDown=!0}this.emit("mousedown",Ye(e,this.container))}}handleUp(e){if(!this.enabled||!this.isMouseDown)return;let i=this.renderer.getCamera();this.isMouseDown=!1,typeof this.movingTimeout=="number"&&(clearTimeout(this.movingTimeout),this.movingTimeout=null);let{x:r,y:a}=Ge(e,this.container),s=i.getState(),d=i.getPreviousState()||{x:0,y:0};this.isMoving?i.animate({x:s.x+this.settings.inertiaRatio*(s.x-d.x),y:s.y+this.settings.inertiaRatio*(s.y-d.y)},{duration:this.settings.inertiaDuration,easing:"quadraticOut"}):(this.lastMouseX!==r||this.lastMouseY!==a)&&i.setState({x:s.x,y:s.y}),this.isMoving=!1,setTimeout(()=>{let g=this.draggedEvents>0;this.draggedEvents=0,g&&this.renderer.getSetting("hideEdgesOnMove")&&this.renderer.refresh()},0),this.emit("mouseup",Ye(e,this.container))}handleMove(e){if(!this.enabled)return;let i=Ye(e,this.container);if(this.emit("mousemovebody",i),(e.target===this.container||e.composedPath()[0]===this.container)&&this.emit("mousemove",i),!i.sigmaDefaultPrevented&&this.isMouseDown){this.isMoving=!0,this.draggedEvents++,typeof this.movingTimeout=="number"&&clearTimeout(this.movingTimeout),this.movingTimeout=window.setTimeout(()=>{this.movingTimeout=null,this.isMoving=!1},this.settings.dragTimeout);let r=this.renderer.getCamera(),{x:a,y:s}=Ge(e,this.container),d=this.renderer.viewportToFramedGraph({x:this.lastMouseX,y:this.lastMouseY}),g=this.renderer.viewportToFramedGraph({x:a,y:s}),v=d.x-g.x,p=d.y-g.y,y=r.getState(),b=y.x+v,w=y.y+p;r.setState({x:b,y:w}),this.lastMouseX=a,this.lastMouseY=s,e.preventDefault(),e.stopPropagation()}}handleLeave(e){this.emit("mouseleave",Ye(e,this.container))}handleEnter(e){this.emit("mouseenter",Ye(e,this.container))}handleWheel(e){let i=this.renderer.getCamera();if(!this.enabled||!i.enabledZooming)return;let r=Qn(e);if(!r)return;let a=gs(e,this.container);if(this.emit("wheel",a),a.sigmaDefaultPrevented){e.preventDefault(),e.stopPropagation();return}let s=i.getState().ratio,d=r>0?1/this.settings.zoomingRatio:this.settings.zoomingRatio,g=i.getBoundedRatio(s*d),v=r>0?1:-1,p=Date.now();s!==g&&(e.preventDefault(),e.stopPropagation(),!(this.currentWheelDirection===v&&this.lastWheelTriggerTime&&p-this.lastWheelTriggerTime<this.settings.zoomDuration/5)&&(i.animate(this.renderer.getViewportZoomedState(Ge(e,this.container),g),{easing:"quadraticOut",duration:this.settings.zoomDuration},()=>{this.currentWheelDirection=0}),this.currentWheelDirection=v,this.lastWheelTriggerTime=p))}setSettings(e){this.settings=e}}let vs=["dragTimeout","inertiaDuration","inertiaRatio","doubleClickTimeout","doubleClickZoomingRatio","doubleClickZoomingDuration","tapMoveTolerance"].reduce((t,e)=>({...t,[e]:kr[e]}),{});class ys extends Jn{constructor(e,i){super(e,i),this.enabled=!0,this.isMoving=!1,this.hasMoved=!1,this.touchMode=0,this.startTouchesPositions=[],this.lastTouches=[],this.lastTap=null,this.settings=vs,this.handleStart=this.handleStart.bind(this),this.handleLeave=this.handleLeave.bind(this),this.handleMove=this.handleMove.bind(this),e.addEventListener("touchstart",this.handleStart,{capture:!1}),e.addEventListener("touchcancel",this.handleLeave,{capture:!1}),document.addEventListener("touchend",this.handleLeave,{capture:!1,passive:!1}),document.addEventListener("touchmove",this.handleMove,{capture:!1,passive:!1})}kill(){let e=this.container;e.removeEventListener("touchstart",this.handleStart),e.removeEventListener("touchcancel",this.handleLeave),document.removeEventListener("touchend",this.handleLeave),document.removeEventListener("touchmove",this.handleMove)}getDimensions(){return{width:this.container.offsetWidth,height:this.container.offsetHeight}}handleStart(e){if(!this.enabled)return;e.preventDefault();let i=xi(e.touches);if(this.touchMode=i.length,this.startCameraState=this.renderer.getCamera().getState(),this.startTouchesPositions=i.map(r=>Ge(r,this.container)),this.touchMode===2){let[{x:r,y:a},{x:s,y:d}]=this.startTouchesPositions;this.startTouchesAngle=Math.atan2(d-a,s-r),this.startTouchesDistance=Math.sqrt(Math.pow(s-r,2)+Math.pow(d-a,2))}this.emit("touchdown",qt(e,this.lastTouches,this.container)),this.lastTouches=i,this.lastTouchesPositions=this.startTouchesPositions}handleLeave(e){if(!(!this.enabled||!this.startTouchesPositions.length)){switch(e.cancelable&&e.preventDefault(),this.movingTimeout&&(this.isMoving=!1,clearTimeout(this.movingTimeout)),this.touchMode){case 2:if(e.touches.length===1){this.handleStart(e),e.preventDefault();break}case 1:if(this.isMoving){let i=this.renderer.getCamera(),r=i.getState(),a=i.getPreviousState()||{x:0,y:0};i.animate({x:r.x+this.settings.inertiaRatio*(r.x-a.x),y:r.y+this.settings.inertiaRatio*(r.y-a.y)},{duration:this.settings.inertiaDuration,easing:"quadraticOut"})}this.hasMoved=!1,this.isMoving=!1,this.touchMode=0;break}if(this.emit("touchup",qt(e,this.lastTouches,this.container)),!e.touches.length){let i=Ge(this.lastTouches[0],this.container),r=this.startTouchesPositions[0],a=(i.x-r.x)**2+(i.y-r.y)**2;if(!e.touches.length&&a<this.settings.tapMoveTolerance**2)if(this.lastTap&&Date.now()-this.lastTap.time<this.settings.doubleClickTimeout){let s=qt(e,this.lastTouches,this.container);if(this.emit("doubletap",s),this.lastTap=null,!s.sigmaDefaultPrevented){let d=this.renderer.getCamera(),g=d.getBoundedRatio(d.getState().ratio/this.settings.doubleClickZoomingRatio);d.animate(this.renderer.getViewportZoomedState(i,g),{easing:"quadraticInOut",duration:this.settings.doubleClickZoomingDuration})}}else{let s=qt(e,this.lastTouches,this.container);this.emit("tap",s),this.lastTap={time:Date.now(),position:s.touches[0]||s.previousTouches[0]}}}this.lastTouches=xi(e.touches),this.startTouchesPositions=[]}}handleMove(e){if(!this.enabled||!this.startTouchesPositions.length)return;e.preventDefault();let i=xi(e.touches),r=i.map(p=>Ge(p,this.container)),a=this.lastTouches;this.lastTouches=i,this.lastTouchesPositions=r;let s=qt(e,a,this.container);if(this.emit("touchmove",s),s.sigmaDefaultPrevented||(this.hasMoved||(this.hasMoved=r.some((p,y)=>{let b=this.startTouchesPositions[y];return b&&(p.x!==b.x||p.y!==b.y)})),!this.hasMoved))return;this.isMoving=!0,this.movingTimeout&&clearTimeout(this.movingTimeout),this.movingTimeout=window.setTimeout(()=>{this.isMoving=!1},this.settings.dragTimeout);let d=this.renderer.getCamera(),g=this.startCameraState,v=this.renderer.getSetting("stagePadding");switch(this.touchMode){case 1:{let{x:p,y}=this.renderer.viewportToFramedGraph((this.startTouchesPositions||[])[0]),{x:b,y:w}=this.renderer.viewportToFramedGraph(r[0]);d.setState({x:g.x+p-b,y:g.y+y-w});break}case 2:{let p={x:.5,y:.5,angle:0,ratio:1},{x:y,y:b}=r[0],{x:w,y:T}=r[1],S=Math.atan2(T-b,w-y)-this.startTouchesAngle,C=Math.hypot(T-b,w-y)/this.startTouchesDistance,x=d.getBoundedRatio(g.ratio/C);p.ratio=x,p.angle=g.angle+S;let L=this.getDimensions(),O=this.renderer.viewportToFramedGraph((this.startTouchesPositions||[])[0],{cameraState:g}),R=Math.min(L.width,L.height)-2*v,_=R/L.width,k=R/L.height,F=x/R,j=y-R/2/_,H=b-R/2/k;[j,H]=[j*Math.cos(-p.angle)-H*Math.sin(-p.angle),H*Math.cos(-p.angle)+j*Math.sin(-p.angle)],p.x=O.x-j*F,p.y=O.y+H*F,d.setState(p);break}}}setSettings(e){this.settings=e}}class to{constructor(e,i){this.key=e,this.size=i}static compare(e,i){return e.size>i.size?-1:e.size<i.size||e.key>i.key?1:-1}}class io{constructor(){this.width=0,this.height=0,this.cellSize=0,this.columns=0,this.rows=0,this.cells={}}resizeAndClear(e,i){this.width=e.width,this.height=e.height,this.cellSize=i,this.columns=Math.ceil(e.width/i),this.rows=Math.ceil(e.height/i),this.cells={}}getIndex(e){let i=Math.floor(e.x/this.cellSize);return Math.floor(e.y/this.cellSize)*this.columns+i}add(e,i,r){let a=new to(e,i),s=this.getIndex(r),d=this.cells[s];d||(d=[],this.cells[s]=d),d.push(a)}organize(){for(let e in this.cells)this.cells[e].sort(to.compare)}getLabelsToDisplay(e,i){let r=this.cellSize*this.cellSize,a=r/e/e*i/r,s=Math.ceil(a),d=[];for(let g in this.cells){let v=this.cells[g];for(let p=0;p<Math.min(s,v.length);p++)d.push(v[p].key)}return d}}function bs(t){let{graph:e,hoveredNode:i,highlightedNodes:r,displayedNodeLabels:a}=t,s=[];return e.forEachEdge((d,g,v,p)=>{(v===i||p===i||r.has(v)||r.has(p)||a.has(v)&&a.has(p))&&s.push(d)}),s}let _s=150,ws=50,qe=Object.prototype.hasOwnProperty;function Es(t,e,i){if(!qe.call(i,"x")||!qe.call(i,"y"))throw new Error(`Sigma: could not find a valid position (x, y) for node "${e}". All your nodes must have a number "x" and "y". Maybe your forgot to apply a layout or your "nodeReducer" is not returning the correct data?`);return i.color||(i.color=t.defaultNodeColor),!i.label&&i.label!==""&&(i.label=null),i.label!==void 0&&i.label!==null?i.label=""+i.label:i.label=null,i.size||(i.size=2),qe.call(i,"hidden")||(i.hidden=!1),qe.call(i,"highlighted")||(i.highlighted=!1),qe.call(i,"forceLabel")||(i.forceLabel=!1),(!i.type||i.type==="")&&(i.type=t.defaultNodeType),i.zIndex||(i.zIndex=0),i}function Ts(t,e,i){return i.color||(i.color=t.defaultEdgeColor),i.label||(i.label=""),i.size||(i.size=.5),qe.call(i,"hidden")||(i.hidden=!1),qe.call(i,"forceLabel")||(i.forceLabel=!1),(!i.type||i.type==="")&&(i.type=t.defaultEdgeType),i.zIndex||(i.zIndex=0),i}let ro=class extends Cr{constructor(t,e,i={}){if(super(),this.elements={},this.canvasContexts={},this.webGLContexts={},this.pickingLayers=new Set,this.textures={},this.frameBuffers={},this.activeListeners={},this.labelGrid=new io,this.nodeDataCache={},this.edgeDataCache={},this.nodeProgramIndex={},this.edgeProgramIndex={},this.nodesWithForcedLabels=new Set,this.edgesWithForcedLabels=new Set,this.nodeExtent={x:[0,1],y:[0,1]},this.nodeZExtent=[1/0,-1/0],this.edgeZExtent=[1/0,-1/0],this.matrix=Fe(),this.invMatrix=Fe(),this.correctionRatio=1,this.customBBox=null,this.normalizationFunction=vr({x:[0,1],y:[0,1]}),this.graphToViewportRatio=1,this.itemIDsIndex={},this.nodeIndices={},this.edgeIndices={},this.width=0,this.height=0,this.pixelRatio=pr(),this.pickingDownSizingRatio=2*this.pixelRatio,this.displayedNodeLabels=new Set,this.displayedEdgeLabels=new Set,this.highlightedNodes=new Set,this.hoveredNode=null,this.hoveredEdge=null,this.renderFrame=null,this.renderHighlightedNodesFrame=null,this.needToProcess=!1,this.checkEdgesEventsFrame=null,this.nodePrograms={},this.nodeHoverPrograms={},this.edgePrograms={},this.settings=fs(i),Lr(this.settings),Sn(t),!(e instanceof HTMLElement))throw new Error("Sigma: container should be an html element.");this.graph=t,this.container=e,this.createWebGLContext("edges",{picking:i.enableEdgeEvents}),this.createCanvasContext("edgeLabels"),this.createWebGLContext("nodes",{picking:!0}),this.createCanvasContext("labels"),this.createCanvasContext("hovers"),this.createWebGLContext("hoverNodes"),this.createCanvasContext("mouse",{style:{touchAction:"none",userSelect:"none"}}),this.resize();for(let r in this.settings.nodeProgramClasses)this.registerNodeProgram(r,this.settings.nodeProgramClasses[r],this.settings.nodeHoverProgramClasses[r]);for(let r in this.settings.edgeProgramClasses)this.registerEdgeProgram(r,this.settings.edgeProgramClasses[r]);this.camera=new wt,this.bindCameraHandlers(),this.mouseCaptor=new eo(this.elements.mouse,this),this.mouseCaptor.setSettings(this.settings),this.touchCaptor=new ys(this.elements.mouse,this),this.touchCaptor.setSettings(this.settings),this.bindEventHandlers(),this.bindGraphHandlers(),this.handleSettingsUpdate(),this.refresh()}registerNodeProgram(t,e,i){return this.nodePrograms[t]&&this.nodePrograms[t].kill(),this.nodeHoverPrograms[t]&&this.nodeHoverPrograms[t].kill(),this.nodePrograms[t]=new e(this.webGLContexts.nodes,this.frameBuffers.nodes,this),this.nodeHoverPrograms[t]=new(i||e)(this.webGLContexts.hoverNodes,null,this),this}registerEdgeProgram(t,e){return this.edgePrograms[t]&&this.edgePrograms[t].kill(),this.edgePrograms[t]=new e(this.webGLContexts.edges,this.frameBuffers.edges,this),this}unregisterNodeProgram(t){if(this.nodePrograms[t]){let{[t]:e,...i}=this.nodePrograms;e.kill(),this.nodePrograms=i}if(this.nodeHoverPrograms[t]){let{[t]:e,...i}=this.nodeHoverPrograms;e.kill(),this.nodePrograms=i}return this}unregisterEdgeProgram(t){if(this.edgePrograms[t]){let{[t]:e,...i}=this.edgePrograms;e.kill(),this.edgePrograms=i}return this}resetWebGLTexture(t){let e=this.webGLContexts[t],i=this.frameBuffers[t],r=this.textures[t];r&&e.deleteTexture(r);let a=e.createTexture();return e.bindFramebuffer(e.FRAMEBUFFER,i),e.bindTexture(e.TEXTURE_2D,a),e.texImage2D(e.TEXTURE_2D,0,e.RGBA,this.width,this.height,0,e.RGBA,e.UNSIGNED_BYTE,null),e.framebufferTexture2D(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,a,0),this.textures[t]=a,this}bindCameraHandlers(){return this.activeListeners.camera=()=>{this.scheduleRender()},this.camera.on("updated",this.activeListeners.camera),this}unbindCameraHandlers(){return this.camera.removeListener("updated",this.activeListeners.camera),this}getNodeAtPosition(t){let{x:e,y:i}=t,r=dr(this.webGLContexts.nodes,this.frameBuffers.nodes,e,i,this.pixelRatio,this.pickingDownSizingRatio),a=hr(...r),s=this.itemIDsIndex[a];return s&&s.type==="node"?s.id:null}bindEventHandlers(){this.activeListeners.handleResize=()=>{this.scheduleRefresh()},window.addEventListener("resize",this.activeListeners.handleResize),this.activeListeners.handleMove=e=>{let i=Yt(e),r={event:i,preventSigmaDefault(){i.preventSigmaDefault()}},a=this.getNodeAtPosition(i);if(a&&this.hoveredNode!==a&&!this.nodeDataCache[a].hidden){this.hoveredNode&&this.emit("leaveNode",{...r,node:this.hoveredNode}),this.hoveredNode=a,this.emit("enterNode",{...r,node:a}),this.scheduleHighlightedNodesRender();return}if(this.hoveredNode&&this.getNodeAtPosition(i)!==this.hoveredNode){let s=this.hoveredNode;this.hoveredNode=null,this.emit("leaveNode",{...r,node:s}),this.scheduleHighlightedNodesRender();return}if(this.settings.enableEdgeEvents){let s=this.hoveredNode?null:this.getEdgeAtPoint(r.event.x,r.event.y);s!==this.hoveredEdge&&(this.hoveredEdge&&this.emit("leaveEdge",{...r,edge:this.hoveredEdge}),s&&this.emit("enterEdge",{...r,edge:s}),this.hoveredEdge=s)}},this.activeListeners.handleMoveBody=e=>{let i=Yt(e);this.emit("moveBody",{event:i,preventSigmaDefault(){i.preventSigmaDefault()}})},this.activeListeners.handleLeave=e=>{let i=Yt(e),r={event:i,preventSigmaDefault(){i.preventSigmaDefault()}};this.hoveredNode&&(this.emit("leaveNode",{...r,node:this.hoveredNode}),this.scheduleHighlightedNodesRender()),this.settings.enableEdgeEvents&&this.hoveredEdge&&(this.emit("leaveEdge",{...r,edge:this.hoveredEdge}),this.scheduleHighlightedNodesRender()),this.emit("leaveStage",{...r})},this.activeListeners.handleEnter=e=>{let i=Yt(e),r={event:i,preventSigmaDefault(){i.preventSigmaDefault()}};this.emit("enterStage",{...r})};let t=e=>i=>{let r=Yt(i),a={event:r,preventSigmaDefault:()=>{r.preventSigmaDefault()}},s=this.getNodeAtPosition(r);if(s)return this.emit(`${e}Node`,{...a,node:s});if(this.settings.enableEdgeEvents){let d=this.getEdgeAtPoint(r.x,r.y);if(d)return this.emit(`${e}Edge`,{...a,edge:d})}return this.emit(`${e}Stage`,a)};return this.activeListeners.handleClick=t("click"),this.activeListeners.handleRightClick=t("rightClick"),this.activeListeners.handleDoubleClick=t("doubleClick"),this.activeListeners.handleWheel=t("wheel"),this.activeListeners.handleDown=t("down"),this.activeListeners.handleUp=t("up"),this.mouseCaptor.on("mousemove",this.activeListeners.handleMove),this.mouseCaptor.on("mousemovebody",this.activeListeners.handleMoveBody),this.mouseCaptor.on("click",this.activeListeners.handleClick),this.mouseCaptor.on("rightClick",this.activeListeners.handleRightClick),this.mouseCaptor.on("doubleClick",this.activeListeners.handleDoubleClick),this.mouseCaptor.on("wheel",this.activeListeners.handleWheel),this.mouseCaptor.on("mousedown",this.activeListeners.handleDown),this.mouseCaptor.on("mouseup",this.activeListeners.handleUp),this.mouseCaptor.on("mouseleave",this.activeListeners.handleLeave),this.mouseCaptor.on("mouseenter",this.activeListeners.handleEnter),this.touchCaptor.on("touchdown",this.activeListeners.handleDown),this.touchCaptor.on("touchdown",this.activeListeners.handleMove),this.touchCaptor.on("touchup",this.activeListeners.handleUp),this.touchCaptor.on("touchmove",this.activeListeners.handleMove),this.touchCaptor.on("tap",this.activeListeners.handleClick),this.touchCaptor.on("doubletap",this.activeListeners.handleDoubleClick),this.touchCaptor.on("touchmove",this.activeListeners.handleMoveBody),this}bindGraphHandlers(){let t=this.graph,e=new Set(["x","y","zIndex","type"]);return this.activeListeners.eachNodeAttributesUpdatedGraphUpdate=i=>{var r;let a=(r=i.hints)==null?void 0:r.attributes;this.graph.forEachNode(d=>this.updateNode(d));let s=!a||a.some(d=>e.has(d));this.refresh({partialGraph:{nodes:t.nodes()},skipIndexation:!s,schedule:!0})},this.activeListeners.eachEdgeAttributesUpdatedGraphUpdate=i=>{var r;let a=(r=i.hints)==null?void 0:r.attributes;this.graph.forEachEdge(d=>this.updateEdge(d));let s=a&&["zIndex","type"].some(d=>a?.includes(d));this.refresh({partialGraph:{edges:t.edges()},skipIndexation:!s,schedule:!0})},this.activeListeners.addNodeGraphUpdate=i=>{let r=i.key;this.addNode(r),this.refresh({partialGraph:{nodes:[r]},skipIndexation:!1,schedule:!0})},this.activeListeners.updateNodeGraphUpdate=i=>{let r=i.key;this.refresh({partialGraph:{nodes:[r]},skipIndexation:!1,schedule:!0})},this.activeListeners.dropNodeGraphUpdate=i=>{let r=i.key;this.removeNode(r),this.refresh({schedule:!0})},this.activeListeners.addEdgeGraphUpdate=i=>{let r=i.key;this.addEdge(r),this.refresh({partialGraph:{edges:[r]},schedule:!0})},this.activeListeners.updateEdgeGraphUpdate=i=>{let r=i.key;this.refresh({partialGraph:{edges:[r]},skipIndexation:!1,schedule:!0})},this.activeListeners.dropEdgeGraphUpdate=i=>{let r=i.key;this.removeEdge(r),this.refresh({schedule:!0})},this.activeListeners.clearEdgesGraphUpdate=()=>{this.clearEdgeState(),this.clearEdgeIndices(),this.refresh({schedule:!0})},this.activeListeners.clearGraphUpdate=()=>{this.clearEdgeState(),this.clearNodeState(),this.clearEdgeIndices(),this.clearNodeIndices(),this.refresh({schedule:!0})},t.on("nodeAdded",this.activeListeners.addNodeGraphUpdate),t.on("nodeDropped",this.activeListeners.dropNodeGraphUpdate),t.on("nodeAttributesUpdated",this.activeListeners.updateNodeGraphUpdate),t.on("eachNodeAttributesUpdated",this.activeListeners.eachNodeAttributesUpdatedGraphUpdate),t.on("edgeAdded",this.activeListeners.addEdgeGraphUpdate),t.on("edgeDropped",this.activeListeners.dropEdgeGraphUpdate),t.on("edgeAttributesUpdated",this.activeListeners.updateEdgeGraphUpdate),t.on("eachEdgeAttributesUpdated",this.activeListeners.eachEdgeAttributesUpdatedGraphUpdate),t.on("edgesCleared",this.activeListeners.clearEdgesGraphUpdate),t.on("cleared",this.activeListeners.clearGraphUpdate),this}unbindGraphHandlers(){let t=this.graph;t.removeListener("nodeAdded",this.activeListeners.addNodeGraphUpdate),t.removeListener("nodeDropped",this.activeListeners.dropNodeGraphUpdate),t.removeListener("nodeAttributesUpdated",this.activeListeners.updateNodeGraphUpdate),t.removeListener("eachNodeAttributesUpdated",this.activeListeners.eachNodeAttributesUpdatedGraphUpdate),t.removeListener("edgeAdded",this.activeListeners.addEdgeGraphUpdate),t.removeListener("edgeDropped",this.activeListeners.dropEdgeGraphUpdate),t.removeListener("edgeAttributesUpdated",this.activeListeners.updateEdgeGraphUpdate),t.removeListener("eachEdgeAttributesUpdated",this.activeListeners.eachEdgeAttributesUpdatedGraphUpdate),t.removeListener("edgesCleared",this.activeListeners.clearEdgesGraphUpdate),t.removeListener("cleared",this.activeListeners.clearGraphUpdate)}getEdgeAtPoint(t,e){let i=dr(this.webGLContexts.edges,this.frameBuffers.edges,t,e,this.pixelRatio,this.pickingDownSizingRatio),r=hr(...i),a=this.itemIDsIndex[r];return a&&a.type==="edge"?a.id:null}process(){this.emit("beforeProcess");let t=this.graph,e=this.settings,i=this.getDimensions();if(this.nodeExtent=Rn(this.graph),!this.settings.autoRescale){let{width:T,height:S}=i,{x:C,y:x}=this.nodeExtent;this.nodeExtent={x:[(C[0]+C[1])/2-T/2,(C[0]+C[1])/2+T/2],y:[(x[0]+x[1])/2-S/2,(x[0]+x[1])/2+S/2]}}this.normalizationFunction=vr(this.customBBox||this.nodeExtent);let r=new wt,a=_t(r.getState(),i,this.getGraphDimensions(),this.getStagePadding());this.labelGrid.resizeAndClear(i,e.labelGridCellSize);let s={},d={},g={},v={},p=1,y=t.nodes();for(let T=0,S=y.length;T<S;T++){let C=y[T],x=this.nodeDataCache[C],L=t.getNodeAttributes(C);x.x=L.x,x.y=L.y,this.normalizationFunction.applyTo(x),typeof x.label=="string"&&!x.hidden&&this.labelGrid.add(C,x.size,this.framedGraphToViewport(x,{matrix:a})),s[x.type]=(s[x.type]||0)+1}this.labelGrid.organize();for(let T in this.nodePrograms){if(!qe.call(this.nodePrograms,T))throw new Error(`Sigma: could not find a suitable program for node type "${T}"!`);this.nodePrograms[T].reallocate(s[T]||0),s[T]=0}this.settings.zIndex&&this.nodeZExtent[0]!==this.nodeZExtent[1]&&(y=mr(this.nodeZExtent,T=>this.nodeDataCache[T].zIndex,y));for(let T=0,S=y.length;T<S;T++){let C=y[T];d[C]=p,v[d[C]]={type:"node",id:C},p++;let x=this.nodeDataCache[C];this.addNodeToProgram(C,d[C],s[x.type]++)}let b={},w=t.edges();for(let T=0,S=w.length;T<S;T++){let C=w[T],x=this.edgeDataCache[C];b[x.type]=(b[x.type]||0)+1}this.settings.zIndex&&this.edgeZExtent[0]!==this.edgeZExtent[1]&&(w=mr(this.edgeZExtent,T=>this.edgeDataCache[T].zIndex,w));for(let T in this.edgePrograms){if(!qe.call(this.edgePrograms,T))throw new Error(`Sigma: could not find a suitable program for edge type "${T}"!`);this.edgePrograms[T].reallocate(b[T]||0),b[T]=0}for(let T=0,S=w.length;T<S;T++){let C=w[T];g[C]=p,v[g[C]]={type:"edge",id:C},p++;let x=this.edgeDataCache[C];this.addEdgeToProgram(C,g[C],b[x.type]++)}return this.itemIDsIndex=v,this.nodeIndices=d,this.edgeIndices=g,this.emit("afterProcess"),this}handleSettingsUpdate(t){let e=this.settings;if(this.camera.minRatio=e.minCameraRatio,this.camera.maxRatio=e.maxCameraRatio,this.camera.enabledZooming=e.enableCameraZooming,this.camera.enabledPanning=e.enableCameraPanning,this.camera.enabledRotation=e.enableCameraRotation,e.cameraPanBoundaries?this.camera.clean=i=>this.cleanCameraState(i,e.cameraPanBoundaries&&typeof e.cameraPanBoundaries=="object"?e.cameraPanBoundaries:{}):this.camera.clean=null,this.camera.setState(this.camera.validateState(this.camera.getState())),t){if(t.edgeProgramClasses!==e.edgeProgramClasses){for(let i in e.edgeProgramClasses)e.edgeProgramClasses[i]!==t.edgeProgramClasses[i]&&this.registerEdgeProgram(i,e.edgeProgramClasses[i]);for(let i in t.edgeProgramClasses)e.edgeProgramClasses[i]||this.unregisterEdgeProgram(i)}if(t.nodeProgramClasses!==e.nodeProgramClasses||t.nodeHoverProgramClasses!==e.nodeHoverProgramClasses){for(let i in e.nodeProgramClasses)(e.nodeProgramClasses[i]!==t.nodeProgramClasses[i]||e.nodeHoverProgramClasses[i]!==t.nodeHoverProgramClasses[i])&&this.registerNodeProgram(i,e.nodeProgramClasses[i],e.nodeHoverProgramClasses[i]);for(let i in t.nodeProgramClasses)e.nodeProgramClasses[i]||this.unregisterNodeProgram(i)}}return this.mouseCaptor.setSettings(this.settings),this.touchCaptor.setSettings(this.settings),this}cleanCameraState(t,{tolerance:e=0,boundaries:i}={}){let r={...t},{x:[a,s],y:[d,g]}=i||this.nodeExtent,v=[this.graphToViewport({x:a,y:d},{cameraState:t}),this.graphToViewport({x:s,y:d},{cameraState:t}),this.graphToViewport({x:a,y:g},{cameraState:t}),this.graphToViewport({x:s,y:g},{cameraState:t})],p=1/0,y=-1/0,b=1/0,w=-1/0;v.forEach(({x:R,y:_})=>{p=Math.min(p,R),y=Math.max(y,R),b=Math.min(b,_),w=Math.max(w,_)});let T=y-p,S=w-b,{width:C,height:x}=this.getDimensions(),L=0,O=0;if(T>=C?y<C-e?L=y-(C-e):p>e&&(L=p-e):y>C+e?L=y-(C+e):p<-e&&(L=p+e),S>=x?w<x-e?O=w-(x-e):b>e&&(O=b-e):w>x+e?O=w-(x+e):b<-e&&(O=b+e),L||O){let R=this.viewportToFramedGraph({x:0,y:0},{cameraState:t}),_=this.viewportToFramedGraph({x:L,y:O},{cameraState:t});L=_.x-R.x,O=_.y-R.y,r.x+=L,r.y+=O}return r}renderLabels(){if(!this.settings.renderLabels)return this;let t=this.camera.getState(),e=this.labelGrid.getLabelsToDisplay(t.ratio,this.settings.labelDensity);gr(e,this.nodesWithForcedLabels),this.displayedNodeLabels=new Set;let i=this.canvasContexts.labels;for(let r=0,a=e.length;r<a;r++){let s=e[r],d=this.nodeDataCache[s];if(this.displayedNodeLabels.has(s)||d.hidden)continue;let{x:g,y:v}=this.framedGraphToViewport(d),p=this.scaleSize(d.size);if(!d.forceLabel&&p<this.settings.labelRenderedSizeThreshold||g<-150||g>this.width+_s||v<-50||v>this.height+ws)continue;this.displayedNodeLabels.add(s);let{defaultDrawNodeLabel:y}=this.settings,b=this.nodePrograms[d.type];(b?.drawLabel||y)(i,{key:s,...d,size:p,x:g,y:v},this.settings)}return this}renderEdgeLabels(){if(!this.settings.renderEdgeLabels)return this;let t=this.canvasContexts.edgeLabels;t.clearRect(0,0,this.width,this.height);let e=bs({graph:this.graph,hoveredNode:this.hoveredNode,displayedNodeLabels:this.displayedNodeLabels,highlightedNodes:this.highlightedNodes});gr(e,this.edgesWithForcedLabels);let i=new Set;for(let r=0,a=e.length;r<a;r++){let s=e[r],d=this.graph.extremities(s),g=this.nodeDataCache[d[0]],v=this.nodeDataCache[d[1]],p=this.edgeDataCache[s];if(i.has(s)||p.hidden||g.hidden||v.hidden)continue;let{defaultDrawEdgeLabel:y}=this.settings,b=this.edgePrograms[p.type];(b?.drawLabel||y)(t,{key:s,...p,size:this.scaleSize(p.size)},{key:d[0],...g,...this.framedGraphToViewport(g),size:this.scaleSize(g.size)},{key:d[1],...v,...this.framedGraphToViewport(v),size:this.scaleSize(v.size)},this.settings),i.add(s)}return this.displayedEdgeLabels=i,this}renderHighlightedNodes(){let t=this.canvasContexts.hovers;t.clearRect(0,0,this.width,this.height);let e=s=>{let d=this.nodeDataCache[s],{x:g,y:v}=this.framedGraphToViewport(d),p=this.scaleSize(d.size),{defaultDrawNodeHover:y}=this.settings,b=this.nodePrograms[d.type];(b?.drawHover||y)(t,{key:s,...d,size:p,x:g,y:v},this.settings)},i=[];this.hoveredNode&&!this.nodeDataCache[this.hoveredNode].hidden&&i.push(this.hoveredNode),this.highlightedNodes.forEach(s=>{s!==this.hoveredNode&&i.push(s)}),i.forEach(s=>e(s));let r={};i.forEach(s=>{let d=this.nodeDataCache[s].type;r[d]=(r[d]||0)+1});for(let s in this.nodeHoverPrograms)this.nodeHoverPrograms[s].reallocate(r[s]||0),r[s]=0;i.forEach(s=>{let d=this.nodeDataCache[s];this.nodeHoverPrograms[d.type].process(0,r[d.type]++,d)}),this.webGLContexts.hoverNodes.clear(this.webGLContexts.hoverNodes.COLOR_BUFFER_BIT);let a=this.getRenderParams();for(let s in this.nodeHoverPrograms)this.nodeHoverPrograms[s].render(a)}scheduleHighlightedNodesRender(){this.renderHighlightedNodesFrame||this.renderFrame||(this.renderHighlightedNodesFrame=requestAnimationFrame(()=>{this.renderHighlightedNodesFrame=null,this.renderHighlightedNodes(),this.renderEdgeLabels()}))}render(){this.emit("beforeRender");let t=()=>(this.emit("afterRender"),this);if(this.renderFrame&&(cancelAnimationFrame(this.renderFrame),this.renderFrame=null),this.resize(),this.needToProcess&&this.process(),this.needToProcess=!1,this.clear(),this.pickingLayers.forEach(v=>this.resetWebGLTexture(v)),!this.graph.order)return t();let e=this.mouseCaptor,i=this.camera.isAnimated()||e.isMoving||e.draggedEvents||e.currentWheelDirection,r=this.camera.getState(),a=this.getDimensions(),s=this.getGraphDimensions(),d=this.getStagePadding();this.matrix=_t(r,a,s,d),this.invMatrix=_t(r,a,s,d,!0),this.correctionRatio=En(this.matrix,r,a),this.graphToViewportRatio=this.getGraphToViewportRatio();let g=this.getRenderParams();for(let v in this.nodePrograms)this.nodePrograms[v].render(g);if(!this.settings.hideEdgesOnMove||!i)for(let v in this.edgePrograms)this.edgePrograms[v].render(g);return this.settings.hideLabelsOnMove&&i||(this.renderLabels(),this.renderEdgeLabels(),this.renderHighlightedNodes()),t()}addNode(t){let e=Object.assign({},this.graph.getNodeAttributes(t));this.settings.nodeReducer&&(e=this.settings.nodeReducer(t,e));let i=Es(this.settings,t,e);this.nodeDataCache[t]=i,this.nodesWithForcedLabels.delete(t),i.forceLabel&&!i.hidden&&this.nodesWithForcedLabels.add(t),this.highlightedNodes.delete(t),i.highlighted&&!i.hidden&&this.highlightedNodes.add(t),this.settings.zIndex&&(i.zIndex<this.nodeZExtent[0]&&(this.nodeZExtent[0]=i.zIndex),i.zIndex>this.nodeZExtent[1]&&(this.nodeZExtent[1]=i.zIndex))}updateNode(t){this.addNode(t);let e=this.nodeDataCache[t];this.normalizationFunction.applyTo(e)}removeNode(t){delete this.nodeDataCache[t],delete this.nodeProgramIndex[t],this.highlightedNodes.delete(t),this.hoveredNode===t&&(this.hoveredNode=null),this.nodesWithForcedLabels.delete(t)}addEdge(t){let e=Object.assign({},this.graph.getEdgeAttributes(t));this.settings.edgeReducer&&(e=this.settings.edgeReducer(t,e));let i=Ts(this.settings,t,e);this.edgeDataCache[t]=i,this.edgesWithForcedLabels.delete(t),i.forceLabel&&!i.hidden&&this.edgesWithForcedLabels.add(t),this.settings.zIndex&&(i.zIndex<this.edgeZExtent[0]&&(this.edgeZExtent[0]=i.zIndex),i.zIndex>this.edgeZExtent[1]&&(this.edgeZExtent[1]=i.zIndex))}updateEdge(t){this.addEdge(t)}removeEdge(t){delete this.edgeDataCache[t],delete this.edgeProgramIndex[t],this.hoveredEdge===t&&(this.hoveredEdge=null),this.edgesWithForcedLabels.delete(t)}clearNodeIndices(){this.labelGrid=new io,this.nodeExtent={x:[0,1],y:[0,1]},this.nodeDataCache={},this.edgeProgramIndex={},this.nodesWithForcedLabels=new Set,this.nodeZExtent=[1/0,-1/0],this.highlightedNodes=new Set}clearEdgeIndices(){this.edgeDataCache={},this.edgeProgramIndex={},this.edgesWithForcedLabels=new Set,this.edgeZExtent=[1/0,-1/0]}clearIndices(){this.clearEdgeIndices(),this.clearNodeIndices()}clearNodeState(){this.displayedNodeLabels=new Set,this.highlightedNodes=new Set,this.hoveredNode=null}clearEdgeState(){this.displayedEdgeLabels=new Set,this.highlightedNodes=new Set,this.hoveredEdge=null}clearState(){this.clearEdgeState(),this.clearNodeState()}addNodeToProgram(t,e,i){let r=this.nodeDataCache[t],a=this.nodePrograms[r.type];if(!a)throw new Error(`Sigma: could not find a suitable program for node type "${r.type}"!`);a.process(e,i,r),this.nodeProgramIndex[t]=i}addEdgeToProgram(t,e,i){let r=this.edgeDataCache[t],a=this.edgePrograms[r.type];if(!a)throw new Error(`Sigma: could not find a suitable program for edge type "${r.type}"!`);let s=this.graph.extremities(t),d=this.nodeDataCache[s[0]],g=this.nodeDataCache[s[1]];a.process(e,i,d,g,r),this.edgeProgramIndex[t]=i}getRenderParams(){return{matrix:this.matrix,invMatrix:this.invMatrix,width:this.width,height:this.height,pixelRatio:this.pixelRatio,zoomRatio:this.camera.ratio,cameraAngle:this.camera.angle,sizeRatio:1/this.scaleSize(),correctionRatio:this.correctionRatio,downSizingRatio:this.pickingDownSizingRatio,minEdgeThickness:this.settings.minEdgeThickness,antiAliasingFeather:this.settings.antiAliasingFeather}}getStagePadding(){let{stagePadding:t,autoRescale:e}=this.settings;return e&&t||0}createLayer(t,e,i={}){if(this.elements[t])throw new Error(`Sigma: a layer named "${t}" already exists`);let r=An(e,{position:"absolute"},{class:`sigma-${t}`});return i.style&&Object.assign(r.style,i.style),this.elements[t]=r,"beforeLayer"in i&&i.beforeLayer?this.elements[i.beforeLayer].before(r):"afterLayer"in i&&i.afterLayer?this.elements[i.afterLayer].after(r):this.container.appendChild(r),r}createCanvas(t,e={}){return this.createLayer(t,"canvas",e)}createCanvasContext(t,e={}){let i=this.createCanvas(t,e),r={preserveDrawingBuffer:!1,antialias:!1};return this.canvasContexts[t]=i.getContext("2d",r),this}createWebGLContext(t,e={}){let i=e?.canvas||this.createCanvas(t,e);e.hidden&&i.remove();let r={preserveDrawingBuffer:!1,antialias:!1,...e},a;a=i.getContext("webgl2",r),a||(a=i.getContext("webgl",r)),a||(a=i.getContext("experimental-webgl",r));let s=a;if(this.webGLContexts[t]=s,s.blendFunc(s.ONE,s.ONE_MINUS_SRC_ALPHA),e.picking){this.pickingLayers.add(t);let d=s.createFramebuffer();if(!d)throw new Error(`Sigma: cannot create a new frame buffer for layer ${t}`);this.frameBuffers[t]=d}return s}killLayer(t){var e;let i=this.elements[t];if(!i)throw new Error(`Sigma: cannot kill layer ${t}, which does not exist`);return this.webGLContexts[t]?((e=this.webGLContexts[t].getExtension("WEBGL_lose_context"))==null||e.loseContext(),delete this.webGLContexts[t]):this.canvasContexts[t]&&delete this.canvasContexts[t],i.remove(),delete this.elements[t],this}getCamera(){return this.camera}setCamera(t){this.unbindCameraHandlers(),this.camera=t,this.bindCameraHandlers()}getContainer(){return this.container}getGraph(){return this.graph}setGraph(t){t!==this.graph&&(this.hoveredNode&&!t.hasNode(this.hoveredNode)&&(this.hoveredNode=null),this.hoveredEdge&&!t.hasEdge(this.hoveredEdge)&&(this.hoveredEdge=null),this.unbindGraphHandlers(),this.checkEdgesEventsFrame!==null&&(cancelAnimationFrame(this.checkEdgesEventsFrame),this.checkEdgesEventsFrame=null),this.graph=t,this.bindGraphHandlers(),this.refresh())}getMouseCaptor(){return this.mouseCaptor}getTouchCaptor(){return this.touchCaptor}getDimensions(){return{width:this.width,height:this.height}}getGraphDimensions(){let t=this.customBBox||this.nodeExtent;return{width:t.x[1]-t.x[0]||1,height:t.y[1]-t.y[0]||1}}getNodeDisplayData(t){let e=this.nodeDataCache[t];return e?Object.assign({},e):void 0}getEdgeDisplayData(t){let e=this.edgeDataCache[t];return e?Object.assign({},e):void 0}getNodeDisplayedLabels(){return new Set(this.displayedNodeLabels)}getEdgeDisplayedLabels(){return new Set(this.displayedEdgeLabels)}getSettings(){return{...this.settings}}getSetting(t){return this.settings[t]}setSetting(t,e){let i={...this.settings};return this.settings[t]=e,Lr(this.settings),this.handleSettingsUpdate(i),this.scheduleRefresh(),this}updateSetting(t,e){return this.setSetting(t,e(this.settings[t])),this}setSettings(t){let e={...this.settings};return this.settings={...this.settings,...t},Lr(this.settings),this.handleSettingsUpdate(e),this.scheduleRefresh(),this}resize(t){let e=this.width,i=this.height;if(this.width=this.container.offsetWidth,this.height=this.container.offsetHeight,this.pixelRatio=pr(),this.width===0)if(this.settings.allowInvalidContainer)this.width=1;else throw new Error("Sigma: Container has no width. You can set the allowInvalidContainer setting to true to stop seeing this error.");if(this.height===0)if(this.settings.allowInvalidContainer)this.height=1;else throw new Error("Sigma: Container has no height. You can set the allowInvalidContainer setting to true to stop seeing this error.");if(!t&&e===this.width&&i===this.height)return this;for(let r in this.elements){let a=this.elements[r];a.style.width=this.width+"px",a.style.height=this.height+"px"}for(let r in this.canvasContexts)this.elements[r].setAttribute("width",this.width*this.pixelRatio+"px"),this.elements[r].setAttribute("height",this.height*this.pixelRatio+"px"),this.pixelRatio!==1&&this.canvasContexts[r].scale(this.pixelRatio,this.pixelRatio);for(let r in this.webGLContexts){this.elements[r].setAttribute("width",this.width*this.pixelRatio+"px"),this.elements[r].setAttribute("height",this.height*this.pixelRatio+"px");let a=this.webGLContexts[r];if(a.viewport(0,0,this.width*this.pixelRatio,this.height*this.pixelRatio),this.pickingLayers.has(r)){let s=this.textures[r];s&&a.deleteTexture(s)}}return this.emit("resize"),this}clear(){return this.emit("beforeClear"),this.webGLContexts.nodes.bindFramebuffer(WebGLRenderingContext.FRAMEBUFFER,null),this.webGLContexts.nodes.clear(WebGLRenderingContext.COLOR_BUFFER_BIT),this.webGLContexts.edges.bindFramebuffer(WebGLRenderingContext.FRAMEBUFFER,null),this.webGLContexts.edges.clear(WebGLRenderingContext.COLOR_BUFFER_BIT),this.webGLContexts.hoverNodes.clear(WebGLRenderingContext.COLOR_BUFFER_BIT),this.canvasContexts.labels.clearRect(0,0,this.width,this.height),this.canvasContexts.hovers.clearRect(0,0,this.width,this.height),this.canvasContexts.edgeLabels.clearRect(0,0,this.width,this.height),this.emit("afterClear"),this}refresh(t){var e,i;let r=t?.skipIndexation!==void 0?t?.skipIndexation:!1,a=t?.schedule!==void 0?t.schedule:!1,s=!t||!t.partialGraph;if(s)this.clearEdgeIndices(),this.clearNodeIndices(),this.graph.forEachNode(d=>this.addNode(d)),this.graph.forEachEdge(d=>this.addEdge(d));else{let d=((e=t.partialGraph)==null?void 0:e.nodes)||[];for(let v=0,p=d?.length||0;v<p;v++){let y=d[v];if(this.updateNode(y),r){let b=this.nodeProgramIndex[y];if(b===void 0)throw new Error(`Sigma: node "${y}" can't be repaint`);this.addNodeToProgram(y,this.nodeIndices[y],b)}}let g=((i=t?.partialGraph)==null?void 0:i.edges)||[];for(let v=0,p=g.length;v<p;v++){let y=g[v];if(this.updateEdge(y),r){let b=this.edgeProgramIndex[y];if(b===void 0)throw new Error(`Sigma: edge "${y}" can't be repaint`);this.addEdgeToProgram(y,this.edgeIndices[y],b)}}}return(s||!r)&&(this.needToProcess=!0),a?this.scheduleRender():this.render(),this}scheduleRender(){return this.renderFrame||(this.renderFrame=requestAnimationFrame(()=>{this.render()})),this}scheduleRefresh(t){return this.refresh({...t,schedule:!0})}getViewportZoomedState(t,e){let{ratio:i,angle:r,x:a,y:s}=this.camera.getState(),{minCameraRatio:d,maxCameraRatio:g}=this.settings;typeof g=="number"&&(e=Math.min(e,g)),typeof d=="number"&&(e=Math.max(e,d));let v=e/i,p={x:this.width/2,y:this.height/2},y=this.viewportToFramedGraph(t),b=this.viewportToFramedGraph(p);return{angle:r,x:(y.x-b.x)*(1-v)+a,y:(y.y-b.y)*(1-v)+s,ratio:e}}viewRectangle(){let t=this.viewportToFramedGraph({x:0,y:0}),e=this.viewportToFramedGraph({x:this.width,y:0}),i=this.viewportToFramedGraph({x:0,y:this.height});return{x1:t.x,y1:t.y,x2:e.x,y2:e.y,height:e.y-i.y}}framedGraphToViewport(t,e={}){let i=!!e.cameraState||!!e.viewportDimensions||!!e.graphDimensions,r=e.matrix?e.matrix:i?_t(e.cameraState||this.camera.getState(),e.viewportDimensions||this.getDimensions(),e.graphDimensions||this.getGraphDimensions(),e.padding||this.getStagePadding()):this.matrix,a=vi(r,t);return{x:(1+a.x)*this.width/2,y:(1-a.y)*this.height/2}}viewportToFramedGraph(t,e={}){let i=!!e.cameraState||!!e.viewportDimensions||!e.graphDimensions,r=e.matrix?e.matrix:i?_t(e.cameraState||this.camera.getState(),e.viewportDimensions||this.getDimensions(),e.graphDimensions||this.getGraphDimensions(),e.padding||this.getStagePadding(),!0):this.invMatrix,a=vi(r,{x:t.x/this.width*2-1,y:1-t.y/this.height*2});return isNaN(a.x)&&(a.x=0),isNaN(a.y)&&(a.y=0),a}viewportToGraph(t,e={}){return this.normalizationFunction.inverse(this.viewportToFramedGraph(t,e))}graphToViewport(t,e={}){return this.framedGraphToViewport(this.normalizationFunction(t),e)}getGraphToViewportRatio(){let t={x:0,y:0},e={x:1,y:1},i=Math.sqrt(Math.pow(t.x-e.x,2)+Math.pow(t.y-e.y,2)),r=this.graphToViewport(t),a=this.graphToViewport(e);return Math.sqrt(Math.pow(r.x-a.x,2)+Math.pow(r.y-a.y,2))/i}getBBox(){return this.nodeExtent}getCustomBBox(){return this.customBBox}setCustomBBox(t){return this.customBBox=t,this.scheduleRender(),this}kill(){this.emit("kill"),this.removeAllListeners(),this.unbindCameraHandlers(),window.removeEventListener("resize",this.activeListeners.handleResize),this.mouseCaptor.kill(),this.touchCaptor.kill(),this.unbindGraphHandlers(),this.clearIndices(),this.clearState(),this.nodeDataCache={},this.edgeDataCache={},this.highlightedNodes.clear(),this.renderFrame&&(cancelAnimationFrame(this.renderFrame),this.renderFrame=null),this.renderHighlightedNodesFrame&&(cancelAnimationFrame(this.renderHighlightedNodesFrame),this.renderHighlightedNodesFrame=null);let t=this.container;for(;t.firstChild;)t.removeChild(t.firstChild);for(let e in this.nodePrograms)this.nodePrograms[e].kill();for(let e in this.nodeHoverPrograms)this.nodeHoverPrograms[e].kill();for(let e in this.edgePrograms)this.edgePrograms[e].kill();this.nodePrograms={},this.nodeHoverPrograms={},this.edgePrograms={};for(let e in this.elements)this.killLayer(e);this.canvasContexts={},this.webGLContexts={},this.elements={}}scaleSize(t=1,e=this.camera.ratio){return t/this.settings.zoomToSizeRatioFunction(e)*(this.getSetting("itemSizesReference")==="positions"?e*this.graphToViewportRatio:1)}getCanvases(){let t={};for(let e in this.elements)this.elements[e]instanceof HTMLCanvasElement&&(t[e]=this.elements[e]);return t}},Et=class extends ro{};return Et.Camera=wt,Et.MouseCaptor=eo,Et.Sigma=ro,Et.rendering={...hs,createNodeBorderProgram:Vr,createNodeImageProgram:tr,createNodePiechartProgram:Ta,EdgeCurveProgram:go},Et.utils=ka,Et})});var lo=co(uo()),fo=co(ho());console.debug(lo.default,fo.default);})();
