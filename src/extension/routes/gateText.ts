/** Reads the terms in generated code as text, which is fast enough for every key press. */

export interface PayToInCode {
  readonly address: string;
  /** Offset of the address in the text. */
  readonly start: number;
}

/** Marks the start of each code block that Svc wrote. */
export const GATE_MARK = 'svc-x402: payments';
const PAY_TO =
  /payTo(?:Address)?\s*[:=]\s*(?:process\.env[.[][^?\n]{1,80}\?\?\s*)?['"`](G[A-Z2-7]{55})['"`]/g;

/** The addresses that a file's payment gates pay; none in files without code that Svc wrote. */
export function payToInCode(text: string): readonly PayToInCode[] {
  if (!text.includes(GATE_MARK)) return [];
  return [...text.matchAll(PAY_TO)].map((match) => {
    const [whole = '', address = ''] = match;
    return { address, start: (match.index ?? 0) + whole.indexOf(address) };
  });
}

export interface FacilitatorInCode {
  readonly url: string;
  /** Offset of the URL in the text. */
  readonly start: number;
}

const FACILITATOR = /FACILITATOR_URL(?:['"`]\])?\s*\?\?\s*['"`](https?:\/\/[^'"`\s]+)['"`]/g;

/** The facilitators that a file's gates call if FACILITATOR_URL is not set; none in files without a gate that Svc wrote. */
export function facilitatorsInCode(text: string): readonly FacilitatorInCode[] {
  if (!text.includes(GATE_MARK)) return [];
  return [...text.matchAll(FACILITATOR)].map((match) => {
    const [whole = '', url = ''] = match;
    return { url, start: (match.index ?? 0) + whole.lastIndexOf(url) };
  });
}

/** The price of a route in USDC, from the gate's map; `undefined` if the text does not show it. */
export function priceInCode(text: string, method: string, path: string): string | undefined {
  const key = text.search(new RegExp(`['"\`]${literal(`${method} ${path}`)}['"\`]\\s*:`));
  const from = key >= 0 ? key : text.indexOf(GATE_MARK);
  if (from < 0) return undefined;
  return /price\s*:\s*['"`]\$?(\d+(?:\.\d+)?)['"`]/.exec(text.slice(from, from + 2_000))?.[1];
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
