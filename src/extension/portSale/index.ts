/** Selling what a local port serves, through a proxy in front of it. Does not import the editor's API. */

export { type Sale, type SaleEnd, SaleFailed, type SaleTerms, startSale } from './sale.ts';
export { saleFile } from './saleFile.ts';
export { originOf, whatIsWrongWithTarget } from './saleTarget.ts';
