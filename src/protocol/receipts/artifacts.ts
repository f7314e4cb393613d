import { parseContractAddress, parseStellarAddress } from '../../../common/address.ts';
import { hasHiddenCharacter } from '../../../common/visibleText.ts';

/** Name of the extension in `extensions` of a challenge and of a settlement's response. */
export const OFFER_RECEIPT = 'offer-receipt';

/** The version of both payloads. */
const PAYLOAD_VERSION = 1;

/** What a seller signs before the payment: these terms are its own. Seconds are those of Unix time. */
export interface OfferPayload {
  readonly version: typeof PAYLOAD_VERSION;
  /** Absolute URL of what is sold. */
  readonly resourceUrl: string;
  readonly scheme: string;
  /** A CAIP-2 id, such as `stellar:testnet`. */
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  /** In atomic units, decimal. */
  readonly amount: string;
  /** In seconds. */
  readonly validUntil?: number | undefined;
}

/** What a seller signs with its response: this payer paid for this resource. Seconds are those of Unix time. */
export interface ReceiptPayload {
  readonly version: typeof PAYLOAD_VERSION;
  readonly network: string;
  readonly resourceUrl: string;
  readonly payer: string;
  /** In seconds. */
  readonly issuedAt: number;
  /** Hash of the settlement's transaction. A receipt without it cannot be compared with the ledger. */
  readonly transaction?: string | undefined;
}

/** An offer or a receipt as it travels. */
export interface SignedArtifact {
  readonly format: 'jws';
  /** JWS in compact form; it contains the payload. */
  readonly signature: string;
  /** Of an offer: which of `accepts` it is for. Not signed, and never believed. */
  readonly acceptIndex?: number;
}

/** Why a payload is refused. */
export type PayloadProblem =
  | 'version_unsupported'
  | 'member_missing'
  | 'member_unknown'
  | 'resource_url_malformed'
  | 'network_malformed'
  | 'asset_malformed'
  | 'address_malformed'
  | 'amount_malformed'
  | 'time_malformed'
  | 'transaction_malformed'
  | 'scheme_malformed';

type Members = Readonly<Record<string, unknown>>;

/** Characters of any text in a payload. */
const MAX_TEXT = 2048;
/** Later than any time in seconds, and before any in milliseconds. */
const MAX_SECONDS = 10_000_000_000;

const OFFER_MEMBERS = 'amount asset network payTo resourceUrl scheme version'.split(' ');
const RECEIPT_MEMBERS = 'issuedAt network payer resourceUrl version'.split(' ');

const isPlain = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= MAX_TEXT &&
  !hasHiddenCharacter(value);

const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < MAX_SECONDS;

function isUrl(text: unknown): text is string {
  if (!isPlain(text) || /[\s\\]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}

const isNetwork = (text: unknown): text is string =>
  typeof text === 'string' && /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/.test(text);

const isStellar = (network: string): boolean => network.startsWith('stellar:');

/** Addresses of other networks are compared, and not read: their letters may differ in ways that this code does not know. */
const isAddress = (network: string, text: unknown): text is string =>
  isPlain(text) && (!isStellar(network) || parseStellarAddress(text) !== undefined);

function membersProblem(
  members: Members,
  required: readonly string[],
  optional: string,
): PayloadProblem | undefined {
  const { version } = members;
  if (version !== PAYLOAD_VERSION) {
    return version === undefined ? 'member_missing' : 'version_unsupported';
  }
  if (!required.every((name) => members[name] !== undefined)) return 'member_missing';
  const isKnown = (name: string): boolean => required.includes(name) || name === optional;
  return Object.keys(members).every(isKnown) ? undefined : 'member_unknown';
}

/** Reads the payload of an offer. Members that it may not have are refused: one text could be an offer and a receipt. */
export function readOfferPayload(members: Members): OfferPayload | PayloadProblem {
  const problem = membersProblem(members, OFFER_MEMBERS, 'validUntil');
  if (problem !== undefined) return problem;
  const { resourceUrl, scheme, network, asset, payTo, amount, validUntil } = members;
  if (!isUrl(resourceUrl)) return 'resource_url_malformed';
  if (typeof scheme !== 'string' || !/^[a-z0-9-]{1,64}$/.test(scheme)) return 'scheme_malformed';
  if (!isNetwork(network)) return 'network_malformed';
  if (!isPlain(asset) || (isStellar(network) && parseContractAddress(asset) === undefined)) {
    return 'asset_malformed';
  }
  if (!isAddress(network, payTo)) return 'address_malformed';
  if (typeof amount !== 'string' || !/^(0|[1-9]\d{0,77})$/.test(amount)) return 'amount_malformed';
  if (validUntil !== undefined && !isMoment(validUntil)) return 'time_malformed';
  return {
    ...{ version: PAYLOAD_VERSION, resourceUrl, scheme, network, asset, payTo, amount },
    ...(validUntil === undefined ? {} : { validUntil }),
  };
}

/** Reads the payload of a receipt, as strictly. */
export function readReceiptPayload(members: Members): ReceiptPayload | PayloadProblem {
  const problem = membersProblem(members, RECEIPT_MEMBERS, 'transaction');
  if (problem !== undefined) return problem;
  const { network, resourceUrl, payer, issuedAt, transaction } = members;
  if (!isNetwork(network)) return 'network_malformed';
  if (!isUrl(resourceUrl)) return 'resource_url_malformed';
  if (!isAddress(network, payer)) return 'address_malformed';
  if (!isMoment(issuedAt)) return 'time_malformed';
  if (transaction !== undefined) {
    if (!isPlain(transaction)) return 'transaction_malformed';
    if (isStellar(network) && !/^[0-9a-f]{64}$/.test(transaction)) return 'transaction_malformed';
  }
  return {
    ...{ version: PAYLOAD_VERSION, network, resourceUrl, payer, issuedAt },
    ...(transaction === undefined ? {} : { transaction }),
  };
}
