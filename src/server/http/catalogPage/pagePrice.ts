import { USDC_CONTRACT, XLM_CONTRACT } from '../../../protocol/index.ts';

/** Steps of the price limit, in USDC; the last means no limit. */
export const PRICE_STEPS = ['0.001', '0.005', '0.01', '0.05', '0.1', '0.5', '1', '5', '10', '100'];

/**
 * Formats prices for people. Shows unknown assets by their contract: anybody can call an asset USDC.
 */
export const PAGE_PRICE = `
const USDC = '${USDC_CONTRACT}';
const NAMES = { [USDC]: 'USDC', '${XLM_CONTRACT}': 'XLM' };
const STEPS = ${JSON.stringify(PRICE_STEPS)};
const short = (id) => (id.length > 20 ? id.slice(0, 6) + '…' + id.slice(-6) : id);
function units(amount) {
  const digits = String(amount).padStart(8, '0');
  return digits.slice(0, -7) + '.' + digits.slice(-7).replace(/0{1,5}$/, '');
}
function atomic(usdc) {
  const [whole, part = ''] = usdc.split('.');
  return String(BigInt(whole + part.padEnd(7, '0')));
}
function usdc(atomicUnits) {
  return units(BigInt(atomicUnits)).replace(/^0+(?=[0-9])/, '');
}
function priceText(option) {
  const name = NAMES[option.asset];
  return [(option.scheme === 'upto' ? 'up to ' : '') + units(option.amount) + ' ',
    name ? name : element('code', { title: option.asset }, short(option.asset))];
}

const price = document.getElementById('price');
const priceSaid = document.getElementById('price-said');
const { maxAmount, asset } = form.elements;
function showPrice() {
  const step = STEPS[Number(price.value)];
  priceSaid.textContent = step === undefined ? 'any price' : 'at most ' + step + ' USDC';
  price.setAttribute('aria-valuetext', priceSaid.textContent);
  maxAmount.value = step === undefined ? '' : atomic(step);
  maxAmount.disabled = step === undefined;
  asset.value = step === undefined ? asked.get('asset') || '' : USDC;
  asset.disabled = asset.value === '';
}
price.addEventListener('input', showPrice);
`;
