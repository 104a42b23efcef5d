// Package simulate has the experiments on temporal coherence: the strategies of package coherence,
// the same code that the crawler uses, on pages whose every change is known. All is seeded and in
// virtual time.
//
// Terms: a *slot* is the time from one fetch to the next. *Expected* figures come from formulas,
// *simulated* ones from drawn changes. *Oracle* rates are those of the full history of changes,
// *predicted* ones come from a predictor that learnt from a tenth of the pages. *Offline* means
// that all pages are known from the start, *online* that only pages found by links can be visited.
//
//	figure 9      share of coherent pages against how much a site changes: BFS-FIFO, BFS-LIFO, the
//	              seed's threshold rule, ours, and what full knowledge of all changes could do
//	blur          single-visit strategies on named sites: blur per page
//	incoherence   visit-revisit strategies on named sites: share of pages changed in between
//	calibration   what crawls foretell of each page, against what their revisits find
//	quality       measurable and inducible quality of the same visits
//	cost          CPU time per page of planning and foretelling
//	crawl         real crawls through the engine, against what the formula foretells
//
// Each gives a [Result], which prints as a table, as CSV, as JSON, or as a chart in SVG.
//
// Cost: figure 9 is O(levels * seeds * n log n), 10,000 pages and 30 seeds take some seconds; the
// others run every strategy once per site and seed.
package simulate
