// Package graph shows how a capture hangs together: its spanning tree, each page coloured by what
// became of it, for programs that draw graphs (GraphML, GEXF), for our own screens (JSON, View) and as
// a picture (SVG).
//
// Terms. The *spanning tree* has an edge from each page to the one it was found on: by the crawler's
// metadata or the Referer of the request, else to the nearest page above it in the path, else to its
// host. The *root* is the capture itself. A node's *colour* is the state of the page on a layer, its
// *shape* the kind of content, its *size* the number of coherent pages in its subtree (area, not
// diameter). Colours are those of the screens and shapes those of seed 000, section 3.3.3.1:
//
//	coherent  green     HTML           circle            pages and their hosts
//	changed   yellow    multimedia     hexagon           image, audio, video
//	links     red       Flash or like  rounded rectangle scripts, styles, Flash, fonts
//	missing   black     PDF, binaries  square            all else
//	unknown   grey      DNS look-up    triangle
//
// Layout is a radial tree: the root in the middle, depth is the radius, and each subtree has a sector
// as wide as its leaves. Two passes over the nodes, O(n); 65,000 nodes take some tens of milliseconds.
//
// A View is the part of the tree that fits a screen: from the root on, nodes within the viewport are
// taken by the size of their subtree, defects first among equals, until the limit is reached; what is
// not taken is told in the node above it by counts. Zooming in narrows the viewport and so shows more.
// Cost: O(k log k) for the k children of the nodes taken, not the size of the capture.
//
// Memory: about 250 bytes per page and its address.
package graph
