import { TESTNET_PASSPHRASE } from '../protocol/index.ts';
import {
  connectRpc,
  fetchTransport,
  type PaymentSigner,
  payForResource,
  type SentPayment,
  type WalletSigner,
  webPlatform,
  X402Error,
} from '../sdk/exact/index.ts';
import {
  forgetSale,
  type KeptSale,
  keepSale,
  type Resumed,
  readSale,
  resumeSale,
  saleKey,
  settlementIn,
} from './keptSale.ts';
import { element, saving, showBought } from './showBought.ts';
import { openTestWallet } from './testWallet.ts';
import { filled, wordsIn } from './words.ts';

/** Something that ends an attempt before anything was signed, in words for the person. */
class Refused extends Error {}

const words = wordsIn(document.documentElement.lang);
const at = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
};
const ways = at('ways');
const result = at('result');
/** What the page shows, and so what may be signed. */
const shown = {
  amount: BigInt(ways.dataset['amount'] ?? 0),
  price: ways.dataset['price'] ?? '',
  asset: ways.dataset['asset'] ?? '',
  payTo: ways.dataset['payTo'] ?? '',
  network: ways.dataset['network'] ?? '',
};
const base = ways.dataset['base'] ?? '';
const target = `${location.pathname}${location.search}`;
const key = saleKey(target);
const transport = fetchTransport(fetch.bind(globalThis));
const rpc = connectRpc(`${location.origin}${base}/rpc`, transport);

function say(text: string, kind: 'good' | 'bad' | '' = ''): void {
  const status = at('status');
  status.textContent = text;
  status.className = kind;
}

/** Offers these actions, and no others. */
function offer(
  actions: readonly (readonly [text: string, act: () => void, isMain?: boolean])[],
): void {
  ways.replaceChildren(
    ...actions.map(([text, act, isMain]) => {
      const button = element('button', text);
      button.type = 'button';
      if (isMain) button.className = 'main';
      button.addEventListener('click', act);
      return button;
    }),
  );
}

function offerPayment(): void {
  offer([
    [filled(words.test, shown.price), () => void pay(testWallet), true],
    [filled(words.wallet, shown.price), () => void pay(extensionWallet)],
  ]);
  const note = element('p', words.key);
  note.className = 'soft';
  ways.append(note);
}

async function testWallet(): Promise<PaymentSigner> {
  say(words.funding);
  return (await openTestWallet(shown.amount, base, rpc)).signer;
}

/** A wallet in this window with the methods of SEP-43. */
interface InjectedWallet {
  getAddress(): Promise<{
    readonly address?: string;
    readonly error?: { readonly message: string };
  }>;
  signAuthEntry: WalletSigner['signAuthEntry'];
  getNetwork?(): Promise<{ readonly networkPassphrase?: string }>;
}

/** Where extensions put themselves. SEP-43 gives the methods their form, and no place. */
function injectedWallet(): InjectedWallet | undefined {
  const from = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>(
        (value, name) =>
          typeof value === 'object' && value !== null
            ? (value as Readonly<Record<string, unknown>>)[name]
            : undefined,
        globalThis,
      );
  const isWallet = (value: unknown): value is InjectedWallet =>
    typeof value === 'object' &&
    value !== null &&
    ['getAddress', 'signAuthEntry'].every(
      (name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function',
    );
  return ['stellar', 'freighterApi', '$onekey.stellar', 'hanaWallet.stellar']
    .map(from)
    .find(isWallet);
}

async function extensionWallet(): Promise<WalletSigner> {
  const wallet = injectedWallet();
  if (wallet === undefined) throw new Refused(words.noWallet);
  const { networkPassphrase = TESTNET_PASSPHRASE } = (await wallet.getNetwork?.()) ?? {};
  if (networkPassphrase !== TESTNET_PASSPHRASE) throw new Refused(words.wrongNetwork);
  const { address, error } = await wallet.getAddress();
  if (address === undefined) throw new Refused(filled(words.failed, error?.message ?? ''));
  return {
    address,
    signAuthEntry: (preimage, options) => wallet.signAuthEntry(preimage, options),
  };
}

/** Runs one attempt at a time for this sale, in all tabs of this browser. @param ifAvailable whether to give up if one runs */
async function alone(work: () => Promise<void>, ifAvailable = true): Promise<void> {
  await navigator.locks.request(key, { ifAvailable }, async (lock) => {
    if (lock === null) {
      say(words.otherTab);
      return;
    }
    for (const button of ways.querySelectorAll('button')) button.disabled = true;
    await work();
  });
}

function pay(open: () => Promise<PaymentSigner | WalletSigner>): Promise<void> {
  return alone(async () => {
    // Another tab may have paid since this page was shown.
    const earlier = readSale(key);
    if (earlier !== undefined) {
      await resume(earlier);
      return;
    }
    try {
      await payNow(await open());
    } catch (error) {
      await explain(error);
    }
  });
}

async function payNow(signer: PaymentSigner | WalletSigner): Promise<void> {
  let sent: SentPayment | undefined;
  /** Why the browser keeps nothing: then nothing is sent. */
  let unkept: unknown;
  const { response, payment } = await payForResource(
    (headers) => {
      if (Object.keys(headers).length > 0) {
        if (sent === undefined) throw new Error('the payment is not known');
        // Before it leaves: whatever happens to this page then, nothing else is signed for this sale.
        try {
          keepSale(key, { headers, sent, state: 'sent', transaction: '', at: Date.now() });
        } catch (error) {
          unkept = error;
          throw error;
        }
        say(words.paying);
      }
      return fetch(target, { headers, cache: 'no-store', redirect: 'manual' });
    },
    {
      ...{ signer, rpc, now: Date.now, network: shown.network },
      platform: webPlatform(crypto as Parameters<typeof webPlatform>[0]),
      maxAmount: shown.amount,
      allowedAssets: [shown.asset],
      beforeSigning({ amount, payTo, asset, offered }) {
        const isSame =
          amount === shown.amount &&
          payTo === shown.payTo &&
          asset === shown.asset &&
          offered.network === shown.network;
        if (!isSame) throw new Refused(words.changed);
        say(filled(words.signing, shown.price, payTo));
      },
      beforeSending(payload) {
        sent = payload;
      },
    },
  ).catch((error: unknown) => {
    throw unkept instanceof Error ? new Refused(filled(words.failed, unkept.message)) : error;
  });
  if (payment === undefined && !response.ok) throw new Error(`status ${response.status}`);
  await delivered(response, payment?.settlement?.transaction ?? '', words.paid);
}

/** Says why an attempt ended, and what can be done. */
async function explain(error: unknown): Promise<void> {
  const kept = readSale(key);
  if (kept !== undefined) {
    // Signed bytes left this browser: only the ledger shows what became of them.
    const moved = error instanceof X402Error ? error.moneyMoved : 'unknown';
    if (moved === 'no') {
      forgetSale(key);
      say(words.void, 'bad');
      offerPayment();
      return;
    }
    await resume(kept);
    return;
  }
  if (error instanceof Refused) say(error.message, 'bad');
  else if (error instanceof X402Error && error.code === 'max_amount_exceeded') {
    say(words.changed, 'bad');
  } else if (error instanceof TypeError) say(words.noNetwork, 'bad');
  else say(filled(words.failed, error instanceof Error ? error.message : String(error)), 'bad');
  offerPayment();
}

/** Presents a kept payment again, and shows what became of it. */
async function resume(sale: KeptSale): Promise<void> {
  say(words.reading);
  const again = (): void => void alone(() => resumed());
  const resumed = async (): Promise<void> => {
    const now = readSale(key);
    if (now === undefined) {
      say('');
      offerPayment();
      return;
    }
    await resume(now);
  };
  const found: Resumed = await resumeSale(target, sale, rpc);
  switch (found.kind) {
    case 'delivered': {
      const { response, transaction } = found;
      await delivered(response, transaction, sale.state === 'paid' ? words.again : words.paid);
      return;
    }
    case 'gone':
      keepSale(key, { ...sale, state: 'paid', transaction: found.transaction });
      say(words.gone);
      offer([[words.buyAgain, buyAgain]]);
      await showReceipt(found.transaction, sale);
      return;
    case 'void':
      forgetSale(key);
      say(words.void, 'bad');
      offerPayment();
      return;
    case 'owed':
      say(filled(words.owed, String(found.status)), 'bad');
      offer([[words.retry, again, true]]);
      await showReceipt(found.transaction, sale);
      return;
    case 'open':
      say(
        found.until === undefined ? words.open : filled(words.openUntil, String(found.until)),
        'bad',
      );
      offer([[words.retry, again, true]]);
      return;
    case 'offline':
      say(words.offline, 'bad');
      offer([[words.retry, again, true]]);
      addEventListener('online', again, { once: true });
  }
}

/** A new sale, which a person asks for after the earlier one was paid. */
function buyAgain(): void {
  const kept = readSale(key);
  if (kept?.state === 'paid') forgetSale(key);
  result.hidden = true;
  say('');
  offerPayment();
}

async function delivered(response: Response, transaction: string, text: string): Promise<void> {
  const kept = readSale(key);
  const hash = transaction || (settlementIn(response)?.transaction ?? '');
  if (kept !== undefined) keepSale(key, { ...kept, state: 'paid', transaction: hash });
  result.replaceChildren();
  await showBought(result, response, { target, base, words });
  result.hidden = false;
  say(text, 'good');
  offer([[words.buyAgain, buyAgain]]);
  if (kept !== undefined) await showReceipt(hash, kept);
  result.focus();
}

async function showReceipt(transaction: string, { sent, at: time }: KeptSale): Promise<void> {
  document.getElementById('receipt')?.remove();
  const ledger = /^[0-9a-f]{64}$/.test(transaction)
    ? await rpc
        .transaction(transaction as Parameters<typeof rpc.transaction>[0])
        .then((found) => found?.ledger)
        .catch(() => undefined)
    : undefined;
  const rows: readonly (readonly [string, string])[] = [
    [words.transaction, transaction],
    [words.ledger, ledger === undefined ? '' : String(ledger)],
    [words.amount, shown.price],
    [words.from, sent.payer],
    [words.to, sent.payTo],
    [words.time, new Date(time).toISOString()],
  ];
  const list = element('dl');
  for (const [name, value] of rows) {
    if (value === '') continue;
    const definition = element('dd', value);
    definition.className = 'code';
    list.append(element('dt', name), definition);
  }
  const receipt = element('section');
  receipt.id = 'receipt';
  const { payer, payTo, asset, amount } = sent;
  const saved = {
    ...{ url: location.href, network: shown.network, transaction, ledger },
    ...{ payer, payTo, asset, amount: String(amount), time: new Date(time).toISOString() },
  };
  receipt.append(
    element('h2', words.receipt),
    list,
    saving(words.saveReceipt, `${JSON.stringify(saved, undefined, 2)}\n`, 'receipt.json'),
  );
  result.append(receipt);
  result.hidden = false;
}

function start(): void {
  const isOld = navigator.locks === undefined || globalThis.indexedDB === undefined;
  if (!isSecureContext || isOld) {
    say(isSecureContext ? words.old : words.insecure, 'bad');
    return;
  }
  const kept = readSale(key);
  if (kept === undefined) offerPayment();
  else void alone(() => resume(kept));
  // Another tab paid, or is paying.
  addEventListener('storage', ({ key: changed }) => {
    if (changed !== key) return;
    const sale = readSale(key);
    if (sale?.state === 'paid' && result.hidden) void alone(() => resume(sale), false);
    else if (sale === undefined && result.hidden) offerPayment();
  });
}

start();
