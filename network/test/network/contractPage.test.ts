import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Address, Asset, Keypair, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
import { failingContract } from '../helpers/failingContract.ts';
import { deploy } from './deploy.ts';
import { hashOf, type Scene, startScene } from './scene.ts';
import { openPage, shownPage } from './shownPage.ts';

const MODULE = readFileSync(new URL('../../../contracts/wasm/upto.wasm', import.meta.url));

/** A module that declares an interface and holds nothing else. */
function declaring(...entries: readonly xdr.ScSpecEntry[]): Uint8Array {
  const name = Buffer.from('contractspecv0');
  const spec = Buffer.concat(entries.map((entry) => entry.toXdr()));
  const content = [name.length, ...name, ...spec];
  const size = [
    0x80 | (content.length & 0x7f),
    0x80 | ((content.length >> 7) & 0x7f),
    content.length >> 14,
  ];
  return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0, ...size, ...content]);
}

function entryOf(data: xdr.LedgerEntryData): string {
  return new xdr.LedgerEntry({
    lastModifiedLedgerSeq: 1,
    data,
    ext: xdr.LedgerEntryExt.v0(),
  }).toXdr('base64');
}

/** Puts a contract on the ledger by hand, whatever its module is. */
async function put({ ledger }: Scene, salt: string, code: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(code).digest();
  const id = createHash('sha256').update(salt).digest();
  const instance = new xdr.ScContractInstance({
    executable: xdr.ContractExecutable.contractExecutableWasm(hash),
    storage: null,
  });
  const ext = xdr.ContractCodeEntryExt.v0();
  const stored = [
    xdr.LedgerEntryData.contractCode(new xdr.ContractCodeEntry({ ext, hash, code })),
    xdr.LedgerEntryData.contractData(
      dataOf(id, xdr.ScVal.scvLedgerKeyContractInstance(), xdr.ScVal.scvContractInstance(instance)),
    ),
  ];
  for (const data of stored) await ledger.control('svc_setEntry', { entry: entryOf(data) });
  return Address.contract(id).toString();
}

function dataOf(id: Uint8Array, key: xdr.ScVal, val: xdr.ScVal): xdr.ContractDataEntry {
  return new xdr.ContractDataEntry({
    ext: xdr.ExtensionPoint.v0(),
    contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(id)),
    key,
    durability: xdr.ContractDataDurability.persistent,
    val,
  });
}

async function until(shown: () => string, wanted: RegExp): Promise<string> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (wanted.test(shown())) return shown();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the page never shows ${wanted}: ${shown()}`);
}

describe('the page of a contract', () => {
  let scene: Scene;
  let usdc: string;
  before(async () => {
    scene = await startScene();
    usdc = scene.ledger.accounts.usdcContract;
  });
  after(() => scene[Symbol.asyncDispose]());

  const json = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${scene.url}${path}`, init);
    const body = (await response.json()) as Record<string, never>;
    return { status: response.status, body };
  };
  const ask = (contract: string, body: unknown, type = 'application/json') =>
    json(`/contract/${contract}/call`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('shows its interface, code hash, storage and time to live', async () => {
    const owner = await scene.account();
    const contract = (await deploy(scene, owner, MODULE)).contractId();
    const text = await shownPage(scene.url, `/contract/${contract}`);
    const hash = createHash('sha256').update(MODULE).digest('hex');
    assert.ok(text.includes(`Code ${hash} , ${MODULE.length.toLocaleString('en')} bytes`), text);
    assert.match(text, /Name upto/);
    assert.match(text, /Code TTL until ledger [\d,]+ \([\d,]+ more\)/);
    assert.match(text, /Instance TTL until ledger [\d,]+ \([\d,]+ more\)/);
    assert.match(text, /settle\([^)]*from: Address, to: Address[^)]*\)/);
    assert.match(text, /Errors Number Name Meaning/);
    assert.match(text, /instance instance until ledger/);
  });

  it('shows the functions of an asset, which has no code of its own', async () => {
    const text = await shownPage(scene.url, `/contract/${usdc}`);
    assert.match(text, /Stellar Asset Contract, part of the network/);
    assert.match(text, /transfer\(from: Address, to: MuxedAddress, amount: i128\)/);
    assert.match(text, /10 BalanceError the balance is too small/);
  });

  it('pages through storage, each entry once, with its last live ledger', async () => {
    const holders = Array.from({ length: 60 }, (_, at) =>
      StrKey.encodeContract(createHash('sha256').update(`holder ${at}`).digest()),
    );
    for (const account of holders) {
      const asset = `USDC:${scene.ledger.accounts.usdcIssuer}`;
      await scene.ledger.control('svc_setBalance', { account, asset, amount: '2.5' });
    }
    const keys: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
      const { body } = await json(`/contract/${usdc}/storage?cursor=${cursor}`);
      const { entries, next, ledger } = body as unknown as {
        entries: { key: string; value: string; liveUntilLedger: number }[];
        next: string | null;
        ledger: number;
      };
      assert.ok(entries.length <= 25);
      assert.ok(entries.every(({ liveUntilLedger }) => liveUntilLedger > ledger));
      keys.push(...entries.map(({ key }) => key));
      cursor = next;
    }
    assert.equal(new Set(keys).size, keys.length);
    for (const holder of holders)
      assert.ok(
        keys.some((key) => key.includes(holder)),
        holder,
      );
    const page = await openPage(scene.url, `/contract/${usdc}`);
    const count = () => page.text().split('Balance, ').length;
    const first = count();
    page.find('button', 'More').do('click');
    for (let tries = 0; count() === first && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(count() >= first + 25);
  });

  it('treats an invalid cursor as the beginning or the end, and never fails', async () => {
    for (const cursor of ['%00', '!!', 'AAAA', 'x'.repeat(9_000), '%ff%fe']) {
      assert.equal(
        (await fetch(`${scene.url}/contract/${usdc}/storage?cursor=${cursor}`)).ok,
        true,
      );
    }
    for (const id of ['C', 'GAAA', '%3Cscript%3E', usdc.replace(/.$/, 'B')]) {
      const response = await fetch(`${scene.url}/contract/${id}/storage`);
      assert.equal(response.status, 404, id);
      assert.equal((await fetch(`${scene.url}/contract/${id}/interface`)).status, 404, id);
    }
  });

  it('shows what an archived entry held, and that it is archived', async () => {
    const contract = await put(scene, 'archived', failingContract(28).wasm);
    const key = xdr.ScVal.scvSymbol('old');
    const entry = xdr.LedgerEntryData.contractData(
      dataOf(StrKey.decodeContract(contract), key, xdr.ScVal.scvU32(77)),
    );
    await scene.ledger.control('svc_setEntry', { entry: entryOf(entry) });
    const ledgerKey = xdr.LedgerKey.contractData(
      new xdr.LedgerKeyContractData({
        contract: new Address(contract).toScAddress(),
        key,
        durability: xdr.ContractDataDurability.persistent,
      }),
    );
    await scene.ledger.control('svc_expireEntry', { key: ledgerKey.toXdr('base64') });
    const text = await shownPage(scene.url, `/contract/${contract}`);
    assert.match(text, /old persistent archived 77/);
  });

  it('simulates a filled-in call, and shows its tree', async () => {
    const holder = await scene.account();
    await scene.buyUsdc(holder, '3');
    const page = await openPage(scene.url, `/contract/${usdc}`);
    const choice = page.find('select', 'function');
    const options = choice.children.map((one) => (typeof one === 'string' ? '' : one.text));
    choice.value = String(options.indexOf('balance'));
    choice.do('change');
    page.find('input', 'argument').value = holder.publicKey();
    page.find('input', 'source').value = holder.publicKey();
    page.find('form', 'call').do('submit');
    await until(page.text, /The call would succeed .*returned 3(?:\.0+)? USDC/);
  });

  it('calls with a new account of its own: the network accepts its signature', async () => {
    const contract = await put(scene, 'called', failingContract(28).wasm);
    const page = await openPage(scene.url, `/contract/${contract}`);
    const choice = page.find('select', 'function');
    const options = choice.children.map((one) => (typeof one === 'string' ? '' : one.text));
    choice.value = String(options.indexOf('speak'));
    choice.do('change');
    page.find('input', 'argument').value = 'Blue';
    page.find('button', 'New account').do('click');
    await until(page.text, /has 10,000 XLM/);
    page.find('button', 'Call').do('click');
    const text = await until(page.text, /The call succeeded/);
    assert.match(text, /Transaction [0-9a-f]{8}…/);
    assert.match(text, /log the paint is dry/);
    assert.match(text, /for inclusion 100 stroops/);
  });

  it('says why a call would fail, and sends nothing', async () => {
    const contract = await put(scene, 'fails', failingContract(28).wasm);
    const { body } = await ask(contract, {
      function: 'fail',
      arguments: [],
      source: scene.ledger.accounts.sponsor.address,
    });
    const { trace, transaction } = body as unknown as {
      trace: { failure: { name: string } };
      transaction: null;
    };
    assert.equal(trace.failure.name, 'TooBlue');
    assert.equal(transaction, null);
  });

  it('refuses arguments with a message, by the name of the input', async () => {
    const { sponsor } = scene.ledger.accounts;
    const call = (args: unknown, name = 'transfer') =>
      ask(usdc, { function: name, arguments: args, source: sponsor.address });
    const errors = [
      [await call(['G', sponsor.address, '1']), /^from: Enter an address/],
      [
        await call([sponsor.address, sponsor.address, '1.5']),
        /^amount: Enter a whole number \(i128\)/,
      ],
      [
        await call([sponsor.address, sponsor.address, '9'.repeat(60)]),
        /^amount: The number does not fit/,
      ],
      [await call([sponsor.address]), /^transfer takes 3 arguments/],
      [await call([{}, [], null]), /^from: Enter at most/],
      [await call([], 'constructor'), /does not declare/],
      [await call([], '__constructor'), /does not declare/],
      [await ask(usdc, { function: 'decimals', arguments: [], source: usdc }), /^source: /],
      [await ask(usdc, 'not json'), /not JSON/],
      [await ask(usdc, 'null'), /^source: /],
      [await ask(usdc, `"${'x'.repeat(200_000)}"`), /too large/],
      [await ask(usdc, '{}', 'text/plain'), /Content-Type/],
    ] as const;
    for (const [{ status, body }, words] of errors) {
      assert.equal(status, 400);
      assert.match(String(body['error']), words);
    }
  });

  it('shows strangers’ text as text: no markup, nothing invisible, however much there is', async () => {
    const nasty = `<img src=x onerror=alert(1)>\u202e\u0000${'A'.repeat(500)}`;
    const doc = nasty;
    const type = xdr.ScSpecTypeDef.scSpecTypeUdt(
      new xdr.ScSpecTypeUdt({ name: '<b>type</b>\u202e' }),
    );
    const functions = Array.from({ length: 500 }, (_, at) =>
      xdr.ScSpecEntry.scSpecEntryFunctionV0(
        new xdr.ScSpecFunctionV0({
          ...{ doc, name: `f${at}`, outputs: [] },
          inputs: [new xdr.ScSpecFunctionInputV0({ doc: '', name: '<script>\u202e', type })],
        }),
      ),
    );
    const errors = xdr.ScSpecEntry.scSpecEntryUdtErrorEnumV0(
      new xdr.ScSpecUdtErrorEnumV0({
        ...{ doc: '', lib: '', name: 'E' },
        cases: [new xdr.ScSpecUdtErrorEnumCaseV0({ doc, name: '<i>x\u202e', value: 1 })],
      }),
    );
    const contract = await put(scene, 'nasty', declaring(...functions, errors));
    const response = await fetch(`${scene.url}/contract/${contract}/interface`);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    const body = await response.text();
    assert.ok(body.length < 100_000);
    assert.doesNotMatch(body, /\u202e|\\u202e|\\u0000/);
    const page = await openPage(scene.url, `/contract/${contract}`);
    assert.match(page.text(), /f0\(<script>: <b>type<\/b>\)/);
    const tags = new Set([...page.part('main').all()].map(({ tag }) => tag));
    for (const tag of ['script', 'img', 'b', 'i']) assert.ok(!tags.has(tag), tag);
  });

  it('describes calls in words, and failures with their reason', async () => {
    const [from, to] = [await scene.account(), await scene.account()];
    await scene.buyUsdc(from, '3');
    await scene.buyUsdc(to, '1');
    const send = async (amount: bigint) => {
      const transfer = Operation.invokeContractFunction({
        contract: usdc,
        function: 'transfer',
        args: [
          new Address(from.publicKey()).toScVal(),
          new Address(to.publicKey()).toScVal(),
          xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: 0n, lo: amount })),
        ],
      });
      const ready = await scene.server.prepareTransaction(await scene.signed(from, transfer));
      ready.sign(from);
      return ready;
    };
    const { txHash } = await scene.submit(await send(20_000_000n));
    const shown = await shownPage(scene.url, '/');
    const short = (id: string): string => `${id.slice(0, 8)}…${id.slice(-8)}`;
    const words = `.transfer(from: ${short(from.publicKey())} , to: ${short(to.publicKey())} , amount: 2 USDC)`;
    assert.ok(shown.includes(words), shown);

    const poor = await send(5_000_000n);
    const asset = `USDC:${scene.ledger.accounts.usdcIssuer}`;
    await scene.ledger.control('svc_setBalance', {
      account: from.publicKey(),
      asset,
      amount: '0.1',
    });
    await assert.rejects(scene.submit(poor), /FAILED/);
    const failed = hashOf(poor);
    const { body } = await json(`/explorer/words?tx=${txHash},${failed},zz,${'00'.repeat(32)}`);
    assert.deepEqual(Object.keys(body), [txHash, failed]);
    const reason =
      'USDC.transfer: BalanceError: the balance is too small, or would exceed its limit';
    assert.equal((body[failed] as unknown as { failure: string }).failure, reason);
    assert.ok((await shownPage(scene.url, `/account/${from.publicKey()}`)).includes(reason));

    const payment = Operation.payment({
      destination: to.publicKey(),
      asset: scene.usdc,
      amount: '900',
    });
    await assert.rejects(scene.submit(await scene.signed(from, payment)), /FAILED/);
    assert.match(await shownPage(scene.url, `/account/${from.publicKey()}`), /paymentUnderfunded/);
  });

  it('shows the state before and after a transaction without contracts too', async () => {
    const [from, to] = [await scene.account(), await scene.account()];
    const payment = Operation.payment({
      destination: to.publicKey(),
      asset: Asset.native(),
      amount: '12.5',
    });
    const { txHash } = await scene.submit(await scene.signed(from, payment));
    const text = await shownPage(scene.url, `/tx/${txHash}`);
    assert.match(text, /State before and after/);
    assert.match(text, /10000 XLM 10012\.5 XLM/);
  });

  it('finds contracts by name, asset and code hash', async () => {
    const places = async (text: string) => {
      const { body } = await json(`/explorer/search?for=${encodeURIComponent(text)}`);
      return body['places'] as unknown as { kind: string; id: string; name: string }[];
    };
    assert.deepEqual(await places('usdc'), [
      { kind: 'contract', id: usdc, name: 'contract of usdc' },
    ]);
    assert.equal((await places('friendbot'))[0]?.id, scene.ledger.accounts.friendbot.address);
    const upto = createHash('sha256').update(MODULE).digest('hex');
    assert.ok((await places(upto)).some(({ id }) => id === scene.ledger.contracts.upto));
    assert.ok((await places('channel')).length <= 20);
    for (const nothing of [
      '',
      '   ',
      '<script>',
      'x'.repeat(5_000),
      `AB:${Keypair.random().publicKey()}`,
    ]) {
      assert.deepEqual(await places(nothing), [], nothing);
    }
    const page = await openPage(scene.url, '/');
    page.part('what').value = 'friendbot';
    page.part('find').do('submit');
    for (let tries = 0; page.location.href === undefined && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(page.location.href, `/account/${scene.ledger.accounts.friendbot.address}`);
  });
});
