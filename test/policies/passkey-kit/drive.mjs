// Drives the smart account with the published passkey-kit, on its own and under `createSvcWallet`, and
// prints what happened as JSON.
// Runs in a process of its own: the kit is TypeScript source, speaks https only, and has its own SDK.
import crypto from 'node:crypto';
import sdk from '@stellar/stellar-sdk';
import { PasskeyKit, SACClient } from 'passkey-kit';
import { createSvcWallet } from '../../../src/sdk/index.ts';

const { rpcUrl, passphrase, accountHash, gatewayUrl, sourceSecret } = JSON.parse(process.argv[2]);
const { Address, Asset, Keypair, Operation, TransactionBuilder, nativeToScVal, rpc, xdr } = sdk;
const server = new rpc.Server(rpcUrl);
const source = Keypair.fromSecret(sourceSecret);
const token = Asset.native().contractId(passphrase);
const report = {};

// A software authenticator.
const base64url = (bytes) => Buffer.from(bytes).toString('base64url');
const pair = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
const credential = crypto.randomBytes(16);
let prompts = 0;
const WebAuthn = {
  async startRegistration() {
    const publicKey = base64url(pair.publicKey.export({ format: 'der', type: 'spki' }));
    const response = { publicKey, clientDataJSON: '', attestationObject: '' };
    return {
      id: base64url(credential),
      rawId: base64url(credential),
      type: 'public-key',
      response,
    };
  },
  async startAuthentication({ optionsJSON: { challenge } }) {
    prompts += 1;
    const origin = 'http://localhost:3000';
    const clientData = Buffer.from(
      JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }),
    );
    const hash = (bytes) => crypto.createHash('sha256').update(bytes).digest();
    const authenticatorData = Buffer.concat([hash('localhost'), Buffer.from('0500000001', 'hex')]);
    const signed = Buffer.concat([authenticatorData, hash(clientData)]);
    const response = {
      authenticatorData: base64url(authenticatorData),
      clientDataJSON: base64url(clientData),
      signature: base64url(crypto.sign('sha256', signed, pair.privateKey)),
    };
    return {
      id: base64url(credential),
      rawId: base64url(credential),
      type: 'public-key',
      response,
    };
  },
};

async function finish(transaction) {
  const { hash } = await server.sendTransaction(transaction);
  const answer = await server.pollTransaction(hash, { attempts: 100, sleepStrategy: () => 20 });
  if (answer.status !== 'SUCCESS') throw new Error(`${hash} ended as ${answer.status}`);
  return answer;
}

/** What a relayer does: the signed operation on an account that pays, with its resources. */
async function relay(operation) {
  const account = await server.getAccount(source.publicKey());
  const raw = new TransactionBuilder(account, { fee: '100', networkPassphrase: passphrase })
    .addOperation(operation)
    .setTimeout(0)
    .build();
  const simulated = await server.simulateTransaction(raw);
  if (rpc.Api.isSimulationError(simulated)) throw new Error(simulated.error);
  const transaction = rpc.assembleTransaction(raw, simulated).build();
  transaction.sign(source);
  return finish(transaction);
}

/** Signs what the kit assembled, by the kit, and relays it. */
async function run(assembled, options) {
  const { built } = await kit.sign(assembled, options);
  return relay(xdr.Operation.fromXDR(built.toEnvelope().v1().tx().operations()[0].toXDR()));
}

const kit = new PasskeyKit({
  rpcUrl,
  networkPassphrase: passphrase,
  walletWasmHash: accountHash,
  WebAuthn,
});
const wallet = createSvcWallet({
  network: 'stellar:testnet',
  appName: 'test',
  kit,
  sac: new SACClient({ rpcUrl, networkPassphrase: passphrase }),
  backend: { submitTransaction: async (signed) => ({ hash: (await finish(signed)).txHash }) },
  apiUrl: gatewayUrl,
  rpcUrl,
  policyAttach: {
    async attachPolicy(policy) {
      const { txHash } = await run(await kit.addPolicy(policy, new Map(), 'Persistent'));
      return { hash: txHash };
    },
    resume: (keyId) => kit.connectWallet({ keyId }),
  },
});
const { address: contractId, keyId: keyIdBase64 } = await wallet.create('owner');
report.created = contractId;
report.connected = (await wallet.connect(keyIdBase64)).address === contractId;
report.promptsSoFar = prompts;

// What the account holds, and a policy for it.
await relay(
  Operation.invokeContractFunction({
    contract: token,
    function: 'transfer',
    args: [
      new Address(source.publicKey()).toScVal(),
      new Address(contractId).toScVal(),
      nativeToScVal(1_000n, { type: 'i128' }),
    ],
  }),
);
report.funded = `${await wallet.balance(token)}`;
const { id } = await wallet.policies.generate({
  version: '1',
  type: 'spending_limit',
  owners: [contractId],
  spendingLimits: { dailyXlm: '0.00001' },
});
report.deployable = (await wallet.policies.simulate(id)).deployable;
const deployed = await wallet.policies.deploy(id);
const policy = deployed.contractId;
report.policy = policy;
report.attachTxHash = deployed.attachTxHash;
report.promptsOfDeploy = prompts;

const agent = Keypair.random();
const limits = new Map([[token, [{ key: 'Policy', value: policy }]]]);
await run(await kit.addEd25519(agent.publicKey(), limits, 'Persistent'));
report.promptsOfTwoChanges = prompts;

const sac = new SACClient({ rpcUrl, networkPassphrase: passphrase }).getSACClient(token);
const pay = (amount) => sac.transfer({ from: contractId, to: source.publicKey(), amount });
const balance = async () => `${(await sac.balance({ id: contractId })).result}`;
await run(await pay(60n), { keypair: agent });
report.afterAgent = await balance();
const refusal = await run(await pay(60n), { keypair: agent }).catch((error) => error);
report.overCap = refusal instanceof Error ? refusal.message : 'it was paid';
await run(await pay(60n));
report.afterOwner = await balance();

// The kit can put a policy in the place of a signature. A policy is not a signature.
const alone = await run(await pay(1n), { policy }).catch((error) => error);
report.policyAlone = alone instanceof Error ? alone.message : 'it was paid';

await run(await kit.updateEd25519(agent.publicKey(), new Map([[token, undefined]]), 'Persistent'));
await run(await pay(200n), { keypair: agent });
report.afterUpdate = await balance();
await run(await kit.remove({ key: 'Ed25519', value: agent.publicKey() }));
const removed = await run(await pay(1n), { keypair: agent }).catch((error) => error);
report.afterRemoval = removed instanceof Error ? removed.message : 'it was paid';
const last = await run(await kit.remove({ key: 'Secp256r1', value: keyIdBase64 })).catch((e) => e);
report.lastOwner = last instanceof Error ? last.message : 'it was removed';
console.log(JSON.stringify(report));
