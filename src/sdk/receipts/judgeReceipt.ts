import type { IncludedTransaction } from '../../protocol/fate/index.ts';
import {
  type ContractAddress,
  formatDecimalAmount,
  oneLine,
  parseStellarAddress,
  type SettlementHash,
  USDC_CONTRACT,
} from '../../protocol/index.ts';
import {
  didOfKey,
  didWebOf,
  entriesName,
  KEY_ENTRIES,
  originNames,
  RECEIPT_PROBLEMS,
  type ReceiptFile,
  type ReceiptProblem,
  TOML_KEYS,
  tomlNames,
  type VerifyEd25519,
  type VerifyingPorts,
  verifyOffer,
  verifyReceipt,
} from '../../protocol/receipts/index.ts';
import { arrivedIn } from '../../protocol/stellar/index.ts';

/** What a sentence of a judgement is about. */
export type FindingAbout = 'offer' | 'receipt' | 'origin' | 'pay_to' | 'ledger';

/** One thing that was looked at. */
export interface Finding {
  readonly about: FindingAbout;
  /** `holds`: it was checked. `open`: nothing shows it, or nobody was asked. `fails`: it is not so. */
  readonly verdict: 'holds' | 'open' | 'fails';
  /** Who can check it: anyone with the file, only who asks the web, or only who asks the ledger. */
  readonly where: 'file' | 'web' | 'ledger';
  /** Of what fails, the reason as a code. */
  readonly reason?: ReceiptProblem | 'omitted' | 'other_payment';
  /** In one or two sentences. */
  readonly words: string;
}

/** What is known of a seller's signed words. It says nothing of the money: only the ledger does. */
export interface Judgement {
  /** `fails` if one finding fails, otherwise `holds` if offer or receipt hold. `open`: there was nothing to verify. */
  readonly verdict: Finding['verdict'];
  /** `did:key` of the key that signed; `undefined` if nothing that it signed holds. */
  readonly signer: string | undefined;
  readonly findings: readonly Finding[];
}

/** An account on the ledger, as far as it names keys. */
export interface NamingAccount {
  /** Empty if it has none. */
  readonly homeDomain: string;
  /** The texts of its entries `KEY_ENTRIES`. */
  readonly entries: readonly string[];
}

/** What is read besides the file. Each may be left out; a reader that rejects leaves its question open. */
export interface ReceiptReaders {
  /** Returns the JSON at `/.well-known/did.json` of an origin over HTTPS; `undefined` if there is none. */
  readonly didDocument?: ((origin: string) => Promise<unknown>) | undefined;
  /** Returns the text of a domain's `stellar.toml`; `undefined` if there is none. */
  readonly stellarToml?: ((domain: string) => Promise<string | undefined>) | undefined;
  /** Returns an account (`G…`); `undefined` if it does not exist. */
  readonly account?: ((address: string) => Promise<NamingAccount | undefined>) | undefined;
  /** Returns a transaction; `undefined` if the server does not have it. */
  readonly transaction?:
    | ((hash: SettlementHash) => Promise<IncludedTransaction | undefined>)
    | undefined;
}

export interface JudgeOptions {
  readonly verifyEd25519: VerifyEd25519;
  /** In seconds since 1970. */
  readonly now: number;
  readonly readers?: ReceiptReaders | undefined;
}

/** The result of a reader that may be absent, or fail. */
type Read<T> =
  | { readonly asked: true; readonly value: T | undefined }
  | { readonly asked: false; readonly why: 'nobody' | 'failed' };

async function read<T>(ask: (() => Promise<T | undefined>) | undefined): Promise<Read<T>> {
  if (ask === undefined) return { asked: false, why: 'nobody' };
  try {
    return { asked: true, value: await ask() };
  } catch {
    return { asked: false, why: 'failed' };
  }
}

/**
 * Judges what a seller signed: offer and receipt against the request, the terms and the payment, then who the key speaks for, and
 * what the ledger has. Without readers it needs no network, and says which questions stay open. Never throws for what a seller sent.
 */
export async function judgeReceipt(file: ReceiptFile, options: JudgeOptions): Promise<Judgement> {
  const { readers = {}, now, verifyEd25519 } = options;
  const { origin, protocol } = new URL(file.url);
  const { didDocument } = readers;
  // The only origin that is asked is that of the request: a receipt cannot name another.
  const isWeb = protocol === 'https:';
  const document = await read(
    didDocument === undefined || !isWeb ? undefined : () => didDocument(origin),
  );
  const named = document.asked ? document.value : undefined;
  const ports: VerifyingPorts = {
    verifyEd25519,
    documents: named === undefined ? {} : { [didWebOf(origin)]: named },
  };
  const offer = judgeOffer(file, ports);
  const receipt = judgeSigned(file, ports, now, offer.key);
  const key = receipt.key ?? offer.key;
  const findings = [...offer.findings, ...receipt.findings];
  if (key !== undefined) {
    findings.push(judgeOrigin(origin, key, document, isWeb));
    findings.push(await judgePayTo(file.paid.payTo, key, readers));
  }
  findings.push(await judgeLedger(file, readers));
  const has = (verdict: Finding['verdict']): boolean =>
    findings.some((each) => each.verdict === verdict);
  return {
    verdict: has('fails') ? 'fails' : key === undefined ? 'open' : 'holds',
    signer: key === undefined ? undefined : didOfKey(key),
    findings,
  };
}

/** @property key that signed what holds */
interface Judged {
  readonly key: Uint8Array | undefined;
  readonly findings: readonly Finding[];
}

function failed(about: 'offer' | 'receipt', reason: ReceiptProblem): Judged {
  const words = `The ${about} does not hold. ${RECEIPT_PROBLEMS[reason]}`;
  // Without the document of its key, nothing can be said of a signature.
  const verdict = reason === 'did_unresolved' ? 'open' : 'fails';
  return { key: undefined, findings: [{ about, verdict, where: 'file', reason, words }] };
}

function omitted(about: 'offer' | 'receipt'): Finding {
  const words = `${about === 'offer' ? 'Not every offer' : 'The receipt'} was short enough to be kept, so it was not verified.`;
  return { about, verdict: 'open', where: 'file', reason: 'omitted', words };
}

function judgeOffer(file: ReceiptFile, ports: VerifyingPorts): Judged {
  const { offers, paid, url, paidAt } = file;
  const left = file.omitted.includes('offers') ? [omitted('offer')] : [];
  if (offers.length === 0) {
    if (left.length > 0) return { key: undefined, findings: left };
    const words = 'The seller signed no offer, so its terms are not proved.';
    return {
      key: undefined,
      findings: [{ about: 'offer', verdict: 'open', where: 'file', words }],
    };
  }
  // A seller signs an offer for each way to pay; the one that was paid has to hold.
  const expected = { accepts: [paid], resourceUrl: url, at: paidAt };
  const judged = offers.map((offer) => verifyOffer(offer, expected, ports));
  const good = judged.find(({ ok }) => ok);
  if (good?.ok) {
    const amount = priceOf(paid);
    const words = `The offer is signed by ${didOfKey(good.signer.publicKey)}: ${amount} to ${paid.payTo} on ${paid.network} for ${oneLine(url)}, valid at that time.`;
    const finding = { about: 'offer', verdict: 'holds', where: 'file', words } as const;
    return { key: good.signer.publicKey, findings: [finding, ...left] };
  }
  const [first] = judged;
  const reason = first?.ok === false ? first.reason : 'artifact_malformed';
  return { key: undefined, findings: [...failed('offer', reason).findings, ...left] };
}

function judgeSigned(
  { receipt, omitted: left, url, paid, payer, transaction, paidAt }: ReceiptFile,
  ports: VerifyingPorts,
  now: number,
  signerKey: Uint8Array | undefined,
): Judged {
  if (receipt === undefined) {
    const words = 'The seller signed no receipt.';
    const none: Finding = { about: 'receipt', verdict: 'open', where: 'file', words };
    return { key: undefined, findings: [left.includes('receipt') ? omitted('receipt') : none] };
  }
  const known = transaction === '' ? undefined : transaction;
  const { network } = paid;
  const judged = verifyReceipt(
    receipt,
    { ...{ resourceUrl: url, network, payer, transaction: known, signerKey, paidAt, now } },
    ports,
  );
  if (!judged.ok) return failed('receipt', judged.reason);
  const { payload, signer } = judged;
  const did = didOfKey(signer.publicKey);
  const at = new Date(payload.issuedAt * 1_000).toISOString();
  const hash =
    payload.transaction === undefined
      ? 'It names no transaction, so it fits every payment of this payer for this resource.'
      : known === undefined
        ? `It names transaction ${payload.transaction}, which this file has nothing to compare with.`
        : `It names transaction ${payload.transaction}.`;
  const words = `The receipt is signed by ${did}, with the date ${at}, and says that ${payer} paid for ${oneLine(url)}. ${hash}`;
  const finding = { about: 'receipt', verdict: 'holds', where: 'file', words } as const;
  return { key: signer.publicKey, findings: [finding] };
}

function judgeOrigin(
  origin: string,
  key: Uint8Array,
  document: Read<unknown>,
  isWeb: boolean,
): Finding {
  const finding = { about: 'origin', where: 'web' } as const;
  const open = (why: string): Finding => ({
    ...{ ...finding, verdict: 'open' },
    words: `Nothing says that this key speaks for ${origin}: ${why}`,
  });
  if (!isWeb) return open('only an origin over HTTPS can name keys.');
  if (!document.asked) {
    return open(
      document.why === 'nobody'
        ? 'its /.well-known/did.json was not read.'
        : 'reading its /.well-known/did.json failed.',
    );
  }
  if (document.value === undefined) return open('it has no /.well-known/did.json.');
  if (!originNames(document.value, origin, key)) {
    return open('its /.well-known/did.json does not name this key.');
  }
  const words = `This key speaks for ${origin}, because its /.well-known/did.json names it.`;
  return { ...finding, verdict: 'holds', words };
}

async function judgePayTo(
  payTo: string,
  key: Uint8Array,
  { account: readAccount, stellarToml }: ReceiptReaders,
): Promise<Finding> {
  const finding = { about: 'pay_to', where: 'ledger' } as const;
  const open = (why: string): Finding => ({
    ...{ ...finding, verdict: 'open' },
    words: `Nothing says that this key speaks for ${oneLine(payTo)}: ${why}`,
  });
  const address = parseStellarAddress(payTo);
  if (address === undefined) return open('it is not a Stellar address.');
  if (payTo.startsWith('C')) return open('a contract has no entries that name keys.');
  const account = await read(readAccount === undefined ? undefined : () => readAccount(payTo));
  if (!account.asked) {
    return open(
      account.why === 'nobody' ? 'the ledger was not asked.' : 'asking the ledger failed.',
    );
  }
  if (account.value === undefined) return open('the account does not exist.');
  const { entries, homeDomain } = account.value;
  if (entriesName(entries, key)) {
    const words = `This key speaks for ${payTo}, because its entry ${KEY_ENTRIES.join(' or ')} on the ledger names it.`;
    return { ...finding, verdict: 'holds', words };
  }
  const domain = DOMAIN.test(homeDomain) ? homeDomain : undefined;
  if (domain === undefined) return open('neither its entries nor a home domain name it.');
  const toml = await read(stellarToml === undefined ? undefined : () => stellarToml(domain));
  if (!toml.asked) {
    return open(
      toml.why === 'nobody'
        ? `its entries do not name it, and the stellar.toml of ${domain} was not read.`
        : `its entries do not name it, and reading the stellar.toml of ${domain} failed.`,
    );
  }
  if (toml.value === undefined || !tomlNames(toml.value, payTo, key)) {
    return open(
      `neither its entries nor ${TOML_KEYS} in the stellar.toml of ${domain} name it for this account.`,
    );
  }
  const words = `This key speaks for ${payTo}, because the stellar.toml of its home domain ${domain} names both.`;
  return { ...finding, verdict: 'holds', words };
}

/** A domain with a dot; not a host with a port, and not an address. */
const DOMAIN = /^(?=.{3,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

async function judgeLedger(file: ReceiptFile, { transaction }: ReceiptReaders): Promise<Finding> {
  const finding = { about: 'ledger', where: 'ledger' } as const;
  const open = (words: string): Finding => ({ ...finding, verdict: 'open', words });
  const { transaction: hash, paid, payer } = file;
  if (hash === '') return open('No transaction is known, so the ledger cannot show the payment.');
  const found = await read(
    transaction === undefined ? undefined : () => transaction(hash as SettlementHash),
  );
  if (!found.asked) {
    return open(
      `Only the ledger knows whether transaction ${hash} paid: ${found.why === 'nobody' ? 'it was not asked' : 'asking it failed'}.`,
    );
  }
  const { value } = found;
  if (value === undefined) {
    return open(`The RPC server does not have transaction ${hash}; older ones are forgotten.`);
  }
  const fails = (words: string): Finding => ({
    ...{ ...finding, verdict: 'fails', reason: 'other_payment', words },
  });
  if (!value.successful) return fails(`Transaction ${hash} failed on the ledger: it paid nothing.`);
  const { movements, ledger } = value;
  const parties = [payer, paid.payTo].map(parseStellarAddress);
  const [from, to] = parties;
  if (from === undefined || to === undefined) {
    return fails('Payer or recipient in this file is not a Stellar address.');
  }
  if (movements === undefined) {
    return open(`The RPC server shows no events of transaction ${hash}, so not what it moved.`);
  }
  const asset = paid.asset as ContractAddress;
  const arrived = arrivedIn(movements, { asset, payer: from, payTo: to });
  if (arrived < BigInt(paid.amount)) {
    return fails(
      `Transaction ${hash} did not bring ${priceOf(paid)} from ${payer} to ${paid.payTo}.`,
    );
  }
  const words = `Ledger ${ledger} has transaction ${hash}, which brought ${priceOf(paid)} from ${payer} to ${paid.payTo}.`;
  return { ...finding, verdict: 'holds', words };
}

function priceOf({ asset, amount }: ReceiptFile['paid']): string {
  return asset === USDC_CONTRACT
    ? `${formatDecimalAmount(BigInt(amount))} USDC`
    : `${amount} units of ${oneLine(asset)}`;
}
