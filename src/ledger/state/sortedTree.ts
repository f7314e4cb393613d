import sortedBTree from 'sorted-btree';

type TreeClass = typeof sortedBTree;

/**
 * The B+ tree of `sorted-btree`. The package is CommonJS with the types of an ES module: what Node
 * and bundlers hand out as its default is the whole of its exports, which holds the class.
 */
export const SortedTree: TreeClass = classOf(sortedBTree);

function classOf(exported: TreeClass | { readonly default: TreeClass }): TreeClass {
  return 'default' in exported ? exported.default : exported;
}
