/** The catalog is full, and no entry can be removed to make room. */
export class CatalogFull extends Error {
  readonly code = 'catalog_full';

  constructor() {
    super('the catalog is full');
    this.name = 'CatalogFull';
  }
}
