import sortedBTree from 'sorted-btree';

type TreeClass = typeof sortedBTree;

/**
 * The B+ tree of `sorted-btree`. The package is CommonJS with the types of an ES module: Node and bundlers provide all of its
 * exports as the default export, and the class is among them.
 */
export const SortedTree: TreeClass = classOf(sortedBTree);

function classOf(exported: TreeClass | { readonly default: TreeClass }): TreeClass {
  return 'default' in exported ? exported.default : exported;
}
