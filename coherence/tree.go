package coherence

// node is a node of a treap: a search tree by key that is a heap by priority. The priority is
// scrambled from a counter, so that the tree is balanced as if by chance, yet the same each time.
type node struct {
	nodeKey
	id          uint64
	prio        uint64
	size        int
	left, right *node
}

// nodeKey orders nodes; of equal keys the one that was added first comes first.
type nodeKey struct {
	key float64
	seq uint64
}

func (a nodeKey) less(b nodeKey) bool {
	return a.key < b.key || a.key == b.key && a.seq < b.seq
}

// scramble makes well-mixed bits of a counter (the finaliser of splitmix64).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func sizeOf(n *node) int {
	if n == nil {
		return 0
	}
	return n.size
}

func (n *node) update() *node {
	n.size = 1 + sizeOf(n.left) + sizeOf(n.right)
	return n
}

func insert(n, x *node) *node {
	switch {
	case n == nil:
		return x
	case x.prio > n.prio:
		x.left, x.right = split(n, x.nodeKey)
		return x.update()
	case x.less(n.nodeKey):
		n.left = insert(n.left, x)
	default:
		n.right = insert(n.right, x)
	}
	return n.update()
}

// split parts a tree into keys below k and the rest.
func split(n *node, k nodeKey) (a, b *node) {
	if n == nil {
		return nil, nil
	}
	if n.less(k) {
		n.right, b = split(n.right, k)
		return n.update(), b
	}
	a, n.left = split(n.left, k)
	return a, n.update()
}

func merge(a, b *node) *node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.prio > b.prio:
		a.right = merge(a.right, b)
		return a.update()
	}
	b.left = merge(a, b.left)
	return b.update()
}

func remove(n *node, k nodeKey) *node {
	switch {
	case n == nil:
		return nil
	case n.nodeKey == k:
		return merge(n.left, n.right)
	case k.less(n.nodeKey):
		n.left = remove(n.left, k)
	default:
		n.right = remove(n.right, k)
	}
	return n.update()
}

// at0 is the node of a rank, counted from 0.
func at0(n *node, rank int) *node {
	for {
		l := sizeOf(n.left)
		switch {
		case rank < l:
			n = n.left
		case rank == l:
			return n
		default:
			rank -= l + 1
			n = n.right
		}
	}
}

// below counts the nodes whose key is less than x.
func below(n *node, x float64) int {
	count := 0
	for n != nil {
		if n.key < x {
			count += sizeOf(n.left) + 1
			n = n.right
		} else {
			n = n.left
		}
	}
	return count
}
