(()=>{var Os=Object.create;var lo=Object.defineProperty;var Is=Object.getOwnPropertyDescriptor;var Ms=Object.getOwnPropertyNames;var Us=Object.getPrototypeOf,Bs=Object.prototype.hasOwnProperty;var fo=(U,O)=>()=>{try{return O||U((O={exports:{}}).exports,O),O.exports}catch(Z){throw O=0,Z}};var js=(U,O,Z,ne)=>{if(O&&typeof O=="object"||typeof O=="function")for(let $ of Ms(O))!Bs.call(U,$)&&$!==Z&&lo(U,$,{get:()=>O[$],enumerable:!(ne=Is(O,$))||ne.enumerable});return U};var go=(U,O,Z)=>(Z=U!=null?Os(Us(U)):{},js(O||!U||!U.__esModule?lo(Z,"default",{value:U,enumerable:!0}):Z,U));var po=fo((Or,Ir)=>{(function(U,O){typeof Or=="object"&&typeof Ir<"u"?Ir.exports=O():typeof define=="function"&&define.amd?define(O):(U=typeof globalThis<"u"?globalThis:U||self).graphology=O()})(Or,(function(){"use strict";function U(c){if(c===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return c}function O(c,l,h){return(l=(function(n){var o=(function(u,f){if(typeof u!="object"||!u)return u;var m=u[Symbol.toPrimitive];if(m!==void 0){var E=m.call(u,f||"default");if(typeof E!="object")return E;throw new TypeError("@@toPrimitive must return a primitive value.")}return(f==="string"?String:Number)(u)})(n,"string");return typeof o=="symbol"?o:o+""})(l))in c?Object.defineProperty(c,l,{value:h,enumerable:!0,configurable:!0,writable:!0}):c[l]=h,c}function Z(c){return Z=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(l){return l.__proto__||Object.getPrototypeOf(l)},Z(c)}function ne(c,l){c.prototype=Object.create(l.prototype),c.prototype.constructor=c,ge(c,l)}function $(){try{var c=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],(function(){})))}catch{}return($=function(){return!!c})()}function ge(c,l){return ge=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(h,n){return h.__proto__=n,h},ge(c,l)}function Ae(c){return Ae=typeof Symbol=="function"&&typeof Symbol.iterator=="symbol"?function(l){return typeof l}:function(l){return l&&typeof Symbol=="function"&&l.constructor===Symbol&&l!==Symbol.prototype?"symbol":typeof l},Ae(c)}function et(c){var l=typeof Map=="function"?new Map:void 0;return et=function(h){if(h===null||!(function(o){try{return Function.toString.call(o).indexOf("[native code]")!==-1}catch{return typeof o=="function"}})(h))return h;if(typeof h!="function")throw new TypeError("Super expression must either be null or a function");if(l!==void 0){if(l.has(h))return l.get(h);l.set(h,n)}function n(){return(function(o,u,f){if($())return Reflect.construct.apply(null,arguments);var m=[null];m.push.apply(m,u);var E=new(o.bind.apply(o,m));return f&&ge(E,f.prototype),E})(h,arguments,Z(this).constructor)}return n.prototype=Object.create(h.prototype,{constructor:{value:n,enumerable:!1,writable:!0,configurable:!0}}),ge(n,h)},et(c)}var ue=function(){for(var c=arguments[0],l=1,h=arguments.length;l<h;l++)if(arguments[l])for(var n in arguments[l])c[n]=arguments[l][n];return c};function ce(c,l,h,n){var o=c._nodes.get(l),u=null;return o?u=n==="mixed"?o.out&&o.out[h]||o.undirected&&o.undirected[h]:n==="directed"?o.out&&o.out[h]:o.undirected&&o.undirected[h]:u}function oe(c){return Ae(c)==="object"&&c!==null}function Ce(c){var l;for(l in c)return!1;return!0}function pe(c,l,h){Object.defineProperty(c,l,{enumerable:!1,configurable:!1,writable:!0,value:h})}function ve(c,l,h){var n={enumerable:!0,configurable:!0};typeof h=="function"?n.get=h:(n.value=h,n.writable=!1),Object.defineProperty(c,l,n)}function nt(c){return!!oe(c)&&!(c.attributes&&!Array.isArray(c.attributes))}function Ge(){var c=arguments,l=null,h=-1;return O(O({},Symbol.iterator,(function(){return this})),"next",(function(){for(var n=null;;){if(l===null){if(++h>=c.length)return{done:!0};l=c[h][Symbol.iterator]()}if(!(n=l.next()).done)break;l=null}return n}))}function tt(){return O(O({},Symbol.iterator,(function(){return this})),"next",(function(){return{done:!0}}))}typeof Object.assign=="function"&&(ue=Object.assign);var Qt,Ct={exports:{}},ke=typeof Reflect=="object"?Reflect:null,ot=ke&&typeof ke.apply=="function"?ke.apply:function(c,l,h){return Function.prototype.apply.call(c,l,h)};Qt=ke&&typeof ke.ownKeys=="function"?ke.ownKeys:Object.getOwnPropertySymbols?function(c){return Object.getOwnPropertyNames(c).concat(Object.getOwnPropertySymbols(c))}:function(c){return Object.getOwnPropertyNames(c)};var kt=Number.isNaN||function(c){return c!=c};function ie(){ie.init.call(this)}Ct.exports=ie,Ct.exports.once=function(c,l){return new Promise((function(h,n){function o(f){c.removeListener(l,u),n(f)}function u(){typeof c.removeListener=="function"&&c.removeListener("error",o),h([].slice.call(arguments))}ti(c,l,u,{once:!0}),l!=="error"&&(function(f,m,E){typeof f.on=="function"&&ti(f,"error",m,E)})(c,o,{once:!0})}))},ie.EventEmitter=ie,ie.prototype._events=void 0,ie.prototype._eventsCount=0,ie.prototype._maxListeners=void 0;var ft=10;function it(c){if(typeof c!="function")throw new TypeError('The "listener" argument must be of type Function. Received type '+typeof c)}function Lt(c){return c._maxListeners===void 0?ie.defaultMaxListeners:c._maxListeners}function le(c,l,h,n){var o,u,f,m;if(it(h),(u=c._events)===void 0?(u=c._events=Object.create(null),c._eventsCount=0):(u.newListener!==void 0&&(c.emit("newListener",l,h.listener?h.listener:h),u=c._events),f=u[l]),f===void 0)f=u[l]=h,++c._eventsCount;else if(typeof f=="function"?f=u[l]=n?[h,f]:[f,h]:n?f.unshift(h):f.push(h),(o=Lt(c))>0&&f.length>o&&!f.warned){f.warned=!0;var E=new Error("Possible EventEmitter memory leak detected. "+f.length+" "+String(l)+" listeners added. Use emitter.setMaxListeners() to increase limit");E.name="MaxListenersExceededWarning",E.emitter=c,E.type=l,E.count=f.length,m=E,console&&console.warn&&console.warn(m)}return c}function Jt(){if(!this.fired)return this.target.removeListener(this.type,this.wrapFn),this.fired=!0,arguments.length===0?this.listener.call(this.target):this.listener.apply(this.target,arguments)}function He(c,l,h){var n={fired:!1,wrapFn:void 0,target:c,type:l,listener:h},o=Jt.bind(n);return o.listener=h,n.wrapFn=o,o}function ei(c,l,h){var n=c._events;if(n===void 0)return[];var o=n[l];return o===void 0?[]:typeof o=="function"?h?[o.listener||o]:[o]:h?(function(u){for(var f=new Array(u.length),m=0;m<f.length;++m)f[m]=u[m].listener||u[m];return f})(o):Ft(o,o.length)}function gt(c){var l=this._events;if(l!==void 0){var h=l[c];if(typeof h=="function")return 1;if(h!==void 0)return h.length}return 0}function Ft(c,l){for(var h=new Array(l),n=0;n<l;++n)h[n]=c[n];return h}function ti(c,l,h,n){if(typeof c.on=="function")n.once?c.once(l,h):c.on(l,h);else{if(typeof c.addEventListener!="function")throw new TypeError('The "emitter" argument must be of type EventEmitter. Received type '+typeof c);c.addEventListener(l,(function o(u){n.once&&c.removeEventListener(l,o),h(u)}))}}Object.defineProperty(ie,"defaultMaxListeners",{enumerable:!0,get:function(){return ft},set:function(c){if(typeof c!="number"||c<0||kt(c))throw new RangeError('The value of "defaultMaxListeners" is out of range. It must be a non-negative number. Received '+c+".");ft=c}}),ie.init=function(){this._events!==void 0&&this._events!==Object.getPrototypeOf(this)._events||(this._events=Object.create(null),this._eventsCount=0),this._maxListeners=this._maxListeners||void 0},ie.prototype.setMaxListeners=function(c){if(typeof c!="number"||c<0||kt(c))throw new RangeError('The value of "n" is out of range. It must be a non-negative number. Received '+c+".");return this._maxListeners=c,this},ie.prototype.getMaxListeners=function(){return Lt(this)},ie.prototype.emit=function(c){for(var l=[],h=1;h<arguments.length;h++)l.push(arguments[h]);var n=c==="error",o=this._events;if(o!==void 0)n=n&&o.error===void 0;else if(!n)return!1;if(n){var u;if(l.length>0&&(u=l[0]),u instanceof Error)throw u;var f=new Error("Unhandled error."+(u?" ("+u.message+")":""));throw f.context=u,f}var m=o[c];if(m===void 0)return!1;if(typeof m=="function")ot(m,this,l);else{var E=m.length,G=Ft(m,E);for(h=0;h<E;++h)ot(G[h],this,l)}return!0},ie.prototype.addListener=function(c,l){return le(this,c,l,!1)},ie.prototype.on=ie.prototype.addListener,ie.prototype.prependListener=function(c,l){return le(this,c,l,!0)},ie.prototype.once=function(c,l){return it(l),this.on(c,He(this,c,l)),this},ie.prototype.prependOnceListener=function(c,l){return it(l),this.prependListener(c,He(this,c,l)),this},ie.prototype.removeListener=function(c,l){var h,n,o,u,f;if(it(l),(n=this._events)===void 0)return this;if((h=n[c])===void 0)return this;if(h===l||h.listener===l)--this._eventsCount==0?this._events=Object.create(null):(delete n[c],n.removeListener&&this.emit("removeListener",c,h.listener||l));else if(typeof h!="function"){for(o=-1,u=h.length-1;u>=0;u--)if(h[u]===l||h[u].listener===l){f=h[u].listener,o=u;break}if(o<0)return this;o===0?h.shift():(function(m,E){for(;E+1<m.length;E++)m[E]=m[E+1];m.pop()})(h,o),h.length===1&&(n[c]=h[0]),n.removeListener!==void 0&&this.emit("removeListener",c,f||l)}return this},ie.prototype.off=ie.prototype.removeListener,ie.prototype.removeAllListeners=function(c){var l,h,n;if((h=this._events)===void 0)return this;if(h.removeListener===void 0)return arguments.length===0?(this._events=Object.create(null),this._eventsCount=0):h[c]!==void 0&&(--this._eventsCount==0?this._events=Object.create(null):delete h[c]),this;if(arguments.length===0){var o,u=Object.keys(h);for(n=0;n<u.length;++n)(o=u[n])!=="removeListener"&&this.removeAllListeners(o);return this.removeAllListeners("removeListener"),this._events=Object.create(null),this._eventsCount=0,this}if(typeof(l=h[c])=="function")this.removeListener(c,l);else if(l!==void 0)for(n=l.length-1;n>=0;n--)this.removeListener(c,l[n]);return this},ie.prototype.listeners=function(c){return ei(this,c,!0)},ie.prototype.rawListeners=function(c){return ei(this,c,!1)},ie.listenerCount=function(c,l){return typeof c.listenerCount=="function"?c.listenerCount(l):gt.call(c,l)},ie.prototype.listenerCount=gt,ie.prototype.eventNames=function(){return this._eventsCount>0?Qt(this._events):[]};var at=(function(c){function l(h){var n;return(n=c.call(this)||this).name="GraphError",n.message=h,n}return ne(l,c),l})(et(Error)),H=(function(c){function l(h){var n;return(n=c.call(this,h)||this).name="InvalidArgumentsGraphError",typeof Error.captureStackTrace=="function"&&Error.captureStackTrace(U(n),l.prototype.constructor),n}return ne(l,c),l})(at),B=(function(c){function l(h){var n;return(n=c.call(this,h)||this).name="NotFoundGraphError",typeof Error.captureStackTrace=="function"&&Error.captureStackTrace(U(n),l.prototype.constructor),n}return ne(l,c),l})(at),X=(function(c){function l(h){var n;return(n=c.call(this,h)||this).name="UsageGraphError",typeof Error.captureStackTrace=="function"&&Error.captureStackTrace(U(n),l.prototype.constructor),n}return ne(l,c),l})(at);function ii(c,l){this.key=c,this.attributes=l,this.clear()}function Nt(c,l){this.key=c,this.attributes=l,this.clear()}function pt(c,l){this.key=c,this.attributes=l,this.clear()}function Ve(c,l,h,n,o){this.key=l,this.attributes=o,this.undirected=c,this.source=h,this.target=n}ii.prototype.clear=function(){this.inDegree=0,this.outDegree=0,this.undirectedDegree=0,this.undirectedLoops=0,this.directedLoops=0,this.in={},this.out={},this.undirected={}},Nt.prototype.clear=function(){this.inDegree=0,this.outDegree=0,this.directedLoops=0,this.in={},this.out={}},pt.prototype.clear=function(){this.undirectedDegree=0,this.undirectedLoops=0,this.undirected={}},Ve.prototype.attach=function(){var c="out",l="in";this.undirected&&(c=l="undirected");var h=this.source.key,n=this.target.key;this.source[c][n]=this,this.undirected&&h===n||(this.target[l][h]=this)},Ve.prototype.attachMulti=function(){var c="out",l="in",h=this.source.key,n=this.target.key;this.undirected&&(c=l="undirected");var o=this.source[c],u=o[n];if(u===void 0)return o[n]=this,void(this.undirected&&h===n||(this.target[l][h]=this));u.previous=this,this.next=u,o[n]=this,this.target[l][h]=this},Ve.prototype.detach=function(){var c=this.source.key,l=this.target.key,h="out",n="in";this.undirected&&(h=n="undirected"),delete this.source[h][l],delete this.target[n][c]},Ve.prototype.detachMulti=function(){var c=this.source.key,l=this.target.key,h="out",n="in";this.undirected&&(h=n="undirected"),this.previous===void 0?this.next===void 0?(delete this.source[h][l],delete this.target[n][c]):(this.next.previous=void 0,this.source[h][l]=this.next,this.target[n][c]=this.next):(this.previous.next=this.next,this.next!==void 0&&(this.next.previous=this.previous))};var ri=0,Dt=1,st=3;function Le(c,l,h,n,o,u,f){var m,E,G,N;if(n=""+n,h===ri){if(!(m=c._nodes.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" node in the graph.'));G=o,N=u}else if(h===st){if(o=""+o,!(E=c._edges.get(o)))throw new B("Graph.".concat(l,': could not find the "').concat(o,'" edge in the graph.'));var A=E.source.key,D=E.target.key;if(n===A)m=E.target;else{if(n!==D)throw new B("Graph.".concat(l,': the "').concat(n,'" node is not attached to the "').concat(o,'" edge (').concat(A,", ").concat(D,")."));m=E.source}G=u,N=f}else{if(!(E=c._edges.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'));m=h===Dt?E.source:E.target,G=o,N=u}return[m,G,N]}var Li=[{name:function(c){return"get".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Le(this,l,h,n,o,u),m=f[0],E=f[1];return m.attributes[E]}}},{name:function(c){return"get".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o){return Le(this,l,h,n,o)[0].attributes}}},{name:function(c){return"has".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Le(this,l,h,n,o,u),m=f[0],E=f[1];return m.attributes.hasOwnProperty(E)}}},{name:function(c){return"set".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u,f){var m=Le(this,l,h,n,o,u,f),E=m[0],G=m[1],N=m[2];return E.attributes[G]=N,this.emit("nodeAttributesUpdated",{key:E.key,type:"set",attributes:E.attributes,name:G}),this}}},{name:function(c){return"update".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u,f){var m=Le(this,l,h,n,o,u,f),E=m[0],G=m[1],N=m[2];if(typeof N!="function")throw new H("Graph.".concat(l,": updater should be a function."));var A=E.attributes,D=N(A[G]);return A[G]=D,this.emit("nodeAttributesUpdated",{key:E.key,type:"set",attributes:E.attributes,name:G}),this}}},{name:function(c){return"remove".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Le(this,l,h,n,o,u),m=f[0],E=f[1];return delete m.attributes[E],this.emit("nodeAttributesUpdated",{key:m.key,type:"remove",attributes:m.attributes,name:E}),this}}},{name:function(c){return"replace".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Le(this,l,h,n,o,u),m=f[0],E=f[1];if(!oe(E))throw new H("Graph.".concat(l,": provided attributes are not a plain object."));return m.attributes=E,this.emit("nodeAttributesUpdated",{key:m.key,type:"replace",attributes:m.attributes}),this}}},{name:function(c){return"merge".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Le(this,l,h,n,o,u),m=f[0],E=f[1];if(!oe(E))throw new H("Graph.".concat(l,": provided attributes are not a plain object."));return ue(m.attributes,E),this.emit("nodeAttributesUpdated",{key:m.key,type:"merge",attributes:m.attributes,data:E}),this}}},{name:function(c){return"update".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f=Le(this,l,h,n,o,u),m=f[0],E=f[1];if(typeof E!="function")throw new H("Graph.".concat(l,": provided updater is not a function."));return m.attributes=E(m.attributes),this.emit("nodeAttributesUpdated",{key:m.key,type:"update",attributes:m.attributes}),this}}}],Fi=[{name:function(c){return"get".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new X("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new X("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=ce(this,f,m,h)))throw new B("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new X("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}return u.attributes[o]}}},{name:function(c){return"get".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n){var o;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new X("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>1){if(this.multi)throw new X("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var u=""+n,f=""+arguments[1];if(!(o=ce(this,u,f,h)))throw new B("Graph.".concat(l,': could not find an edge for the given path ("').concat(u,'" - "').concat(f,'").'))}else{if(h!=="mixed")throw new X("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(o=this._edges.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}return o.attributes}}},{name:function(c){return"has".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new X("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new X("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=ce(this,f,m,h)))throw new B("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new X("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}return u.attributes.hasOwnProperty(o)}}},{name:function(c){return"set".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new X("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>3){if(this.multi)throw new X("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var m=""+n,E=""+o;if(o=arguments[2],u=arguments[3],!(f=ce(this,m,E,h)))throw new B("Graph.".concat(l,': could not find an edge for the given path ("').concat(m,'" - "').concat(E,'").'))}else{if(h!=="mixed")throw new X("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(f=this._edges.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}return f.attributes[o]=u,this.emit("edgeAttributesUpdated",{key:f.key,type:"set",attributes:f.attributes,name:o}),this}}},{name:function(c){return"update".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o,u){var f;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new X("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>3){if(this.multi)throw new X("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var m=""+n,E=""+o;if(o=arguments[2],u=arguments[3],!(f=ce(this,m,E,h)))throw new B("Graph.".concat(l,': could not find an edge for the given path ("').concat(m,'" - "').concat(E,'").'))}else{if(h!=="mixed")throw new X("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(f=this._edges.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}if(typeof u!="function")throw new H("Graph.".concat(l,": updater should be a function."));return f.attributes[o]=u(f.attributes[o]),this.emit("edgeAttributesUpdated",{key:f.key,type:"set",attributes:f.attributes,name:o}),this}}},{name:function(c){return"remove".concat(c,"Attribute")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new X("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new X("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=ce(this,f,m,h)))throw new B("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new X("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}return delete u.attributes[o],this.emit("edgeAttributesUpdated",{key:u.key,type:"remove",attributes:u.attributes,name:o}),this}}},{name:function(c){return"replace".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new X("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new X("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=ce(this,f,m,h)))throw new B("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new X("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}if(!oe(o))throw new H("Graph.".concat(l,": provided attributes are not a plain object."));return u.attributes=o,this.emit("edgeAttributesUpdated",{key:u.key,type:"replace",attributes:u.attributes}),this}}},{name:function(c){return"merge".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new X("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new X("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=ce(this,f,m,h)))throw new B("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new X("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}if(!oe(o))throw new H("Graph.".concat(l,": provided attributes are not a plain object."));return ue(u.attributes,o),this.emit("edgeAttributesUpdated",{key:u.key,type:"merge",attributes:u.attributes,data:o}),this}}},{name:function(c){return"update".concat(c,"Attributes")},attacher:function(c,l,h){c.prototype[l]=function(n,o){var u;if(this.type!=="mixed"&&h!=="mixed"&&h!==this.type)throw new X("Graph.".concat(l,": cannot find this type of edges in your ").concat(this.type," graph."));if(arguments.length>2){if(this.multi)throw new X("Graph.".concat(l,": cannot use a {source,target} combo when asking about an edge's attributes in a MultiGraph since we cannot infer the one you want information about."));var f=""+n,m=""+o;if(o=arguments[2],!(u=ce(this,f,m,h)))throw new B("Graph.".concat(l,': could not find an edge for the given path ("').concat(f,'" - "').concat(m,'").'))}else{if(h!=="mixed")throw new X("Graph.".concat(l,": calling this method with only a key (vs. a source and target) does not make sense since an edge with this key could have the other type."));if(n=""+n,!(u=this._edges.get(n)))throw new B("Graph.".concat(l,': could not find the "').concat(n,'" edge in the graph.'))}if(typeof o!="function")throw new H("Graph.".concat(l,": provided updater is not a function."));return u.attributes=o(u.attributes),this.emit("edgeAttributesUpdated",{key:u.key,type:"update",attributes:u.attributes}),this}}}],Ni=[{name:"edges",type:"mixed"},{name:"inEdges",type:"directed",direction:"in"},{name:"outEdges",type:"directed",direction:"out"},{name:"inboundEdges",type:"mixed",direction:"in"},{name:"outboundEdges",type:"mixed",direction:"out"},{name:"directedEdges",type:"directed"},{name:"undirectedEdges",type:"undirected"}];function Di(c,l,h,n){var o=!1;for(var u in l)if(u!==n){var f=l[u];if(o=h(f.key,f.attributes,f.source.key,f.target.key,f.source.attributes,f.target.attributes,f.undirected),c&&o)return f.key}}function Gi(c,l,h,n){var o,u,f,m=!1;for(var E in l)if(E!==n){o=l[E];do{if(u=o.source,f=o.target,m=h(o.key,o.attributes,u.key,f.key,u.attributes,f.attributes,o.undirected),c&&m)return o.key;o=o.next}while(o!==void 0)}}function mt(c,l){var h,n=Object.keys(c),o=n.length,u=0;return O(O({},Symbol.iterator,(function(){return this})),"next",(function(){do if(h)h=h.next;else{if(u>=o)return{done:!0};var f=n[u++];if(f===l){h=void 0;continue}h=c[f]}while(!h);return{done:!1,value:{edge:h.key,attributes:h.attributes,source:h.source.key,target:h.target.key,sourceAttributes:h.source.attributes,targetAttributes:h.target.attributes,undirected:h.undirected}}}))}function ni(c,l,h,n){var o=l[h];if(o){var u=o.source,f=o.target;return n(o.key,o.attributes,u.key,f.key,u.attributes,f.attributes,o.undirected)&&c?o.key:void 0}}function Gt(c,l,h,n){var o=l[h];if(o){var u=!1;do{if(u=n(o.key,o.attributes,o.source.key,o.target.key,o.source.attributes,o.target.attributes,o.undirected),c&&u)return o.key;o=o.next}while(o!==void 0)}}function zt(c,l){var h=c[l];if(h.next!==void 0)return O(O({},Symbol.iterator,(function(){return this})),"next",(function(){if(!h)return{done:!0};var o={edge:h.key,attributes:h.attributes,source:h.source.key,target:h.target.key,sourceAttributes:h.source.attributes,targetAttributes:h.target.attributes,undirected:h.undirected};return h=h.next,{done:!1,value:o}}));var n=!1;return O(O({},Symbol.iterator,(function(){return this})),"next",(function(){return n===!0?{done:!0}:(n=!0,{done:!1,value:{edge:h.key,attributes:h.attributes,source:h.source.key,target:h.target.key,sourceAttributes:h.source.attributes,targetAttributes:h.target.attributes,undirected:h.undirected}})}))}function vt(c,l,h,n){if(l.size!==0){for(var o,u,f=h!=="mixed"&&h!==l.type,m=h==="undirected",E=!1,G=l._edges.values();(o=G.next()).done!==!0;)if(u=o.value,!f||u.undirected===m){var N=u,A=N.key,D=N.attributes,P=N.source,q=N.target;if(E=n(A,D,P.key,q.key,P.attributes,q.attributes,u.undirected),c&&E)return A}}}function Pt(c,l,h,n,o,u){var f,m=l?Gi:Di;if(h!=="undirected"&&(n!=="out"&&(f=m(c,o.in,u),c&&f)||n!=="in"&&(f=m(c,o.out,u,n?void 0:o.key),c&&f))||h!=="directed"&&(f=m(c,o.undirected,u),c&&f))return f}function Ot(c,l,h,n,o,u,f){var m,E=h?Gt:ni;if(l!=="undirected"&&(o.in!==void 0&&n!=="out"&&(m=E(c,o.in,u,f),c&&m)||o.out!==void 0&&n!=="in"&&(n||o.key!==u)&&(m=E(c,o.out,u,f),c&&m))||l!=="directed"&&o.undirected!==void 0&&(m=E(c,o.undirected,u,f),c&&m))return m}function zi(c,l){var h=l.name,n=l.type,o=l.direction;c.prototype[h]=function(u,f){if(n!=="mixed"&&this.type!=="mixed"&&n!==this.type)return[];if(!arguments.length)return(function(G,N){if(G.size===0)return[];if(N==="mixed"||N===G.type)return Array.from(G._edges.keys());for(var A,D,P=N==="undirected"?G.undirectedSize:G.directedSize,q=new Array(P),Q=N==="undirected",ee=G._edges.values(),de=0;(A=ee.next()).done!==!0;)(D=A.value).undirected===Q&&(q[de++]=D.key);return q})(this,n);if(arguments.length===1){u=""+u;var m=this._nodes.get(u);if(m===void 0)throw new B("Graph.".concat(h,': could not find the "').concat(u,'" node in the graph.'));return(function(G,N,A,D){var P=[];return Pt(!1,G,N,A,D,(function(q){P.push(q)})),P})(this.multi,n==="mixed"?this.type:n,o,m)}if(arguments.length===2){u=""+u,f=""+f;var E=this._nodes.get(u);if(!E)throw new B("Graph.".concat(h,':  could not find the "').concat(u,'" source node in the graph.'));if(!this._nodes.has(f))throw new B("Graph.".concat(h,':  could not find the "').concat(f,'" target node in the graph.'));return(function(G,N,A,D,P){var q=[];return Ot(!1,G,N,A,D,P,(function(Q){q.push(Q)})),q})(n,this.multi,o,E,f)}throw new H("Graph.".concat(h,": too many arguments (expecting 0, 1 or 2 and got ").concat(arguments.length,")."))}}function Pi(c,l){var h=l.name,n=l.type,o=l.direction,u=h.slice(0,-1)+"Entries";c.prototype[u]=function(f,m){if(n!=="mixed"&&this.type!=="mixed"&&n!==this.type)return tt();if(!arguments.length)return(function(N,A){if(N.size===0)return tt();var D=A!=="mixed"&&A!==N.type,P=A==="undirected",q=N._edges.values();return O(O({},Symbol.iterator,(function(){return this})),"next",(function(){for(var Q,ee;;){if((Q=q.next()).done)return Q;if(ee=Q.value,!D||ee.undirected===P)break}return{value:{edge:ee.key,attributes:ee.attributes,source:ee.source.key,target:ee.target.key,sourceAttributes:ee.source.attributes,targetAttributes:ee.target.attributes,undirected:ee.undirected},done:!1}}))})(this,n);if(arguments.length===1){f=""+f;var E=this._nodes.get(f);if(!E)throw new B("Graph.".concat(u,': could not find the "').concat(f,'" node in the graph.'));return(function(N,A,D){var P=tt();return N!=="undirected"&&(A!=="out"&&D.in!==void 0&&(P=Ge(P,mt(D.in))),A!=="in"&&D.out!==void 0&&(P=Ge(P,mt(D.out,A?void 0:D.key)))),N!=="directed"&&D.undirected!==void 0&&(P=Ge(P,mt(D.undirected))),P})(n,o,E)}if(arguments.length===2){f=""+f,m=""+m;var G=this._nodes.get(f);if(!G)throw new B("Graph.".concat(u,':  could not find the "').concat(f,'" source node in the graph.'));if(!this._nodes.has(m))throw new B("Graph.".concat(u,':  could not find the "').concat(m,'" target node in the graph.'));return(function(N,A,D,P){var q=tt();return N!=="undirected"&&(D.in!==void 0&&A!=="out"&&P in D.in&&(q=Ge(q,zt(D.in,P))),D.out!==void 0&&A!=="in"&&P in D.out&&(A||D.key!==P)&&(q=Ge(q,zt(D.out,P)))),N!=="directed"&&D.undirected!==void 0&&P in D.undirected&&(q=Ge(q,zt(D.undirected,P))),q})(n,o,G,m)}throw new H("Graph.".concat(u,": too many arguments (expecting 0, 1 or 2 and got ").concat(arguments.length,")."))}}var oi=[{name:"neighbors",type:"mixed"},{name:"inNeighbors",type:"directed",direction:"in"},{name:"outNeighbors",type:"directed",direction:"out"},{name:"inboundNeighbors",type:"mixed",direction:"in"},{name:"outboundNeighbors",type:"mixed",direction:"out"},{name:"directedNeighbors",type:"directed"},{name:"undirectedNeighbors",type:"undirected"}];function ct(){this.A=null,this.B=null}function Ue(c,l,h,n,o){for(var u in n){var f=n[u],m=f.source,E=f.target,G=m===h?E:m;if(!l||!l.has(G.key)){var N=o(G.key,G.attributes);if(c&&N)return G.key}}}function It(c,l,h,n,o){if(l!=="mixed"){if(l==="undirected")return Ue(c,null,n,n.undirected,o);if(typeof h=="string")return Ue(c,null,n,n[h],o)}var u,f=new ct;if(l!=="undirected"){if(h!=="out"){if(u=Ue(c,null,n,n.in,o),c&&u)return u;f.wrap(n.in)}if(h!=="in"){if(u=Ue(c,f,n,n.out,o),c&&u)return u;f.wrap(n.out)}}if(l!=="directed"&&(u=Ue(c,f,n,n.undirected,o),c&&u))return u}function Be(c,l,h){var n=Object.keys(h),o=n.length,u=0;return O(O({},Symbol.iterator,(function(){return this})),"next",(function(){var f=null;do{if(u>=o)return c&&c.wrap(h),{done:!0};var m=h[n[u++]],E=m.source,G=m.target;f=E===l?G:E,c&&c.has(f.key)&&(f=null)}while(f===null);return{done:!1,value:{neighbor:f.key,attributes:f.attributes}}}))}function ai(c,l){var h=l.name,n=l.type,o=l.direction;c.prototype[h]=function(u){if(n!=="mixed"&&this.type!=="mixed"&&n!==this.type)return[];u=""+u;var f=this._nodes.get(u);if(f===void 0)throw new B("Graph.".concat(h,': could not find the "').concat(u,'" node in the graph.'));return(function(m,E,G){if(m!=="mixed"){if(m==="undirected")return Object.keys(G.undirected);if(typeof E=="string")return Object.keys(G[E])}var N=[];return It(!1,m,E,G,(function(A){N.push(A)})),N})(n==="mixed"?this.type:n,o,f)}}function Oi(c,l){var h=l.name,n=l.type,o=l.direction,u=h.slice(0,-1)+"Entries";c.prototype[u]=function(f){if(n!=="mixed"&&this.type!=="mixed"&&n!==this.type)return tt();f=""+f;var m=this._nodes.get(f);if(m===void 0)throw new B("Graph.".concat(u,': could not find the "').concat(f,'" node in the graph.'));return(function(E,G,N){if(E!=="mixed"){if(E==="undirected")return Be(null,N,N.undirected);if(typeof G=="string")return Be(null,N,N[G])}var A=tt(),D=new ct;return E!=="undirected"&&(G!=="out"&&(A=Ge(A,Be(D,N,N.in))),G!=="in"&&(A=Ge(A,Be(D,N,N.out)))),E!=="directed"&&(A=Ge(A,Be(D,N,N.undirected))),A})(n==="mixed"?this.type:n,o,m)}}function yt(c,l,h,n,o){for(var u,f,m,E,G,N,A,D=n._nodes.values(),P=n.type;(u=D.next()).done!==!0;){var q=!1;if(f=u.value,P!=="undirected")for(m in E=f.out){G=E[m];do{if(N=G.target,q=!0,A=o(f.key,N.key,f.attributes,N.attributes,G.key,G.attributes,G.undirected),c&&A)return G;G=G.next}while(G)}if(P!=="directed"){for(m in E=f.undirected)if(!(l&&f.key>m)){G=E[m];do{if((N=G.target).key!==m&&(N=G.source),q=!0,A=o(f.key,N.key,f.attributes,N.attributes,G.key,G.attributes,G.undirected),c&&A)return G;G=G.next}while(G)}}if(h&&!q&&(A=o(f.key,null,f.attributes,null,null,null,null),c&&A))return null}}function Ii(c){if(!oe(c))throw new H('Graph.import: invalid serialized node. A serialized node should be a plain object with at least a "key" property.');if(!("key"in c))throw new H("Graph.import: serialized node is missing its key.");if("attributes"in c&&(!oe(c.attributes)||c.attributes===null))throw new H("Graph.import: invalid attributes. Attributes should be a plain object, null or omitted.")}function Mi(c){if(!oe(c))throw new H('Graph.import: invalid serialized edge. A serialized edge should be a plain object with at least a "source" & "target" property.');if(!("source"in c))throw new H("Graph.import: serialized edge is missing its source.");if(!("target"in c))throw new H("Graph.import: serialized edge is missing its target.");if("attributes"in c&&(!oe(c.attributes)||c.attributes===null))throw new H("Graph.import: invalid attributes. Attributes should be a plain object, null or omitted.");if("undirected"in c&&typeof c.undirected!="boolean")throw new H("Graph.import: invalid undirectedness information. Undirected should be boolean or omitted.")}ct.prototype.wrap=function(c){this.A===null?this.A=c:this.B===null&&(this.B=c)},ct.prototype.has=function(c){return this.A!==null&&c in this.A||this.B!==null&&c in this.B};var Mt,si=(Mt=255&Math.floor(256*Math.random()),function(){return Mt++}),We=new Set(["directed","undirected","mixed"]),ci=new Set(["domain","_events","_eventsCount","_maxListeners"]),Ui={allowSelfLoops:!0,multi:!1,type:"mixed"};function Ut(c,l,h){var n=new c.NodeDataClass(l,h);return c._nodes.set(l,n),c.emit("nodeAdded",{key:l,attributes:h}),n}function ui(c,l,h,n,o,u,f,m){if(!n&&c.type==="undirected")throw new X("Graph.".concat(l,": you cannot add a directed edge to an undirected graph. Use the #.addEdge or #.addUndirectedEdge instead."));if(n&&c.type==="directed")throw new X("Graph.".concat(l,": you cannot add an undirected edge to a directed graph. Use the #.addEdge or #.addDirectedEdge instead."));if(m&&!oe(m))throw new H("Graph.".concat(l,': invalid attributes. Expecting an object but got "').concat(m,'"'));if(u=""+u,f=""+f,m=m||{},!c.allowSelfLoops&&u===f)throw new X("Graph.".concat(l,': source & target are the same ("').concat(u,`"), thus creating a loop explicitly forbidden by this graph 'allowSelfLoops' option set to false.`));var E=c._nodes.get(u),G=c._nodes.get(f);if(!E)throw new B("Graph.".concat(l,': source node "').concat(u,'" not found.'));if(!G)throw new B("Graph.".concat(l,': target node "').concat(f,'" not found.'));var N={key:null,undirected:n,source:u,target:f,attributes:m};if(h)o=c._edgeKeyGenerator();else if(o=""+o,c._edges.has(o))throw new X("Graph.".concat(l,': the "').concat(o,'" edge already exists in the graph.'));if(!c.multi&&(n?E.undirected[f]!==void 0:E.out[f]!==void 0))throw new X("Graph.".concat(l,': an edge linking "').concat(u,'" to "').concat(f,`" already exists. If you really want to add multiple edges linking those nodes, you should create a multi graph by using the 'multi' option.`));var A=new Ve(n,o,E,G,m);c._edges.set(o,A);var D=u===f;return n?(E.undirectedDegree++,G.undirectedDegree++,D&&(E.undirectedLoops++,c._undirectedSelfLoopCount++)):(E.outDegree++,G.inDegree++,D&&(E.directedLoops++,c._directedSelfLoopCount++)),c.multi?A.attachMulti():A.attach(),n?c._undirectedSize++:c._directedSize++,N.key=o,c.emit("edgeAdded",N),o}function Bi(c,l,h,n,o,u,f,m,E){if(!n&&c.type==="undirected")throw new X("Graph.".concat(l,": you cannot merge/update a directed edge to an undirected graph. Use the #.mergeEdge/#.updateEdge or #.addUndirectedEdge instead."));if(n&&c.type==="directed")throw new X("Graph.".concat(l,": you cannot merge/update an undirected edge to a directed graph. Use the #.mergeEdge/#.updateEdge or #.addDirectedEdge instead."));if(m){if(E){if(typeof m!="function")throw new H("Graph.".concat(l,': invalid updater function. Expecting a function but got "').concat(m,'"'))}else if(!oe(m))throw new H("Graph.".concat(l,': invalid attributes. Expecting an object but got "').concat(m,'"'))}var G;if(u=""+u,f=""+f,E&&(G=m,m=void 0),!c.allowSelfLoops&&u===f)throw new X("Graph.".concat(l,': source & target are the same ("').concat(u,`"), thus creating a loop explicitly forbidden by this graph 'allowSelfLoops' option set to false.`));var N,A,D=c._nodes.get(u),P=c._nodes.get(f);if(!h&&(N=c._edges.get(o))){if(!(N.source.key===u&&N.target.key===f||n&&N.source.key===f&&N.target.key===u))throw new X("Graph.".concat(l,': inconsistency detected when attempting to merge the "').concat(o,'" edge with "').concat(u,'" source & "').concat(f,'" target vs. ("').concat(N.source.key,'", "').concat(N.target.key,'").'));A=N}if(A||c.multi||!D||(A=n?D.undirected[f]:D.out[f]),A){var q=[A.key,!1,!1,!1];if(E?!G:!m)return q;if(E){var Q=A.attributes;A.attributes=G(Q),c.emit("edgeAttributesUpdated",{type:"replace",key:A.key,attributes:A.attributes})}else ue(A.attributes,m),c.emit("edgeAttributesUpdated",{type:"merge",key:A.key,attributes:A.attributes,data:m});return q}m=m||{},E&&G&&(m=G(m));var ee={key:null,undirected:n,source:u,target:f,attributes:m};if(h)o=c._edgeKeyGenerator();else if(o=""+o,c._edges.has(o))throw new X("Graph.".concat(l,': the "').concat(o,'" edge already exists in the graph.'));var de=!1,fe=!1;D||(D=Ut(c,u,{}),de=!0,u===f&&(P=D,fe=!0)),P||(P=Ut(c,f,{}),fe=!0),N=new Ve(n,o,D,P,m),c._edges.set(o,N);var Ee=u===f;return n?(D.undirectedDegree++,P.undirectedDegree++,Ee&&(D.undirectedLoops++,c._undirectedSelfLoopCount++)):(D.outDegree++,P.inDegree++,Ee&&(D.directedLoops++,c._directedSelfLoopCount++)),c.multi?N.attachMulti():N.attach(),n?c._undirectedSize++:c._directedSize++,ee.key=o,c.emit("edgeAdded",ee),[o,!0,de,fe]}function qe(c,l){c._edges.delete(l.key);var h=l.source,n=l.target,o=l.attributes,u=l.undirected,f=h===n;u?(h.undirectedDegree--,n.undirectedDegree--,f&&(h.undirectedLoops--,c._undirectedSelfLoopCount--)):(h.outDegree--,n.inDegree--,f&&(h.directedLoops--,c._directedSelfLoopCount--)),c.multi?l.detachMulti():l.detach(),u?c._undirectedSize--:c._directedSize--,c.emit("edgeDropped",{key:l.key,attributes:o,source:h.key,target:n.key,undirected:u})}var ae=(function(c){function l(n){var o;if(o=c.call(this)||this,typeof(n=ue({},Ui,n)).multi!="boolean")throw new H(`Graph.constructor: invalid 'multi' option. Expecting a boolean but got "`.concat(n.multi,'".'));if(!We.has(n.type))throw new H(`Graph.constructor: invalid 'type' option. Should be one of "mixed", "directed" or "undirected" but got "`.concat(n.type,'".'));if(typeof n.allowSelfLoops!="boolean")throw new H(`Graph.constructor: invalid 'allowSelfLoops' option. Expecting a boolean but got "`.concat(n.allowSelfLoops,'".'));var u=n.type==="mixed"?ii:n.type==="directed"?Nt:pt;pe(U(o),"NodeDataClass",u);var f="geid_"+si()+"_",m=0;return pe(U(o),"_attributes",{}),pe(U(o),"_nodes",new Map),pe(U(o),"_edges",new Map),pe(U(o),"_directedSize",0),pe(U(o),"_undirectedSize",0),pe(U(o),"_directedSelfLoopCount",0),pe(U(o),"_undirectedSelfLoopCount",0),pe(U(o),"_edgeKeyGenerator",(function(){var E;do E=f+m++;while(o._edges.has(E));return E})),pe(U(o),"_options",n),ci.forEach((function(E){return pe(U(o),E,o[E])})),ve(U(o),"order",(function(){return o._nodes.size})),ve(U(o),"size",(function(){return o._edges.size})),ve(U(o),"directedSize",(function(){return o._directedSize})),ve(U(o),"undirectedSize",(function(){return o._undirectedSize})),ve(U(o),"selfLoopCount",(function(){return o._directedSelfLoopCount+o._undirectedSelfLoopCount})),ve(U(o),"directedSelfLoopCount",(function(){return o._directedSelfLoopCount})),ve(U(o),"undirectedSelfLoopCount",(function(){return o._undirectedSelfLoopCount})),ve(U(o),"multi",o._options.multi),ve(U(o),"type",o._options.type),ve(U(o),"allowSelfLoops",o._options.allowSelfLoops),ve(U(o),"implementation",(function(){return"graphology"})),o}ne(l,c);var h=l.prototype;return h._resetInstanceCounters=function(){this._directedSize=0,this._undirectedSize=0,this._directedSelfLoopCount=0,this._undirectedSelfLoopCount=0},h.hasNode=function(n){return this._nodes.has(""+n)},h.hasDirectedEdge=function(n,o){if(this.type==="undirected")return!1;if(arguments.length===1){var u=""+n,f=this._edges.get(u);return!!f&&!f.undirected}if(arguments.length===2){n=""+n,o=""+o;var m=this._nodes.get(n);return!!m&&m.out.hasOwnProperty(o)}throw new H("Graph.hasDirectedEdge: invalid arity (".concat(arguments.length,", instead of 1 or 2). You can either ask for an edge id or for the existence of an edge between a source & a target."))},h.hasUndirectedEdge=function(n,o){if(this.type==="directed")return!1;if(arguments.length===1){var u=""+n,f=this._edges.get(u);return!!f&&f.undirected}if(arguments.length===2){n=""+n,o=""+o;var m=this._nodes.get(n);return!!m&&m.undirected.hasOwnProperty(o)}throw new H("Graph.hasDirectedEdge: invalid arity (".concat(arguments.length,", instead of 1 or 2). You can either ask for an edge id or for the existence of an edge between a source & a target."))},h.hasEdge=function(n,o){if(arguments.length===1){var u=""+n;return this._edges.has(u)}if(arguments.length===2){n=""+n,o=""+o;var f=this._nodes.get(n);return!!f&&(f.out!==void 0&&f.out.hasOwnProperty(o)||f.undirected!==void 0&&f.undirected.hasOwnProperty(o))}throw new H("Graph.hasEdge: invalid arity (".concat(arguments.length,", instead of 1 or 2). You can either ask for an edge id or for the existence of an edge between a source & a target."))},h.directedEdge=function(n,o){if(this.type!=="undirected"){if(n=""+n,o=""+o,this.multi)throw new X("Graph.directedEdge: this method is irrelevant with multigraphs since there might be multiple edges between source & target. See #.directedEdges instead.");var u=this._nodes.get(n);if(!u)throw new B('Graph.directedEdge: could not find the "'.concat(n,'" source node in the graph.'));if(!this._nodes.has(o))throw new B('Graph.directedEdge: could not find the "'.concat(o,'" target node in the graph.'));var f=u.out&&u.out[o]||void 0;return f?f.key:void 0}},h.undirectedEdge=function(n,o){if(this.type!=="directed"){if(n=""+n,o=""+o,this.multi)throw new X("Graph.undirectedEdge: this method is irrelevant with multigraphs since there might be multiple edges between source & target. See #.undirectedEdges instead.");var u=this._nodes.get(n);if(!u)throw new B('Graph.undirectedEdge: could not find the "'.concat(n,'" source node in the graph.'));if(!this._nodes.has(o))throw new B('Graph.undirectedEdge: could not find the "'.concat(o,'" target node in the graph.'));var f=u.undirected&&u.undirected[o]||void 0;return f?f.key:void 0}},h.edge=function(n,o){if(this.multi)throw new X("Graph.edge: this method is irrelevant with multigraphs since there might be multiple edges between source & target. See #.edges instead.");n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new B('Graph.edge: could not find the "'.concat(n,'" source node in the graph.'));if(!this._nodes.has(o))throw new B('Graph.edge: could not find the "'.concat(o,'" target node in the graph.'));var f=u.out&&u.out[o]||u.undirected&&u.undirected[o]||void 0;if(f)return f.key},h.areDirectedNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new B('Graph.areDirectedNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&(o in u.in||o in u.out)},h.areOutNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new B('Graph.areOutNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&o in u.out},h.areInNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new B('Graph.areInNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&o in u.in},h.areUndirectedNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new B('Graph.areUndirectedNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="directed"&&o in u.undirected},h.areNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new B('Graph.areNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&(o in u.in||o in u.out)||this.type!=="directed"&&o in u.undirected},h.areInboundNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new B('Graph.areInboundNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&o in u.in||this.type!=="directed"&&o in u.undirected},h.areOutboundNeighbors=function(n,o){n=""+n,o=""+o;var u=this._nodes.get(n);if(!u)throw new B('Graph.areOutboundNeighbors: could not find the "'.concat(n,'" node in the graph.'));return this.type!=="undirected"&&o in u.out||this.type!=="directed"&&o in u.undirected},h.inDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.inDegree: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.inDegree},h.outDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.outDegree: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.outDegree},h.directedDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.directedDegree: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.inDegree+o.outDegree},h.undirectedDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.undirectedDegree: could not find the "'.concat(n,'" node in the graph.'));return this.type==="directed"?0:o.undirectedDegree},h.inboundDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.inboundDegree: could not find the "'.concat(n,'" node in the graph.'));var u=0;return this.type!=="directed"&&(u+=o.undirectedDegree),this.type!=="undirected"&&(u+=o.inDegree),u},h.outboundDegree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.outboundDegree: could not find the "'.concat(n,'" node in the graph.'));var u=0;return this.type!=="directed"&&(u+=o.undirectedDegree),this.type!=="undirected"&&(u+=o.outDegree),u},h.degree=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.degree: could not find the "'.concat(n,'" node in the graph.'));var u=0;return this.type!=="directed"&&(u+=o.undirectedDegree),this.type!=="undirected"&&(u+=o.inDegree+o.outDegree),u},h.inDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.inDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.inDegree-o.directedLoops},h.outDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.outDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.outDegree-o.directedLoops},h.directedDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.directedDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));return this.type==="undirected"?0:o.inDegree+o.outDegree-2*o.directedLoops},h.undirectedDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.undirectedDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));return this.type==="directed"?0:o.undirectedDegree-2*o.undirectedLoops},h.inboundDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.inboundDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));var u=0,f=0;return this.type!=="directed"&&(u+=o.undirectedDegree,f+=2*o.undirectedLoops),this.type!=="undirected"&&(u+=o.inDegree,f+=o.directedLoops),u-f},h.outboundDegreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.outboundDegreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));var u=0,f=0;return this.type!=="directed"&&(u+=o.undirectedDegree,f+=2*o.undirectedLoops),this.type!=="undirected"&&(u+=o.outDegree,f+=o.directedLoops),u-f},h.degreeWithoutSelfLoops=function(n){n=""+n;var o=this._nodes.get(n);if(!o)throw new B('Graph.degreeWithoutSelfLoops: could not find the "'.concat(n,'" node in the graph.'));var u=0,f=0;return this.type!=="directed"&&(u+=o.undirectedDegree,f+=2*o.undirectedLoops),this.type!=="undirected"&&(u+=o.inDegree+o.outDegree,f+=2*o.directedLoops),u-f},h.source=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new B('Graph.source: could not find the "'.concat(n,'" edge in the graph.'));return o.source.key},h.target=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new B('Graph.target: could not find the "'.concat(n,'" edge in the graph.'));return o.target.key},h.extremities=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new B('Graph.extremities: could not find the "'.concat(n,'" edge in the graph.'));return[o.source.key,o.target.key]},h.opposite=function(n,o){n=""+n,o=""+o;var u=this._edges.get(o);if(!u)throw new B('Graph.opposite: could not find the "'.concat(o,'" edge in the graph.'));var f=u.source.key,m=u.target.key;if(n===f)return m;if(n===m)return f;throw new B('Graph.opposite: the "'.concat(n,'" node is not attached to the "').concat(o,'" edge (').concat(f,", ").concat(m,")."))},h.hasExtremity=function(n,o){n=""+n,o=""+o;var u=this._edges.get(n);if(!u)throw new B('Graph.hasExtremity: could not find the "'.concat(n,'" edge in the graph.'));return u.source.key===o||u.target.key===o},h.isUndirected=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new B('Graph.isUndirected: could not find the "'.concat(n,'" edge in the graph.'));return o.undirected},h.isDirected=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new B('Graph.isDirected: could not find the "'.concat(n,'" edge in the graph.'));return!o.undirected},h.isSelfLoop=function(n){n=""+n;var o=this._edges.get(n);if(!o)throw new B('Graph.isSelfLoop: could not find the "'.concat(n,'" edge in the graph.'));return o.source===o.target},h.addNode=function(n,o){var u=(function(f,m,E){if(E&&!oe(E))throw new H('Graph.addNode: invalid attributes. Expecting an object but got "'.concat(E,'"'));if(m=""+m,E=E||{},f._nodes.has(m))throw new X('Graph.addNode: the "'.concat(m,'" node already exist in the graph.'));var G=new f.NodeDataClass(m,E);return f._nodes.set(m,G),f.emit("nodeAdded",{key:m,attributes:E}),G})(this,n,o);return u.key},h.mergeNode=function(n,o){if(o&&!oe(o))throw new H('Graph.mergeNode: invalid attributes. Expecting an object but got "'.concat(o,'"'));n=""+n,o=o||{};var u=this._nodes.get(n);return u?(o&&(ue(u.attributes,o),this.emit("nodeAttributesUpdated",{type:"merge",key:n,attributes:u.attributes,data:o})),[n,!1]):(u=new this.NodeDataClass(n,o),this._nodes.set(n,u),this.emit("nodeAdded",{key:n,attributes:o}),[n,!0])},h.updateNode=function(n,o){if(o&&typeof o!="function")throw new H('Graph.updateNode: invalid updater function. Expecting a function but got "'.concat(o,'"'));n=""+n;var u=this._nodes.get(n);if(u){if(o){var f=u.attributes;u.attributes=o(f),this.emit("nodeAttributesUpdated",{type:"replace",key:n,attributes:u.attributes})}return[n,!1]}var m=o?o({}):{};return u=new this.NodeDataClass(n,m),this._nodes.set(n,u),this.emit("nodeAdded",{key:n,attributes:m}),[n,!0]},h.dropNode=function(n){n=""+n;var o,u=this._nodes.get(n);if(!u)throw new B('Graph.dropNode: could not find the "'.concat(n,'" node in the graph.'));if(this.type!=="undirected"){for(var f in u.out){o=u.out[f];do qe(this,o),o=o.next;while(o)}for(var m in u.in){o=u.in[m];do qe(this,o),o=o.next;while(o)}}if(this.type!=="directed")for(var E in u.undirected){o=u.undirected[E];do qe(this,o),o=o.next;while(o)}this._nodes.delete(n),this.emit("nodeDropped",{key:n,attributes:u.attributes})},h.dropEdge=function(n){var o;if(arguments.length>1){var u=""+arguments[0],f=""+arguments[1];if(!(o=ce(this,u,f,this.type)))throw new B('Graph.dropEdge: could not find the "'.concat(u,'" -> "').concat(f,'" edge in the graph.'))}else if(n=""+n,!(o=this._edges.get(n)))throw new B('Graph.dropEdge: could not find the "'.concat(n,'" edge in the graph.'));return qe(this,o),this},h.dropDirectedEdge=function(n,o){if(arguments.length<2)throw new X("Graph.dropDirectedEdge: it does not make sense to try and drop a directed edge by key. What if the edge with this key is undirected? Use #.dropEdge for this purpose instead.");if(this.multi)throw new X("Graph.dropDirectedEdge: cannot use a {source,target} combo when dropping an edge in a MultiGraph since we cannot infer the one you want to delete as there could be multiple ones.");var u=ce(this,n=""+n,o=""+o,"directed");if(!u)throw new B('Graph.dropDirectedEdge: could not find a "'.concat(n,'" -> "').concat(o,'" edge in the graph.'));return qe(this,u),this},h.dropUndirectedEdge=function(n,o){if(arguments.length<2)throw new X("Graph.dropUndirectedEdge: it does not make sense to drop a directed edge by key. What if the edge with this key is undirected? Use #.dropEdge for this purpose instead.");if(this.multi)throw new X("Graph.dropUndirectedEdge: cannot use a {source,target} combo when dropping an edge in a MultiGraph since we cannot infer the one you want to delete as there could be multiple ones.");var u=ce(this,n,o,"undirected");if(!u)throw new B('Graph.dropUndirectedEdge: could not find a "'.concat(n,'" -> "').concat(o,'" edge in the graph.'));return qe(this,u),this},h.clear=function(){this._edges.clear(),this._nodes.clear(),this._resetInstanceCounters(),this.emit("cleared")},h.clearEdges=function(){for(var n,o=this._nodes.values();(n=o.next()).done!==!0;)n.value.clear();this._edges.clear(),this._resetInstanceCounters(),this.emit("edgesCleared")},h.getAttribute=function(n){return this._attributes[n]},h.getAttributes=function(){return this._attributes},h.hasAttribute=function(n){return this._attributes.hasOwnProperty(n)},h.setAttribute=function(n,o){return this._attributes[n]=o,this.emit("attributesUpdated",{type:"set",attributes:this._attributes,name:n}),this},h.updateAttribute=function(n,o){if(typeof o!="function")throw new H("Graph.updateAttribute: updater should be a function.");var u=this._attributes[n];return this._attributes[n]=o(u),this.emit("attributesUpdated",{type:"set",attributes:this._attributes,name:n}),this},h.removeAttribute=function(n){return delete this._attributes[n],this.emit("attributesUpdated",{type:"remove",attributes:this._attributes,name:n}),this},h.replaceAttributes=function(n){if(!oe(n))throw new H("Graph.replaceAttributes: provided attributes are not a plain object.");return this._attributes=n,this.emit("attributesUpdated",{type:"replace",attributes:this._attributes}),this},h.mergeAttributes=function(n){if(!oe(n))throw new H("Graph.mergeAttributes: provided attributes are not a plain object.");return ue(this._attributes,n),this.emit("attributesUpdated",{type:"merge",attributes:this._attributes,data:n}),this},h.updateAttributes=function(n){if(typeof n!="function")throw new H("Graph.updateAttributes: provided updater is not a function.");return this._attributes=n(this._attributes),this.emit("attributesUpdated",{type:"update",attributes:this._attributes}),this},h.updateEachNodeAttributes=function(n,o){if(typeof n!="function")throw new H("Graph.updateEachNodeAttributes: expecting an updater function.");if(o&&!nt(o))throw new H("Graph.updateEachNodeAttributes: invalid hints. Expecting an object having the following shape: {attributes?: [string]}");for(var u,f,m=this._nodes.values();(u=m.next()).done!==!0;)(f=u.value).attributes=n(f.key,f.attributes);this.emit("eachNodeAttributesUpdated",{hints:o||null})},h.updateEachEdgeAttributes=function(n,o){if(typeof n!="function")throw new H("Graph.updateEachEdgeAttributes: expecting an updater function.");if(o&&!nt(o))throw new H("Graph.updateEachEdgeAttributes: invalid hints. Expecting an object having the following shape: {attributes?: [string]}");for(var u,f,m,E,G=this._edges.values();(u=G.next()).done!==!0;)m=(f=u.value).source,E=f.target,f.attributes=n(f.key,f.attributes,m.key,E.key,m.attributes,E.attributes,f.undirected);this.emit("eachEdgeAttributesUpdated",{hints:o||null})},h.forEachAdjacencyEntry=function(n){if(typeof n!="function")throw new H("Graph.forEachAdjacencyEntry: expecting a callback.");yt(!1,!1,!1,this,n)},h.forEachAdjacencyEntryWithOrphans=function(n){if(typeof n!="function")throw new H("Graph.forEachAdjacencyEntryWithOrphans: expecting a callback.");yt(!1,!1,!0,this,n)},h.forEachAssymetricAdjacencyEntry=function(n){if(typeof n!="function")throw new H("Graph.forEachAssymetricAdjacencyEntry: expecting a callback.");yt(!1,!0,!1,this,n)},h.forEachAssymetricAdjacencyEntryWithOrphans=function(n){if(typeof n!="function")throw new H("Graph.forEachAssymetricAdjacencyEntryWithOrphans: expecting a callback.");yt(!1,!0,!0,this,n)},h.nodes=function(){return Array.from(this._nodes.keys())},h.forEachNode=function(n){if(typeof n!="function")throw new H("Graph.forEachNode: expecting a callback.");for(var o,u,f=this._nodes.values();(o=f.next()).done!==!0;)n((u=o.value).key,u.attributes)},h.findNode=function(n){if(typeof n!="function")throw new H("Graph.findNode: expecting a callback.");for(var o,u,f=this._nodes.values();(o=f.next()).done!==!0;)if(n((u=o.value).key,u.attributes))return u.key},h.mapNodes=function(n){if(typeof n!="function")throw new H("Graph.mapNode: expecting a callback.");for(var o,u,f=this._nodes.values(),m=new Array(this.order),E=0;(o=f.next()).done!==!0;)u=o.value,m[E++]=n(u.key,u.attributes);return m},h.someNode=function(n){if(typeof n!="function")throw new H("Graph.someNode: expecting a callback.");for(var o,u,f=this._nodes.values();(o=f.next()).done!==!0;)if(n((u=o.value).key,u.attributes))return!0;return!1},h.everyNode=function(n){if(typeof n!="function")throw new H("Graph.everyNode: expecting a callback.");for(var o,u,f=this._nodes.values();(o=f.next()).done!==!0;)if(!n((u=o.value).key,u.attributes))return!1;return!0},h.filterNodes=function(n){if(typeof n!="function")throw new H("Graph.filterNodes: expecting a callback.");for(var o,u,f=this._nodes.values(),m=[];(o=f.next()).done!==!0;)n((u=o.value).key,u.attributes)&&m.push(u.key);return m},h.reduceNodes=function(n,o){if(typeof n!="function")throw new H("Graph.reduceNodes: expecting a callback.");if(arguments.length<2)throw new H("Graph.reduceNodes: missing initial value. You must provide it because the callback takes more than one argument and we cannot infer the initial value from the first iteration, as you could with a simple array.");for(var u,f,m=o,E=this._nodes.values();(u=E.next()).done!==!0;)m=n(m,(f=u.value).key,f.attributes);return m},h.nodeEntries=function(){var n=this._nodes.values();return O(O({},Symbol.iterator,(function(){return this})),"next",(function(){var o=n.next();if(o.done)return o;var u=o.value;return{value:{node:u.key,attributes:u.attributes},done:!1}}))},h.export=function(){var n=this,o=new Array(this._nodes.size),u=0;this._nodes.forEach((function(m,E){o[u++]=(function(G,N){var A={key:G};return Ce(N.attributes)||(A.attributes=ue({},N.attributes)),A})(E,m)}));var f=new Array(this._edges.size);return u=0,this._edges.forEach((function(m,E){f[u++]=(function(G,N,A){var D={key:N,source:A.source.key,target:A.target.key};return Ce(A.attributes)||(D.attributes=ue({},A.attributes)),G==="mixed"&&A.undirected&&(D.undirected=!0),D})(n.type,E,m)})),{options:{type:this.type,multi:this.multi,allowSelfLoops:this.allowSelfLoops},attributes:this.getAttributes(),nodes:o,edges:f}},h.import=function(n){var o,u,f,m,E,G=this,N=arguments.length>1&&arguments[1]!==void 0&&arguments[1];if(n instanceof l)return n.forEachNode((function(xe,Fe){N?G.mergeNode(xe,Fe):G.addNode(xe,Fe)})),n.forEachEdge((function(xe,Fe,ut,bt,ji,Hi,Pe){N?Pe?G.mergeUndirectedEdgeWithKey(xe,ut,bt,Fe):G.mergeDirectedEdgeWithKey(xe,ut,bt,Fe):Pe?G.addUndirectedEdgeWithKey(xe,ut,bt,Fe):G.addDirectedEdgeWithKey(xe,ut,bt,Fe)})),this;if(!oe(n))throw new H("Graph.import: invalid argument. Expecting a serialized graph or, alternatively, a Graph instance.");if(n.attributes){if(!oe(n.attributes))throw new H("Graph.import: invalid attributes. Expecting a plain object.");N?this.mergeAttributes(n.attributes):this.replaceAttributes(n.attributes)}if(n.nodes){if(f=n.nodes,!Array.isArray(f))throw new H("Graph.import: invalid nodes. Expecting an array.");for(o=0,u=f.length;o<u;o++){Ii(m=f[o]);var A=m,D=A.key,P=A.attributes;N?this.mergeNode(D,P):this.addNode(D,P)}}if(n.edges){var q=!1;if(this.type==="undirected"&&(q=!0),f=n.edges,!Array.isArray(f))throw new H("Graph.import: invalid edges. Expecting an array.");for(o=0,u=f.length;o<u;o++){Mi(E=f[o]);var Q=E,ee=Q.source,de=Q.target,fe=Q.attributes,Ee=Q.undirected,Re=Ee===void 0?q:Ee;"key"in E?(N?Re?this.mergeUndirectedEdgeWithKey:this.mergeDirectedEdgeWithKey:Re?this.addUndirectedEdgeWithKey:this.addDirectedEdgeWithKey).call(this,E.key,ee,de,fe):(N?Re?this.mergeUndirectedEdge:this.mergeDirectedEdge:Re?this.addUndirectedEdge:this.addDirectedEdge).call(this,ee,de,fe)}}return this},h.nullCopy=function(n){var o=new l(ue({},this._options,n));return o.replaceAttributes(ue({},this.getAttributes())),o},h.emptyCopy=function(n){var o=this.nullCopy(n);return this._nodes.forEach((function(u,f){var m=ue({},u.attributes);u=new o.NodeDataClass(f,m),o._nodes.set(f,u)})),o},h.copy=function(n){if(typeof(n=n||{}).type=="string"&&n.type!==this.type&&n.type!=="mixed")throw new X('Graph.copy: cannot create an incompatible copy from "'.concat(this.type,'" type to "').concat(n.type,'" because this would mean losing information about the current graph.'));if(typeof n.multi=="boolean"&&n.multi!==this.multi&&n.multi!==!0)throw new X("Graph.copy: cannot create an incompatible copy by downgrading a multi graph to a simple one because this would mean losing information about the current graph.");if(typeof n.allowSelfLoops=="boolean"&&n.allowSelfLoops!==this.allowSelfLoops&&n.allowSelfLoops!==!0)throw new X("Graph.copy: cannot create an incompatible copy from a graph allowing self loops to one that does not because this would mean losing information about the current graph.");for(var o,u,f=this.emptyCopy(n),m=this._edges.values();(o=m.next()).done!==!0;)ui(f,"copy",!1,(u=o.value).undirected,u.key,u.source.key,u.target.key,ue({},u.attributes));return f},h.toJSON=function(){return this.export()},h.toString=function(){return"[object Graph]"},h.inspect=function(){var n=this,o={};this._nodes.forEach((function(G,N){o[N]=G.attributes}));var u={},f={};this._edges.forEach((function(G,N){var A,D=G.undirected?"--":"->",P="",q=G.source.key,Q=G.target.key;G.undirected&&q>Q&&(A=q,q=Q,Q=A);var ee="(".concat(q,")").concat(D,"(").concat(Q,")");N.startsWith("geid_")?n.multi&&(f[ee]===void 0?f[ee]=0:f[ee]++,P+="".concat(f[ee],". ")):P+="[".concat(N,"]: "),u[P+=ee]=G.attributes}));var m={};for(var E in this)this.hasOwnProperty(E)&&!ci.has(E)&&typeof this[E]!="function"&&Ae(E)!=="symbol"&&(m[E]=this[E]);return m.attributes=this._attributes,m.nodes=o,m.edges=u,pe(m,"constructor",this.constructor),m},l})(Ct.exports.EventEmitter);typeof Symbol<"u"&&(ae.prototype[Symbol.for("nodejs.util.inspect.custom")]=ae.prototype.inspect),[{name:function(c){return"".concat(c,"Edge")},generateKey:!0},{name:function(c){return"".concat(c,"DirectedEdge")},generateKey:!0,type:"directed"},{name:function(c){return"".concat(c,"UndirectedEdge")},generateKey:!0,type:"undirected"},{name:function(c){return"".concat(c,"EdgeWithKey")}},{name:function(c){return"".concat(c,"DirectedEdgeWithKey")},type:"directed"},{name:function(c){return"".concat(c,"UndirectedEdgeWithKey")},type:"undirected"}].forEach((function(c){["add","merge","update"].forEach((function(l){var h=c.name(l),n=l==="add"?ui:Bi;c.generateKey?ae.prototype[h]=function(o,u,f){return n(this,h,!0,(c.type||this.type)==="undirected",null,o,u,f,l==="update")}:ae.prototype[h]=function(o,u,f,m){return n(this,h,!1,(c.type||this.type)==="undirected",o,u,f,m,l==="update")}}))})),(function(c){Li.forEach((function(l){var h=l.name,n=l.attacher;n(c,h("Node"),ri),n(c,h("Source"),Dt),n(c,h("Target"),2),n(c,h("Opposite"),st)}))})(ae),(function(c){Fi.forEach((function(l){var h=l.name,n=l.attacher;n(c,h("Edge"),"mixed"),n(c,h("DirectedEdge"),"directed"),n(c,h("UndirectedEdge"),"undirected")}))})(ae),(function(c){Ni.forEach((function(l){zi(c,l),(function(h,n){var o=n.name,u=n.type,f=n.direction,m="forEach"+o[0].toUpperCase()+o.slice(1,-1);h.prototype[m]=function(A,D,P){if(u==="mixed"||this.type==="mixed"||u===this.type){if(arguments.length===1)return vt(!1,this,u,P=A);if(arguments.length===2){A=""+A,P=D;var q=this._nodes.get(A);if(q===void 0)throw new B("Graph.".concat(m,': could not find the "').concat(A,'" node in the graph.'));return Pt(!1,this.multi,u==="mixed"?this.type:u,f,q,P)}if(arguments.length===3){A=""+A,D=""+D;var Q=this._nodes.get(A);if(!Q)throw new B("Graph.".concat(m,':  could not find the "').concat(A,'" source node in the graph.'));if(!this._nodes.has(D))throw new B("Graph.".concat(m,':  could not find the "').concat(D,'" target node in the graph.'));return Ot(!1,u,this.multi,f,Q,D,P)}throw new H("Graph.".concat(m,": too many arguments (expecting 1, 2 or 3 and got ").concat(arguments.length,")."))}};var E="map"+o[0].toUpperCase()+o.slice(1);h.prototype[E]=function(){var A,D=Array.prototype.slice.call(arguments),P=D.pop();if(D.length===0){var q=0;u!=="directed"&&(q+=this.undirectedSize),u!=="undirected"&&(q+=this.directedSize),A=new Array(q);var Q=0;D.push((function(ee,de,fe,Ee,Re,xe,Fe){A[Q++]=P(ee,de,fe,Ee,Re,xe,Fe)}))}else A=[],D.push((function(ee,de,fe,Ee,Re,xe,Fe){A.push(P(ee,de,fe,Ee,Re,xe,Fe))}));return this[m].apply(this,D),A};var G="filter"+o[0].toUpperCase()+o.slice(1);h.prototype[G]=function(){var A=Array.prototype.slice.call(arguments),D=A.pop(),P=[];return A.push((function(q,Q,ee,de,fe,Ee,Re){D(q,Q,ee,de,fe,Ee,Re)&&P.push(q)})),this[m].apply(this,A),P};var N="reduce"+o[0].toUpperCase()+o.slice(1);h.prototype[N]=function(){var A,D,P=Array.prototype.slice.call(arguments);if(P.length<2||P.length>4)throw new H("Graph.".concat(N,": invalid number of arguments (expecting 2, 3 or 4 and got ").concat(P.length,")."));if(typeof P[P.length-1]=="function"&&typeof P[P.length-2]!="function")throw new H("Graph.".concat(N,": missing initial value. You must provide it because the callback takes more than one argument and we cannot infer the initial value from the first iteration, as you could with a simple array."));P.length===2?(A=P[0],D=P[1],P=[]):P.length===3?(A=P[1],D=P[2],P=[P[0]]):P.length===4&&(A=P[2],D=P[3],P=[P[0],P[1]]);var q=D;return P.push((function(Q,ee,de,fe,Ee,Re,xe){q=A(q,Q,ee,de,fe,Ee,Re,xe)})),this[m].apply(this,P),q}})(c,l),(function(h,n){var o=n.name,u=n.type,f=n.direction,m="find"+o[0].toUpperCase()+o.slice(1,-1);h.prototype[m]=function(N,A,D){if(u!=="mixed"&&this.type!=="mixed"&&u!==this.type)return!1;if(arguments.length===1)return vt(!0,this,u,D=N);if(arguments.length===2){N=""+N,D=A;var P=this._nodes.get(N);if(P===void 0)throw new B("Graph.".concat(m,': could not find the "').concat(N,'" node in the graph.'));return Pt(!0,this.multi,u==="mixed"?this.type:u,f,P,D)}if(arguments.length===3){N=""+N,A=""+A;var q=this._nodes.get(N);if(!q)throw new B("Graph.".concat(m,':  could not find the "').concat(N,'" source node in the graph.'));if(!this._nodes.has(A))throw new B("Graph.".concat(m,':  could not find the "').concat(A,'" target node in the graph.'));return Ot(!0,u,this.multi,f,q,A,D)}throw new H("Graph.".concat(m,": too many arguments (expecting 1, 2 or 3 and got ").concat(arguments.length,")."))};var E="some"+o[0].toUpperCase()+o.slice(1,-1);h.prototype[E]=function(){var N=Array.prototype.slice.call(arguments),A=N.pop();return N.push((function(D,P,q,Q,ee,de,fe){return A(D,P,q,Q,ee,de,fe)})),!!this[m].apply(this,N)};var G="every"+o[0].toUpperCase()+o.slice(1,-1);h.prototype[G]=function(){var N=Array.prototype.slice.call(arguments),A=N.pop();return N.push((function(D,P,q,Q,ee,de,fe){return!A(D,P,q,Q,ee,de,fe)})),!this[m].apply(this,N)}})(c,l),Pi(c,l)}))})(ae),(function(c){oi.forEach((function(l){ai(c,l),(function(h,n){var o=n.name,u=n.type,f=n.direction,m="forEach"+o[0].toUpperCase()+o.slice(1,-1);h.prototype[m]=function(A,D){if(u==="mixed"||this.type==="mixed"||u===this.type){A=""+A;var P=this._nodes.get(A);if(P===void 0)throw new B("Graph.".concat(m,': could not find the "').concat(A,'" node in the graph.'));It(!1,u==="mixed"?this.type:u,f,P,D)}};var E="map"+o[0].toUpperCase()+o.slice(1);h.prototype[E]=function(A,D){var P=[];return this[m](A,(function(q,Q){P.push(D(q,Q))})),P};var G="filter"+o[0].toUpperCase()+o.slice(1);h.prototype[G]=function(A,D){var P=[];return this[m](A,(function(q,Q){D(q,Q)&&P.push(q)})),P};var N="reduce"+o[0].toUpperCase()+o.slice(1);h.prototype[N]=function(A,D,P){if(arguments.length<3)throw new H("Graph.".concat(N,": missing initial value. You must provide it because the callback takes more than one argument and we cannot infer the initial value from the first iteration, as you could with a simple array."));var q=P;return this[m](A,(function(Q,ee){q=D(q,Q,ee)})),q}})(c,l),(function(h,n){var o=n.name,u=n.type,f=n.direction,m=o[0].toUpperCase()+o.slice(1,-1),E="find"+m;h.prototype[E]=function(A,D){if(u==="mixed"||this.type==="mixed"||u===this.type){A=""+A;var P=this._nodes.get(A);if(P===void 0)throw new B("Graph.".concat(E,': could not find the "').concat(A,'" node in the graph.'));return It(!0,u==="mixed"?this.type:u,f,P,D)}};var G="some"+m;h.prototype[G]=function(A,D){return!!this[E](A,D)};var N="every"+m;h.prototype[N]=function(A,D){return!this[E](A,(function(P,q){return!D(P,q)}))}})(c,l),Oi(c,l)}))})(ae);var hi=(function(c){function l(h){var n=ue({type:"directed"},h);if("multi"in n&&n.multi!==!1)throw new H("DirectedGraph.from: inconsistent indication that the graph should be multi in given options!");if(n.type!=="directed")throw new H('DirectedGraph.from: inconsistent "'+n.type+'" type in given options!');return c.call(this,n)||this}return ne(l,c),l})(ae),di=(function(c){function l(h){var n=ue({type:"undirected"},h);if("multi"in n&&n.multi!==!1)throw new H("UndirectedGraph.from: inconsistent indication that the graph should be multi in given options!");if(n.type!=="undirected")throw new H('UndirectedGraph.from: inconsistent "'+n.type+'" type in given options!');return c.call(this,n)||this}return ne(l,c),l})(ae),li=(function(c){function l(h){var n=ue({multi:!0},h);if("multi"in n&&n.multi!==!0)throw new H("MultiGraph.from: inconsistent indication that the graph should be simple in given options!");return c.call(this,n)||this}return ne(l,c),l})(ae),fi=(function(c){function l(h){var n=ue({type:"directed",multi:!0},h);if("multi"in n&&n.multi!==!0)throw new H("MultiDirectedGraph.from: inconsistent indication that the graph should be simple in given options!");if(n.type!=="directed")throw new H('MultiDirectedGraph.from: inconsistent "'+n.type+'" type in given options!');return c.call(this,n)||this}return ne(l,c),l})(ae),Bt=(function(c){function l(h){var n=ue({type:"undirected",multi:!0},h);if("multi"in n&&n.multi!==!0)throw new H("MultiUndirectedGraph.from: inconsistent indication that the graph should be simple in given options!");if(n.type!=="undirected")throw new H('MultiUndirectedGraph.from: inconsistent "'+n.type+'" type in given options!');return c.call(this,n)||this}return ne(l,c),l})(ae);function Ye(c){c.from=function(l,h){var n=ue({},l.options,h),o=new c(n);return o.import(l),o}}return Ye(ae),Ye(hi),Ye(di),Ye(li),Ye(fi),Ye(Bt),ae.Graph=ae,ae.DirectedGraph=hi,ae.UndirectedGraph=di,ae.MultiGraph=li,ae.MultiDirectedGraph=fi,ae.MultiUndirectedGraph=Bt,ae.InvalidArgumentsGraphError=H,ae.NotFoundGraphError=B,ae.UsageGraphError=X,ae}))});var mo=fo((Mr,Ur)=>{(function(U,O){typeof Mr=="object"&&typeof Ur<"u"?Ur.exports=O():typeof define=="function"&&define.amd?define(O):(U=typeof globalThis<"u"?globalThis:U||self,U.Sigma=O())})(Mr,function(){"use strict";function U(t,e){if(typeof t!="object"||!t)return t;var i=t[Symbol.toPrimitive];if(i!==void 0){var r=i.call(t,e);if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(e==="string"?String:Number)(t)}function O(t){var e=U(t,"string");return typeof e=="symbol"?e:e+""}function Z(t,e){if(!(t instanceof e))throw new TypeError("Cannot call a class as a function")}function ne(t,e){for(var i=0;i<e.length;i++){var r=e[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(t,O(r.key),r)}}function $(t,e,i){return e&&ne(t.prototype,e),Object.defineProperty(t,"prototype",{writable:!1}),t}function ge(t){return ge=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(e){return e.__proto__||Object.getPrototypeOf(e)},ge(t)}function Ae(){try{var t=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],function(){}))}catch{}return(Ae=function(){return!!t})()}function et(t){if(t===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return t}function ue(t,e){if(e&&(typeof e=="object"||typeof e=="function"))return e;if(e!==void 0)throw new TypeError("Derived constructors may only return object or undefined");return et(t)}function ce(t,e,i){return e=ge(e),ue(t,Ae()?Reflect.construct(e,i||[],ge(t).constructor):e.apply(t,i))}function oe(t,e){return oe=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(i,r){return i.__proto__=r,i},oe(t,e)}function Ce(t,e){if(typeof e!="function"&&e!==null)throw new TypeError("Super expression must either be null or a function");t.prototype=Object.create(e&&e.prototype,{constructor:{value:t,writable:!0,configurable:!0}}),Object.defineProperty(t,"prototype",{writable:!1}),e&&oe(t,e)}var pe={black:"#000000",silver:"#C0C0C0",gray:"#808080",grey:"#808080",white:"#FFFFFF",maroon:"#800000",red:"#FF0000",purple:"#800080",fuchsia:"#FF00FF",green:"#008000",lime:"#00FF00",olive:"#808000",yellow:"#FFFF00",navy:"#000080",blue:"#0000FF",teal:"#008080",aqua:"#00FFFF",darkblue:"#00008B",mediumblue:"#0000CD",darkgreen:"#006400",darkcyan:"#008B8B",deepskyblue:"#00BFFF",darkturquoise:"#00CED1",mediumspringgreen:"#00FA9A",springgreen:"#00FF7F",cyan:"#00FFFF",midnightblue:"#191970",dodgerblue:"#1E90FF",lightseagreen:"#20B2AA",forestgreen:"#228B22",seagreen:"#2E8B57",darkslategray:"#2F4F4F",darkslategrey:"#2F4F4F",limegreen:"#32CD32",mediumseagreen:"#3CB371",turquoise:"#40E0D0",royalblue:"#4169E1",steelblue:"#4682B4",darkslateblue:"#483D8B",mediumturquoise:"#48D1CC",indigo:"#4B0082",darkolivegreen:"#556B2F",cadetblue:"#5F9EA0",cornflowerblue:"#6495ED",rebeccapurple:"#663399",mediumaquamarine:"#66CDAA",dimgray:"#696969",dimgrey:"#696969",slateblue:"#6A5ACD",olivedrab:"#6B8E23",slategray:"#708090",slategrey:"#708090",lightslategray:"#778899",lightslategrey:"#778899",mediumslateblue:"#7B68EE",lawngreen:"#7CFC00",chartreuse:"#7FFF00",aquamarine:"#7FFFD4",skyblue:"#87CEEB",lightskyblue:"#87CEFA",blueviolet:"#8A2BE2",darkred:"#8B0000",darkmagenta:"#8B008B",saddlebrown:"#8B4513",darkseagreen:"#8FBC8F",lightgreen:"#90EE90",mediumpurple:"#9370DB",darkviolet:"#9400D3",palegreen:"#98FB98",darkorchid:"#9932CC",yellowgreen:"#9ACD32",sienna:"#A0522D",brown:"#A52A2A",darkgray:"#A9A9A9",darkgrey:"#A9A9A9",lightblue:"#ADD8E6",greenyellow:"#ADFF2F",paleturquoise:"#AFEEEE",lightsteelblue:"#B0C4DE",powderblue:"#B0E0E6",firebrick:"#B22222",darkgoldenrod:"#B8860B",mediumorchid:"#BA55D3",rosybrown:"#BC8F8F",darkkhaki:"#BDB76B",mediumvioletred:"#C71585",indianred:"#CD5C5C",peru:"#CD853F",chocolate:"#D2691E",tan:"#D2B48C",lightgray:"#D3D3D3",lightgrey:"#D3D3D3",thistle:"#D8BFD8",orchid:"#DA70D6",goldenrod:"#DAA520",palevioletred:"#DB7093",crimson:"#DC143C",gainsboro:"#DCDCDC",plum:"#DDA0DD",burlywood:"#DEB887",lightcyan:"#E0FFFF",lavender:"#E6E6FA",darksalmon:"#E9967A",violet:"#EE82EE",palegoldenrod:"#EEE8AA",lightcoral:"#F08080",khaki:"#F0E68C",aliceblue:"#F0F8FF",honeydew:"#F0FFF0",azure:"#F0FFFF",sandybrown:"#F4A460",wheat:"#F5DEB3",beige:"#F5F5DC",whitesmoke:"#F5F5F5",mintcream:"#F5FFFA",ghostwhite:"#F8F8FF",salmon:"#FA8072",antiquewhite:"#FAEBD7",linen:"#FAF0E6",lightgoldenrodyellow:"#FAFAD2",oldlace:"#FDF5E6",magenta:"#FF00FF",deeppink:"#FF1493",orangered:"#FF4500",tomato:"#FF6347",hotpink:"#FF69B4",coral:"#FF7F50",darkorange:"#FF8C00",lightsalmon:"#FFA07A",orange:"#FFA500",lightpink:"#FFB6C1",pink:"#FFC0CB",gold:"#FFD700",peachpuff:"#FFDAB9",navajowhite:"#FFDEAD",moccasin:"#FFE4B5",bisque:"#FFE4C4",mistyrose:"#FFE4E1",blanchedalmond:"#FFEBCD",papayawhip:"#FFEFD5",lavenderblush:"#FFF0F5",seashell:"#FFF5EE",cornsilk:"#FFF8DC",lemonchiffon:"#FFFACD",floralwhite:"#FFFAF0",snow:"#FFFAFA",lightyellow:"#FFFFE0",ivory:"#FFFFF0"},ve=new Int8Array(4),nt=new Int32Array(ve.buffer,0,1),Ge=new Float32Array(ve.buffer,0,1),tt=/^\s*rgba?\s*\(/,Qt=/^\s*rgba?\s*\(\s*([0-9]*)\s*,\s*([0-9]*)\s*,\s*([0-9]*)(?:\s*,\s*(.*)?)?\)\s*$/;function Ct(t){var e=0,i=0,r=0,a=1;if(t[0]==="#")t.length===4?(e=parseInt(t.charAt(1)+t.charAt(1),16),i=parseInt(t.charAt(2)+t.charAt(2),16),r=parseInt(t.charAt(3)+t.charAt(3),16)):(e=parseInt(t.charAt(1)+t.charAt(2),16),i=parseInt(t.charAt(3)+t.charAt(4),16),r=parseInt(t.charAt(5)+t.charAt(6),16)),t.length===9&&(a=parseInt(t.charAt(7)+t.charAt(8),16)/255);else if(tt.test(t)){var s=t.match(Qt);s&&(e=+s[1],i=+s[2],r=+s[3],s[4]&&(a=+s[4]))}return{r:e,g:i,b:r,a}}var ke={};for(var ot in pe)ke[ot]=ie(pe[ot]),ke[pe[ot]]=ke[ot];function kt(t,e,i,r,a){return nt[0]=r<<24|i<<16|e<<8|t,nt[0]=nt[0]&4278190079,Ge[0]}function ie(t){if(t=t.toLowerCase(),typeof ke[t]<"u")return ke[t];var e=Ct(t),i=e.r,r=e.g,a=e.b,s=e.a;s=s*255|0;var d=kt(i,r,a,s);return ke[t]=d,d}function ft(t,e){Ge[0]=ie(t);var i=nt[0],r=i&255,a=i>>8&255,s=i>>16&255,d=i>>24&255;return[r,a,s,d]}var it={};function Lt(t){if(typeof it[t]<"u")return it[t];var e=(t&16711680)>>>16,i=(t&65280)>>>8,r=t&255,a=255,s=kt(e,i,r,a);return it[t]=s,s}function le(t,e,i){return(e=O(e))in t?Object.defineProperty(t,e,{value:i,enumerable:!0,configurable:!0,writable:!0}):t[e]=i,t}function Jt(t,e){var i=Object.keys(t);if(Object.getOwnPropertySymbols){var r=Object.getOwnPropertySymbols(t);e&&(r=r.filter(function(a){return Object.getOwnPropertyDescriptor(t,a).enumerable})),i.push.apply(i,r)}return i}function He(t){for(var e=1;e<arguments.length;e++){var i=arguments[e]!=null?arguments[e]:{};e%2?Jt(Object(i),!0).forEach(function(r){le(t,r,i[r])}):Object.getOwnPropertyDescriptors?Object.defineProperties(t,Object.getOwnPropertyDescriptors(i)):Jt(Object(i)).forEach(function(r){Object.defineProperty(t,r,Object.getOwnPropertyDescriptor(i,r))})}return t}function ei(t,e){for(;!{}.hasOwnProperty.call(t,e)&&(t=ge(t))!==null;);return t}function gt(){return gt=typeof Reflect<"u"&&Reflect.get?Reflect.get.bind():function(t,e,i){var r=ei(t,e);if(r){var a=Object.getOwnPropertyDescriptor(r,e);return a.get?a.get.call(arguments.length<3?t:i):a.value}},gt.apply(null,arguments)}function Ft(t,e,i,r){var a=gt(ge(t.prototype),e,i);return typeof a=="function"?function(s){return a.apply(i,s)}:a}function ti(t){return t.normalized?1:t.size}function at(t){var e=0;return t.forEach(function(i){return e+=ti(i)}),e}function H(t,e,i){var r=t==="VERTEX"?e.VERTEX_SHADER:e.FRAGMENT_SHADER,a=e.createShader(r);if(a===null)throw new Error("loadShader: error while creating the shader");e.shaderSource(a,i),e.compileShader(a);var s=e.getShaderParameter(a,e.COMPILE_STATUS);if(!s){var d=e.getShaderInfoLog(a);throw e.deleteShader(a),new Error(`loadShader: error while compiling the shader:
`.concat(d,`
`).concat(i))}return a}function B(t,e){return H("VERTEX",t,e)}function X(t,e){return H("FRAGMENT",t,e)}function ii(t,e){var i=t.createProgram();if(i===null)throw new Error("loadProgram: error while creating the program.");var r,a;for(r=0,a=e.length;r<a;r++)t.attachShader(i,e[r]);t.linkProgram(i);var s=t.getProgramParameter(i,t.LINK_STATUS);if(!s)throw t.deleteProgram(i),new Error("loadProgram: error while linking the program.");return i}function Nt(t){var e=t.gl,i=t.buffer,r=t.program,a=t.vertexShader,s=t.fragmentShader;e.deleteShader(a),e.deleteShader(s),e.deleteProgram(r),e.deleteBuffer(i)}function pt(t){return t%1===0?t.toFixed(1):t.toString()}var Ve=`#define PICKING_MODE
`,ri=le(le(le(le(le(le(le(le({},WebGL2RenderingContext.BOOL,1),WebGL2RenderingContext.BYTE,1),WebGL2RenderingContext.UNSIGNED_BYTE,1),WebGL2RenderingContext.SHORT,2),WebGL2RenderingContext.UNSIGNED_SHORT,2),WebGL2RenderingContext.INT,4),WebGL2RenderingContext.UNSIGNED_INT,4),WebGL2RenderingContext.FLOAT,4),Dt=(function(){function t(e,i,r){Z(this,t),le(this,"array",new Float32Array),le(this,"constantArray",new Float32Array),le(this,"capacity",0),le(this,"verticesCount",0);var a=this.getDefinition();if(this.VERTICES=a.VERTICES,this.VERTEX_SHADER_SOURCE=a.VERTEX_SHADER_SOURCE,this.FRAGMENT_SHADER_SOURCE=a.FRAGMENT_SHADER_SOURCE,this.UNIFORMS=a.UNIFORMS,this.ATTRIBUTES=a.ATTRIBUTES,this.METHOD=a.METHOD,this.CONSTANT_ATTRIBUTES="CONSTANT_ATTRIBUTES"in a?a.CONSTANT_ATTRIBUTES:[],this.CONSTANT_DATA="CONSTANT_DATA"in a?a.CONSTANT_DATA:[],this.isInstanced="CONSTANT_ATTRIBUTES"in a,this.ATTRIBUTES_ITEMS_COUNT=at(this.ATTRIBUTES),this.STRIDE=this.VERTICES*this.ATTRIBUTES_ITEMS_COUNT,this.renderer=r,this.normalProgram=this.getProgramInfo("normal",e,a.VERTEX_SHADER_SOURCE,a.FRAGMENT_SHADER_SOURCE,null),this.pickProgram=i?this.getProgramInfo("pick",e,Ve+a.VERTEX_SHADER_SOURCE,Ve+a.FRAGMENT_SHADER_SOURCE,i):null,this.isInstanced){var s=at(this.CONSTANT_ATTRIBUTES);if(this.CONSTANT_DATA.length!==this.VERTICES)throw new Error("Program: error while getting constant data (expected ".concat(this.VERTICES," items, received ").concat(this.CONSTANT_DATA.length," instead)"));this.constantArray=new Float32Array(this.CONSTANT_DATA.length*s);for(var d=0;d<this.CONSTANT_DATA.length;d++){var g=this.CONSTANT_DATA[d];if(g.length!==s)throw new Error("Program: error while getting constant data (one vector has ".concat(g.length," items instead of ").concat(s,")"));for(var v=0;v<g.length;v++)this.constantArray[d*s+v]=g[v]}this.STRIDE=this.ATTRIBUTES_ITEMS_COUNT}}return $(t,[{key:"kill",value:function(){Nt(this.normalProgram),this.pickProgram&&(Nt(this.pickProgram),this.pickProgram=null)}},{key:"getProgramInfo",value:function(e,i,r,a,s){var d=this.getDefinition(),g=i.createBuffer();if(g===null)throw new Error("Program: error while creating the WebGL buffer.");var v=B(i,r),p=X(i,a),y=ii(i,[v,p]),b={};d.UNIFORMS.forEach(function(S){var C=i.getUniformLocation(y,S);C&&(b[S]=C)});var w={};d.ATTRIBUTES.forEach(function(S){w[S.name]=i.getAttribLocation(y,S.name)});var x;if("CONSTANT_ATTRIBUTES"in d&&(d.CONSTANT_ATTRIBUTES.forEach(function(S){w[S.name]=i.getAttribLocation(y,S.name)}),x=i.createBuffer(),x===null))throw new Error("Program: error while creating the WebGL constant buffer.");return{name:e,program:y,gl:i,frameBuffer:s,buffer:g,constantBuffer:x||{},uniformLocations:b,attributeLocations:w,isPicking:e==="pick",vertexShader:v,fragmentShader:p}}},{key:"bindProgram",value:function(e){var i=this,r=0,a=e.gl,s=e.buffer;this.isInstanced?(a.bindBuffer(a.ARRAY_BUFFER,e.constantBuffer),r=0,this.CONSTANT_ATTRIBUTES.forEach(function(d){return r+=i.bindAttribute(d,e,r,!1)}),a.bufferData(a.ARRAY_BUFFER,this.constantArray,a.STATIC_DRAW),a.bindBuffer(a.ARRAY_BUFFER,e.buffer),r=0,this.ATTRIBUTES.forEach(function(d){return r+=i.bindAttribute(d,e,r,!0)}),a.bufferData(a.ARRAY_BUFFER,this.array,a.DYNAMIC_DRAW)):(a.bindBuffer(a.ARRAY_BUFFER,s),r=0,this.ATTRIBUTES.forEach(function(d){return r+=i.bindAttribute(d,e,r)}),a.bufferData(a.ARRAY_BUFFER,this.array,a.DYNAMIC_DRAW)),a.bindBuffer(a.ARRAY_BUFFER,null)}},{key:"unbindProgram",value:function(e){var i=this;this.isInstanced?(this.CONSTANT_ATTRIBUTES.forEach(function(r){return i.unbindAttribute(r,e,!1)}),this.ATTRIBUTES.forEach(function(r){return i.unbindAttribute(r,e,!0)})):this.ATTRIBUTES.forEach(function(r){return i.unbindAttribute(r,e)})}},{key:"bindAttribute",value:function(e,i,r,a){var s=ri[e.type];if(typeof s!="number")throw new Error('Program.bind: yet unsupported attribute type "'.concat(e.type,'"'));var d=i.attributeLocations[e.name],g=i.gl;if(d!==-1){g.enableVertexAttribArray(d);var v=this.isInstanced?(a?this.ATTRIBUTES_ITEMS_COUNT:at(this.CONSTANT_ATTRIBUTES))*Float32Array.BYTES_PER_ELEMENT:this.ATTRIBUTES_ITEMS_COUNT*Float32Array.BYTES_PER_ELEMENT;if(g.vertexAttribPointer(d,e.size,e.type,e.normalized||!1,v,r),this.isInstanced&&a)if(g instanceof WebGL2RenderingContext)g.vertexAttribDivisor(d,1);else{var p=g.getExtension("ANGLE_instanced_arrays");p&&p.vertexAttribDivisorANGLE(d,1)}}return e.size*s}},{key:"unbindAttribute",value:function(e,i,r){var a=i.attributeLocations[e.name],s=i.gl;if(a!==-1&&(s.disableVertexAttribArray(a),this.isInstanced&&r))if(s instanceof WebGL2RenderingContext)s.vertexAttribDivisor(a,0);else{var d=s.getExtension("ANGLE_instanced_arrays");d&&d.vertexAttribDivisorANGLE(a,0)}}},{key:"reallocate",value:function(e){e!==this.capacity&&(this.capacity=e,this.verticesCount=this.VERTICES*e,this.array=new Float32Array(this.isInstanced?this.capacity*this.ATTRIBUTES_ITEMS_COUNT:this.verticesCount*this.ATTRIBUTES_ITEMS_COUNT))}},{key:"hasNothingToRender",value:function(){return this.verticesCount===0}},{key:"renderProgram",value:function(e,i){var r=i.gl,a=i.program;r.enable(r.BLEND),r.useProgram(a),this.setUniforms(e,i),this.drawWebGL(this.METHOD,i)}},{key:"render",value:function(e){this.hasNothingToRender()||(this.pickProgram&&(this.pickProgram.gl.viewport(0,0,e.width*e.pixelRatio/e.downSizingRatio,e.height*e.pixelRatio/e.downSizingRatio),this.bindProgram(this.pickProgram),this.renderProgram(He(He({},e),{},{pixelRatio:e.pixelRatio/e.downSizingRatio}),this.pickProgram),this.unbindProgram(this.pickProgram)),this.normalProgram.gl.viewport(0,0,e.width*e.pixelRatio,e.height*e.pixelRatio),this.bindProgram(this.normalProgram),this.renderProgram(e,this.normalProgram),this.unbindProgram(this.normalProgram))}},{key:"drawWebGL",value:function(e,i){var r=i.gl,a=i.frameBuffer;if(r.bindFramebuffer(r.FRAMEBUFFER,a),!this.isInstanced)r.drawArrays(e,0,this.verticesCount);else if(r instanceof WebGL2RenderingContext)r.drawArraysInstanced(e,0,this.VERTICES,this.capacity);else{var s=r.getExtension("ANGLE_instanced_arrays");s&&s.drawArraysInstancedANGLE(e,0,this.VERTICES,this.capacity)}}}])})(),st=(function(t){function e(){return Z(this,e),ce(this,e,arguments)}return Ce(e,t),$(e,[{key:"kill",value:function(){Ft(e,"kill",this)([])}},{key:"process",value:function(i,r,a){var s=r*this.STRIDE;if(a.hidden){for(var d=s+this.STRIDE;s<d;s++)this.array[s]=0;return}return this.processVisibleItem(Lt(i),s,a)}}])})(Dt),Le=(function(t){function e(){var i;Z(this,e);for(var r=arguments.length,a=new Array(r),s=0;s<r;s++)a[s]=arguments[s];return i=ce(this,e,[].concat(a)),le(i,"drawLabel",void 0),i}return Ce(e,t),$(e,[{key:"kill",value:function(){Ft(e,"kill",this)([])}},{key:"process",value:function(i,r,a,s,d){var g=r*this.STRIDE;if(d.hidden||a.hidden||s.hidden){for(var v=g+this.STRIDE;g<v;g++)this.array[g]=0;return}return this.processVisibleItem(Lt(i),g,a,s,d)}}])})(Dt);function Li(t,e){return(function(){function i(r,a,s){Z(this,i),le(this,"drawLabel",e),this.programs=t.map(function(d){return new d(r,a,s)})}return $(i,[{key:"reallocate",value:function(r){this.programs.forEach(function(a){return a.reallocate(r)})}},{key:"process",value:function(r,a,s,d,g){this.programs.forEach(function(v){return v.process(r,a,s,d,g)})}},{key:"render",value:function(r){this.programs.forEach(function(a){return a.render(r)})}},{key:"kill",value:function(){this.programs.forEach(function(r){return r.kill()})}}])})()}var Fi=`
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
`,Ni=Fi,Di=`
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
`,Gi=Di,mt=WebGLRenderingContext,ni=mt.UNSIGNED_BYTE,Gt=mt.FLOAT,zt=["u_sizeRatio","u_correctionRatio","u_matrix"],vt=(function(t){function e(){return Z(this,e),ce(this,e,arguments)}return Ce(e,t),$(e,[{key:"getDefinition",value:function(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Gi,FRAGMENT_SHADER_SOURCE:Ni,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:zt,ATTRIBUTES:[{name:"a_position",size:2,type:Gt},{name:"a_size",size:1,type:Gt},{name:"a_color",size:4,type:ni,normalized:!0},{name:"a_id",size:4,type:ni,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_angle",size:1,type:Gt}],CONSTANT_DATA:[[e.ANGLE_1],[e.ANGLE_2],[e.ANGLE_3]]}}},{key:"processVisibleItem",value:function(i,r,a){var s=this.array,d=ie(a.color);s[r++]=a.x,s[r++]=a.y,s[r++]=a.size,s[r++]=d,s[r++]=i}},{key:"setUniforms",value:function(i,r){var a=r.gl,s=r.uniformLocations,d=s.u_sizeRatio,g=s.u_correctionRatio,v=s.u_matrix;a.uniform1f(g,i.correctionRatio),a.uniform1f(d,i.sizeRatio),a.uniformMatrix3fv(v,!1,i.matrix)}}])})(st);le(vt,"ANGLE_1",0),le(vt,"ANGLE_2",2*Math.PI/3),le(vt,"ANGLE_3",4*Math.PI/3);var Pt=`
precision mediump float;

varying vec4 v_color;

void main(void) {
  gl_FragColor = v_color;
}
`,Ot=Pt,zi=`
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
`,Pi=zi,oi=WebGLRenderingContext,ct=oi.UNSIGNED_BYTE,Ue=oi.FLOAT,It=["u_matrix","u_sizeRatio","u_correctionRatio","u_minEdgeThickness","u_lengthToThicknessRatio","u_widenessToThicknessRatio"],Be={extremity:"target",lengthToThicknessRatio:2.5,widenessToThicknessRatio:2};function ai(t){var e=He(He({},Be),{});return(function(i){function r(){return Z(this,r),ce(this,r,arguments)}return Ce(r,i),$(r,[{key:"getDefinition",value:function(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Pi,FRAGMENT_SHADER_SOURCE:Ot,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:It,ATTRIBUTES:[{name:"a_position",size:2,type:Ue},{name:"a_normal",size:2,type:Ue},{name:"a_radius",size:1,type:Ue},{name:"a_color",size:4,type:ct,normalized:!0},{name:"a_id",size:4,type:ct,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_barycentric",size:3,type:Ue}],CONSTANT_DATA:[[1,0,0],[0,1,0],[0,0,1]]}}},{key:"processVisibleItem",value:function(a,s,d,g,v){if(e.extremity==="source"){var p=[g,d];d=p[0],g=p[1]}var y=v.size||1,b=g.size||1,w=d.x,x=d.y,S=g.x,C=g.y,T=ie(v.color),L=S-w,z=C-x,R=L*L+z*z,_=0,k=0;R&&(R=1/Math.sqrt(R),_=-z*R*y,k=L*R*y);var F=this.array;F[s++]=S,F[s++]=C,F[s++]=-_,F[s++]=-k,F[s++]=b,F[s++]=T,F[s++]=a}},{key:"setUniforms",value:function(a,s){var d=s.gl,g=s.uniformLocations,v=g.u_matrix,p=g.u_sizeRatio,y=g.u_correctionRatio,b=g.u_minEdgeThickness,w=g.u_lengthToThicknessRatio,x=g.u_widenessToThicknessRatio;d.uniformMatrix3fv(v,!1,a.matrix),d.uniform1f(p,a.sizeRatio),d.uniform1f(y,a.correctionRatio),d.uniform1f(b,a.minEdgeThickness),d.uniform1f(w,e.lengthToThicknessRatio),d.uniform1f(x,e.widenessToThicknessRatio)}}])})(Le)}ai();var Oi=`
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
`,yt=Oi,Ii=`
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
`,Mi=Ii,Mt=WebGLRenderingContext,si=Mt.UNSIGNED_BYTE,We=Mt.FLOAT,ci=["u_matrix","u_zoomRatio","u_sizeRatio","u_correctionRatio","u_pixelRatio","u_feather","u_minEdgeThickness","u_lengthToThicknessRatio"],Ui={lengthToThicknessRatio:Be.lengthToThicknessRatio};function Ut(t){var e=He(He({},Ui),{});return(function(i){function r(){return Z(this,r),ce(this,r,arguments)}return Ce(r,i),$(r,[{key:"getDefinition",value:function(){return{VERTICES:6,VERTEX_SHADER_SOURCE:Mi,FRAGMENT_SHADER_SOURCE:yt,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:ci,ATTRIBUTES:[{name:"a_positionStart",size:2,type:We},{name:"a_positionEnd",size:2,type:We},{name:"a_normal",size:2,type:We},{name:"a_color",size:4,type:si,normalized:!0},{name:"a_id",size:4,type:si,normalized:!0},{name:"a_radius",size:1,type:We}],CONSTANT_ATTRIBUTES:[{name:"a_positionCoef",size:1,type:We},{name:"a_normalCoef",size:1,type:We},{name:"a_radiusCoef",size:1,type:We}],CONSTANT_DATA:[[0,1,0],[0,-1,0],[1,1,1],[1,1,1],[0,-1,0],[1,-1,-1]]}}},{key:"processVisibleItem",value:function(a,s,d,g,v){var p=v.size||1,y=d.x,b=d.y,w=g.x,x=g.y,S=ie(v.color),C=w-y,T=x-b,L=g.size||1,z=C*C+T*T,R=0,_=0;z&&(z=1/Math.sqrt(z),R=-T*z*p,_=C*z*p);var k=this.array;k[s++]=y,k[s++]=b,k[s++]=w,k[s++]=x,k[s++]=R,k[s++]=_,k[s++]=S,k[s++]=a,k[s++]=L}},{key:"setUniforms",value:function(a,s){var d=s.gl,g=s.uniformLocations,v=g.u_matrix,p=g.u_zoomRatio,y=g.u_feather,b=g.u_pixelRatio,w=g.u_correctionRatio,x=g.u_sizeRatio,S=g.u_minEdgeThickness,C=g.u_lengthToThicknessRatio;d.uniformMatrix3fv(v,!1,a.matrix),d.uniform1f(p,a.zoomRatio),d.uniform1f(x,a.sizeRatio),d.uniform1f(w,a.correctionRatio),d.uniform1f(b,a.pixelRatio),d.uniform1f(y,a.antiAliasingFeather),d.uniform1f(S,a.minEdgeThickness),d.uniform1f(C,e.lengthToThicknessRatio)}}])})(Le)}Ut();function ui(t){return Li([Ut(),ai()])}ui();function Bi(t){return t&&t.__esModule&&Object.prototype.hasOwnProperty.call(t,"default")?t.default:t}var qe,ae;function hi(){return ae||(ae=1,qe=function(t){return t!==null&&typeof t=="object"&&typeof t.addUndirectedEdgeWithKey=="function"&&typeof t.dropNode=="function"&&typeof t.multi=="boolean"}),qe}var di=hi();let li=Bi(di);function fi(t,e){if(typeof t!="object"||!t)return t;var i=t[Symbol.toPrimitive];if(i!==void 0){var r=i.call(t,e);if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(e==="string"?String:Number)(t)}function Bt(t){var e=fi(t,"string");return typeof e=="symbol"?e:e+""}function Ye(t,e,i){return(e=Bt(e))in t?Object.defineProperty(t,e,{value:i,enumerable:!0,configurable:!0,writable:!0}):t[e]=i,t}function c(t,e){var i=Object.keys(t);if(Object.getOwnPropertySymbols){var r=Object.getOwnPropertySymbols(t);e&&(r=r.filter(function(a){return Object.getOwnPropertyDescriptor(t,a).enumerable})),i.push.apply(i,r)}return i}function l(t){for(var e=1;e<arguments.length;e++){var i=arguments[e]!=null?arguments[e]:{};e%2?c(Object(i),!0).forEach(function(r){Ye(t,r,i[r])}):Object.getOwnPropertyDescriptors?Object.defineProperties(t,Object.getOwnPropertyDescriptors(i)):c(Object(i)).forEach(function(r){Object.defineProperty(t,r,Object.getOwnPropertyDescriptor(i,r))})}return t}function h(t,e){if(!(t instanceof e))throw new TypeError("Cannot call a class as a function")}function n(t,e){for(var i=0;i<e.length;i++){var r=e[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(t,Bt(r.key),r)}}function o(t,e,i){return e&&n(t.prototype,e),Object.defineProperty(t,"prototype",{writable:!1}),t}function u(t){return u=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(e){return e.__proto__||Object.getPrototypeOf(e)},u(t)}function f(){try{var t=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],function(){}))}catch{}return(f=function(){return!!t})()}function m(t){if(t===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return t}function E(t,e){if(e&&(typeof e=="object"||typeof e=="function"))return e;if(e!==void 0)throw new TypeError("Derived constructors may only return object or undefined");return m(t)}function G(t,e,i){return e=u(e),E(t,f()?Reflect.construct(e,i||[],u(t).constructor):e.apply(t,i))}function N(t,e){return N=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(i,r){return i.__proto__=r,i},N(t,e)}function A(t,e){if(typeof e!="function"&&e!==null)throw new TypeError("Super expression must either be null or a function");t.prototype=Object.create(e&&e.prototype,{constructor:{value:t,writable:!0,configurable:!0}}),Object.defineProperty(t,"prototype",{writable:!1}),e&&N(t,e)}function D(t,e){(e==null||e>t.length)&&(e=t.length);for(var i=0,r=Array(e);i<e;i++)r[i]=t[i];return r}function P(t){if(Array.isArray(t))return D(t)}function q(t){if(typeof Symbol<"u"&&t[Symbol.iterator]!=null||t["@@iterator"]!=null)return Array.from(t)}function Q(t,e){if(t){if(typeof t=="string")return D(t,e);var i={}.toString.call(t).slice(8,-1);return i==="Object"&&t.constructor&&(i=t.constructor.name),i==="Map"||i==="Set"?Array.from(t):i==="Arguments"||/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array$/.test(i)?D(t,e):void 0}}function ee(){throw new TypeError(`Invalid attempt to spread non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function de(t){return P(t)||q(t)||Q(t)||ee()}function fe(t,e,i,r){var a=Math.pow(1-t,2)*e.x+2*(1-t)*t*i.x+Math.pow(t,2)*r.x,s=Math.pow(1-t,2)*e.y+2*(1-t)*t*i.y+Math.pow(t,2)*r.y;return{x:a,y:s}}function Ee(t,e,i){for(var r=20,a=0,s=t,d=0;d<r;d++){var g=fe((d+1)/r,t,e,i);a+=Math.sqrt(Math.pow(s.x-g.x,2)+Math.pow(s.y-g.y,2)),s=g}return a}function Re(t){var e=t.curvatureAttribute,i=t.defaultCurvature,r=t.keepLabelUpright,a=r===void 0?!0:r;return function(s,d,g,v,p){var y=p.edgeLabelSize,b=d[e]||i,w=p.edgeLabelFont,x=p.edgeLabelWeight,S=p.edgeLabelColor.attribute?d[p.edgeLabelColor.attribute]||p.edgeLabelColor.color||"#000":p.edgeLabelColor.color,C=d.label;if(C){s.fillStyle=S,s.font="".concat(x," ").concat(y,"px ").concat(w);var T=!a||g.x<v.x,L=T?g.x:v.x,z=T?g.y:v.y,R=T?v.x:g.x,_=T?v.y:g.y,k=(L+R)/2,F=(z+_)/2,V=R-L,W=_-z,K=Math.sqrt(Math.pow(V,2)+Math.pow(W,2)),te=T?1:-1,se=k+W*b*te,ye=F-V*b*te,me=d.size*.7+5,Te={x:ye-z,y:-(se-L)},Me=Math.sqrt(Math.pow(Te.x,2)+Math.pow(Te.y,2)),I={x:_-ye,y:-(R-se)},M=Math.sqrt(Math.pow(I.x,2)+Math.pow(I.y,2));L+=me*Te.x/Me,z+=me*Te.y/Me,R+=me*I.x/M,_+=me*I.y/M,se+=me*W/K,ye-=me*V/K;var j={x:se,y:ye},J={x:L,y:z},Y={x:R,y:_},re=Ee(J,j,Y);if(!(re<g.size+v.size)){var he=s.measureText(C).width,_e=re-g.size-v.size;if(he>_e){var we="…";for(C=C+we,he=s.measureText(C).width;he>_e&&C.length>1;)C=C.slice(0,-2)+we,he=s.measureText(C).width;if(C.length<4)return}for(var je={},Qe=0,Je=C.length;Qe<Je;Qe++){var zr=C[Qe];je[zr]||(je[zr]=s.measureText(zr).width*(1+b*.35))}for(var At=.5-he/re/2,Pr=0,Ds=C.length;Pr<Ds;Pr++){var uo=C[Pr],ho=fe(At,J,j,Y),Gs=2*(1-At)*(se-L)+2*At*(R-se),zs=2*(1-At)*(ye-z)+2*At*(_-ye),Ps=Math.atan2(zs,Gs);s.save(),s.translate(ho.x,ho.y),s.rotate(Ps),s.fillText(uo,0,0),s.restore(),At+=je[uo]/re}}}}}function xe(t){var e=t.arrowHead,i=e?.extremity==="target"||e?.extremity==="both",r=e?.extremity==="source"||e?.extremity==="both",a=`
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
`);return a}function Fe(t){var e=t.arrowHead,i=e?.extremity==="target"||e?.extremity==="both",r=e?.extremity==="source"||e?.extremity==="both",a=`
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
`);return a}var ut=.25,bt={arrowHead:null,curvatureAttribute:"curvature",defaultCurvature:ut},ji=WebGLRenderingContext,Hi=ji.UNSIGNED_BYTE,Pe=ji.FLOAT;function Vi(t){var e=l(l({},bt),t||{}),i=e,r=i.arrowHead,a=i.curvatureAttribute,s=i.drawLabel,d=r?.extremity==="target"||r?.extremity==="both",g=r?.extremity==="source"||r?.extremity==="both",v=["u_matrix","u_sizeRatio","u_dimensions","u_pixelRatio","u_feather","u_minEdgeThickness"].concat(de(r?["u_lengthToThicknessRatio","u_widenessToThicknessRatio"]:[]));return(function(p){function y(){var b;h(this,y);for(var w=arguments.length,x=new Array(w),S=0;S<w;S++)x[S]=arguments[S];return b=G(this,y,[].concat(x)),Ye(b,"drawLabel",s||Re(e)),b}return A(y,p),o(y,[{key:"getDefinition",value:function(){return{VERTICES:6,VERTEX_SHADER_SOURCE:Fe(e),FRAGMENT_SHADER_SOURCE:xe(e),METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:v,ATTRIBUTES:[{name:"a_source",size:2,type:Pe},{name:"a_target",size:2,type:Pe}].concat(de(d?[{name:"a_targetSize",size:1,type:Pe}]:[]),de(g?[{name:"a_sourceSize",size:1,type:Pe}]:[]),[{name:"a_thickness",size:1,type:Pe},{name:"a_curvature",size:1,type:Pe},{name:"a_color",size:4,type:Hi,normalized:!0},{name:"a_id",size:4,type:Hi,normalized:!0}]),CONSTANT_ATTRIBUTES:[{name:"a_current",size:1,type:Pe},{name:"a_direction",size:1,type:Pe}],CONSTANT_DATA:[[0,1],[0,-1],[1,1],[0,-1],[1,1],[1,-1]]}}},{key:"processVisibleItem",value:function(b,w,x,S,C){var T,L=C.size||1,z=x.x,R=x.y,_=S.x,k=S.y,F=ie(C.color),V=(T=C[a])!==null&&T!==void 0?T:ut,W=this.array;W[w++]=z,W[w++]=R,W[w++]=_,W[w++]=k,d&&(W[w++]=S.size),g&&(W[w++]=x.size),W[w++]=L,W[w++]=V,W[w++]=F,W[w++]=b}},{key:"setUniforms",value:function(b,w){var x=w.gl,S=w.uniformLocations,C=S.u_matrix,T=S.u_pixelRatio,L=S.u_feather,z=S.u_sizeRatio,R=S.u_dimensions,_=S.u_minEdgeThickness;if(x.uniformMatrix3fv(C,!1,b.matrix),x.uniform1f(T,b.pixelRatio),x.uniform1f(z,b.sizeRatio),x.uniform1f(L,b.antiAliasingFeather),x.uniform2f(R,b.width*b.pixelRatio,b.height*b.pixelRatio),x.uniform1f(_,b.minEdgeThickness),r){var k=S.u_lengthToThicknessRatio,F=S.u_widenessToThicknessRatio;x.uniform1f(k,r.lengthToThicknessRatio),x.uniform1f(F,r.widenessToThicknessRatio)}}}])})(Le)}var xo=Vi();Vi({arrowHead:Be}),Vi({arrowHead:l(l({},Be),{},{extremity:"both"})});function To(t){if(Array.isArray(t))return t}function Ro(t,e){var i=t==null?null:typeof Symbol<"u"&&t[Symbol.iterator]||t["@@iterator"];if(i!=null){var r,a,s,d,g=[],v=!0,p=!1;try{if(s=(i=i.call(t)).next,e!==0)for(;!(v=(r=s.call(i)).done)&&(g.push(r.value),g.length!==e);v=!0);}catch(y){p=!0,a=y}finally{try{if(!v&&i.return!=null&&(d=i.return(),Object(d)!==d))return}finally{if(p)throw a}}return g}}function Wi(t,e){(e==null||e>t.length)&&(e=t.length);for(var i=0,r=Array(e);i<e;i++)r[i]=t[i];return r}function jr(t,e){if(t){if(typeof t=="string")return Wi(t,e);var i={}.toString.call(t).slice(8,-1);return i==="Object"&&t.constructor&&(i=t.constructor.name),i==="Map"||i==="Set"?Array.from(t):i==="Arguments"||/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array$/.test(i)?Wi(t,e):void 0}}function So(){throw new TypeError(`Invalid attempt to destructure non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function Ao(t,e){return To(t)||Ro(t,e)||jr(t,e)||So()}function Co(t,e){if(!(t instanceof e))throw new TypeError("Cannot call a class as a function")}function ko(t,e){if(typeof t!="object"||!t)return t;var i=t[Symbol.toPrimitive];if(i!==void 0){var r=i.call(t,e);if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(e==="string"?String:Number)(t)}function Hr(t){var e=ko(t,"string");return typeof e=="symbol"?e:e+""}function Lo(t,e){for(var i=0;i<e.length;i++){var r=e[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(t,Hr(r.key),r)}}function Fo(t,e,i){return e&&Lo(t.prototype,e),Object.defineProperty(t,"prototype",{writable:!1}),t}function gi(t){return gi=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(e){return e.__proto__||Object.getPrototypeOf(e)},gi(t)}function Vr(){try{var t=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],function(){}))}catch{}return(Vr=function(){return!!t})()}function No(t){if(t===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return t}function Do(t,e){if(e&&(typeof e=="object"||typeof e=="function"))return e;if(e!==void 0)throw new TypeError("Derived constructors may only return object or undefined");return No(t)}function Go(t,e,i){return e=gi(e),Do(t,Vr()?Reflect.construct(e,i||[],gi(t).constructor):e.apply(t,i))}function qi(t,e){return qi=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(i,r){return i.__proto__=r,i},qi(t,e)}function zo(t,e){if(typeof e!="function"&&e!==null)throw new TypeError("Super expression must either be null or a function");t.prototype=Object.create(e&&e.prototype,{constructor:{value:t,writable:!0,configurable:!0}}),Object.defineProperty(t,"prototype",{writable:!1}),e&&qi(t,e)}function _t(t,e,i){return(e=Hr(e))in t?Object.defineProperty(t,e,{value:i,enumerable:!0,configurable:!0,writable:!0}):t[e]=i,t}function Po(t){if(Array.isArray(t))return Wi(t)}function Oo(t){if(typeof Symbol<"u"&&t[Symbol.iterator]!=null||t["@@iterator"]!=null)return Array.from(t)}function Io(){throw new TypeError(`Invalid attempt to spread non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function Yi(t){return Po(t)||Oo(t)||jr(t)||Io()}function Wr(t,e){var i=Object.keys(t);if(Object.getOwnPropertySymbols){var r=Object.getOwnPropertySymbols(t);e&&(r=r.filter(function(a){return Object.getOwnPropertyDescriptor(t,a).enumerable})),i.push.apply(i,r)}return i}function qr(t){for(var e=1;e<arguments.length;e++){var i=arguments[e]!=null?arguments[e]:{};e%2?Wr(Object(i),!0).forEach(function(r){_t(t,r,i[r])}):Object.getOwnPropertyDescriptors?Object.defineProperties(t,Object.getOwnPropertyDescriptors(i)):Wr(Object(i)).forEach(function(r){Object.defineProperty(t,r,Object.getOwnPropertyDescriptor(i,r))})}return t}var Mo="relative",Uo={drawLabel:void 0,drawHover:void 0,borders:[{size:{value:.1},color:{attribute:"borderColor"}},{size:{fill:!0},color:{attribute:"color"}}]},Bo="#000000";function jo(t){var e=t.borders,i=pt(e.filter(function(a){var s=a.size;return"fill"in s}).length),r=`
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
`).concat(e.flatMap(function(a,s){var d=a.size;if("fill"in d)return[];d=d;var g="attribute"in d?"v_borderSize_".concat(s+1):pt(d.value),v=(d.mode||Mo)==="pixels"?"u_correctionRatio":"v_radius";return["  float borderSize_".concat(s+1," = ").concat(v," * ").concat(g,";")]}).join(`
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
`);return r}function Ho(t){var e=t.borders,i=`
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
`);return i}var Yr=WebGLRenderingContext,Xr=Yr.UNSIGNED_BYTE,pi=Yr.FLOAT;function Kr(t){var e,i=qr(qr({},Uo),t||{}),r=i.borders,a=i.drawLabel,s=i.drawHover,d=["u_sizeRatio","u_correctionRatio","u_matrix"].concat(Yi(r.flatMap(function(g,v){var p=g.color;return"value"in p?["u_borderColor_".concat(v+1)]:[]})));return e=(function(g){function v(){var p;Co(this,v);for(var y=arguments.length,b=new Array(y),w=0;w<y;w++)b[w]=arguments[w];return p=Go(this,v,[].concat(b)),_t(p,"drawLabel",a),_t(p,"drawHover",s),p}return zo(v,g),Fo(v,[{key:"getDefinition",value:function(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Ho(i),FRAGMENT_SHADER_SOURCE:jo(i),METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:d,ATTRIBUTES:[{name:"a_position",size:2,type:pi},{name:"a_id",size:4,type:Xr,normalized:!0},{name:"a_size",size:1,type:pi}].concat(Yi(r.flatMap(function(p,y){var b=p.color;return"attribute"in b?[{name:"a_borderColor_".concat(y+1),size:4,type:Xr,normalized:!0}]:[]})),Yi(r.flatMap(function(p,y){var b=p.size;return"attribute"in b?[{name:"a_borderSize_".concat(y+1),size:1,type:pi}]:[]}))),CONSTANT_ATTRIBUTES:[{name:"a_angle",size:1,type:pi}],CONSTANT_DATA:[[v.ANGLE_1],[v.ANGLE_2],[v.ANGLE_3]]}}},{key:"processVisibleItem",value:function(p,y,b){var w=this.array;w[y++]=b.x,w[y++]=b.y,w[y++]=p,w[y++]=b.size,r.forEach(function(x){var S=x.color;"attribute"in S&&(w[y++]=ie(b[S.attribute]||S.defaultValue||Bo))}),r.forEach(function(x){var S=x.size;"attribute"in S&&(w[y++]=b[S.attribute]||S.defaultValue)})}},{key:"setUniforms",value:function(p,y){var b=y.gl,w=y.uniformLocations,x=w.u_sizeRatio,S=w.u_correctionRatio,C=w.u_matrix;b.uniform1f(S,p.correctionRatio),b.uniform1f(x,p.sizeRatio),b.uniformMatrix3fv(C,!1,p.matrix),r.forEach(function(T,L){var z=T.color;if("value"in z){var R=w["u_borderColor_".concat(L+1)],_=ft(z.value),k=Ao(_,4),F=k[0],V=k[1],W=k[2],K=k[3];b.uniform4f(R,F/255,V/255,W/255,K/255)}})}}])})(st),_t(e,"ANGLE_1",0),_t(e,"ANGLE_2",2*Math.PI/3),_t(e,"ANGLE_3",4*Math.PI/3),e}Kr();var mi={exports:{}},Zr;function Vo(){if(Zr)return mi.exports;Zr=1;var t=typeof Reflect=="object"?Reflect:null,e=t&&typeof t.apply=="function"?t.apply:function(_,k,F){return Function.prototype.apply.call(_,k,F)},i;t&&typeof t.ownKeys=="function"?i=t.ownKeys:Object.getOwnPropertySymbols?i=function(_){return Object.getOwnPropertyNames(_).concat(Object.getOwnPropertySymbols(_))}:i=function(_){return Object.getOwnPropertyNames(_)};function r(_){console&&console.warn&&console.warn(_)}var a=Number.isNaN||function(_){return _!==_};function s(){s.init.call(this)}mi.exports=s,mi.exports.once=L,s.EventEmitter=s,s.prototype._events=void 0,s.prototype._eventsCount=0,s.prototype._maxListeners=void 0;var d=10;function g(_){if(typeof _!="function")throw new TypeError('The "listener" argument must be of type Function. Received type '+typeof _)}Object.defineProperty(s,"defaultMaxListeners",{enumerable:!0,get:function(){return d},set:function(_){if(typeof _!="number"||_<0||a(_))throw new RangeError('The value of "defaultMaxListeners" is out of range. It must be a non-negative number. Received '+_+".");d=_}}),s.init=function(){(this._events===void 0||this._events===Object.getPrototypeOf(this)._events)&&(this._events=Object.create(null),this._eventsCount=0),this._maxListeners=this._maxListeners||void 0},s.prototype.setMaxListeners=function(_){if(typeof _!="number"||_<0||a(_))throw new RangeError('The value of "n" is out of range. It must be a non-negative number. Received '+_+".");return this._maxListeners=_,this};function v(_){return _._maxListeners===void 0?s.defaultMaxListeners:_._maxListeners}s.prototype.getMaxListeners=function(){return v(this)},s.prototype.emit=function(_){for(var k=[],F=1;F<arguments.length;F++)k.push(arguments[F]);var V=_==="error",W=this._events;if(W!==void 0)V=V&&W.error===void 0;else if(!V)return!1;if(V){var K;if(k.length>0&&(K=k[0]),K instanceof Error)throw K;var te=new Error("Unhandled error."+(K?" ("+K.message+")":""));throw te.context=K,te}var se=W[_];if(se===void 0)return!1;if(typeof se=="function")e(se,this,k);else for(var ye=se.length,me=S(se,ye),F=0;F<ye;++F)e(me[F],this,k);return!0};function p(_,k,F,V){var W,K,te;if(g(F),K=_._events,K===void 0?(K=_._events=Object.create(null),_._eventsCount=0):(K.newListener!==void 0&&(_.emit("newListener",k,F.listener?F.listener:F),K=_._events),te=K[k]),te===void 0)te=K[k]=F,++_._eventsCount;else if(typeof te=="function"?te=K[k]=V?[F,te]:[te,F]:V?te.unshift(F):te.push(F),W=v(_),W>0&&te.length>W&&!te.warned){te.warned=!0;var se=new Error("Possible EventEmitter memory leak detected. "+te.length+" "+String(k)+" listeners added. Use emitter.setMaxListeners() to increase limit");se.name="MaxListenersExceededWarning",se.emitter=_,se.type=k,se.count=te.length,r(se)}return _}s.prototype.addListener=function(_,k){return p(this,_,k,!1)},s.prototype.on=s.prototype.addListener,s.prototype.prependListener=function(_,k){return p(this,_,k,!0)};function y(){if(!this.fired)return this.target.removeListener(this.type,this.wrapFn),this.fired=!0,arguments.length===0?this.listener.call(this.target):this.listener.apply(this.target,arguments)}function b(_,k,F){var V={fired:!1,wrapFn:void 0,target:_,type:k,listener:F},W=y.bind(V);return W.listener=F,V.wrapFn=W,W}s.prototype.once=function(_,k){return g(k),this.on(_,b(this,_,k)),this},s.prototype.prependOnceListener=function(_,k){return g(k),this.prependListener(_,b(this,_,k)),this},s.prototype.removeListener=function(_,k){var F,V,W,K,te;if(g(k),V=this._events,V===void 0)return this;if(F=V[_],F===void 0)return this;if(F===k||F.listener===k)--this._eventsCount===0?this._events=Object.create(null):(delete V[_],V.removeListener&&this.emit("removeListener",_,F.listener||k));else if(typeof F!="function"){for(W=-1,K=F.length-1;K>=0;K--)if(F[K]===k||F[K].listener===k){te=F[K].listener,W=K;break}if(W<0)return this;W===0?F.shift():C(F,W),F.length===1&&(V[_]=F[0]),V.removeListener!==void 0&&this.emit("removeListener",_,te||k)}return this},s.prototype.off=s.prototype.removeListener,s.prototype.removeAllListeners=function(_){var k,F,V;if(F=this._events,F===void 0)return this;if(F.removeListener===void 0)return arguments.length===0?(this._events=Object.create(null),this._eventsCount=0):F[_]!==void 0&&(--this._eventsCount===0?this._events=Object.create(null):delete F[_]),this;if(arguments.length===0){var W=Object.keys(F),K;for(V=0;V<W.length;++V)K=W[V],K!=="removeListener"&&this.removeAllListeners(K);return this.removeAllListeners("removeListener"),this._events=Object.create(null),this._eventsCount=0,this}if(k=F[_],typeof k=="function")this.removeListener(_,k);else if(k!==void 0)for(V=k.length-1;V>=0;V--)this.removeListener(_,k[V]);return this};function w(_,k,F){var V=_._events;if(V===void 0)return[];var W=V[k];return W===void 0?[]:typeof W=="function"?F?[W.listener||W]:[W]:F?T(W):S(W,W.length)}s.prototype.listeners=function(_){return w(this,_,!0)},s.prototype.rawListeners=function(_){return w(this,_,!1)},s.listenerCount=function(_,k){return typeof _.listenerCount=="function"?_.listenerCount(k):x.call(_,k)},s.prototype.listenerCount=x;function x(_){var k=this._events;if(k!==void 0){var F=k[_];if(typeof F=="function")return 1;if(F!==void 0)return F.length}return 0}s.prototype.eventNames=function(){return this._eventsCount>0?i(this._events):[]};function S(_,k){for(var F=new Array(k),V=0;V<k;++V)F[V]=_[V];return F}function C(_,k){for(;k+1<_.length;k++)_[k]=_[k+1];_.pop()}function T(_){for(var k=new Array(_.length),F=0;F<k.length;++F)k[F]=_[F].listener||_[F];return k}function L(_,k){return new Promise(function(F,V){function W(te){_.removeListener(k,K),V(te)}function K(){typeof _.removeListener=="function"&&_.removeListener("error",W),F([].slice.call(arguments))}R(_,k,K,{once:!0}),k!=="error"&&z(_,W,{once:!0})})}function z(_,k,F){typeof _.on=="function"&&R(_,"error",k,F)}function R(_,k,F,V){if(typeof _.on=="function")V.once?_.once(k,F):_.on(k,F);else if(typeof _.addEventListener=="function")_.addEventListener(k,function W(K){V.once&&_.removeEventListener(k,W),F(K)});else throw new TypeError('The "emitter" argument must be of type EventEmitter. Received type '+typeof _)}return mi.exports}var $r=Vo();function Xi(t,e){(e==null||e>t.length)&&(e=t.length);for(var i=0,r=Array(e);i<e;i++)r[i]=t[i];return r}function Wo(t){if(Array.isArray(t))return Xi(t)}function qo(t){if(typeof Symbol<"u"&&t[Symbol.iterator]!=null||t["@@iterator"]!=null)return Array.from(t)}function Yo(t,e){if(t){if(typeof t=="string")return Xi(t,e);var i={}.toString.call(t).slice(8,-1);return i==="Object"&&t.constructor&&(i=t.constructor.name),i==="Map"||i==="Set"?Array.from(t):i==="Arguments"||/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array$/.test(i)?Xi(t,e):void 0}}function Xo(){throw new TypeError(`Invalid attempt to spread non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function Ki(t){return Wo(t)||qo(t)||Yo(t)||Xo()}function Zi(t,e){if(!(t instanceof e))throw new TypeError("Cannot call a class as a function")}function Ko(t,e){if(typeof t!="object"||!t)return t;var i=t[Symbol.toPrimitive];if(i!==void 0){var r=i.call(t,e);if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(e==="string"?String:Number)(t)}function Qr(t){var e=Ko(t,"string");return typeof e=="symbol"?e:e+""}function Zo(t,e){for(var i=0;i<e.length;i++){var r=e[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(t,Qr(r.key),r)}}function $i(t,e,i){return e&&Zo(t.prototype,e),Object.defineProperty(t,"prototype",{writable:!1}),t}function wt(t){return wt=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(e){return e.__proto__||Object.getPrototypeOf(e)},wt(t)}function Jr(){try{var t=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],function(){}))}catch{}return(Jr=function(){return!!t})()}function $o(t){if(t===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return t}function Qo(t,e){if(e&&(typeof e=="object"||typeof e=="function"))return e;if(e!==void 0)throw new TypeError("Derived constructors may only return object or undefined");return $o(t)}function en(t,e,i){return e=wt(e),Qo(t,Jr()?Reflect.construct(e,i||[],wt(t).constructor):e.apply(t,i))}function Jo(t,e){for(;!{}.hasOwnProperty.call(t,e)&&(t=wt(t))!==null;);return t}function Qi(){return Qi=typeof Reflect<"u"&&Reflect.get?Reflect.get.bind():function(t,e,i){var r=Jo(t,e);if(r){var a=Object.getOwnPropertyDescriptor(r,e);return a.get?a.get.call(arguments.length<3?t:i):a.value}},Qi.apply(null,arguments)}function tn(t,e,i,r){var a=Qi(wt(t.prototype),e,i);return typeof a=="function"?function(s){return a.apply(i,s)}:a}function Ji(t,e){return Ji=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(i,r){return i.__proto__=r,i},Ji(t,e)}function rn(t,e){if(typeof e!="function"&&e!==null)throw new TypeError("Super expression must either be null or a function");t.prototype=Object.create(e&&e.prototype,{constructor:{value:t,writable:!0,configurable:!0}}),Object.defineProperty(t,"prototype",{writable:!1}),e&&Ji(t,e)}function be(t,e,i){return(e=Qr(e))in t?Object.defineProperty(t,e,{value:i,enumerable:!0,configurable:!0,writable:!0}):t[e]=i,t}function ea(t,e){if(t==null)return{};var i={};for(var r in t)if({}.hasOwnProperty.call(t,r)){if(e.indexOf(r)!==-1)continue;i[r]=t[r]}return i}function ta(t,e){if(t==null)return{};var i,r,a=ea(t,e);if(Object.getOwnPropertySymbols){var s=Object.getOwnPropertySymbols(t);for(r=0;r<s.length;r++)i=s[r],e.indexOf(i)===-1&&{}.propertyIsEnumerable.call(t,i)&&(a[i]=t[i])}return a}function nn(t,e){var i=Object.keys(t);if(Object.getOwnPropertySymbols){var r=Object.getOwnPropertySymbols(t);e&&(r=r.filter(function(a){return Object.getOwnPropertyDescriptor(t,a).enumerable})),i.push.apply(i,r)}return i}function Ne(t){for(var e=1;e<arguments.length;e++){var i=arguments[e]!=null?arguments[e]:{};e%2?nn(Object(i),!0).forEach(function(r){be(t,r,i[r])}):Object.getOwnPropertyDescriptors?Object.defineProperties(t,Object.getOwnPropertyDescriptors(i)):nn(Object(i)).forEach(function(r){Object.defineProperty(t,r,Object.getOwnPropertyDescriptor(i,r))})}return t}function ia(t){var e=t.texturesCount,i=`
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

    `).concat(Ki(new Array(e)).map(function(r,a){return"if (index == ".concat(a,") texel = texture2D(u_atlas[").concat(a,"], (v_texture.xy + coordinateInTexture * v_texture.zw), -1.0);")}).join(`
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
`);return i}var ra=`
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
`,na=ra;function ht(){ht=function(){return e};var t,e={},i=Object.prototype,r=i.hasOwnProperty,a=Object.defineProperty||function(I,M,j){I[M]=j.value},s=typeof Symbol=="function"?Symbol:{},d=s.iterator||"@@iterator",g=s.asyncIterator||"@@asyncIterator",v=s.toStringTag||"@@toStringTag";function p(I,M,j){return Object.defineProperty(I,M,{value:j,enumerable:!0,configurable:!0,writable:!0}),I[M]}try{p({},"")}catch{p=function(I,M,j){return I[M]=j}}function y(I,M,j,J){var Y=M&&M.prototype instanceof L?M:L,re=Object.create(Y.prototype),he=new Te(J||[]);return a(re,"_invoke",{value:te(I,j,he)}),re}function b(I,M,j){try{return{type:"normal",arg:I.call(M,j)}}catch(J){return{type:"throw",arg:J}}}e.wrap=y;var w="suspendedStart",x="suspendedYield",S="executing",C="completed",T={};function L(){}function z(){}function R(){}var _={};p(_,d,function(){return this});var k=Object.getPrototypeOf,F=k&&k(k(Me([])));F&&F!==i&&r.call(F,d)&&(_=F);var V=R.prototype=L.prototype=Object.create(_);function W(I){["next","throw","return"].forEach(function(M){p(I,M,function(j){return this._invoke(M,j)})})}function K(I,M){function j(Y,re,he,_e){var we=b(I[Y],I,re);if(we.type!=="throw"){var je=we.arg,Qe=je.value;return Qe&&typeof Qe=="object"&&r.call(Qe,"__await")?M.resolve(Qe.__await).then(function(Je){j("next",Je,he,_e)},function(Je){j("throw",Je,he,_e)}):M.resolve(Qe).then(function(Je){je.value=Je,he(je)},function(Je){return j("throw",Je,he,_e)})}_e(we.arg)}var J;a(this,"_invoke",{value:function(Y,re){function he(){return new M(function(_e,we){j(Y,re,_e,we)})}return J=J?J.then(he,he):he()}})}function te(I,M,j){var J=w;return function(Y,re){if(J===S)throw Error("Generator is already running");if(J===C){if(Y==="throw")throw re;return{value:t,done:!0}}for(j.method=Y,j.arg=re;;){var he=j.delegate;if(he){var _e=se(he,j);if(_e){if(_e===T)continue;return _e}}if(j.method==="next")j.sent=j._sent=j.arg;else if(j.method==="throw"){if(J===w)throw J=C,j.arg;j.dispatchException(j.arg)}else j.method==="return"&&j.abrupt("return",j.arg);J=S;var we=b(I,M,j);if(we.type==="normal"){if(J=j.done?C:x,we.arg===T)continue;return{value:we.arg,done:j.done}}we.type==="throw"&&(J=C,j.method="throw",j.arg=we.arg)}}}function se(I,M){var j=M.method,J=I.iterator[j];if(J===t)return M.delegate=null,j==="throw"&&I.iterator.return&&(M.method="return",M.arg=t,se(I,M),M.method==="throw")||j!=="return"&&(M.method="throw",M.arg=new TypeError("The iterator does not provide a '"+j+"' method")),T;var Y=b(J,I.iterator,M.arg);if(Y.type==="throw")return M.method="throw",M.arg=Y.arg,M.delegate=null,T;var re=Y.arg;return re?re.done?(M[I.resultName]=re.value,M.next=I.nextLoc,M.method!=="return"&&(M.method="next",M.arg=t),M.delegate=null,T):re:(M.method="throw",M.arg=new TypeError("iterator result is not an object"),M.delegate=null,T)}function ye(I){var M={tryLoc:I[0]};1 in I&&(M.catchLoc=I[1]),2 in I&&(M.finallyLoc=I[2],M.afterLoc=I[3]),this.tryEntries.push(M)}function me(I){var M=I.completion||{};M.type="normal",delete M.arg,I.completion=M}function Te(I){this.tryEntries=[{tryLoc:"root"}],I.forEach(ye,this),this.reset(!0)}function Me(I){if(I||I===""){var M=I[d];if(M)return M.call(I);if(typeof I.next=="function")return I;if(!isNaN(I.length)){var j=-1,J=function Y(){for(;++j<I.length;)if(r.call(I,j))return Y.value=I[j],Y.done=!1,Y;return Y.value=t,Y.done=!0,Y};return J.next=J}}throw new TypeError(typeof I+" is not iterable")}return z.prototype=R,a(V,"constructor",{value:R,configurable:!0}),a(R,"constructor",{value:z,configurable:!0}),z.displayName=p(R,v,"GeneratorFunction"),e.isGeneratorFunction=function(I){var M=typeof I=="function"&&I.constructor;return!!M&&(M===z||(M.displayName||M.name)==="GeneratorFunction")},e.mark=function(I){return Object.setPrototypeOf?Object.setPrototypeOf(I,R):(I.__proto__=R,p(I,v,"GeneratorFunction")),I.prototype=Object.create(V),I},e.awrap=function(I){return{__await:I}},W(K.prototype),p(K.prototype,g,function(){return this}),e.AsyncIterator=K,e.async=function(I,M,j,J,Y){Y===void 0&&(Y=Promise);var re=new K(y(I,M,j,J),Y);return e.isGeneratorFunction(M)?re:re.next().then(function(he){return he.done?he.value:re.next()})},W(V),p(V,v,"Generator"),p(V,d,function(){return this}),p(V,"toString",function(){return"[object Generator]"}),e.keys=function(I){var M=Object(I),j=[];for(var J in M)j.push(J);return j.reverse(),function Y(){for(;j.length;){var re=j.pop();if(re in M)return Y.value=re,Y.done=!1,Y}return Y.done=!0,Y}},e.values=Me,Te.prototype={constructor:Te,reset:function(I){if(this.prev=0,this.next=0,this.sent=this._sent=t,this.done=!1,this.delegate=null,this.method="next",this.arg=t,this.tryEntries.forEach(me),!I)for(var M in this)M.charAt(0)==="t"&&r.call(this,M)&&!isNaN(+M.slice(1))&&(this[M]=t)},stop:function(){this.done=!0;var I=this.tryEntries[0].completion;if(I.type==="throw")throw I.arg;return this.rval},dispatchException:function(I){if(this.done)throw I;var M=this;function j(we,je){return re.type="throw",re.arg=I,M.next=we,je&&(M.method="next",M.arg=t),!!je}for(var J=this.tryEntries.length-1;J>=0;--J){var Y=this.tryEntries[J],re=Y.completion;if(Y.tryLoc==="root")return j("end");if(Y.tryLoc<=this.prev){var he=r.call(Y,"catchLoc"),_e=r.call(Y,"finallyLoc");if(he&&_e){if(this.prev<Y.catchLoc)return j(Y.catchLoc,!0);if(this.prev<Y.finallyLoc)return j(Y.finallyLoc)}else if(he){if(this.prev<Y.catchLoc)return j(Y.catchLoc,!0)}else{if(!_e)throw Error("try statement without catch or finally");if(this.prev<Y.finallyLoc)return j(Y.finallyLoc)}}}},abrupt:function(I,M){for(var j=this.tryEntries.length-1;j>=0;--j){var J=this.tryEntries[j];if(J.tryLoc<=this.prev&&r.call(J,"finallyLoc")&&this.prev<J.finallyLoc){var Y=J;break}}Y&&(I==="break"||I==="continue")&&Y.tryLoc<=M&&M<=Y.finallyLoc&&(Y=null);var re=Y?Y.completion:{};return re.type=I,re.arg=M,Y?(this.method="next",this.next=Y.finallyLoc,T):this.complete(re)},complete:function(I,M){if(I.type==="throw")throw I.arg;return I.type==="break"||I.type==="continue"?this.next=I.arg:I.type==="return"?(this.rval=this.arg=I.arg,this.method="return",this.next="end"):I.type==="normal"&&M&&(this.next=M),T},finish:function(I){for(var M=this.tryEntries.length-1;M>=0;--M){var j=this.tryEntries[M];if(j.finallyLoc===I)return this.complete(j.completion,j.afterLoc),me(j),T}},catch:function(I){for(var M=this.tryEntries.length-1;M>=0;--M){var j=this.tryEntries[M];if(j.tryLoc===I){var J=j.completion;if(J.type==="throw"){var Y=J.arg;me(j)}return Y}}throw Error("illegal catch attempt")},delegateYield:function(I,M,j){return this.delegate={iterator:Me(I),resultName:M,nextLoc:j},this.method==="next"&&(this.arg=t),T}},e}function on(t,e,i,r,a,s,d){try{var g=t[s](d),v=g.value}catch(p){return void i(p)}g.done?e(v):Promise.resolve(v).then(r,a)}function er(t){return function(){var e=this,i=arguments;return new Promise(function(r,a){var s=t.apply(e,i);function d(v){on(s,r,a,d,g,"next",v)}function g(v){on(s,r,a,d,g,"throw",v)}d(void 0)})}}var tr={size:{mode:"max",value:512},objectFit:"cover",correctCentering:!1,maxTextureSize:4096,debounceTimeout:500,crossOrigin:"anonymous"},oa=1;function ir(t){var e=arguments.length>1&&arguments[1]!==void 0?arguments[1]:{},i=e.crossOrigin;return new Promise(function(r,a){var s=new Image;s.addEventListener("load",function(){r(s)},{once:!0}),s.addEventListener("error",function(d){a(d.error)},{once:!0}),i&&s.setAttribute("crossOrigin",i),s.src=t})}function aa(t){return rr.apply(this,arguments)}function rr(){return rr=er(ht().mark(function t(e){var i,r,a,s,d,g,v,p,y,b,w,x,S,C=arguments;return ht().wrap(function(T){for(;;)switch(T.prev=T.next){case 0:if(i=C.length>1&&C[1]!==void 0?C[1]:{},r=i.size,a=i.crossOrigin,a!=="use-credentials"){T.next=7;break}return T.next=4,fetch(e,{credentials:"include"});case 4:s=T.sent,T.next=10;break;case 7:return T.next=9,fetch(e);case 9:s=T.sent;case 10:return T.next=12,s.text();case 12:if(d=T.sent,g=new DOMParser().parseFromString(d,"image/svg+xml"),v=g.documentElement,p=v.getAttribute("width"),y=v.getAttribute("height"),!(!p||!y)){T.next=19;break}throw new Error("loadSVGImage: cannot use `size` if target SVG has no definite dimensions.");case 19:return typeof r=="number"&&(v.setAttribute("width",""+r),v.setAttribute("height",""+r)),b=new XMLSerializer().serializeToString(g),w=new Blob([b],{type:"image/svg+xml"}),x=URL.createObjectURL(w),S=ir(x),S.finally(function(){return URL.revokeObjectURL(x)}),T.abrupt("return",S);case 26:case"end":return T.stop()}},t)})),rr.apply(this,arguments)}function sa(t){return nr.apply(this,arguments)}function nr(){return nr=er(ht().mark(function t(e){var i,r,a,s,d,g,v=arguments;return ht().wrap(function(p){for(;;)switch(p.prev=p.next){case 0:if(r=v.length>1&&v[1]!==void 0?v[1]:{},a=r.size,s=r.crossOrigin,d=((i=e.split(/[#?]/)[0].split(".").pop())===null||i===void 0?void 0:i.trim().toLowerCase())==="svg",!(d&&a)){p.next=16;break}return p.prev=3,p.next=6,aa(e,{size:a,crossOrigin:s});case 6:g=p.sent,p.next=14;break;case 9:return p.prev=9,p.t0=p.catch(3),p.next=13,ir(e,{crossOrigin:s});case 13:g=p.sent;case 14:p.next=19;break;case 16:return p.next=18,ir(e,{crossOrigin:s});case 18:g=p.sent;case 19:return p.abrupt("return",g);case 20:case"end":return p.stop()}},t,null,[[3,9]])})),nr.apply(this,arguments)}function ca(t,e,i){var r=i.objectFit,a=i.size,s=i.correctCentering,d=r==="contain"?Math.max(t.width,t.height):Math.min(t.width,t.height),g=a.mode==="auto"?d:a.mode==="force"?a.value:Math.min(a.value,d),v=(t.width-d)/2,p=(t.height-d)/2;if(s){var y=e.getCorrectionOffset(t,d);v=y.x,p=y.y}return{sourceX:v,sourceY:p,sourceSize:d,destinationSize:g}}function ua(t,e,i){for(var r=e.canvas,a=r.width,s=r.height,d=[],g=i.x,v=i.y,p=i.rowHeight,y=i.maxRowWidth,b={},w=0,x=t.length;w<x;w++){var S=t[w],C=S.key,T=S.image,L=S.sourceSize,z=S.sourceX,R=S.sourceY,_=S.destinationSize,k=_+oa;v+k>s||g+k>a&&v+k+p>s||(g+k>a&&(y=Math.max(y,g),g=0,v+=p,p=k),d.push({key:C,image:T,sourceX:z,sourceY:R,sourceSize:L,destinationX:g,destinationY:v,destinationSize:_}),b[C]={x:g,y:v,size:_},g+=k,p=Math.max(p,k))}y=Math.max(y,g);for(var F=y,V=v+p,W=0,K=d.length;W<K;W++){var te=d[W],se=te.image,ye=te.sourceSize,me=te.sourceX,Te=te.sourceY,Me=te.destinationSize,I=te.destinationX,M=te.destinationY;e.drawImage(se,me,Te,ye,ye,I,M,Me,Me)}return{atlas:b,texture:e.getImageData(0,0,F,V),cursor:{x:g,y:v,rowHeight:p,maxRowWidth:y}}}function ha(t,e,i){var r=t.atlas,a=t.textures,s=t.cursor,d={atlas:Ne({},r),textures:Ki(a.slice(0,-1)),cursor:Ne({},s)},g=[];for(var v in e){var p,y=e[v];if(y.status==="ready"){var b=(p=r[v])===null||p===void 0?void 0:p.textureIndex;typeof b!="number"&&g.push(Ne({key:v},y))}}for(var w=function(){var x=ua(g,i,d.cursor),S=x.atlas,C=x.texture,T=x.cursor;d.cursor=T;var L=[];g.forEach(function(z){S[z.key]?d.atlas[z.key]=Ne(Ne({},S[z.key]),{},{textureIndex:d.textures.length}):L.push(z)}),d.textures.push(C),g=L,g.length&&(d.cursor={x:0,y:0,rowHeight:0,maxRowWidth:0},i.clearRect(0,0,i.canvas.width,i.canvas.height))};g.length;)w();return d}var da=(function(){function t(){Zi(this,t),this.canvas=document.createElement("canvas"),this.context=this.canvas.getContext("2d",{willReadFrequently:!0})}return $i(t,[{key:"getCorrectionOffset",value:function(e,i){this.canvas.width=i,this.canvas.height=i,this.context.clearRect(0,0,i,i),this.context.drawImage(e,0,0,i,i);for(var r=this.context.getImageData(0,0,i,i).data,a=new Uint8ClampedArray(r.length/4),s=0;s<r.length;s++)a[s]=r[s*4+3];for(var d=0,g=0,v=0,p=0;p<i;p++)for(var y=0;y<i;y++){var b=a[p*i+y];v+=b,d+=b*y,g+=b*p}var w=d/v,x=g/v;return{x:w-i/2,y:x-i/2}}}])})(),vi=(function(t){function e(){var i,r=arguments.length>0&&arguments[0]!==void 0?arguments[0]:{};return Zi(this,e),i=en(this,e),be(i,"canvas",document.createElement("canvas")),be(i,"ctx",i.canvas.getContext("2d",{willReadFrequently:!0})),be(i,"corrector",new da),be(i,"imageStates",{}),be(i,"textures",[i.ctx.getImageData(0,0,1,1)]),be(i,"lastTextureCursor",{x:0,y:0,rowHeight:0,maxRowWidth:0}),be(i,"atlas",{}),i.options=Ne(Ne({},tr),r),i.canvas.width=i.options.maxTextureSize,i.canvas.height=i.options.maxTextureSize,i}return rn(e,t),$i(e,[{key:"scheduleGenerateTexture",value:function(){var i=this;typeof this.frameId!="number"&&(typeof this.options.debounceTimeout=="number"?this.frameId=window.setTimeout(function(){i.generateTextures(),i.frameId=void 0},this.options.debounceTimeout):this.generateTextures())}},{key:"generateTextures",value:function(){var i=ha({atlas:this.atlas,textures:this.textures,cursor:this.lastTextureCursor},this.imageStates,this.ctx),r=i.atlas,a=i.textures,s=i.cursor;this.atlas=r,this.textures=a,this.lastTextureCursor=s,this.emit(e.NEW_TEXTURE_EVENT,{atlas:r,textures:a})}},{key:"registerImage",value:(function(){var i=er(ht().mark(function a(s){var d,g;return ht().wrap(function(v){for(;;)switch(v.prev=v.next){case 0:if(!this.imageStates[s]){v.next=2;break}return v.abrupt("return");case 2:return this.imageStates[s]={status:"loading"},v.prev=3,d=this.options.size,v.next=7,sa(s,{size:d.mode==="force"?d.value:void 0,crossOrigin:this.options.crossOrigin||void 0});case 7:g=v.sent,this.imageStates[s]=Ne({status:"ready",image:g},ca(g,this.corrector,this.options)),this.scheduleGenerateTexture(),v.next=15;break;case 12:v.prev=12,v.t0=v.catch(3),this.imageStates[s]={status:"error"};case 15:case"end":return v.stop()}},a,this,[[3,12]])}));function r(a){return i.apply(this,arguments)}return r})()},{key:"getAtlas",value:function(){return this.atlas}},{key:"getTextures",value:function(){return this.textures}}])})($r.EventEmitter);be(vi,"NEW_TEXTURE_EVENT","newTexture");var la=["drawHover","drawLabel","drawingMode","keepWithinCircle","padding","colorAttribute","imageAttribute"],an=WebGLRenderingContext,sn=an.UNSIGNED_BYTE,jt=an.FLOAT,fa=Ne(Ne({},tr),{},{drawingMode:"background",keepWithinCircle:!0,drawLabel:void 0,drawHover:void 0,padding:0,colorAttribute:"color",imageAttribute:"image"}),ga=["u_sizeRatio","u_correctionRatio","u_cameraAngle","u_percentagePadding","u_matrix","u_colorizeImages","u_keepWithinCircle","u_atlas"];function or(t){var e,i=document.createElement("canvas").getContext("webgl"),r=Math.min(i.getParameter(i.MAX_TEXTURE_SIZE),tr.maxTextureSize);i.canvas.remove();var a=Ne(Ne(Ne({},fa),{maxTextureSize:r}),t||{}),s=a.drawHover,d=a.drawLabel,g=a.drawingMode,v=a.keepWithinCircle,p=a.padding,y=a.colorAttribute,b=a.imageAttribute,w=ta(a,la),x=new vi(w);return e=(function(S){function C(T,L,z){var R;return Zi(this,C),R=en(this,C,[T,L,z]),be(R,"drawLabel",d),be(R,"drawHover",s),be(R,"textureManagerCallback",null),R.textureManagerCallback=function(_){var k=_.atlas,F=_.textures,V=F.length!==R.textures.length;R.atlas=k,R.textureImages=F,V&&R.upgradeShaders(),R.bindTextures(),R.latestRenderParams&&R.render(R.latestRenderParams),R.renderer&&R.renderer.refresh&&R.renderer.refresh()},x.on(vi.NEW_TEXTURE_EVENT,R.textureManagerCallback),R.atlas=x.getAtlas(),R.textureImages=x.getTextures(),R.textures=R.textureImages.map(function(){return T.createTexture()}),R.bindTextures(),R}return rn(C,S),$i(C,[{key:"getDefinition",value:function(){return{VERTICES:3,VERTEX_SHADER_SOURCE:na,FRAGMENT_SHADER_SOURCE:ia({texturesCount:x.getTextures().length}),METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:ga,ATTRIBUTES:[{name:"a_position",size:2,type:jt},{name:"a_size",size:1,type:jt},{name:"a_color",size:4,type:sn,normalized:!0},{name:"a_id",size:4,type:sn,normalized:!0},{name:"a_texture",size:4,type:jt},{name:"a_textureIndex",size:1,type:jt}],CONSTANT_ATTRIBUTES:[{name:"a_angle",size:1,type:jt}],CONSTANT_DATA:[[C.ANGLE_1],[C.ANGLE_2],[C.ANGLE_3]]}}},{key:"upgradeShaders",value:function(){var T=this.getDefinition(),L=this.normalProgram,z=L.program,R=L.buffer,_=L.vertexShader,k=L.fragmentShader,F=L.gl;F.deleteProgram(z),F.deleteBuffer(R),F.deleteShader(_),F.deleteShader(k),this.normalProgram=this.getProgramInfo("normal",F,T.VERTEX_SHADER_SOURCE,T.FRAGMENT_SHADER_SOURCE,null)}},{key:"kill",value:function(){var T,L=(T=this.normalProgram)===null||T===void 0?void 0:T.gl;if(L)for(var z=0;z<this.textures.length;z++)L.deleteTexture(this.textures[z]);this.textureManagerCallback&&(x.off(vi.NEW_TEXTURE_EVENT,this.textureManagerCallback),this.textureManagerCallback=null),tn(C,"kill",this)([])}},{key:"bindTextures",value:function(){for(var T=this.normalProgram.gl,L=0;L<this.textureImages.length;L++){if(L>=this.textures.length){var z=T.createTexture();z&&this.textures.push(z)}T.activeTexture(T.TEXTURE0+L),T.bindTexture(T.TEXTURE_2D,this.textures[L]),T.texImage2D(T.TEXTURE_2D,0,T.RGBA,T.RGBA,T.UNSIGNED_BYTE,this.textureImages[L]),T.generateMipmap(T.TEXTURE_2D)}}},{key:"renderProgram",value:function(T,L){if(!L.isPicking)for(var z=L.gl,R=0;R<this.textureImages.length;R++)z.activeTexture(z.TEXTURE0+R),z.bindTexture(z.TEXTURE_2D,this.textures[R]);tn(C,"renderProgram",this)([T,L])}},{key:"processVisibleItem",value:function(T,L,z){var R=this.array,_=ie(z[y]),k=z[b],F=k?this.atlas[k]:void 0;if(typeof k=="string"&&!F&&x.registerImage(k),R[L++]=z.x,R[L++]=z.y,R[L++]=z.size,R[L++]=_,R[L++]=T,F&&typeof F.textureIndex=="number"){var V=this.textureImages[F.textureIndex],W=V.width,K=V.height;R[L++]=F.x/W,R[L++]=F.y/K,R[L++]=F.size/W,R[L++]=F.size/K,R[L++]=F.textureIndex}else R[L++]=0,R[L++]=0,R[L++]=0,R[L++]=0,R[L++]=0}},{key:"setUniforms",value:function(T,L){var z=L.gl,R=L.uniformLocations,_=R.u_sizeRatio,k=R.u_correctionRatio,F=R.u_matrix,V=R.u_atlas,W=R.u_colorizeImages,K=R.u_keepWithinCircle,te=R.u_cameraAngle,se=R.u_percentagePadding;this.latestRenderParams=T,z.uniform1f(k,T.correctionRatio),z.uniform1f(_,v?T.sizeRatio:T.sizeRatio/Math.SQRT2),z.uniform1f(te,T.cameraAngle),z.uniform1f(se,p),z.uniformMatrix3fv(F,!1,T.matrix),z.uniform1iv(V,Ki(new Array(this.textureImages.length)).map(function(ye,me){return me})),z.uniform1i(W,g==="color"?1:0),z.uniform1i(K,v?1:0)}}])})(st),be(e,"ANGLE_1",0),be(e,"ANGLE_2",2*Math.PI/3),be(e,"ANGLE_3",4*Math.PI/3),be(e,"textureManager",x),e}or(),or({keepWithinCircle:!1,size:{mode:"force",value:256},drawingMode:"color",correctCentering:!0});function pa(t){if(Array.isArray(t))return t}function ma(t,e){var i=t==null?null:typeof Symbol<"u"&&t[Symbol.iterator]||t["@@iterator"];if(i!=null){var r,a,s,d,g=[],v=!0,p=!1;try{if(s=(i=i.call(t)).next,e!==0)for(;!(v=(r=s.call(i)).done)&&(g.push(r.value),g.length!==e);v=!0);}catch(y){p=!0,a=y}finally{try{if(!v&&i.return!=null&&(d=i.return(),Object(d)!==d))return}finally{if(p)throw a}}return g}}function ar(t,e){(e==null||e>t.length)&&(e=t.length);for(var i=0,r=Array(e);i<e;i++)r[i]=t[i];return r}function cn(t,e){if(t){if(typeof t=="string")return ar(t,e);var i={}.toString.call(t).slice(8,-1);return i==="Object"&&t.constructor&&(i=t.constructor.name),i==="Map"||i==="Set"?Array.from(t):i==="Arguments"||/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array$/.test(i)?ar(t,e):void 0}}function va(){throw new TypeError(`Invalid attempt to destructure non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function un(t,e){return pa(t)||ma(t,e)||cn(t,e)||va()}function ya(t,e){if(!(t instanceof e))throw new TypeError("Cannot call a class as a function")}function ba(t,e){if(typeof t!="object"||!t)return t;var i=t[Symbol.toPrimitive];if(i!==void 0){var r=i.call(t,e);if(typeof r!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(e==="string"?String:Number)(t)}function hn(t){var e=ba(t,"string");return typeof e=="symbol"?e:e+""}function _a(t,e){for(var i=0;i<e.length;i++){var r=e[i];r.enumerable=r.enumerable||!1,r.configurable=!0,"value"in r&&(r.writable=!0),Object.defineProperty(t,hn(r.key),r)}}function wa(t,e,i){return e&&_a(t.prototype,e),Object.defineProperty(t,"prototype",{writable:!1}),t}function yi(t){return yi=Object.setPrototypeOf?Object.getPrototypeOf.bind():function(e){return e.__proto__||Object.getPrototypeOf(e)},yi(t)}function dn(){try{var t=!Boolean.prototype.valueOf.call(Reflect.construct(Boolean,[],function(){}))}catch{}return(dn=function(){return!!t})()}function Ea(t){if(t===void 0)throw new ReferenceError("this hasn't been initialised - super() hasn't been called");return t}function xa(t,e){if(e&&(typeof e=="object"||typeof e=="function"))return e;if(e!==void 0)throw new TypeError("Derived constructors may only return object or undefined");return Ea(t)}function Ta(t,e,i){return e=yi(e),xa(t,dn()?Reflect.construct(e,i||[],yi(t).constructor):e.apply(t,i))}function sr(t,e){return sr=Object.setPrototypeOf?Object.setPrototypeOf.bind():function(i,r){return i.__proto__=r,i},sr(t,e)}function Ra(t,e){if(typeof e!="function"&&e!==null)throw new TypeError("Super expression must either be null or a function");t.prototype=Object.create(e&&e.prototype,{constructor:{value:t,writable:!0,configurable:!0}}),Object.defineProperty(t,"prototype",{writable:!1}),e&&sr(t,e)}function Et(t,e,i){return(e=hn(e))in t?Object.defineProperty(t,e,{value:i,enumerable:!0,configurable:!0,writable:!0}):t[e]=i,t}function Sa(t){if(Array.isArray(t))return ar(t)}function Aa(t){if(typeof Symbol<"u"&&t[Symbol.iterator]!=null||t["@@iterator"]!=null)return Array.from(t)}function Ca(){throw new TypeError(`Invalid attempt to spread non-iterable instance.
In order to be iterable, non-array objects must have a [Symbol.iterator]() method.`)}function Ht(t){return Sa(t)||Aa(t)||cn(t)||Ca()}function ln(t,e){var i=Object.keys(t);if(Object.getOwnPropertySymbols){var r=Object.getOwnPropertySymbols(t);e&&(r=r.filter(function(a){return Object.getOwnPropertyDescriptor(t,a).enumerable})),i.push.apply(i,r)}return i}function fn(t){for(var e=1;e<arguments.length;e++){var i=arguments[e]!=null?arguments[e]:{};e%2?ln(Object(i),!0).forEach(function(r){Et(t,r,i[r])}):Object.getOwnPropertyDescriptors?Object.defineProperties(t,Object.getOwnPropertyDescriptors(i)):ln(Object(i)).forEach(function(r){Object.defineProperty(t,r,Object.getOwnPropertyDescriptor(i,r))})}return t}function ka(t){var e=t.slices,i=t.offset,r=`
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
`).concat(e.map(function(a,s){var d=a.value;return"  float sliceValue_".concat(s+1," = ").concat("attribute"in d?"v_sliceValue_".concat(s+1):pt(d.value),";")}).join(`
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
`);return r}function La(t){var e=t.slices,i=t.offset,r=`
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
`);return r}var cr="#000000",Fa={drawLabel:void 0,drawHover:void 0,defaultColor:cr,offset:{value:0}},gn=WebGLRenderingContext,pn=gn.UNSIGNED_BYTE,Vt=gn.FLOAT;function Na(t){var e,i=fn(fn({},Fa),t),r=i.slices,a=i.offset,s=i.drawHover,d=i.drawLabel,g=["u_sizeRatio","u_correctionRatio","u_cameraAngle","u_matrix","u_defaultColor"].concat(Ht("value"in a?["u_offset"]:[]),Ht(r.flatMap(function(v,p){var y=v.color;return"value"in y?["u_sliceColor_".concat(p+1)]:[]})));return e=(function(v){function p(){var y;ya(this,p);for(var b=arguments.length,w=new Array(b),x=0;x<b;x++)w[x]=arguments[x];return y=Ta(this,p,[].concat(w)),Et(y,"drawLabel",d),Et(y,"drawHover",s),y}return Ra(p,v),wa(p,[{key:"getDefinition",value:function(){return{VERTICES:3,VERTEX_SHADER_SOURCE:La(i),FRAGMENT_SHADER_SOURCE:ka(i),METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:g,ATTRIBUTES:[{name:"a_position",size:2,type:Vt},{name:"a_id",size:4,type:pn,normalized:!0},{name:"a_size",size:1,type:Vt}].concat(Ht("attribute"in a?[{name:"a_offset",size:1,type:Vt}]:[]),Ht(r.flatMap(function(y,b){var w=y.color;return"attribute"in w?[{name:"a_sliceColor_".concat(b+1),size:4,type:pn,normalized:!0}]:[]})),Ht(r.flatMap(function(y,b){var w=y.value;return"attribute"in w?[{name:"a_sliceValue_".concat(b+1),size:1,type:Vt}]:[]}))),CONSTANT_ATTRIBUTES:[{name:"a_angle",size:1,type:Vt}],CONSTANT_DATA:[[p.ANGLE_1],[p.ANGLE_2],[p.ANGLE_3]]}}},{key:"processVisibleItem",value:function(y,b,w){var x=this.array;x[b++]=w.x,x[b++]=w.y,x[b++]=y,x[b++]=w.size,"attribute"in a&&(x[b++]=w[a.attribute]||0),r.forEach(function(S){var C=S.color;"attribute"in C&&(x[b++]=ie(w[C.attribute]||C.defaultValue||cr))}),r.forEach(function(S){var C=S.value;"attribute"in C&&(x[b++]=w[C.attribute]||0)})}},{key:"setUniforms",value:function(y,b){var w=b.gl,x=b.uniformLocations,S=x.u_sizeRatio,C=x.u_correctionRatio,T=x.u_cameraAngle,L=x.u_matrix,z=x.u_defaultColor;w.uniform1f(C,y.correctionRatio),w.uniform1f(S,y.sizeRatio),w.uniform1f(T,y.cameraAngle),w.uniformMatrix3fv(L,!1,y.matrix),"value"in a&&w.uniform1f(x.u_offset,a.value);var R=ft(i.defaultColor||cr),_=un(R,4),k=_[0],F=_[1],V=_[2],W=_[3];w.uniform4f(z,k/255,F/255,V/255,W/255),r.forEach(function(K,te){var se=K.color;if("value"in se){var ye=x["u_sliceColor_".concat(te+1)],me=ft(se.value),Te=un(me,4),Me=Te[0],I=Te[1],M=Te[2],j=Te[3];w.uniform4f(ye,Me/255,I/255,M/255,j/255)}})}}])})(st),Et(e,"ANGLE_1",0),Et(e,"ANGLE_2",2*Math.PI/3),Et(e,"ANGLE_3",4*Math.PI/3),e}let mn=t=>t,vn=t=>t*t,yn=t=>t*(2-t),bn=t=>(t*=2)<1?.5*t*t:-.5*(--t*(t-2)-1),_n=t=>t*t*t,wn=t=>--t*t*t+1,En=t=>(t*=2)<1?.5*t*t*t:.5*((t-=2)*t*t+2),ur={linear:mn,quadraticIn:vn,quadraticOut:yn,quadraticInOut:bn,cubicIn:_n,cubicOut:wn,cubicInOut:En},hr={easing:"quadraticInOut",duration:150};function Da(t,e,i,r){let a=Object.assign({},hr,i),s=typeof a.easing=="function"?a.easing:ur[a.easing],d=Date.now(),g={};for(let y in e){let b=e[y];g[y]={};for(let w in b)g[y][w]=t.getNodeAttribute(y,w)}let v=null,p=()=>{v=null;let y=(Date.now()-d)/a.duration;if(y>=1){for(let b in e){let w=e[b];for(let x in w)t.setNodeAttribute(b,x,w[x])}typeof r=="function"&&r();return}y=s(y);for(let b in e){let w=e[b],x=g[b];for(let S in w)t.setNodeAttribute(b,S,w[S]*y+x[S]*(1-y))}v=requestAnimationFrame(p)};return p(),()=>{v&&cancelAnimationFrame(v)}}let bi={black:"#000000",silver:"#C0C0C0",gray:"#808080",grey:"#808080",white:"#FFFFFF",maroon:"#800000",red:"#FF0000",purple:"#800080",fuchsia:"#FF00FF",green:"#008000",lime:"#00FF00",olive:"#808000",yellow:"#FFFF00",navy:"#000080",blue:"#0000FF",teal:"#008080",aqua:"#00FFFF",darkblue:"#00008B",mediumblue:"#0000CD",darkgreen:"#006400",darkcyan:"#008B8B",deepskyblue:"#00BFFF",darkturquoise:"#00CED1",mediumspringgreen:"#00FA9A",springgreen:"#00FF7F",cyan:"#00FFFF",midnightblue:"#191970",dodgerblue:"#1E90FF",lightseagreen:"#20B2AA",forestgreen:"#228B22",seagreen:"#2E8B57",darkslategray:"#2F4F4F",darkslategrey:"#2F4F4F",limegreen:"#32CD32",mediumseagreen:"#3CB371",turquoise:"#40E0D0",royalblue:"#4169E1",steelblue:"#4682B4",darkslateblue:"#483D8B",mediumturquoise:"#48D1CC",indigo:"#4B0082",darkolivegreen:"#556B2F",cadetblue:"#5F9EA0",cornflowerblue:"#6495ED",rebeccapurple:"#663399",mediumaquamarine:"#66CDAA",dimgray:"#696969",dimgrey:"#696969",slateblue:"#6A5ACD",olivedrab:"#6B8E23",slategray:"#708090",slategrey:"#708090",lightslategray:"#778899",lightslategrey:"#778899",mediumslateblue:"#7B68EE",lawngreen:"#7CFC00",chartreuse:"#7FFF00",aquamarine:"#7FFFD4",skyblue:"#87CEEB",lightskyblue:"#87CEFA",blueviolet:"#8A2BE2",darkred:"#8B0000",darkmagenta:"#8B008B",saddlebrown:"#8B4513",darkseagreen:"#8FBC8F",lightgreen:"#90EE90",mediumpurple:"#9370DB",darkviolet:"#9400D3",palegreen:"#98FB98",darkorchid:"#9932CC",yellowgreen:"#9ACD32",sienna:"#A0522D",brown:"#A52A2A",darkgray:"#A9A9A9",darkgrey:"#A9A9A9",lightblue:"#ADD8E6",greenyellow:"#ADFF2F",paleturquoise:"#AFEEEE",lightsteelblue:"#B0C4DE",powderblue:"#B0E0E6",firebrick:"#B22222",darkgoldenrod:"#B8860B",mediumorchid:"#BA55D3",rosybrown:"#BC8F8F",darkkhaki:"#BDB76B",mediumvioletred:"#C71585",indianred:"#CD5C5C",peru:"#CD853F",chocolate:"#D2691E",tan:"#D2B48C",lightgray:"#D3D3D3",lightgrey:"#D3D3D3",thistle:"#D8BFD8",orchid:"#DA70D6",goldenrod:"#DAA520",palevioletred:"#DB7093",crimson:"#DC143C",gainsboro:"#DCDCDC",plum:"#DDA0DD",burlywood:"#DEB887",lightcyan:"#E0FFFF",lavender:"#E6E6FA",darksalmon:"#E9967A",violet:"#EE82EE",palegoldenrod:"#EEE8AA",lightcoral:"#F08080",khaki:"#F0E68C",aliceblue:"#F0F8FF",honeydew:"#F0FFF0",azure:"#F0FFFF",sandybrown:"#F4A460",wheat:"#F5DEB3",beige:"#F5F5DC",whitesmoke:"#F5F5F5",mintcream:"#F5FFFA",ghostwhite:"#F8F8FF",salmon:"#FA8072",antiquewhite:"#FAEBD7",linen:"#FAF0E6",lightgoldenrodyellow:"#FAFAD2",oldlace:"#FDF5E6",magenta:"#FF00FF",deeppink:"#FF1493",orangered:"#FF4500",tomato:"#FF6347",hotpink:"#FF69B4",coral:"#FF7F50",darkorange:"#FF8C00",lightsalmon:"#FFA07A",orange:"#FFA500",lightpink:"#FFB6C1",pink:"#FFC0CB",gold:"#FFD700",peachpuff:"#FFDAB9",navajowhite:"#FFDEAD",moccasin:"#FFE4B5",bisque:"#FFE4C4",mistyrose:"#FFE4E1",blanchedalmond:"#FFEBCD",papayawhip:"#FFEFD5",lavenderblush:"#FFF0F5",seashell:"#FFF5EE",cornsilk:"#FFF8DC",lemonchiffon:"#FFFACD",floralwhite:"#FFFAF0",snow:"#FFFAFA",lightyellow:"#FFFFE0",ivory:"#FFFFF0"};function Ga(t,e,i,r){let a=r||new Uint8Array(4);return t.readPixels(e,i,1,1,t.RGBA,t.UNSIGNED_BYTE,a),a}let xn=new Int8Array(4),_i=new Int32Array(xn.buffer,0,1),Tn=new Float32Array(xn.buffer,0,1),za=/^\s*rgba?\s*\(/,Pa=/^\s*rgba?\s*\(\s*([0-9]*)\s*,\s*([0-9]*)\s*,\s*([0-9]*)(?:\s*,\s*(.*)?)?\)\s*$/;function Rn(t){let e=0,i=0,r=0,a=1;if(t[0]==="#")t.length===4?(e=parseInt(t.charAt(1)+t.charAt(1),16),i=parseInt(t.charAt(2)+t.charAt(2),16),r=parseInt(t.charAt(3)+t.charAt(3),16)):(e=parseInt(t.charAt(1)+t.charAt(2),16),i=parseInt(t.charAt(3)+t.charAt(4),16),r=parseInt(t.charAt(5)+t.charAt(6),16)),t.length===9&&(a=parseInt(t.charAt(7)+t.charAt(8),16)/255);else if(za.test(t)){let s=t.match(Pa);s&&(e=+s[1],i=+s[2],r=+s[3],s[4]&&(a=+s[4]))}return{r:e,g:i,b:r,a}}let xt={};for(let t in bi)xt[t]=Oe(bi[t]),xt[bi[t]]=xt[t];function dr(t,e,i,r,a){return _i[0]=r<<24|i<<16|e<<8|t,a&&(_i[0]=_i[0]&4278190079),Tn[0]}function Oe(t){if(t=t.toLowerCase(),typeof xt[t]<"u")return xt[t];let e=Rn(t),{r:i,g:r,b:a}=e,{a:s}=e;s=s*255|0;let d=dr(i,r,a,s,!0);return xt[t]=d,d}function Oa(t,e){Tn[0]=Oe(t);let i=_i[0];e&&(i=i|16777216);let r=i&255,a=i>>8&255,s=i>>16&255,d=i>>24&255;return[r,a,s,d]}let lr={};function fr(t){if(typeof lr[t]<"u")return lr[t];let e=(t&16711680)>>>16,i=(t&65280)>>>8,r=t&255,a=dr(e,i,r,255,!0);return lr[t]=a,a}function gr(t,e,i,r){return i+(e<<8)+(t<<16)}function pr(t,e,i,r,a,s){let d=Math.floor(i/s*a),g=Math.floor(t.drawingBufferHeight/s-r/s*a),v=new Uint8Array(4);t.bindFramebuffer(t.FRAMEBUFFER,e),t.readPixels(d,g,1,1,t.RGBA,t.UNSIGNED_BYTE,v);let[p,y,b,w]=v;return[p,y,b,w]}function ze(){return Float32Array.of(1,0,0,0,1,0,0,0,1)}function Wt(t,e,i){return t[0]=e,t[4]=typeof i=="number"?i:e,t}function mr(t,e){let i=Math.sin(e),r=Math.cos(e);return t[0]=r,t[1]=i,t[3]=-i,t[4]=r,t}function vr(t,e,i){return t[6]=e,t[7]=i,t}function Xe(t,e){let i=t[0],r=t[1],a=t[2],s=t[3],d=t[4],g=t[5],v=t[6],p=t[7],y=t[8],b=e[0],w=e[1],x=e[2],S=e[3],C=e[4],T=e[5],L=e[6],z=e[7],R=e[8];return t[0]=b*i+w*s+x*v,t[1]=b*r+w*d+x*p,t[2]=b*a+w*g+x*y,t[3]=S*i+C*s+T*v,t[4]=S*r+C*d+T*p,t[5]=S*a+C*g+T*y,t[6]=L*i+z*s+R*v,t[7]=L*r+z*d+R*p,t[8]=L*a+z*g+R*y,t}function wi(t,e,i=1){let r=t[0],a=t[1],s=t[3],d=t[4],g=t[6],v=t[7],p=e.x,y=e.y;return{x:p*r+y*s+g*i,y:p*a+y*d+v*i}}function Sn(t,e){let i=t.height/t.width,r=e.height/e.width;return i<1&&r>1||i>1&&r<1?1:Math.min(Math.max(r,1/r),Math.max(1/i,i))}function Tt(t,e,i,r,a){let{angle:s,ratio:d,x:g,y:v}=t,{width:p,height:y}=e,b=ze(),w=Math.min(p,y)-2*r,x=Sn(e,i);return a?(Xe(b,vr(ze(),g,v)),Xe(b,Wt(ze(),d)),Xe(b,mr(ze(),s)),Xe(b,Wt(ze(),p/w/2/x,y/w/2/x))):(Xe(b,Wt(ze(),2*(w/p)*x,2*(w/y)*x)),Xe(b,mr(ze(),-s)),Xe(b,Wt(ze(),1/d)),Xe(b,vr(ze(),-g,-v))),b}function An(t,e,i){let{x:r,y:a}=wi(t,{x:Math.cos(e.angle),y:Math.sin(e.angle)},0);return 1/Math.sqrt(Math.pow(r,2)+Math.pow(a,2))/i.width}function yr(t,e){let i=e.size;if(i===0)return;let r=t.length;t.length+=i;let a=0;e.forEach(s=>{t[r+a]=s,a++})}function Cn(t){return typeof t=="object"&&t!==null&&t.constructor===Object}function Ei(t,...e){t=t||{};for(let i=0,r=e.length;i<r;i++){let a=e[i];a&&Object.assign(t,a)}return t}function kn(t,...e){t=t||{};for(let i=0,r=e.length;i<r;i++){let a=e[i];if(a)for(let s in a)Cn(a[s])?t[s]=kn(t[s],a[s]):t[s]=a[s]}return t}function Ln(t){if(!t.order)return{x:[0,1],y:[0,1]};let e=1/0,i=-1/0,r=1/0,a=-1/0;return t.forEachNode((s,d)=>{let{x:g,y:v}=d;g<e&&(e=g),g>i&&(i=g),v<r&&(r=v),v>a&&(a=v)}),{x:[e,i],y:[r,a]}}function Fn(t){if(!li(t))throw new Error("Sigma: invalid graph instance.");t.forEachNode((e,i)=>{if(!Number.isFinite(i.x)||!Number.isFinite(i.y))throw new Error(`Sigma: Coordinates of node ${e} are invalid. A node must have a numeric 'x' and 'y' attribute.`)})}function Nn(t,e,i){let r=document.createElement(t);if(e)for(let a in e)r.style[a]=e[a];if(i)for(let a in i)r.setAttribute(a,i[a]);return r}function br(){return typeof window.devicePixelRatio<"u"?window.devicePixelRatio:1}function _r(t,e,i){return i.sort(function(r,a){let s=e(r)||0,d=e(a)||0;return s<d?-1:s>d?1:0})}function wr(t){let{x:[e,i],y:[r,a]}=t,s=Math.max(i-e,a-r),d=(i+e)/2,g=(a+r)/2;(s===0||Math.abs(s)===1/0||isNaN(s))&&(s=1),isNaN(d)&&(d=0),isNaN(g)&&(g=0);let v=p=>({x:.5+(p.x-d)/s,y:.5+(p.y-g)/s});return v.applyTo=p=>{p.x=.5+(p.x-d)/s,p.y=.5+(p.y-g)/s},v.inverse=p=>({x:d+s*(p.x-.5),y:g+s*(p.y-.5)}),v.ratio=s,v}let Ia=Object.freeze(Object.defineProperty({__proto__:null,ANIMATE_DEFAULTS:hr,HTML_COLORS:bi,animateNodes:Da,assign:Ei,assignDeep:kn,colorToArray:Oa,colorToIndex:gr,createElement:Nn,createNormalizationFunction:wr,cubicIn:_n,cubicInOut:En,cubicOut:wn,easings:ur,extend:yr,extractPixel:Ga,floatColor:Oe,getCorrectionRatio:Sn,getMatrixImpact:An,getPixelColor:pr,getPixelRatio:br,graphExtent:Ln,identity:ze,indexToColor:fr,isPlainObject:Cn,linear:mn,matrixFromCamera:Tt,multiply:Xe,multiplyVec2:wi,parseColor:Rn,quadraticIn:vn,quadraticInOut:bn,quadraticOut:yn,rgbaToFloat:dr,rotate:mr,scale:Wt,translate:vr,validateGraph:Fn,zIndexOrdering:_r},Symbol.toStringTag,{value:"Module"}));function Dn(t){return t.normalized?1:t.size}function xi(t){let e=0;return t.forEach(i=>e+=Dn(i)),e}function Gn(t,e,i){let r=t==="VERTEX"?e.VERTEX_SHADER:e.FRAGMENT_SHADER,a=e.createShader(r);if(a===null)throw new Error("loadShader: error while creating the shader");if(e.shaderSource(a,i),e.compileShader(a),!e.getShaderParameter(a,e.COMPILE_STATUS)){let s=e.getShaderInfoLog(a);throw e.deleteShader(a),new Error(`loadShader: error while compiling the shader:
${s}
${i}`)}return a}function zn(t,e){return Gn("VERTEX",t,e)}function Pn(t,e){return Gn("FRAGMENT",t,e)}function On(t,e){let i=t.createProgram();if(i===null)throw new Error("loadProgram: error while creating the program.");let r,a;for(r=0,a=e.length;r<a;r++)t.attachShader(i,e[r]);if(t.linkProgram(i),!t.getProgramParameter(i,t.LINK_STATUS))throw t.deleteProgram(i),new Error("loadProgram: error while linking the program.");return i}function Er({gl:t,buffer:e,program:i,vertexShader:r,fragmentShader:a}){t.deleteShader(r),t.deleteShader(a),t.deleteProgram(i),t.deleteBuffer(e)}function Ma(t){return t%1===0?t.toFixed(1):t.toString()}let In=`#define PICKING_MODE
`,Ua={[WebGL2RenderingContext.BOOL]:1,[WebGL2RenderingContext.BYTE]:1,[WebGL2RenderingContext.UNSIGNED_BYTE]:1,[WebGL2RenderingContext.SHORT]:2,[WebGL2RenderingContext.UNSIGNED_SHORT]:2,[WebGL2RenderingContext.INT]:4,[WebGL2RenderingContext.UNSIGNED_INT]:4,[WebGL2RenderingContext.FLOAT]:4};class xr{constructor(e,i,r){}}class Tr{constructor(e,i,r){this.array=new Float32Array,this.constantArray=new Float32Array,this.capacity=0,this.verticesCount=0;let a=this.getDefinition();if(this.VERTICES=a.VERTICES,this.VERTEX_SHADER_SOURCE=a.VERTEX_SHADER_SOURCE,this.FRAGMENT_SHADER_SOURCE=a.FRAGMENT_SHADER_SOURCE,this.UNIFORMS=a.UNIFORMS,this.ATTRIBUTES=a.ATTRIBUTES,this.METHOD=a.METHOD,this.CONSTANT_ATTRIBUTES="CONSTANT_ATTRIBUTES"in a?a.CONSTANT_ATTRIBUTES:[],this.CONSTANT_DATA="CONSTANT_DATA"in a?a.CONSTANT_DATA:[],this.isInstanced="CONSTANT_ATTRIBUTES"in a,this.ATTRIBUTES_ITEMS_COUNT=xi(this.ATTRIBUTES),this.STRIDE=this.VERTICES*this.ATTRIBUTES_ITEMS_COUNT,this.renderer=r,this.normalProgram=this.getProgramInfo("normal",e,a.VERTEX_SHADER_SOURCE,a.FRAGMENT_SHADER_SOURCE,null),this.pickProgram=i?this.getProgramInfo("pick",e,In+a.VERTEX_SHADER_SOURCE,In+a.FRAGMENT_SHADER_SOURCE,i):null,this.isInstanced){let s=xi(this.CONSTANT_ATTRIBUTES);if(this.CONSTANT_DATA.length!==this.VERTICES)throw new Error(`Program: error while getting constant data (expected ${this.VERTICES} items, received ${this.CONSTANT_DATA.length} instead)`);this.constantArray=new Float32Array(this.CONSTANT_DATA.length*s);for(let d=0;d<this.CONSTANT_DATA.length;d++){let g=this.CONSTANT_DATA[d];if(g.length!==s)throw new Error(`Program: error while getting constant data (one vector has ${g.length} items instead of ${s})`);for(let v=0;v<g.length;v++)this.constantArray[d*s+v]=g[v]}this.STRIDE=this.ATTRIBUTES_ITEMS_COUNT}}kill(){Er(this.normalProgram),this.pickProgram&&(Er(this.pickProgram),this.pickProgram=null)}getProgramInfo(e,i,r,a,s){let d=this.getDefinition(),g=i.createBuffer();if(g===null)throw new Error("Program: error while creating the WebGL buffer.");let v=zn(i,r),p=Pn(i,a),y=On(i,[v,p]),b={};d.UNIFORMS.forEach(S=>{let C=i.getUniformLocation(y,S);C&&(b[S]=C)});let w={};d.ATTRIBUTES.forEach(S=>{w[S.name]=i.getAttribLocation(y,S.name)});let x;if("CONSTANT_ATTRIBUTES"in d&&(d.CONSTANT_ATTRIBUTES.forEach(S=>{w[S.name]=i.getAttribLocation(y,S.name)}),x=i.createBuffer(),x===null))throw new Error("Program: error while creating the WebGL constant buffer.");return{name:e,program:y,gl:i,frameBuffer:s,buffer:g,constantBuffer:x||{},uniformLocations:b,attributeLocations:w,isPicking:e==="pick",vertexShader:v,fragmentShader:p}}bindProgram(e){let i=0,{gl:r,buffer:a}=e;this.isInstanced?(r.bindBuffer(r.ARRAY_BUFFER,e.constantBuffer),i=0,this.CONSTANT_ATTRIBUTES.forEach(s=>i+=this.bindAttribute(s,e,i,!1)),r.bufferData(r.ARRAY_BUFFER,this.constantArray,r.STATIC_DRAW),r.bindBuffer(r.ARRAY_BUFFER,e.buffer),i=0,this.ATTRIBUTES.forEach(s=>i+=this.bindAttribute(s,e,i,!0)),r.bufferData(r.ARRAY_BUFFER,this.array,r.DYNAMIC_DRAW)):(r.bindBuffer(r.ARRAY_BUFFER,a),i=0,this.ATTRIBUTES.forEach(s=>i+=this.bindAttribute(s,e,i)),r.bufferData(r.ARRAY_BUFFER,this.array,r.DYNAMIC_DRAW)),r.bindBuffer(r.ARRAY_BUFFER,null)}unbindProgram(e){this.isInstanced?(this.CONSTANT_ATTRIBUTES.forEach(i=>this.unbindAttribute(i,e,!1)),this.ATTRIBUTES.forEach(i=>this.unbindAttribute(i,e,!0))):this.ATTRIBUTES.forEach(i=>this.unbindAttribute(i,e))}bindAttribute(e,i,r,a){let s=Ua[e.type];if(typeof s!="number")throw new Error(`Program.bind: yet unsupported attribute type "${e.type}"`);let d=i.attributeLocations[e.name],g=i.gl;if(d!==-1){g.enableVertexAttribArray(d);let v=this.isInstanced?(a?this.ATTRIBUTES_ITEMS_COUNT:xi(this.CONSTANT_ATTRIBUTES))*Float32Array.BYTES_PER_ELEMENT:this.ATTRIBUTES_ITEMS_COUNT*Float32Array.BYTES_PER_ELEMENT;if(g.vertexAttribPointer(d,e.size,e.type,e.normalized||!1,v,r),this.isInstanced&&a)if(g instanceof WebGL2RenderingContext)g.vertexAttribDivisor(d,1);else{let p=g.getExtension("ANGLE_instanced_arrays");p&&p.vertexAttribDivisorANGLE(d,1)}}return e.size*s}unbindAttribute(e,i,r){let a=i.attributeLocations[e.name],s=i.gl;if(a!==-1&&(s.disableVertexAttribArray(a),this.isInstanced&&r))if(s instanceof WebGL2RenderingContext)s.vertexAttribDivisor(a,0);else{let d=s.getExtension("ANGLE_instanced_arrays");d&&d.vertexAttribDivisorANGLE(a,0)}}reallocate(e){e!==this.capacity&&(this.capacity=e,this.verticesCount=this.VERTICES*e,this.array=new Float32Array(this.isInstanced?this.capacity*this.ATTRIBUTES_ITEMS_COUNT:this.verticesCount*this.ATTRIBUTES_ITEMS_COUNT))}hasNothingToRender(){return this.verticesCount===0}renderProgram(e,i){let{gl:r,program:a}=i;r.enable(r.BLEND),r.useProgram(a),this.setUniforms(e,i),this.drawWebGL(this.METHOD,i)}render(e){this.hasNothingToRender()||(this.pickProgram&&(this.pickProgram.gl.viewport(0,0,e.width*e.pixelRatio/e.downSizingRatio,e.height*e.pixelRatio/e.downSizingRatio),this.bindProgram(this.pickProgram),this.renderProgram({...e,pixelRatio:e.pixelRatio/e.downSizingRatio},this.pickProgram),this.unbindProgram(this.pickProgram)),this.normalProgram.gl.viewport(0,0,e.width*e.pixelRatio,e.height*e.pixelRatio),this.bindProgram(this.normalProgram),this.renderProgram(e,this.normalProgram),this.unbindProgram(this.normalProgram))}drawWebGL(e,{gl:i,frameBuffer:r}){if(i.bindFramebuffer(i.FRAMEBUFFER,r),!this.isInstanced)i.drawArrays(e,0,this.verticesCount);else if(i instanceof WebGL2RenderingContext)i.drawArraysInstanced(e,0,this.VERTICES,this.capacity);else{let a=i.getExtension("ANGLE_instanced_arrays");a&&a.drawArraysInstancedANGLE(e,0,this.VERTICES,this.capacity)}}}class Ba extends xr{}class Rr extends Tr{kill(){super.kill()}process(e,i,r){let a=i*this.STRIDE;if(r.hidden){for(let s=a+this.STRIDE;a<s;a++)this.array[a]=0;return}return this.processVisibleItem(fr(e),a,r)}}function ja(t,e,i){return class{constructor(r,a,s){this.drawLabel=e,this.drawHover=i,this.programs=t.map(d=>new d(r,a,s))}reallocate(r){this.programs.forEach(a=>a.reallocate(r))}process(r,a,s){this.programs.forEach(d=>d.process(r,a,s))}render(r){this.programs.forEach(a=>a.render(r))}kill(){this.programs.forEach(r=>r.kill())}}}class Ha extends xr{}class dt extends Tr{constructor(){super(...arguments),this.drawLabel=void 0}kill(){super.kill()}process(e,i,r,a,s){let d=i*this.STRIDE;if(s.hidden||r.hidden||a.hidden){for(let g=d+this.STRIDE;d<g;d++)this.array[d]=0;return}return this.processVisibleItem(fr(e),d,r,a,s)}}function Sr(t,e){return class{constructor(i,r,a){this.drawLabel=e,this.programs=t.map(s=>new s(i,r,a))}reallocate(i){this.programs.forEach(r=>r.reallocate(i))}process(i,r,a,s,d){this.programs.forEach(g=>g.process(i,r,a,s,d))}render(i){this.programs.forEach(r=>r.render(i))}kill(){this.programs.forEach(i=>i.kill())}}}function Mn(t,e,i,r,a){let s=a.edgeLabelSize,d=a.edgeLabelFont,g=a.edgeLabelWeight,v=a.edgeLabelColor.attribute?e[a.edgeLabelColor.attribute]||a.edgeLabelColor.color||"#000":a.edgeLabelColor.color,p=e.label;if(!p)return;t.fillStyle=v,t.font=`${g} ${s}px ${d}`;let y=i.size,b=r.size,w=i.x,x=i.y,S=r.x,C=r.y,T=(w+S)/2,L=(x+C)/2,z=S-w,R=C-x,_=Math.sqrt(z*z+R*R);if(_<y+b)return;w+=z*y/_,x+=R*y/_,S-=z*b/_,C-=R*b/_,T=(w+S)/2,L=(x+C)/2,z=S-w,R=C-x,_=Math.sqrt(z*z+R*R);let k=t.measureText(p).width;if(k>_){for(p=p+"…",k=t.measureText(p).width;k>_&&p.length>1;)p=p.slice(0,-2)+"…",k=t.measureText(p).width;if(p.length<4)return}let F;z>0?R>0?F=Math.acos(z/_):F=Math.asin(R/_):R>0?F=Math.acos(z/_)+Math.PI:F=Math.asin(z/_)+Math.PI/2,t.save(),t.translate(T,L),t.rotate(F),t.fillText(p,-k/2,e.size/2+s),t.restore()}function Ar(t,e,i){if(!e.label)return;let r=i.labelSize,a=i.labelFont,s=i.labelWeight,d=i.labelColor.attribute?e[i.labelColor.attribute]||i.labelColor.color||"#000":i.labelColor.color;t.fillStyle=d,t.font=`${s} ${r}px ${a}`,t.fillText(e.label,e.x+e.size+3,e.y+r/3)}function Un(t,e,i){let r=i.labelSize,a=i.labelFont,s=i.labelWeight;t.font=`${s} ${r}px ${a}`,t.fillStyle="#FFF",t.shadowOffsetX=0,t.shadowOffsetY=0,t.shadowBlur=8,t.shadowColor="#000";let d=2;if(typeof e.label=="string"){let g=t.measureText(e.label).width,v=Math.round(g+5),p=Math.round(r+2*d),y=Math.max(e.size,r/2)+d,b=Math.asin(p/2/y),w=Math.sqrt(Math.abs(Math.pow(y,2)-Math.pow(p/2,2)));t.beginPath(),t.moveTo(e.x+w,e.y+p/2),t.lineTo(e.x+y+v,e.y+p/2),t.lineTo(e.x+y+v,e.y-p/2),t.lineTo(e.x+w,e.y-p/2),t.arc(e.x,e.y,y,b,-b),t.closePath(),t.fill()}else t.beginPath(),t.arc(e.x,e.y,e.size+d,0,Math.PI*2),t.closePath(),t.fill();t.shadowOffsetX=0,t.shadowOffsetY=0,t.shadowBlur=0,Ar(t,e,i)}let Va=`
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
`,Wa=`
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
`,{UNSIGNED_BYTE:Bn,FLOAT:Cr}=WebGLRenderingContext,qa=["u_sizeRatio","u_correctionRatio","u_matrix"],Ti=class ki extends Rr{getDefinition(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Wa,FRAGMENT_SHADER_SOURCE:Va,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:qa,ATTRIBUTES:[{name:"a_position",size:2,type:Cr},{name:"a_size",size:1,type:Cr},{name:"a_color",size:4,type:Bn,normalized:!0},{name:"a_id",size:4,type:Bn,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_angle",size:1,type:Cr}],CONSTANT_DATA:[[ki.ANGLE_1],[ki.ANGLE_2],[ki.ANGLE_3]]}}processVisibleItem(e,i,r){let a=this.array,s=Oe(r.color);a[i++]=r.x,a[i++]=r.y,a[i++]=r.size,a[i++]=s,a[i++]=e}setUniforms(e,{gl:i,uniformLocations:r}){let{u_sizeRatio:a,u_correctionRatio:s,u_matrix:d}=r;i.uniform1f(s,e.correctionRatio),i.uniform1f(a,e.sizeRatio),i.uniformMatrix3fv(d,!1,e.matrix)}};Ti.ANGLE_1=0,Ti.ANGLE_2=2*Math.PI/3,Ti.ANGLE_3=4*Math.PI/3;let jn=Ti,Ya=`
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
`,Xa=`
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
`,{UNSIGNED_BYTE:Hn,FLOAT:Vn}=WebGLRenderingContext,Ka=["u_sizeRatio","u_pixelRatio","u_matrix"];class Za extends Rr{getDefinition(){return{VERTICES:1,VERTEX_SHADER_SOURCE:Xa,FRAGMENT_SHADER_SOURCE:Ya,METHOD:WebGLRenderingContext.POINTS,UNIFORMS:Ka,ATTRIBUTES:[{name:"a_position",size:2,type:Vn},{name:"a_size",size:1,type:Vn},{name:"a_color",size:4,type:Hn,normalized:!0},{name:"a_id",size:4,type:Hn,normalized:!0}]}}processVisibleItem(e,i,r){let a=this.array;a[i++]=r.x,a[i++]=r.y,a[i++]=r.size,a[i++]=Oe(r.color),a[i++]=e}setUniforms({sizeRatio:e,pixelRatio:i,matrix:r},{gl:a,uniformLocations:s}){let{u_sizeRatio:d,u_pixelRatio:g,u_matrix:v}=s;a.uniform1f(g,i),a.uniform1f(d,e),a.uniformMatrix3fv(v,!1,r)}}let $a=`
precision mediump float;

varying vec4 v_color;

void main(void) {
  gl_FragColor = v_color;
}
`,Qa=`
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
`,{UNSIGNED_BYTE:Wn,FLOAT:Ri}=WebGLRenderingContext,Ja=["u_matrix","u_sizeRatio","u_correctionRatio","u_minEdgeThickness","u_lengthToThicknessRatio","u_widenessToThicknessRatio"],Si={extremity:"target",lengthToThicknessRatio:2.5,widenessToThicknessRatio:2};function qt(t){let e={...Si,...t||{}};return class extends dt{getDefinition(){return{VERTICES:3,VERTEX_SHADER_SOURCE:Qa,FRAGMENT_SHADER_SOURCE:$a,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:Ja,ATTRIBUTES:[{name:"a_position",size:2,type:Ri},{name:"a_normal",size:2,type:Ri},{name:"a_radius",size:1,type:Ri},{name:"a_color",size:4,type:Wn,normalized:!0},{name:"a_id",size:4,type:Wn,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_barycentric",size:3,type:Ri}],CONSTANT_DATA:[[1,0,0],[0,1,0],[0,0,1]]}}processVisibleItem(i,r,a,s,d){e.extremity==="source"&&([a,s]=[s,a]);let g=d.size||1,v=s.size||1,p=a.x,y=a.y,b=s.x,w=s.y,x=Oe(d.color),S=b-p,C=w-y,T=S*S+C*C,L=0,z=0;T&&(T=1/Math.sqrt(T),L=-C*T*g,z=S*T*g);let R=this.array;R[r++]=b,R[r++]=w,R[r++]=-L,R[r++]=-z,R[r++]=v,R[r++]=x,R[r++]=i}setUniforms(i,{gl:r,uniformLocations:a}){let{u_matrix:s,u_sizeRatio:d,u_correctionRatio:g,u_minEdgeThickness:v,u_lengthToThicknessRatio:p,u_widenessToThicknessRatio:y}=a;r.uniformMatrix3fv(s,!1,i.matrix),r.uniform1f(d,i.sizeRatio),r.uniform1f(g,i.correctionRatio),r.uniform1f(v,i.minEdgeThickness),r.uniform1f(p,e.lengthToThicknessRatio),r.uniform1f(y,e.widenessToThicknessRatio)}}}let es=qt(),kr=`
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
`,ts=`
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
`,{UNSIGNED_BYTE:qn,FLOAT:lt}=WebGLRenderingContext,is=["u_matrix","u_zoomRatio","u_sizeRatio","u_correctionRatio","u_pixelRatio","u_feather","u_minEdgeThickness","u_lengthToThicknessRatio"],Yn={lengthToThicknessRatio:Si.lengthToThicknessRatio};function Lr(t){let e={...Yn,...t||{}};return class extends dt{getDefinition(){return{VERTICES:6,VERTEX_SHADER_SOURCE:ts,FRAGMENT_SHADER_SOURCE:kr,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:is,ATTRIBUTES:[{name:"a_positionStart",size:2,type:lt},{name:"a_positionEnd",size:2,type:lt},{name:"a_normal",size:2,type:lt},{name:"a_color",size:4,type:qn,normalized:!0},{name:"a_id",size:4,type:qn,normalized:!0},{name:"a_radius",size:1,type:lt}],CONSTANT_ATTRIBUTES:[{name:"a_positionCoef",size:1,type:lt},{name:"a_normalCoef",size:1,type:lt},{name:"a_radiusCoef",size:1,type:lt}],CONSTANT_DATA:[[0,1,0],[0,-1,0],[1,1,1],[1,1,1],[0,-1,0],[1,-1,-1]]}}processVisibleItem(i,r,a,s,d){let g=d.size||1,v=a.x,p=a.y,y=s.x,b=s.y,w=Oe(d.color),x=y-v,S=b-p,C=s.size||1,T=x*x+S*S,L=0,z=0;T&&(T=1/Math.sqrt(T),L=-S*T*g,z=x*T*g);let R=this.array;R[r++]=v,R[r++]=p,R[r++]=y,R[r++]=b,R[r++]=L,R[r++]=z,R[r++]=w,R[r++]=i,R[r++]=C}setUniforms(i,{gl:r,uniformLocations:a}){let{u_matrix:s,u_zoomRatio:d,u_feather:g,u_pixelRatio:v,u_correctionRatio:p,u_sizeRatio:y,u_minEdgeThickness:b,u_lengthToThicknessRatio:w}=a;r.uniformMatrix3fv(s,!1,i.matrix),r.uniform1f(d,i.zoomRatio),r.uniform1f(y,i.sizeRatio),r.uniform1f(p,i.correctionRatio),r.uniform1f(v,i.pixelRatio),r.uniform1f(g,i.antiAliasingFeather),r.uniform1f(b,i.minEdgeThickness),r.uniform1f(w,e.lengthToThicknessRatio)}}}let rs=Lr(),ns=`
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
`,{UNSIGNED_BYTE:Xn,FLOAT:Ke}=WebGLRenderingContext,os=["u_matrix","u_zoomRatio","u_sizeRatio","u_correctionRatio","u_pixelRatio","u_feather","u_minEdgeThickness","u_lengthToThicknessRatio"],Kn={lengthToThicknessRatio:Si.lengthToThicknessRatio};function Fr(t){let e={...Kn,...t||{}};return class extends dt{getDefinition(){return{VERTICES:6,VERTEX_SHADER_SOURCE:ns,FRAGMENT_SHADER_SOURCE:kr,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:os,ATTRIBUTES:[{name:"a_positionStart",size:2,type:Ke},{name:"a_positionEnd",size:2,type:Ke},{name:"a_normal",size:2,type:Ke},{name:"a_color",size:4,type:Xn,normalized:!0},{name:"a_id",size:4,type:Xn,normalized:!0},{name:"a_sourceRadius",size:1,type:Ke},{name:"a_targetRadius",size:1,type:Ke}],CONSTANT_ATTRIBUTES:[{name:"a_positionCoef",size:1,type:Ke},{name:"a_normalCoef",size:1,type:Ke},{name:"a_sourceRadiusCoef",size:1,type:Ke},{name:"a_targetRadiusCoef",size:1,type:Ke}],CONSTANT_DATA:[[0,1,-1,0],[0,-1,1,0],[1,1,0,1],[1,1,0,1],[0,-1,1,0],[1,-1,0,-1]]}}processVisibleItem(i,r,a,s,d){let g=d.size||1,v=a.x,p=a.y,y=s.x,b=s.y,w=Oe(d.color),x=y-v,S=b-p,C=a.size||1,T=s.size||1,L=x*x+S*S,z=0,R=0;L&&(L=1/Math.sqrt(L),z=-S*L*g,R=x*L*g);let _=this.array;_[r++]=v,_[r++]=p,_[r++]=y,_[r++]=b,_[r++]=z,_[r++]=R,_[r++]=w,_[r++]=i,_[r++]=C,_[r++]=T}setUniforms(i,{gl:r,uniformLocations:a}){let{u_matrix:s,u_zoomRatio:d,u_feather:g,u_pixelRatio:v,u_correctionRatio:p,u_sizeRatio:y,u_minEdgeThickness:b,u_lengthToThicknessRatio:w}=a;r.uniformMatrix3fv(s,!1,i.matrix),r.uniform1f(d,i.zoomRatio),r.uniform1f(y,i.sizeRatio),r.uniform1f(p,i.correctionRatio),r.uniform1f(v,i.pixelRatio),r.uniform1f(g,i.antiAliasingFeather),r.uniform1f(b,i.minEdgeThickness),r.uniform1f(w,e.lengthToThicknessRatio)}}}let as=Fr();function Zn(t){return Sr([Lr(t),qt(t)])}let $n=Zn();function Qn(t){return Sr([Fr(t),qt(t),qt({...t,extremity:"source"})])}let ss=Qn(),cs=`
precision mediump float;

varying vec4 v_color;

void main(void) {
  gl_FragColor = v_color;
}
`,us=`
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
`,{UNSIGNED_BYTE:Jn,FLOAT:hs}=WebGLRenderingContext,ds=["u_matrix"];class ls extends dt{getDefinition(){return{VERTICES:2,VERTEX_SHADER_SOURCE:us,FRAGMENT_SHADER_SOURCE:cs,METHOD:WebGLRenderingContext.LINES,UNIFORMS:ds,ATTRIBUTES:[{name:"a_position",size:2,type:hs},{name:"a_color",size:4,type:Jn,normalized:!0},{name:"a_id",size:4,type:Jn,normalized:!0}]}}processVisibleItem(e,i,r,a,s){let d=this.array,g=r.x,v=r.y,p=a.x,y=a.y,b=Oe(s.color);d[i++]=g,d[i++]=v,d[i++]=b,d[i++]=e,d[i++]=p,d[i++]=y,d[i++]=b,d[i++]=e}setUniforms(e,{gl:i,uniformLocations:r}){let{u_matrix:a}=r;i.uniformMatrix3fv(a,!1,e.matrix)}}let fs=`
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
`,{UNSIGNED_BYTE:eo,FLOAT:Yt}=WebGLRenderingContext,gs=["u_matrix","u_zoomRatio","u_sizeRatio","u_correctionRatio","u_pixelRatio","u_feather","u_minEdgeThickness"];class to extends dt{getDefinition(){return{VERTICES:6,VERTEX_SHADER_SOURCE:fs,FRAGMENT_SHADER_SOURCE:kr,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:gs,ATTRIBUTES:[{name:"a_positionStart",size:2,type:Yt},{name:"a_positionEnd",size:2,type:Yt},{name:"a_normal",size:2,type:Yt},{name:"a_color",size:4,type:eo,normalized:!0},{name:"a_id",size:4,type:eo,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_positionCoef",size:1,type:Yt},{name:"a_normalCoef",size:1,type:Yt}],CONSTANT_DATA:[[0,1],[0,-1],[1,1],[1,1],[0,-1],[1,-1]]}}processVisibleItem(e,i,r,a,s){let d=s.size||1,g=r.x,v=r.y,p=a.x,y=a.y,b=Oe(s.color),w=p-g,x=y-v,S=w*w+x*x,C=0,T=0;S&&(S=1/Math.sqrt(S),C=-x*S*d,T=w*S*d);let L=this.array;L[i++]=g,L[i++]=v,L[i++]=p,L[i++]=y,L[i++]=C,L[i++]=T,L[i++]=b,L[i++]=e}setUniforms(e,{gl:i,uniformLocations:r}){let{u_matrix:a,u_zoomRatio:s,u_feather:d,u_pixelRatio:g,u_correctionRatio:v,u_sizeRatio:p,u_minEdgeThickness:y}=r;i.uniformMatrix3fv(a,!1,e.matrix),i.uniform1f(s,e.zoomRatio),i.uniform1f(p,e.sizeRatio),i.uniform1f(v,e.correctionRatio),i.uniform1f(g,e.pixelRatio),i.uniform1f(d,e.antiAliasingFeather),i.uniform1f(y,e.minEdgeThickness)}}let ps=`
precision mediump float;

varying vec4 v_color;

void main(void) {
  gl_FragColor = v_color;
}
`,ms=`
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
`,{UNSIGNED_BYTE:io,FLOAT:Xt}=WebGLRenderingContext,vs=["u_matrix","u_sizeRatio","u_correctionRatio","u_minEdgeThickness"];class ys extends dt{getDefinition(){return{VERTICES:3,VERTEX_SHADER_SOURCE:ms,FRAGMENT_SHADER_SOURCE:ps,METHOD:WebGLRenderingContext.TRIANGLES,UNIFORMS:vs,ATTRIBUTES:[{name:"a_positionStart",size:2,type:Xt},{name:"a_positionEnd",size:2,type:Xt},{name:"a_normal",size:2,type:Xt},{name:"a_color",size:4,type:io,normalized:!0},{name:"a_id",size:4,type:io,normalized:!0}],CONSTANT_ATTRIBUTES:[{name:"a_positionCoef",size:1,type:Xt},{name:"a_normalCoef",size:1,type:Xt}],CONSTANT_DATA:[[0,1],[0,-1],[1,0]]}}processVisibleItem(e,i,r,a,s){let d=s.size||1,g=r.x,v=r.y,p=a.x,y=a.y,b=Oe(s.color),w=p-g,x=y-v,S=w*w+x*x,C=0,T=0;S&&(S=1/Math.sqrt(S),C=-x*S*d,T=w*S*d);let L=this.array;L[i++]=g,L[i++]=v,L[i++]=p,L[i++]=y,L[i++]=C,L[i++]=T,L[i++]=b,L[i++]=e}setUniforms(e,{gl:i,uniformLocations:r}){let{u_matrix:a,u_sizeRatio:s,u_correctionRatio:d,u_minEdgeThickness:g}=r;i.uniformMatrix3fv(a,!1,e.matrix),i.uniform1f(s,e.sizeRatio),i.uniform1f(d,e.correctionRatio),i.uniform1f(g,e.minEdgeThickness)}}let bs=Object.freeze(Object.defineProperty({__proto__:null,AbstractEdgeProgram:Ha,AbstractNodeProgram:Ba,AbstractProgram:xr,DEFAULT_EDGE_ARROW_HEAD_PROGRAM_OPTIONS:Si,DEFAULT_EDGE_CLAMPED_PROGRAM_OPTIONS:Yn,DEFAULT_EDGE_DOUBLE_CLAMPED_PROGRAM_OPTIONS:Kn,EdgeArrowHeadProgram:es,EdgeArrowProgram:$n,EdgeClampedProgram:rs,EdgeDoubleArrowProgram:ss,EdgeDoubleClampedProgram:as,EdgeLineProgram:ls,EdgeProgram:dt,EdgeRectangleProgram:to,EdgeTriangleProgram:ys,NodeCircleProgram:jn,NodePointProgram:Za,NodeProgram:Rr,Program:Tr,createEdgeArrowHeadProgram:qt,createEdgeArrowProgram:Zn,createEdgeClampedProgram:Lr,createEdgeCompoundProgram:Sr,createEdgeDoubleArrowProgram:Qn,createEdgeDoubleClampedProgram:Fr,createNodeCompoundProgram:ja,drawDiscNodeHover:Un,drawDiscNodeLabel:Ar,drawStraightEdgeLabel:Mn,getAttributeItemsCount:Dn,getAttributesItemsCount:xi,killProgram:Er,loadFragmentShader:Pn,loadProgram:On,loadVertexShader:zn,numberToGLSLFloat:Ma},Symbol.toStringTag,{value:"Module"}));class Nr extends $r.EventEmitter{constructor(){super(),this.rawEmitter=this}}let Ai=1.5;class Rt extends Nr{constructor(){super(),this.x=.5,this.y=.5,this.angle=0,this.ratio=1,this.minRatio=null,this.maxRatio=null,this.enabledZooming=!0,this.enabledPanning=!0,this.enabledRotation=!0,this.clean=null,this.nextFrame=null,this.previousState=null,this.enabled=!0,this.previousState=this.getState()}static from(e){return new Rt().setState(e)}enable(){return this.enabled=!0,this}disable(){return this.enabled=!1,this}getState(){return{x:this.x,y:this.y,angle:this.angle,ratio:this.ratio}}hasState(e){return this.x===e.x&&this.y===e.y&&this.ratio===e.ratio&&this.angle===e.angle}getPreviousState(){let e=this.previousState;return e?{x:e.x,y:e.y,angle:e.angle,ratio:e.ratio}:null}getBoundedRatio(e){let i=e;return typeof this.minRatio=="number"&&(i=Math.max(i,this.minRatio)),typeof this.maxRatio=="number"&&(i=Math.min(i,this.maxRatio)),i}validateState(e){let i={};return this.enabledPanning&&typeof e.x=="number"&&(i.x=e.x),this.enabledPanning&&typeof e.y=="number"&&(i.y=e.y),this.enabledZooming&&typeof e.ratio=="number"&&(i.ratio=this.getBoundedRatio(e.ratio)),this.enabledRotation&&typeof e.angle=="number"&&(i.angle=e.angle),this.clean?this.clean({...this.getState(),...i}):i}isAnimated(){return!!this.nextFrame}setState(e){if(!this.enabled)return this;this.previousState=this.getState();let i=this.validateState(e);return typeof i.x=="number"&&(this.x=i.x),typeof i.y=="number"&&(this.y=i.y),typeof i.ratio=="number"&&(this.ratio=i.ratio),typeof i.angle=="number"&&(this.angle=i.angle),this.hasState(this.previousState)||this.emit("updated",this.getState()),this}updateState(e){return this.setState(e(this.getState())),this}animate(e,i={},r){if(!r)return new Promise(y=>this.animate(e,i,y));if(!this.enabled)return;let a={...hr,...i},s=this.validateState(e),d=typeof a.easing=="function"?a.easing:ur[a.easing],g=Date.now(),v=this.getState(),p=()=>{let y=(Date.now()-g)/a.duration;if(y>=1){this.nextFrame=null,this.setState(s),this.animationCallback&&(this.animationCallback.call(null),this.animationCallback=void 0);return}let b=d(y),w={};typeof s.x=="number"&&(w.x=v.x+(s.x-v.x)*b),typeof s.y=="number"&&(w.y=v.y+(s.y-v.y)*b),this.enabledRotation&&typeof s.angle=="number"&&(w.angle=v.angle+(s.angle-v.angle)*b),typeof s.ratio=="number"&&(w.ratio=v.ratio+(s.ratio-v.ratio)*b),this.setState(w),this.nextFrame=requestAnimationFrame(p)};this.nextFrame?(cancelAnimationFrame(this.nextFrame),this.animationCallback&&this.animationCallback.call(null),this.nextFrame=requestAnimationFrame(p)):p(),this.animationCallback=r}animatedZoom(e){return e?typeof e=="number"?this.animate({ratio:this.ratio/e}):this.animate({ratio:this.ratio/(e.factor||Ai)},e):this.animate({ratio:this.ratio/Ai})}animatedUnzoom(e){return e?typeof e=="number"?this.animate({ratio:this.ratio*e}):this.animate({ratio:this.ratio*(e.factor||Ai)},e):this.animate({ratio:this.ratio*Ai})}animatedReset(e){return this.animate({x:.5,y:.5,ratio:1,angle:0},e)}copy(){return Rt.from(this.getState())}}let Dr={hideEdgesOnMove:!1,hideLabelsOnMove:!1,renderLabels:!0,renderEdgeLabels:!1,enableEdgeEvents:!1,defaultNodeColor:"#999",defaultNodeType:"circle",defaultEdgeColor:"#ccc",defaultEdgeType:"line",labelFont:"Arial",labelSize:14,labelWeight:"normal",labelColor:{color:"#000"},edgeLabelFont:"Arial",edgeLabelSize:14,edgeLabelWeight:"normal",edgeLabelColor:{attribute:"color"},stagePadding:30,defaultDrawEdgeLabel:Mn,defaultDrawNodeLabel:Ar,defaultDrawNodeHover:Un,minEdgeThickness:1.7,antiAliasingFeather:1,dragTimeout:100,draggedEventsTolerance:3,inertiaDuration:200,inertiaRatio:3,zoomDuration:250,zoomingRatio:1.7,doubleClickTimeout:300,doubleClickZoomingRatio:2.2,doubleClickZoomingDuration:200,tapMoveTolerance:10,zoomToSizeRatioFunction:Math.sqrt,itemSizesReference:"screen",autoRescale:!0,autoCenter:!0,labelDensity:1,labelGridCellSize:100,labelRenderedSizeThreshold:6,nodeReducer:null,edgeReducer:null,zIndex:!1,minCameraRatio:null,maxCameraRatio:null,enableCameraZooming:!0,enableCameraPanning:!0,enableCameraRotation:!0,cameraPanBoundaries:null,allowInvalidContainer:!1,nodeProgramClasses:{},nodeHoverProgramClasses:{},edgeProgramClasses:{}},_s={circle:jn},ws={arrow:$n,line:to};function Gr(t){if(typeof t.labelDensity!="number"||t.labelDensity<0)throw new Error("Settings: invalid `labelDensity`. Expecting a positive number.");let{minCameraRatio:e,maxCameraRatio:i}=t;if(typeof e=="number"&&typeof i=="number"&&i<e)throw new Error("Settings: invalid camera ratio boundaries. Expecting `maxCameraRatio` to be greater than `minCameraRatio`.")}function Es(t){let e=Ei({},Dr,t);return e.nodeProgramClasses=Ei({},_s,e.nodeProgramClasses),e.edgeProgramClasses=Ei({},ws,e.edgeProgramClasses),e}function Ie(t,e){let i=e.getBoundingClientRect();return{x:t.clientX-i.left,y:t.clientY-i.top}}function Ze(t,e){let i={...Ie(t,e),sigmaDefaultPrevented:!1,preventSigmaDefault(){i.sigmaDefaultPrevented=!0},original:t};return i}function Kt(t){let e="x"in t?t:{...t.touches[0]||t.previousTouches[0],original:t.original,sigmaDefaultPrevented:t.sigmaDefaultPrevented,preventSigmaDefault:()=>{t.sigmaDefaultPrevented=!0,e.sigmaDefaultPrevented=!0}};return e}function xs(t,e){return{...Ze(t,e),delta:ro(t)}}let Ts=2;function Ci(t){let e=[];for(let i=0,r=Math.min(t.length,Ts);i<r;i++)e.push(t[i]);return e}function Zt(t,e,i){let r={touches:Ci(t.touches).map(a=>Ie(a,i)),previousTouches:e.map(a=>Ie(a,i)),sigmaDefaultPrevented:!1,preventSigmaDefault(){r.sigmaDefaultPrevented=!0},original:t};return r}function ro(t){if(typeof t.deltaY<"u")return t.deltaY*-3/360;if(typeof t.detail<"u")return t.detail/-9;throw new Error("Captor: could not extract delta from event.")}class no extends Nr{constructor(e,i){super(),this.container=e,this.renderer=i}}let Rs=["doubleClickTimeout","doubleClickZoomingDuration","doubleClickZoomingRatio","dragTimeout","draggedEventsTolerance","inertiaDuration","inertiaRatio","zoomDuration","zoomingRatio"].reduce((t,e)=>({...t,[e]:Dr[e]}),{});class oo extends no{constructor(e,i){super(e,i),this.enabled=!0,this.draggedEvents=0,this.downStartTime=null,this.lastMouseX=null,this.lastMouseY=null,this.isMouseDown=!1,this.isMoving=!1,this.movingTimeout=null,this.startCameraState=null,this.clicks=0,this.doubleClickTimeout=null,this.currentWheelDirection=0,this.settings=Rs,this.handleClick=this.handleClick.bind(this),this.handleRightClick=this.handleRightClick.bind(this),this.handleDown=this.handleDown.bind(this),this.handleUp=this.handleUp.bind(this),this.handleMove=this.handleMove.bind(this),this.handleWheel=this.handleWheel.bind(this),this.handleLeave=this.handleLeave.bind(this),this.handleEnter=this.handleEnter.bind(this),e.addEventListener("click",this.handleClick,{capture:!1}),e.addEventListener("contextmenu",this.handleRightClick,{capture:!1}),e.addEventListener("mousedown",this.handleDown,{capture:!1}),e.addEventListener("wheel",this.handleWheel,{capture:!1}),e.addEventListener("mouseleave",this.handleLeave,{capture:!1}),e.addEventListener("mouseenter",this.handleEnter,{capture:!1}),document.addEventListener("mousemove",this.handleMove,{capture:!1}),document.addEventListener("mouseup",this.handleUp,{capture:!1})}kill(){let e=this.container;e.removeEventListener("click",this.handleClick),e.removeEventListener("contextmenu",this.handleRightClick),e.removeEventListener("mousedown",this.handleDown),e.removeEventListener("wheel",this.handleWheel),e.removeEventListener("mouseleave",this.handleLeave),e.removeEventListener("mouseenter",this.handleEnter),document.removeEventListener("mousemove",this.handleMove),document.removeEventListener("mouseup",this.handleUp)}handleClick(e){if(this.enabled){if(this.clicks++,this.clicks===2)return this.clicks=0,typeof this.doubleClickTimeout=="number"&&(clearTimeout(this.doubleClickTimeout),this.doubleClickTimeout=null),this.handleDoubleClick(e);setTimeout(()=>{this.clicks=0,this.doubleClickTimeout=null},this.settings.doubleClickTimeout),this.draggedEvents<this.settings.draggedEventsTolerance&&this.emit("click",Ze(e,this.container))}}handleRightClick(e){this.enabled&&this.emit("rightClick",Ze(e,this.container))}handleDoubleClick(e){if(!this.enabled)return;e.preventDefault(),e.stopPropagation();let i=Ze(e,this.container);if(this.emit("doubleClick",i),i.sigmaDefaultPrevented)return;let r=this.renderer.getCamera(),a=r.getBoundedRatio(r.getState().ratio/this.settings.doubleClickZoomingRatio);r.animate(this.renderer.getViewportZoomedState(Ie(e,this.container),a),{easing:"quadraticInOut",duration:this.settings.doubleClickZoomingDuration})}handleDown(e){if(this.enabled){if(e.button===0){this.startCameraState=this.renderer.getCamera().getState();let{x:i,y:r}=Ie(e,this.container);this.lastMouseX=i,this.lastMouseY=r,this.draggedEvents=0,this.downStartTime=Date.now(),this.isMouseDown=!0}this.emit("mousedown",Ze(e,this.container))}}handleUp(e){if(!this.enabled||!this.isMouseDown)return;let i=this.renderer.getCamera();this.isMouseDown=!1,typeof this.movingTimeout=="number"&&(clearTimeout(this.movingTimeout),this.movingTimeout=null);let{x:r,y:a}=Ie(e,this.container),s=i.getState(),d=i.getPreviousState()||{x:0,y:0};this.isMoving?i.animate({x:s.x+this.settings.inertiaRatio*(s.x-d.x),y:s.y+this.settings.inertiaRatio*(s.y-d.y)},{duration:this.settings.inertiaDuration,easing:"quadraticOut"}):(this.lastMouseX!==r||this.lastMouseY!==a)&&i.setState({x:s.x,y:s.y}),this.isMoving=!1,setTimeout(()=>{let g=this.draggedEvents>0;this.draggedEvents=0,g&&this.renderer.getSetting("hideEdgesOnMove")&&this.renderer.refresh()},0),this.emit("mouseup",Ze(e,this.container))}handleMove(e){if(!this.enabled)return;let i=Ze(e,this.container);if(this.emit("mousemovebody",i),(e.target===this.container||e.composedPath()[0]===this.container)&&this.emit("mousemove",i),!i.sigmaDefaultPrevented&&this.isMouseDown){this.isMoving=!0,this.draggedEvents++,typeof this.movingTimeout=="number"&&clearTimeout(this.movingTimeout),this.movingTimeout=window.setTimeout(()=>{this.movingTimeout=null,this.isMoving=!1},this.settings.dragTimeout);let r=this.renderer.getCamera(),{x:a,y:s}=Ie(e,this.container),d=this.renderer.viewportToFramedGraph({x:this.lastMouseX,y:this.lastMouseY}),g=this.renderer.viewportToFramedGraph({x:a,y:s}),v=d.x-g.x,p=d.y-g.y,y=r.getState(),b=y.x+v,w=y.y+p;r.setState({x:b,y:w}),this.lastMouseX=a,this.lastMouseY=s,e.preventDefault(),e.stopPropagation()}}handleLeave(e){this.emit("mouseleave",Ze(e,this.container))}handleEnter(e){this.emit("mouseenter",Ze(e,this.container))}handleWheel(e){let i=this.renderer.getCamera();if(!this.enabled||!i.enabledZooming)return;let r=ro(e);if(!r)return;let a=xs(e,this.container);if(this.emit("wheel",a),a.sigmaDefaultPrevented){e.preventDefault(),e.stopPropagation();return}let s=i.getState().ratio,d=r>0?1/this.settings.zoomingRatio:this.settings.zoomingRatio,g=i.getBoundedRatio(s*d),v=r>0?1:-1,p=Date.now();s!==g&&(e.preventDefault(),e.stopPropagation(),!(this.currentWheelDirection===v&&this.lastWheelTriggerTime&&p-this.lastWheelTriggerTime<this.settings.zoomDuration/5)&&(i.animate(this.renderer.getViewportZoomedState(Ie(e,this.container),g),{easing:"quadraticOut",duration:this.settings.zoomDuration},()=>{this.currentWheelDirection=0}),this.currentWheelDirection=v,this.lastWheelTriggerTime=p))}setSettings(e){this.settings=e}}let Ss=["dragTimeout","inertiaDuration","inertiaRatio","doubleClickTimeout","doubleClickZoomingRatio","doubleClickZoomingDuration","tapMoveTolerance"].reduce((t,e)=>({...t,[e]:Dr[e]}),{});class As extends no{constructor(e,i){super(e,i),this.enabled=!0,this.isMoving=!1,this.hasMoved=!1,this.touchMode=0,this.startTouchesPositions=[],this.lastTouches=[],this.lastTap=null,this.settings=Ss,this.handleStart=this.handleStart.bind(this),this.handleLeave=this.handleLeave.bind(this),this.handleMove=this.handleMove.bind(this),e.addEventListener("touchstart",this.handleStart,{capture:!1}),e.addEventListener("touchcancel",this.handleLeave,{capture:!1}),document.addEventListener("touchend",this.handleLeave,{capture:!1,passive:!1}),document.addEventListener("touchmove",this.handleMove,{capture:!1,passive:!1})}kill(){let e=this.container;e.removeEventListener("touchstart",this.handleStart),e.removeEventListener("touchcancel",this.handleLeave),document.removeEventListener("touchend",this.handleLeave),document.removeEventListener("touchmove",this.handleMove)}getDimensions(){return{width:this.container.offsetWidth,height:this.container.offsetHeight}}handleStart(e){if(!this.enabled)return;e.preventDefault();let i=Ci(e.touches);if(this.touchMode=i.length,this.startCameraState=this.renderer.getCamera().getState(),this.startTouchesPositions=i.map(r=>Ie(r,this.container)),this.touchMode===2){let[{x:r,y:a},{x:s,y:d}]=this.startTouchesPositions;this.startTouchesAngle=Math.atan2(d-a,s-r),this.startTouchesDistance=Math.sqrt(Math.pow(s-r,2)+Math.pow(d-a,2))}this.emit("touchdown",Zt(e,this.lastTouches,this.container)),this.lastTouches=i,this.lastTouchesPositions=this.startTouchesPositions}handleLeave(e){if(!(!this.enabled||!this.startTouchesPositions.length)){switch(e.cancelable&&e.preventDefault(),this.movingTimeout&&(this.isMoving=!1,clearTimeout(this.movingTimeout)),this.touchMode){case 2:if(e.touches.length===1){this.handleStart(e),e.preventDefault();break}case 1:if(this.isMoving){let i=this.renderer.getCamera(),r=i.getState(),a=i.getPreviousState()||{x:0,y:0};i.animate({x:r.x+this.settings.inertiaRatio*(r.x-a.x),y:r.y+this.settings.inertiaRatio*(r.y-a.y)},{duration:this.settings.inertiaDuration,easing:"quadraticOut"})}this.hasMoved=!1,this.isMoving=!1,this.touchMode=0;break}if(this.emit("touchup",Zt(e,this.lastTouches,this.container)),!e.touches.length){let i=Ie(this.lastTouches[0],this.container),r=this.startTouchesPositions[0],a=(i.x-r.x)**2+(i.y-r.y)**2;if(!e.touches.length&&a<this.settings.tapMoveTolerance**2)if(this.lastTap&&Date.now()-this.lastTap.time<this.settings.doubleClickTimeout){let s=Zt(e,this.lastTouches,this.container);if(this.emit("doubletap",s),this.lastTap=null,!s.sigmaDefaultPrevented){let d=this.renderer.getCamera(),g=d.getBoundedRatio(d.getState().ratio/this.settings.doubleClickZoomingRatio);d.animate(this.renderer.getViewportZoomedState(i,g),{easing:"quadraticInOut",duration:this.settings.doubleClickZoomingDuration})}}else{let s=Zt(e,this.lastTouches,this.container);this.emit("tap",s),this.lastTap={time:Date.now(),position:s.touches[0]||s.previousTouches[0]}}}this.lastTouches=Ci(e.touches),this.startTouchesPositions=[]}}handleMove(e){if(!this.enabled||!this.startTouchesPositions.length)return;e.preventDefault();let i=Ci(e.touches),r=i.map(p=>Ie(p,this.container)),a=this.lastTouches;this.lastTouches=i,this.lastTouchesPositions=r;let s=Zt(e,a,this.container);if(this.emit("touchmove",s),s.sigmaDefaultPrevented||(this.hasMoved||(this.hasMoved=r.some((p,y)=>{let b=this.startTouchesPositions[y];return b&&(p.x!==b.x||p.y!==b.y)})),!this.hasMoved))return;this.isMoving=!0,this.movingTimeout&&clearTimeout(this.movingTimeout),this.movingTimeout=window.setTimeout(()=>{this.isMoving=!1},this.settings.dragTimeout);let d=this.renderer.getCamera(),g=this.startCameraState,v=this.renderer.getSetting("stagePadding");switch(this.touchMode){case 1:{let{x:p,y}=this.renderer.viewportToFramedGraph((this.startTouchesPositions||[])[0]),{x:b,y:w}=this.renderer.viewportToFramedGraph(r[0]);d.setState({x:g.x+p-b,y:g.y+y-w});break}case 2:{let p={x:.5,y:.5,angle:0,ratio:1},{x:y,y:b}=r[0],{x:w,y:x}=r[1],S=Math.atan2(x-b,w-y)-this.startTouchesAngle,C=Math.hypot(x-b,w-y)/this.startTouchesDistance,T=d.getBoundedRatio(g.ratio/C);p.ratio=T,p.angle=g.angle+S;let L=this.getDimensions(),z=this.renderer.viewportToFramedGraph((this.startTouchesPositions||[])[0],{cameraState:g}),R=Math.min(L.width,L.height)-2*v,_=R/L.width,k=R/L.height,F=T/R,V=y-R/2/_,W=b-R/2/k;[V,W]=[V*Math.cos(-p.angle)-W*Math.sin(-p.angle),W*Math.cos(-p.angle)+V*Math.sin(-p.angle)],p.x=z.x-V*F,p.y=z.y+W*F,d.setState(p);break}}}setSettings(e){this.settings=e}}class ao{constructor(e,i){this.key=e,this.size=i}static compare(e,i){return e.size>i.size?-1:e.size<i.size||e.key>i.key?1:-1}}class so{constructor(){this.width=0,this.height=0,this.cellSize=0,this.columns=0,this.rows=0,this.cells={}}resizeAndClear(e,i){this.width=e.width,this.height=e.height,this.cellSize=i,this.columns=Math.ceil(e.width/i),this.rows=Math.ceil(e.height/i),this.cells={}}getIndex(e){let i=Math.floor(e.x/this.cellSize);return Math.floor(e.y/this.cellSize)*this.columns+i}add(e,i,r){let a=new ao(e,i),s=this.getIndex(r),d=this.cells[s];d||(d=[],this.cells[s]=d),d.push(a)}organize(){for(let e in this.cells)this.cells[e].sort(ao.compare)}getLabelsToDisplay(e,i){let r=this.cellSize*this.cellSize,a=r/e/e*i/r,s=Math.ceil(a),d=[];for(let g in this.cells){let v=this.cells[g];for(let p=0;p<Math.min(s,v.length);p++)d.push(v[p].key)}return d}}function Cs(t){let{graph:e,hoveredNode:i,highlightedNodes:r,displayedNodeLabels:a}=t,s=[];return e.forEachEdge((d,g,v,p)=>{(v===i||p===i||r.has(v)||r.has(p)||a.has(v)&&a.has(p))&&s.push(d)}),s}let ks=150,Ls=50,$e=Object.prototype.hasOwnProperty;function Fs(t,e,i){if(!$e.call(i,"x")||!$e.call(i,"y"))throw new Error(`Sigma: could not find a valid position (x, y) for node "${e}". All your nodes must have a number "x" and "y". Maybe your forgot to apply a layout or your "nodeReducer" is not returning the correct data?`);return i.color||(i.color=t.defaultNodeColor),!i.label&&i.label!==""&&(i.label=null),i.label!==void 0&&i.label!==null?i.label=""+i.label:i.label=null,i.size||(i.size=2),$e.call(i,"hidden")||(i.hidden=!1),$e.call(i,"highlighted")||(i.highlighted=!1),$e.call(i,"forceLabel")||(i.forceLabel=!1),(!i.type||i.type==="")&&(i.type=t.defaultNodeType),i.zIndex||(i.zIndex=0),i}function Ns(t,e,i){return i.color||(i.color=t.defaultEdgeColor),i.label||(i.label=""),i.size||(i.size=.5),$e.call(i,"hidden")||(i.hidden=!1),$e.call(i,"forceLabel")||(i.forceLabel=!1),(!i.type||i.type==="")&&(i.type=t.defaultEdgeType),i.zIndex||(i.zIndex=0),i}let co=class extends Nr{constructor(t,e,i={}){if(super(),this.elements={},this.canvasContexts={},this.webGLContexts={},this.pickingLayers=new Set,this.textures={},this.frameBuffers={},this.activeListeners={},this.labelGrid=new so,this.nodeDataCache={},this.edgeDataCache={},this.nodeProgramIndex={},this.edgeProgramIndex={},this.nodesWithForcedLabels=new Set,this.edgesWithForcedLabels=new Set,this.nodeExtent={x:[0,1],y:[0,1]},this.nodeZExtent=[1/0,-1/0],this.edgeZExtent=[1/0,-1/0],this.matrix=ze(),this.invMatrix=ze(),this.correctionRatio=1,this.customBBox=null,this.normalizationFunction=wr({x:[0,1],y:[0,1]}),this.graphToViewportRatio=1,this.itemIDsIndex={},this.nodeIndices={},this.edgeIndices={},this.width=0,this.height=0,this.pixelRatio=br(),this.pickingDownSizingRatio=2*this.pixelRatio,this.displayedNodeLabels=new Set,this.displayedEdgeLabels=new Set,this.highlightedNodes=new Set,this.hoveredNode=null,this.hoveredEdge=null,this.renderFrame=null,this.renderHighlightedNodesFrame=null,this.needToProcess=!1,this.checkEdgesEventsFrame=null,this.nodePrograms={},this.nodeHoverPrograms={},this.edgePrograms={},this.settings=Es(i),Gr(this.settings),Fn(t),!(e instanceof HTMLElement))throw new Error("Sigma: container should be an html element.");this.graph=t,this.container=e,this.createWebGLContext("edges",{picking:i.enableEdgeEvents}),this.createCanvasContext("edgeLabels"),this.createWebGLContext("nodes",{picking:!0}),this.createCanvasContext("labels"),this.createCanvasContext("hovers"),this.createWebGLContext("hoverNodes"),this.createCanvasContext("mouse",{style:{touchAction:"none",userSelect:"none"}}),this.resize();for(let r in this.settings.nodeProgramClasses)this.registerNodeProgram(r,this.settings.nodeProgramClasses[r],this.settings.nodeHoverProgramClasses[r]);for(let r in this.settings.edgeProgramClasses)this.registerEdgeProgram(r,this.settings.edgeProgramClasses[r]);this.camera=new Rt,this.bindCameraHandlers(),this.mouseCaptor=new oo(this.elements.mouse,this),this.mouseCaptor.setSettings(this.settings),this.touchCaptor=new As(this.elements.mouse,this),this.touchCaptor.setSettings(this.settings),this.bindEventHandlers(),this.bindGraphHandlers(),this.handleSettingsUpdate(),this.refresh()}registerNodeProgram(t,e,i){return this.nodePrograms[t]&&this.nodePrograms[t].kill(),this.nodeHoverPrograms[t]&&this.nodeHoverPrograms[t].kill(),this.nodePrograms[t]=new e(this.webGLContexts.nodes,this.frameBuffers.nodes,this),this.nodeHoverPrograms[t]=new(i||e)(this.webGLContexts.hoverNodes,null,this),this}registerEdgeProgram(t,e){return this.edgePrograms[t]&&this.edgePrograms[t].kill(),this.edgePrograms[t]=new e(this.webGLContexts.edges,this.frameBuffers.edges,this),this}unregisterNodeProgram(t){if(this.nodePrograms[t]){let{[t]:e,...i}=this.nodePrograms;e.kill(),this.nodePrograms=i}if(this.nodeHoverPrograms[t]){let{[t]:e,...i}=this.nodeHoverPrograms;e.kill(),this.nodePrograms=i}return this}unregisterEdgeProgram(t){if(this.edgePrograms[t]){let{[t]:e,...i}=this.edgePrograms;e.kill(),this.edgePrograms=i}return this}resetWebGLTexture(t){let e=this.webGLContexts[t],i=this.frameBuffers[t],r=this.textures[t];r&&e.deleteTexture(r);let a=e.createTexture();return e.bindFramebuffer(e.FRAMEBUFFER,i),e.bindTexture(e.TEXTURE_2D,a),e.texImage2D(e.TEXTURE_2D,0,e.RGBA,this.width,this.height,0,e.RGBA,e.UNSIGNED_BYTE,null),e.framebufferTexture2D(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,a,0),this.textures[t]=a,this}bindCameraHandlers(){return this.activeListeners.camera=()=>{this.scheduleRender()},this.camera.on("updated",this.activeListeners.camera),this}unbindCameraHandlers(){return this.camera.removeListener("updated",this.activeListeners.camera),this}getNodeAtPosition(t){let{x:e,y:i}=t,r=pr(this.webGLContexts.nodes,this.frameBuffers.nodes,e,i,this.pixelRatio,this.pickingDownSizingRatio),a=gr(...r),s=this.itemIDsIndex[a];return s&&s.type==="node"?s.id:null}bindEventHandlers(){this.activeListeners.handleResize=()=>{this.scheduleRefresh()},window.addEventListener("resize",this.activeListeners.handleResize),this.activeListeners.handleMove=e=>{let i=Kt(e),r={event:i,preventSigmaDefault(){i.preventSigmaDefault()}},a=this.getNodeAtPosition(i);if(a&&this.hoveredNode!==a&&!this.nodeDataCache[a].hidden){this.hoveredNode&&this.emit("leaveNode",{...r,node:this.hoveredNode}),this.hoveredNode=a,this.emit("enterNode",{...r,node:a}),this.scheduleHighlightedNodesRender();return}if(this.hoveredNode&&this.getNodeAtPosition(i)!==this.hoveredNode){let s=this.hoveredNode;this.hoveredNode=null,this.emit("leaveNode",{...r,node:s}),this.scheduleHighlightedNodesRender();return}if(this.settings.enableEdgeEvents){let s=this.hoveredNode?null:this.getEdgeAtPoint(r.event.x,r.event.y);s!==this.hoveredEdge&&(this.hoveredEdge&&this.emit("leaveEdge",{...r,edge:this.hoveredEdge}),s&&this.emit("enterEdge",{...r,edge:s}),this.hoveredEdge=s)}},this.activeListeners.handleMoveBody=e=>{let i=Kt(e);this.emit("moveBody",{event:i,preventSigmaDefault(){i.preventSigmaDefault()}})},this.activeListeners.handleLeave=e=>{let i=Kt(e),r={event:i,preventSigmaDefault(){i.preventSigmaDefault()}};this.hoveredNode&&(this.emit("leaveNode",{...r,node:this.hoveredNode}),this.scheduleHighlightedNodesRender()),this.settings.enableEdgeEvents&&this.hoveredEdge&&(this.emit("leaveEdge",{...r,edge:this.hoveredEdge}),this.scheduleHighlightedNodesRender()),this.emit("leaveStage",{...r})},this.activeListeners.handleEnter=e=>{let i=Kt(e),r={event:i,preventSigmaDefault(){i.preventSigmaDefault()}};this.emit("enterStage",{...r})};let t=e=>i=>{let r=Kt(i),a={event:r,preventSigmaDefault:()=>{r.preventSigmaDefault()}},s=this.getNodeAtPosition(r);if(s)return this.emit(`${e}Node`,{...a,node:s});if(this.settings.enableEdgeEvents){let d=this.getEdgeAtPoint(r.x,r.y);if(d)return this.emit(`${e}Edge`,{...a,edge:d})}return this.emit(`${e}Stage`,a)};return this.activeListeners.handleClick=t("click"),this.activeListeners.handleRightClick=t("rightClick"),this.activeListeners.handleDoubleClick=t("doubleClick"),this.activeListeners.handleWheel=t("wheel"),this.activeListeners.handleDown=t("down"),this.activeListeners.handleUp=t("up"),this.mouseCaptor.on("mousemove",this.activeListeners.handleMove),this.mouseCaptor.on("mousemovebody",this.activeListeners.handleMoveBody),this.mouseCaptor.on("click",this.activeListeners.handleClick),this.mouseCaptor.on("rightClick",this.activeListeners.handleRightClick),this.mouseCaptor.on("doubleClick",this.activeListeners.handleDoubleClick),this.mouseCaptor.on("wheel",this.activeListeners.handleWheel),this.mouseCaptor.on("mousedown",this.activeListeners.handleDown),this.mouseCaptor.on("mouseup",this.activeListeners.handleUp),this.mouseCaptor.on("mouseleave",this.activeListeners.handleLeave),this.mouseCaptor.on("mouseenter",this.activeListeners.handleEnter),this.touchCaptor.on("touchdown",this.activeListeners.handleDown),this.touchCaptor.on("touchdown",this.activeListeners.handleMove),this.touchCaptor.on("touchup",this.activeListeners.handleUp),this.touchCaptor.on("touchmove",this.activeListeners.handleMove),this.touchCaptor.on("tap",this.activeListeners.handleClick),this.touchCaptor.on("doubletap",this.activeListeners.handleDoubleClick),this.touchCaptor.on("touchmove",this.activeListeners.handleMoveBody),this}bindGraphHandlers(){let t=this.graph,e=new Set(["x","y","zIndex","type"]);return this.activeListeners.eachNodeAttributesUpdatedGraphUpdate=i=>{var r;let a=(r=i.hints)==null?void 0:r.attributes;this.graph.forEachNode(d=>this.updateNode(d));let s=!a||a.some(d=>e.has(d));this.refresh({partialGraph:{nodes:t.nodes()},skipIndexation:!s,schedule:!0})},this.activeListeners.eachEdgeAttributesUpdatedGraphUpdate=i=>{var r;let a=(r=i.hints)==null?void 0:r.attributes;this.graph.forEachEdge(d=>this.updateEdge(d));let s=a&&["zIndex","type"].some(d=>a?.includes(d));this.refresh({partialGraph:{edges:t.edges()},skipIndexation:!s,schedule:!0})},this.activeListeners.addNodeGraphUpdate=i=>{let r=i.key;this.addNode(r),this.refresh({partialGraph:{nodes:[r]},skipIndexation:!1,schedule:!0})},this.activeListeners.updateNodeGraphUpdate=i=>{let r=i.key;this.refresh({partialGraph:{nodes:[r]},skipIndexation:!1,schedule:!0})},this.activeListeners.dropNodeGraphUpdate=i=>{let r=i.key;this.removeNode(r),this.refresh({schedule:!0})},this.activeListeners.addEdgeGraphUpdate=i=>{let r=i.key;this.addEdge(r),this.refresh({partialGraph:{edges:[r]},schedule:!0})},this.activeListeners.updateEdgeGraphUpdate=i=>{let r=i.key;this.refresh({partialGraph:{edges:[r]},skipIndexation:!1,schedule:!0})},this.activeListeners.dropEdgeGraphUpdate=i=>{let r=i.key;this.removeEdge(r),this.refresh({schedule:!0})},this.activeListeners.clearEdgesGraphUpdate=()=>{this.clearEdgeState(),this.clearEdgeIndices(),this.refresh({schedule:!0})},this.activeListeners.clearGraphUpdate=()=>{this.clearEdgeState(),this.clearNodeState(),this.clearEdgeIndices(),this.clearNodeIndices(),this.refresh({schedule:!0})},t.on("nodeAdded",this.activeListeners.addNodeGraphUpdate),t.on("nodeDropped",this.activeListeners.dropNodeGraphUpdate),t.on("nodeAttributesUpdated",this.activeListeners.updateNodeGraphUpdate),t.on("eachNodeAttributesUpdated",this.activeListeners.eachNodeAttributesUpdatedGraphUpdate),t.on("edgeAdded",this.activeListeners.addEdgeGraphUpdate),t.on("edgeDropped",this.activeListeners.dropEdgeGraphUpdate),t.on("edgeAttributesUpdated",this.activeListeners.updateEdgeGraphUpdate),t.on("eachEdgeAttributesUpdated",this.activeListeners.eachEdgeAttributesUpdatedGraphUpdate),t.on("edgesCleared",this.activeListeners.clearEdgesGraphUpdate),t.on("cleared",this.activeListeners.clearGraphUpdate),this}unbindGraphHandlers(){let t=this.graph;t.removeListener("nodeAdded",this.activeListeners.addNodeGraphUpdate),t.removeListener("nodeDropped",this.activeListeners.dropNodeGraphUpdate),t.removeListener("nodeAttributesUpdated",this.activeListeners.updateNodeGraphUpdate),t.removeListener("eachNodeAttributesUpdated",this.activeListeners.eachNodeAttributesUpdatedGraphUpdate),t.removeListener("edgeAdded",this.activeListeners.addEdgeGraphUpdate),t.removeListener("edgeDropped",this.activeListeners.dropEdgeGraphUpdate),t.removeListener("edgeAttributesUpdated",this.activeListeners.updateEdgeGraphUpdate),t.removeListener("eachEdgeAttributesUpdated",this.activeListeners.eachEdgeAttributesUpdatedGraphUpdate),t.removeListener("edgesCleared",this.activeListeners.clearEdgesGraphUpdate),t.removeListener("cleared",this.activeListeners.clearGraphUpdate)}getEdgeAtPoint(t,e){let i=pr(this.webGLContexts.edges,this.frameBuffers.edges,t,e,this.pixelRatio,this.pickingDownSizingRatio),r=gr(...i),a=this.itemIDsIndex[r];return a&&a.type==="edge"?a.id:null}process(){this.emit("beforeProcess");let t=this.graph,e=this.settings,i=this.getDimensions();if(this.nodeExtent=Ln(this.graph),!this.settings.autoRescale){let{width:x,height:S}=i,{x:C,y:T}=this.nodeExtent;this.nodeExtent={x:[(C[0]+C[1])/2-x/2,(C[0]+C[1])/2+x/2],y:[(T[0]+T[1])/2-S/2,(T[0]+T[1])/2+S/2]}}this.normalizationFunction=wr(this.customBBox||this.nodeExtent);let r=new Rt,a=Tt(r.getState(),i,this.getGraphDimensions(),this.getStagePadding());this.labelGrid.resizeAndClear(i,e.labelGridCellSize);let s={},d={},g={},v={},p=1,y=t.nodes();for(let x=0,S=y.length;x<S;x++){let C=y[x],T=this.nodeDataCache[C],L=t.getNodeAttributes(C);T.x=L.x,T.y=L.y,this.normalizationFunction.applyTo(T),typeof T.label=="string"&&!T.hidden&&this.labelGrid.add(C,T.size,this.framedGraphToViewport(T,{matrix:a})),s[T.type]=(s[T.type]||0)+1}this.labelGrid.organize();for(let x in this.nodePrograms){if(!$e.call(this.nodePrograms,x))throw new Error(`Sigma: could not find a suitable program for node type "${x}"!`);this.nodePrograms[x].reallocate(s[x]||0),s[x]=0}this.settings.zIndex&&this.nodeZExtent[0]!==this.nodeZExtent[1]&&(y=_r(this.nodeZExtent,x=>this.nodeDataCache[x].zIndex,y));for(let x=0,S=y.length;x<S;x++){let C=y[x];d[C]=p,v[d[C]]={type:"node",id:C},p++;let T=this.nodeDataCache[C];this.addNodeToProgram(C,d[C],s[T.type]++)}let b={},w=t.edges();for(let x=0,S=w.length;x<S;x++){let C=w[x],T=this.edgeDataCache[C];b[T.type]=(b[T.type]||0)+1}this.settings.zIndex&&this.edgeZExtent[0]!==this.edgeZExtent[1]&&(w=_r(this.edgeZExtent,x=>this.edgeDataCache[x].zIndex,w));for(let x in this.edgePrograms){if(!$e.call(this.edgePrograms,x))throw new Error(`Sigma: could not find a suitable program for edge type "${x}"!`);this.edgePrograms[x].reallocate(b[x]||0),b[x]=0}for(let x=0,S=w.length;x<S;x++){let C=w[x];g[C]=p,v[g[C]]={type:"edge",id:C},p++;let T=this.edgeDataCache[C];this.addEdgeToProgram(C,g[C],b[T.type]++)}return this.itemIDsIndex=v,this.nodeIndices=d,this.edgeIndices=g,this.emit("afterProcess"),this}handleSettingsUpdate(t){let e=this.settings;if(this.camera.minRatio=e.minCameraRatio,this.camera.maxRatio=e.maxCameraRatio,this.camera.enabledZooming=e.enableCameraZooming,this.camera.enabledPanning=e.enableCameraPanning,this.camera.enabledRotation=e.enableCameraRotation,e.cameraPanBoundaries?this.camera.clean=i=>this.cleanCameraState(i,e.cameraPanBoundaries&&typeof e.cameraPanBoundaries=="object"?e.cameraPanBoundaries:{}):this.camera.clean=null,this.camera.setState(this.camera.validateState(this.camera.getState())),t){if(t.edgeProgramClasses!==e.edgeProgramClasses){for(let i in e.edgeProgramClasses)e.edgeProgramClasses[i]!==t.edgeProgramClasses[i]&&this.registerEdgeProgram(i,e.edgeProgramClasses[i]);for(let i in t.edgeProgramClasses)e.edgeProgramClasses[i]||this.unregisterEdgeProgram(i)}if(t.nodeProgramClasses!==e.nodeProgramClasses||t.nodeHoverProgramClasses!==e.nodeHoverProgramClasses){for(let i in e.nodeProgramClasses)(e.nodeProgramClasses[i]!==t.nodeProgramClasses[i]||e.nodeHoverProgramClasses[i]!==t.nodeHoverProgramClasses[i])&&this.registerNodeProgram(i,e.nodeProgramClasses[i],e.nodeHoverProgramClasses[i]);for(let i in t.nodeProgramClasses)e.nodeProgramClasses[i]||this.unregisterNodeProgram(i)}}return this.mouseCaptor.setSettings(this.settings),this.touchCaptor.setSettings(this.settings),this}cleanCameraState(t,{tolerance:e=0,boundaries:i}={}){let r={...t},{x:[a,s],y:[d,g]}=i||this.nodeExtent,v=[this.graphToViewport({x:a,y:d},{cameraState:t}),this.graphToViewport({x:s,y:d},{cameraState:t}),this.graphToViewport({x:a,y:g},{cameraState:t}),this.graphToViewport({x:s,y:g},{cameraState:t})],p=1/0,y=-1/0,b=1/0,w=-1/0;v.forEach(({x:R,y:_})=>{p=Math.min(p,R),y=Math.max(y,R),b=Math.min(b,_),w=Math.max(w,_)});let x=y-p,S=w-b,{width:C,height:T}=this.getDimensions(),L=0,z=0;if(x>=C?y<C-e?L=y-(C-e):p>e&&(L=p-e):y>C+e?L=y-(C+e):p<-e&&(L=p+e),S>=T?w<T-e?z=w-(T-e):b>e&&(z=b-e):w>T+e?z=w-(T+e):b<-e&&(z=b+e),L||z){let R=this.viewportToFramedGraph({x:0,y:0},{cameraState:t}),_=this.viewportToFramedGraph({x:L,y:z},{cameraState:t});L=_.x-R.x,z=_.y-R.y,r.x+=L,r.y+=z}return r}renderLabels(){if(!this.settings.renderLabels)return this;let t=this.camera.getState(),e=this.labelGrid.getLabelsToDisplay(t.ratio,this.settings.labelDensity);yr(e,this.nodesWithForcedLabels),this.displayedNodeLabels=new Set;let i=this.canvasContexts.labels;for(let r=0,a=e.length;r<a;r++){let s=e[r],d=this.nodeDataCache[s];if(this.displayedNodeLabels.has(s)||d.hidden)continue;let{x:g,y:v}=this.framedGraphToViewport(d),p=this.scaleSize(d.size);if(!d.forceLabel&&p<this.settings.labelRenderedSizeThreshold||g<-150||g>this.width+ks||v<-50||v>this.height+Ls)continue;this.displayedNodeLabels.add(s);let{defaultDrawNodeLabel:y}=this.settings,b=this.nodePrograms[d.type];(b?.drawLabel||y)(i,{key:s,...d,size:p,x:g,y:v},this.settings)}return this}renderEdgeLabels(){if(!this.settings.renderEdgeLabels)return this;let t=this.canvasContexts.edgeLabels;t.clearRect(0,0,this.width,this.height);let e=Cs({graph:this.graph,hoveredNode:this.hoveredNode,displayedNodeLabels:this.displayedNodeLabels,highlightedNodes:this.highlightedNodes});yr(e,this.edgesWithForcedLabels);let i=new Set;for(let r=0,a=e.length;r<a;r++){let s=e[r],d=this.graph.extremities(s),g=this.nodeDataCache[d[0]],v=this.nodeDataCache[d[1]],p=this.edgeDataCache[s];if(i.has(s)||p.hidden||g.hidden||v.hidden)continue;let{defaultDrawEdgeLabel:y}=this.settings,b=this.edgePrograms[p.type];(b?.drawLabel||y)(t,{key:s,...p,size:this.scaleSize(p.size)},{key:d[0],...g,...this.framedGraphToViewport(g),size:this.scaleSize(g.size)},{key:d[1],...v,...this.framedGraphToViewport(v),size:this.scaleSize(v.size)},this.settings),i.add(s)}return this.displayedEdgeLabels=i,this}renderHighlightedNodes(){let t=this.canvasContexts.hovers;t.clearRect(0,0,this.width,this.height);let e=s=>{let d=this.nodeDataCache[s],{x:g,y:v}=this.framedGraphToViewport(d),p=this.scaleSize(d.size),{defaultDrawNodeHover:y}=this.settings,b=this.nodePrograms[d.type];(b?.drawHover||y)(t,{key:s,...d,size:p,x:g,y:v},this.settings)},i=[];this.hoveredNode&&!this.nodeDataCache[this.hoveredNode].hidden&&i.push(this.hoveredNode),this.highlightedNodes.forEach(s=>{s!==this.hoveredNode&&i.push(s)}),i.forEach(s=>e(s));let r={};i.forEach(s=>{let d=this.nodeDataCache[s].type;r[d]=(r[d]||0)+1});for(let s in this.nodeHoverPrograms)this.nodeHoverPrograms[s].reallocate(r[s]||0),r[s]=0;i.forEach(s=>{let d=this.nodeDataCache[s];this.nodeHoverPrograms[d.type].process(0,r[d.type]++,d)}),this.webGLContexts.hoverNodes.clear(this.webGLContexts.hoverNodes.COLOR_BUFFER_BIT);let a=this.getRenderParams();for(let s in this.nodeHoverPrograms)this.nodeHoverPrograms[s].render(a)}scheduleHighlightedNodesRender(){this.renderHighlightedNodesFrame||this.renderFrame||(this.renderHighlightedNodesFrame=requestAnimationFrame(()=>{this.renderHighlightedNodesFrame=null,this.renderHighlightedNodes(),this.renderEdgeLabels()}))}render(){this.emit("beforeRender");let t=()=>(this.emit("afterRender"),this);if(this.renderFrame&&(cancelAnimationFrame(this.renderFrame),this.renderFrame=null),this.resize(),this.needToProcess&&this.process(),this.needToProcess=!1,this.clear(),this.pickingLayers.forEach(v=>this.resetWebGLTexture(v)),!this.graph.order)return t();let e=this.mouseCaptor,i=this.camera.isAnimated()||e.isMoving||e.draggedEvents||e.currentWheelDirection,r=this.camera.getState(),a=this.getDimensions(),s=this.getGraphDimensions(),d=this.getStagePadding();this.matrix=Tt(r,a,s,d),this.invMatrix=Tt(r,a,s,d,!0),this.correctionRatio=An(this.matrix,r,a),this.graphToViewportRatio=this.getGraphToViewportRatio();let g=this.getRenderParams();for(let v in this.nodePrograms)this.nodePrograms[v].render(g);if(!this.settings.hideEdgesOnMove||!i)for(let v in this.edgePrograms)this.edgePrograms[v].render(g);return this.settings.hideLabelsOnMove&&i||(this.renderLabels(),this.renderEdgeLabels(),this.renderHighlightedNodes()),t()}addNode(t){let e=Object.assign({},this.graph.getNodeAttributes(t));this.settings.nodeReducer&&(e=this.settings.nodeReducer(t,e));let i=Fs(this.settings,t,e);this.nodeDataCache[t]=i,this.nodesWithForcedLabels.delete(t),i.forceLabel&&!i.hidden&&this.nodesWithForcedLabels.add(t),this.highlightedNodes.delete(t),i.highlighted&&!i.hidden&&this.highlightedNodes.add(t),this.settings.zIndex&&(i.zIndex<this.nodeZExtent[0]&&(this.nodeZExtent[0]=i.zIndex),i.zIndex>this.nodeZExtent[1]&&(this.nodeZExtent[1]=i.zIndex))}updateNode(t){this.addNode(t);let e=this.nodeDataCache[t];this.normalizationFunction.applyTo(e)}removeNode(t){delete this.nodeDataCache[t],delete this.nodeProgramIndex[t],this.highlightedNodes.delete(t),this.hoveredNode===t&&(this.hoveredNode=null),this.nodesWithForcedLabels.delete(t)}addEdge(t){let e=Object.assign({},this.graph.getEdgeAttributes(t));this.settings.edgeReducer&&(e=this.settings.edgeReducer(t,e));let i=Ns(this.settings,t,e);this.edgeDataCache[t]=i,this.edgesWithForcedLabels.delete(t),i.forceLabel&&!i.hidden&&this.edgesWithForcedLabels.add(t),this.settings.zIndex&&(i.zIndex<this.edgeZExtent[0]&&(this.edgeZExtent[0]=i.zIndex),i.zIndex>this.edgeZExtent[1]&&(this.edgeZExtent[1]=i.zIndex))}updateEdge(t){this.addEdge(t)}removeEdge(t){delete this.edgeDataCache[t],delete this.edgeProgramIndex[t],this.hoveredEdge===t&&(this.hoveredEdge=null),this.edgesWithForcedLabels.delete(t)}clearNodeIndices(){this.labelGrid=new so,this.nodeExtent={x:[0,1],y:[0,1]},this.nodeDataCache={},this.edgeProgramIndex={},this.nodesWithForcedLabels=new Set,this.nodeZExtent=[1/0,-1/0],this.highlightedNodes=new Set}clearEdgeIndices(){this.edgeDataCache={},this.edgeProgramIndex={},this.edgesWithForcedLabels=new Set,this.edgeZExtent=[1/0,-1/0]}clearIndices(){this.clearEdgeIndices(),this.clearNodeIndices()}clearNodeState(){this.displayedNodeLabels=new Set,this.highlightedNodes=new Set,this.hoveredNode=null}clearEdgeState(){this.displayedEdgeLabels=new Set,this.highlightedNodes=new Set,this.hoveredEdge=null}clearState(){this.clearEdgeState(),this.clearNodeState()}addNodeToProgram(t,e,i){let r=this.nodeDataCache[t],a=this.nodePrograms[r.type];if(!a)throw new Error(`Sigma: could not find a suitable program for node type "${r.type}"!`);a.process(e,i,r),this.nodeProgramIndex[t]=i}addEdgeToProgram(t,e,i){let r=this.edgeDataCache[t],a=this.edgePrograms[r.type];if(!a)throw new Error(`Sigma: could not find a suitable program for edge type "${r.type}"!`);let s=this.graph.extremities(t),d=this.nodeDataCache[s[0]],g=this.nodeDataCache[s[1]];a.process(e,i,d,g,r),this.edgeProgramIndex[t]=i}getRenderParams(){return{matrix:this.matrix,invMatrix:this.invMatrix,width:this.width,height:this.height,pixelRatio:this.pixelRatio,zoomRatio:this.camera.ratio,cameraAngle:this.camera.angle,sizeRatio:1/this.scaleSize(),correctionRatio:this.correctionRatio,downSizingRatio:this.pickingDownSizingRatio,minEdgeThickness:this.settings.minEdgeThickness,antiAliasingFeather:this.settings.antiAliasingFeather}}getStagePadding(){let{stagePadding:t,autoRescale:e}=this.settings;return e&&t||0}createLayer(t,e,i={}){if(this.elements[t])throw new Error(`Sigma: a layer named "${t}" already exists`);let r=Nn(e,{position:"absolute"},{class:`sigma-${t}`});return i.style&&Object.assign(r.style,i.style),this.elements[t]=r,"beforeLayer"in i&&i.beforeLayer?this.elements[i.beforeLayer].before(r):"afterLayer"in i&&i.afterLayer?this.elements[i.afterLayer].after(r):this.container.appendChild(r),r}createCanvas(t,e={}){return this.createLayer(t,"canvas",e)}createCanvasContext(t,e={}){let i=this.createCanvas(t,e),r={preserveDrawingBuffer:!1,antialias:!1};return this.canvasContexts[t]=i.getContext("2d",r),this}createWebGLContext(t,e={}){let i=e?.canvas||this.createCanvas(t,e);e.hidden&&i.remove();let r={preserveDrawingBuffer:!1,antialias:!1,...e},a;a=i.getContext("webgl2",r),a||(a=i.getContext("webgl",r)),a||(a=i.getContext("experimental-webgl",r));let s=a;if(this.webGLContexts[t]=s,s.blendFunc(s.ONE,s.ONE_MINUS_SRC_ALPHA),e.picking){this.pickingLayers.add(t);let d=s.createFramebuffer();if(!d)throw new Error(`Sigma: cannot create a new frame buffer for layer ${t}`);this.frameBuffers[t]=d}return s}killLayer(t){var e;let i=this.elements[t];if(!i)throw new Error(`Sigma: cannot kill layer ${t}, which does not exist`);return this.webGLContexts[t]?((e=this.webGLContexts[t].getExtension("WEBGL_lose_context"))==null||e.loseContext(),delete this.webGLContexts[t]):this.canvasContexts[t]&&delete this.canvasContexts[t],i.remove(),delete this.elements[t],this}getCamera(){return this.camera}setCamera(t){this.unbindCameraHandlers(),this.camera=t,this.bindCameraHandlers()}getContainer(){return this.container}getGraph(){return this.graph}setGraph(t){t!==this.graph&&(this.hoveredNode&&!t.hasNode(this.hoveredNode)&&(this.hoveredNode=null),this.hoveredEdge&&!t.hasEdge(this.hoveredEdge)&&(this.hoveredEdge=null),this.unbindGraphHandlers(),this.checkEdgesEventsFrame!==null&&(cancelAnimationFrame(this.checkEdgesEventsFrame),this.checkEdgesEventsFrame=null),this.graph=t,this.bindGraphHandlers(),this.refresh())}getMouseCaptor(){return this.mouseCaptor}getTouchCaptor(){return this.touchCaptor}getDimensions(){return{width:this.width,height:this.height}}getGraphDimensions(){let t=this.customBBox||this.nodeExtent;return{width:t.x[1]-t.x[0]||1,height:t.y[1]-t.y[0]||1}}getNodeDisplayData(t){let e=this.nodeDataCache[t];return e?Object.assign({},e):void 0}getEdgeDisplayData(t){let e=this.edgeDataCache[t];return e?Object.assign({},e):void 0}getNodeDisplayedLabels(){return new Set(this.displayedNodeLabels)}getEdgeDisplayedLabels(){return new Set(this.displayedEdgeLabels)}getSettings(){return{...this.settings}}getSetting(t){return this.settings[t]}setSetting(t,e){let i={...this.settings};return this.settings[t]=e,Gr(this.settings),this.handleSettingsUpdate(i),this.scheduleRefresh(),this}updateSetting(t,e){return this.setSetting(t,e(this.settings[t])),this}setSettings(t){let e={...this.settings};return this.settings={...this.settings,...t},Gr(this.settings),this.handleSettingsUpdate(e),this.scheduleRefresh(),this}resize(t){let e=this.width,i=this.height;if(this.width=this.container.offsetWidth,this.height=this.container.offsetHeight,this.pixelRatio=br(),this.width===0)if(this.settings.allowInvalidContainer)this.width=1;else throw new Error("Sigma: Container has no width. You can set the allowInvalidContainer setting to true to stop seeing this error.");if(this.height===0)if(this.settings.allowInvalidContainer)this.height=1;else throw new Error("Sigma: Container has no height. You can set the allowInvalidContainer setting to true to stop seeing this error.");if(!t&&e===this.width&&i===this.height)return this;for(let r in this.elements){let a=this.elements[r];a.style.width=this.width+"px",a.style.height=this.height+"px"}for(let r in this.canvasContexts)this.elements[r].setAttribute("width",this.width*this.pixelRatio+"px"),this.elements[r].setAttribute("height",this.height*this.pixelRatio+"px"),this.pixelRatio!==1&&this.canvasContexts[r].scale(this.pixelRatio,this.pixelRatio);for(let r in this.webGLContexts){this.elements[r].setAttribute("width",this.width*this.pixelRatio+"px"),this.elements[r].setAttribute("height",this.height*this.pixelRatio+"px");let a=this.webGLContexts[r];if(a.viewport(0,0,this.width*this.pixelRatio,this.height*this.pixelRatio),this.pickingLayers.has(r)){let s=this.textures[r];s&&a.deleteTexture(s)}}return this.emit("resize"),this}clear(){return this.emit("beforeClear"),this.webGLContexts.nodes.bindFramebuffer(WebGLRenderingContext.FRAMEBUFFER,null),this.webGLContexts.nodes.clear(WebGLRenderingContext.COLOR_BUFFER_BIT),this.webGLContexts.edges.bindFramebuffer(WebGLRenderingContext.FRAMEBUFFER,null),this.webGLContexts.edges.clear(WebGLRenderingContext.COLOR_BUFFER_BIT),this.webGLContexts.hoverNodes.clear(WebGLRenderingContext.COLOR_BUFFER_BIT),this.canvasContexts.labels.clearRect(0,0,this.width,this.height),this.canvasContexts.hovers.clearRect(0,0,this.width,this.height),this.canvasContexts.edgeLabels.clearRect(0,0,this.width,this.height),this.emit("afterClear"),this}refresh(t){var e,i;let r=t?.skipIndexation!==void 0?t?.skipIndexation:!1,a=t?.schedule!==void 0?t.schedule:!1,s=!t||!t.partialGraph;if(s)this.clearEdgeIndices(),this.clearNodeIndices(),this.graph.forEachNode(d=>this.addNode(d)),this.graph.forEachEdge(d=>this.addEdge(d));else{let d=((e=t.partialGraph)==null?void 0:e.nodes)||[];for(let v=0,p=d?.length||0;v<p;v++){let y=d[v];if(this.updateNode(y),r){let b=this.nodeProgramIndex[y];if(b===void 0)throw new Error(`Sigma: node "${y}" can't be repaint`);this.addNodeToProgram(y,this.nodeIndices[y],b)}}let g=((i=t?.partialGraph)==null?void 0:i.edges)||[];for(let v=0,p=g.length;v<p;v++){let y=g[v];if(this.updateEdge(y),r){let b=this.edgeProgramIndex[y];if(b===void 0)throw new Error(`Sigma: edge "${y}" can't be repaint`);this.addEdgeToProgram(y,this.edgeIndices[y],b)}}}return(s||!r)&&(this.needToProcess=!0),a?this.scheduleRender():this.render(),this}scheduleRender(){return this.renderFrame||(this.renderFrame=requestAnimationFrame(()=>{this.render()})),this}scheduleRefresh(t){return this.refresh({...t,schedule:!0})}getViewportZoomedState(t,e){let{ratio:i,angle:r,x:a,y:s}=this.camera.getState(),{minCameraRatio:d,maxCameraRatio:g}=this.settings;typeof g=="number"&&(e=Math.min(e,g)),typeof d=="number"&&(e=Math.max(e,d));let v=e/i,p={x:this.width/2,y:this.height/2},y=this.viewportToFramedGraph(t),b=this.viewportToFramedGraph(p);return{angle:r,x:(y.x-b.x)*(1-v)+a,y:(y.y-b.y)*(1-v)+s,ratio:e}}viewRectangle(){let t=this.viewportToFramedGraph({x:0,y:0}),e=this.viewportToFramedGraph({x:this.width,y:0}),i=this.viewportToFramedGraph({x:0,y:this.height});return{x1:t.x,y1:t.y,x2:e.x,y2:e.y,height:e.y-i.y}}framedGraphToViewport(t,e={}){let i=!!e.cameraState||!!e.viewportDimensions||!!e.graphDimensions,r=e.matrix?e.matrix:i?Tt(e.cameraState||this.camera.getState(),e.viewportDimensions||this.getDimensions(),e.graphDimensions||this.getGraphDimensions(),e.padding||this.getStagePadding()):this.matrix,a=wi(r,t);return{x:(1+a.x)*this.width/2,y:(1-a.y)*this.height/2}}viewportToFramedGraph(t,e={}){let i=!!e.cameraState||!!e.viewportDimensions||!e.graphDimensions,r=e.matrix?e.matrix:i?Tt(e.cameraState||this.camera.getState(),e.viewportDimensions||this.getDimensions(),e.graphDimensions||this.getGraphDimensions(),e.padding||this.getStagePadding(),!0):this.invMatrix,a=wi(r,{x:t.x/this.width*2-1,y:1-t.y/this.height*2});return isNaN(a.x)&&(a.x=0),isNaN(a.y)&&(a.y=0),a}viewportToGraph(t,e={}){return this.normalizationFunction.inverse(this.viewportToFramedGraph(t,e))}graphToViewport(t,e={}){return this.framedGraphToViewport(this.normalizationFunction(t),e)}getGraphToViewportRatio(){let t={x:0,y:0},e={x:1,y:1},i=Math.sqrt(Math.pow(t.x-e.x,2)+Math.pow(t.y-e.y,2)),r=this.graphToViewport(t),a=this.graphToViewport(e);return Math.sqrt(Math.pow(r.x-a.x,2)+Math.pow(r.y-a.y,2))/i}getBBox(){return this.nodeExtent}getCustomBBox(){return this.customBBox}setCustomBBox(t){return this.customBBox=t,this.scheduleRender(),this}kill(){this.emit("kill"),this.removeAllListeners(),this.unbindCameraHandlers(),window.removeEventListener("resize",this.activeListeners.handleResize),this.mouseCaptor.kill(),this.touchCaptor.kill(),this.unbindGraphHandlers(),this.clearIndices(),this.clearState(),this.nodeDataCache={},this.edgeDataCache={},this.highlightedNodes.clear(),this.renderFrame&&(cancelAnimationFrame(this.renderFrame),this.renderFrame=null),this.renderHighlightedNodesFrame&&(cancelAnimationFrame(this.renderHighlightedNodesFrame),this.renderHighlightedNodesFrame=null);let t=this.container;for(;t.firstChild;)t.removeChild(t.firstChild);for(let e in this.nodePrograms)this.nodePrograms[e].kill();for(let e in this.nodeHoverPrograms)this.nodeHoverPrograms[e].kill();for(let e in this.edgePrograms)this.edgePrograms[e].kill();this.nodePrograms={},this.nodeHoverPrograms={},this.edgePrograms={};for(let e in this.elements)this.killLayer(e);this.canvasContexts={},this.webGLContexts={},this.elements={}}scaleSize(t=1,e=this.camera.ratio){return t/this.settings.zoomToSizeRatioFunction(e)*(this.getSetting("itemSizesReference")==="positions"?e*this.graphToViewportRatio:1)}getCanvases(){let t={};for(let e in this.elements)this.elements[e]instanceof HTMLCanvasElement&&(t[e]=this.elements[e]);return t}},St=class extends co{};return St.Camera=Rt,St.MouseCaptor=oo,St.Sigma=co,St.rendering={...bs,createNodeBorderProgram:Kr,createNodeImageProgram:or,createNodePiechartProgram:Na,EdgeCurveProgram:xo},St.utils=Ia,St})});var Hs=JSON.parse(document.documentElement.dataset.words||"null")||{},Se=(U,...O)=>(Hs[U]||U).replace(/\{(\d)\}/g,(Z,ne)=>O[ne]),$t=(U,O)=>U.toLocaleString(document.documentElement.lang||void 0,O);var _o=go(po()),Br=go(mo()),Vs=2e3,De=document.getElementById("graph"),rt=De&&De.querySelector(".said");function vo(){let U=getComputedStyle(document.documentElement),O=Z=>U.getPropertyValue("--"+Z).trim();return{coherent:O("coherent"),changed:O("content"),links:O("links"),missing:O("missing"),unknown:O("unknown"),line:O("line"),ink:O("ink"),panel:O("panel"),mute:O("mute")}}function wo(U,O){switch(U){case"coherent":return{color:O.coherent,ring:.02,ringColor:O.panel};case"changed":return{color:O.panel,ring:.55,ringColor:O.changed};case"links":return{color:O.links,ring:.3,ringColor:O.ink};case"missing":return{color:O.missing,ring:.02,ringColor:O.panel};case"unknown":return{color:O.panel,ring:.35,ringColor:O.unknown}}return{color:O.mute,ring:.02,ringColor:O.panel}}var Eo={coherent:Se("coherent"),changed:Se("content changed"),links:Se("links changed"),missing:Se("missing"),unknown:Se("not proven")};function Ws(U){let O=U.label||(U.kind==="capture"?Se("the capture"):U.kind);return U.state&&(O+=" · "+(Eo[U.state]||U.state)),U.size>1&&(O+=" · "+Se("{0} coherent addresses below",$t(U.size))),U.more&&(O+=" · "+Se("{0} more not shown: zoom in",$t(U.more))),O}function yo(U,O,Z){U.clear();let ne=Math.max(1,...O.nodes.map($=>$.parent<0?1:$.size));for(let $ of O.nodes){let ge=$.parent<0?6:2.2+9*Math.sqrt(Math.min($.size,ne)/ne);U.addNode($.id,{x:$.x,y:-$.y,size:ge,label:$.label,node:$,type:"border",...wo($.state,Z)})}for(let $ of O.nodes)$.parent>=0&&U.hasNode($.parent)&&U.addEdge($.parent,$.id,{size:.7,color:Z.line})}async function bo(U){let O=new URLSearchParams({limit:Vs});for(let ne in U||{})O.set(ne,U[ne]);let Z=await fetch(De.dataset.graph+"?"+O,{headers:{Accept:"application/json"}});if(!Z.ok){let ne=await Z.json().catch(()=>({}));throw new Error(ne.detail||Z.statusText)}return Z.json()}async function qs(U){let O=await fetch(De.dataset.graph+"/"+U,{headers:{Accept:"application/json"}});if(!O.ok)return;let Z=await O.json();if(!Z.url)return;rt.textContent="";let ne=document.createElement("a");ne.href=De.dataset.page+"?"+new URLSearchParams({url:Z.url}),ne.textContent=Z.url,rt.append(ne," · "+(Eo[Z.state]||Z.state||""))}function Ys(U){let O=new URL(location.href);U.ratio>.98?O.searchParams.delete("at"):O.searchParams.set("at",[U.x,U.y,U.ratio].map(Z=>Z.toFixed(4)).join(",")),history.replaceState(null,"",O)}async function Xs(){rt.textContent=Se("Reading the graph… the first time this reads the WARC files of the collection.");let U=await bo();rt.textContent=U.total>U.nodes.length?Se("{0} of {1} nodes; zoom in for more",$t(U.nodes.length),$t(U.total)):"";let O=vo(),Z=new _o.default.Graph;yo(Z,U,O);let ne=Br.default.rendering.createNodeBorderProgram({borders:[{size:{attribute:"ring",defaultValue:.05},color:{attribute:"ringColor"}},{size:{fill:!0},color:{attribute:"color"}}]}),$=new Br.default(Z,De,{nodeProgramClasses:{border:ne},defaultNodeType:"border",defaultEdgeColor:O.line,labelColor:{color:O.ink},labelSize:11,labelRenderedSizeThreshold:9,labelDensity:.6,zIndex:!0,minCameraRatio:.002,maxCameraRatio:1.6,allowInvalidContainer:!0});$.setCustomBBox($.getBBox()),De.dataset.ready=Z.order,$.on("enterNode",({node:ce})=>{rt.textContent=Ws(Z.getNodeAttribute(ce,"node"))}),$.on("clickNode",({node:ce})=>qs(ce));let ge=$.getCamera(),Ae=(new URL(location.href).searchParams.get("at")||"").split(",").map(Number);Ae.length===3&&Ae.every(Number.isFinite)&&ge.setState({x:Ae[0],y:Ae[1],ratio:Ae[2]});let et=0,ue=document.querySelector("[data-zoom=out]");ue&&(ue.hidden=!1,ue.addEventListener("click",()=>ge.animatedReset())),ge.on("updated",()=>{clearTimeout(et),et=setTimeout(async()=>{if(Ys(ge.getState()),U.total<=U.nodes.length)return;let ce=$.getDimensions(),oe=$.viewportToGraph({x:0,y:0}),Ce=$.viewportToGraph({x:ce.width,y:ce.height}),pe={x0:Math.min(oe.x,Ce.x),x1:Math.max(oe.x,Ce.x),y0:Math.min(-oe.y,-Ce.y),y1:Math.max(-oe.y,-Ce.y)},ve=ge.ratio>.95?U:await bo(pe).catch(()=>null);ve&&yo(Z,ve,O)},350)}),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{O=vo(),Z.updateEachNodeAttributes((ce,oe)=>({...oe,...wo(oe.node.state,O)})),$.setSetting("labelColor",{color:O.ink})})}function Ks(U){let O=document.createElement("img");O.src=De.dataset.graph+".svg",O.alt=Se("The addresses of this capture as a tree, coloured by state"),De.querySelectorAll("canvas").forEach(Z=>Z.remove()),De.prepend(O),rt.textContent=U,De.dataset.ready=0}De&&rt&&(document.createElement("canvas").getContext("webgl2")?Xs().catch(O=>{rt.textContent=Se("The graph could not be shown: {0}",O.message),De.dataset.ready=0}):Ks(Se("drawn as a picture: this browser has no WebGL")));})();
