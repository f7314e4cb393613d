/** There is no room for an entry, and none that may be taken away for it. */
export class CatalogFull extends Error {
  readonly code = 'catalog_full';

  constructor() {
    super('the catalog is full');
    this.name = 'CatalogFull';
  }
}
