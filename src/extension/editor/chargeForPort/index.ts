/** "Svc: Charge for a Local Port…". Loaded when the first port is sold. */
export { askSale, type PortOffer } from './askSale.ts';
export { begin, saveAs, tellSelling } from './sell.ts';
