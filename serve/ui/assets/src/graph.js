import Graph from '../vendor/graphology.umd.min.js'
import Sigma from '../vendor/sigma.min.js'
console.debug(Graph, Sigma)
