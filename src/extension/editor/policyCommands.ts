import { commands, env, ProgressLocation, window } from 'vscode';
import { type ContractAddress, formatDecimalAmount } from '../../protocol/index.ts';
import type {
  GeneratedPolicy,
  PolicyDefinition,
  PolicySimulation,
} from '../../protocol/policies/index.ts';
import { whatIsWrongWithKey } from '../policies/capProblem.ts';
import type { Gateway } from '../policies/gateway.ts';
import { limitLabel } from '../policies/limitWords.ts';
import type { ShownPolicy } from '../policies/policyView.ts';
import { policyLabel, shortAddress } from '../policies/policyWords.ts';
import { ServiceRefusal } from '../policies/serviceCall.ts';
import type { App } from './app.ts';
import { askPasskey, knownPasskey } from './askPasskey.ts';
import { attachLimits, revokeLimits } from './keyLimitCommands.ts';
import { askContract, askDefinition, askToken } from './policyForm.ts';
import { gatewayOf, noteRevoked, readPolicies } from './policyReading.ts';
import type { Row } from './views/rows.ts';
import { writeSetting } from './writeSetting.ts';

/** Commands of the view "Spending Policies". Each starts what it needs, or says what is missing. */
export interface PolicyCommands {
  setSmartAccount(): Promise<void>;
  createSmartAccount(): Promise<void>;
  createPolicy(): Promise<void>;
  attachPolicy(row?: Row): Promise<void>;
  revokePolicy(row?: Row): Promise<void>;
  addAgentKey(row?: Row): Promise<void>;
}

/** @param refresh reads the view again */
export function createPolicyCommands(app: App, refresh: () => void): PolicyCommands {
  /** The account whose policies are managed, and the network up; `undefined` when there is none yet. */
  async function ready(): Promise<{ wallet: ContractAddress; gateway: Gateway } | undefined> {
    const { smartAccount } = app.settings;
    if (smartAccount === undefined) {
      const [create, set] = ['Create Smart Account', 'Set Address'];
      const choice = await window.showInformationMessage(
        'No smart account is set. Policies limit the keys of a smart account (C…).',
        ...(app.settings.network === 'local' ? [create] : []),
        set,
      );
      if (choice === create) await commands.executeCommand('svc-x402.createSmartAccount');
      if (choice === set) await commands.executeCommand('svc-x402.setSmartAccount');
      return undefined;
    }
    await app.startService();
    const gateway = gatewayOf(app);
    if (gateway !== undefined) return { wallet: smartAccount, gateway };
    const settings = 'Open Settings';
    const choice = await window.showWarningMessage(
      'No policy gateway is set for testnet: set svc-x402.policyGatewayUrl.',
      settings,
    );
    if (choice === settings) await commands.executeCommand('svc-x402.openSettings');
    return undefined;
  }

  /** The policy of the row, or one that is picked among those of a stage. */
  async function choose(
    wallet: ContractAddress,
    row: Row | undefined,
    title: string,
    wanted: (policy: ShownPolicy) => boolean,
  ): Promise<ShownPolicy | undefined> {
    const given = row?.value as ShownPolicy | undefined;
    if (given !== undefined) return given;
    const { shown } = await readPolicies(app, wallet);
    const fitting = shown.filter(wanted);
    if (fitting.length === 0) {
      const create = 'Create Policy';
      const choice = await window.showInformationMessage(
        `${title}: there is none that this could be done with.`,
        create,
      );
      if (choice === create) await commands.executeCommand('svc-x402.createPolicy');
      return undefined;
    }
    const picked = await window.showQuickPick(fitting.map(pickOf), {
      title,
      placeHolder: 'Which policy',
    });
    return picked?.policy;
  }

  async function attach(wallet: ContractAddress, policy: ShownPolicy['record'], gateway: Gateway) {
    if (policy === undefined) throw new Error('This gateway does not know the policy.');
    const { id, state } = policy.policy;
    if (policy.policy.contract === null) {
      await attachLimits(app, wallet, id);
      refresh();
      return;
    }
    const there = state === 'deployed' || state === 'recorded';
    if (!there && !(await deploy(app, wallet, gateway, id))) return;
    const keyId = knownPasskey(app, wallet);
    const outcome = await askPasskey(app, 'Attach the spending policy', {
      kind: 'attach',
      policyId: id,
      keyId,
    });
    if (outcome !== undefined) {
      await noteRevoked(app, policy.policy.contract.contractId, false);
    }
    refresh();
    if (outcome === undefined) return;
    if (outcome.unrecorded !== null) {
      void window.showWarningMessage(
        `The policy is attached; the gateway has not recorded it: ${outcome.unrecorded}`,
      );
      return;
    }
    const add = 'Add a Key Under It';
    const choice = await window.showInformationMessage(
      'The policy is attached. It limits the keys whose grants name it.',
      add,
    );
    if (choice === add) await commands.executeCommand('svc-x402.addAgentKey');
  }

  return {
    async setSmartAccount() {
      const address = await askContract(
        'Smart account',
        'Address of the smart account (C…) whose spending policies are managed',
        app.settings.smartAccount ?? '',
      );
      if (address !== undefined) await writeSetting('smartAccount', address);
    },

    async createSmartAccount() {
      const { network, smartAccount } = app.settings;
      if (network !== 'local') {
        const set = 'Set Address';
        const words =
          'Accounts are made here on the embedded network alone. Make one with a wallet, and set its address.';
        const choice = await window.showWarningMessage(words, set);
        if (choice === set) await commands.executeCommand('svc-x402.setSmartAccount');
        return;
      }
      if (smartAccount !== undefined) {
        const replace = 'Replace';
        const choice = await window.showWarningMessage(
          `${smartAccount} is the smart account now. Replace it by a new one? It stays on the ledger.`,
          { modal: true },
          replace,
        );
        if (choice !== replace) return;
      }
      const task = { kind: 'create_account', name: 'Svc x402 (embedded network)' } as const;
      const outcome = await askPasskey(app, 'Create a smart account', task);
      if (outcome === undefined) return;
      await writeSetting('smartAccount', outcome.wallet);
      const [create, copy] = ['Create Policy', 'Copy Address'];
      const choice = await window.showInformationMessage(
        `${shortAddress(outcome.wallet)} is your smart account; your passkey owns it.`,
        create,
        copy,
      );
      if (choice === create) await commands.executeCommand('svc-x402.createPolicy');
      if (choice === copy) await env.clipboard.writeText(outcome.wallet);
    },

    async createPolicy() {
      const found = await ready();
      if (found === undefined) return;
      const { wallet, gateway } = found;
      const definition = await askDefinition(wallet, await gateway.templates(), gateway.validate);
      if (definition === undefined) return;
      if (definition.type === 'multisig' || definition.type === 'allow_list') {
        await createLimits(wallet, gateway, definition);
        return;
      }
      const [policy, simulation] = await working('Generating and trying the policy', async () => {
        const generated = await gateway.generate(definition);
        return [generated, await gateway.simulate(generated.id)] as const;
      });
      const [deployAndAttach, only] = ['Deploy and Attach', 'Deploy Only'];
      const choice = await window.showInformationMessage(
        policy.summary.title,
        { modal: true, detail: describe(policy, priceOf(simulation)) },
        ...(simulation.deployable ? [deployAndAttach, only] : []),
      );
      if (choice === undefined) return;
      if (!(await deploy(app, wallet, gateway, policy.id))) return;
      if (policy.contract !== null) await noteRevoked(app, policy.contract.contractId, false);
      refresh();
      if (choice === deployAndAttach) {
        await attach(wallet, await recordOf(gateway, wallet, policy.id), gateway);
      }
    },

    async attachPolicy(row) {
      const found = await ready();
      if (found === undefined) return;
      const { wallet, gateway } = found;
      const title = 'Attach the spending policy';
      const chosen = await choose(wallet, row, title, ({ stage }) => stage !== 'attached');
      if (chosen !== undefined) await attach(wallet, chosen.record, gateway);
    },

    async revokePolicy(row) {
      const found = await ready();
      if (found === undefined) return;
      const { wallet } = found;
      const title = 'Revoke the spending policy';
      const chosen = await choose(wallet, row, title, ({ stage }) => stage === 'attached');
      if (chosen === undefined) return;
      const keyId = knownPasskey(app, wallet);
      const policy = chosen.contractId;
      if (policy === undefined) {
        await revokeLimits(app, wallet, chosen);
        refresh();
        return;
      }
      const outcome = await askPasskey(app, title, { kind: 'revoke', wallet, policy, keyId });
      if (outcome !== undefined) await noteRevoked(app, policy, true);
      refresh();
      if (outcome === undefined) return;
      void window.showInformationMessage(
        'The policy is revoked. Keys whose grants name it can do nothing on those contracts now.',
      );
    },

    async addAgentKey(row) {
      const found = await ready();
      if (found === undefined) return;
      const { wallet } = found;
      const title = 'Add a key under spending policies';
      const policies = await choosePolicies(wallet, row, title);
      if (policies === undefined) return;
      const contracts = await contractsOf(policies, title);
      if (contracts === undefined) return;
      const agent = await window.showInputBox({
        title,
        prompt:
          'Public key of the agent (G…), which need not be an account. Its secret stays with the agent.',
        ignoreFocusOut: true,
        validateInput: whatIsWrongWithKey,
      });
      if (agent === undefined) return;
      const outcome = await askPasskey(app, title, {
        kind: 'add_agent',
        wallet,
        agent: agent.trim(),
        contracts,
        policies: policies.flatMap(({ contractId }) => contractId ?? []),
        keyId: knownPasskey(app, wallet),
      });
      if (outcome === undefined) return;
      void window.showInformationMessage(
        `${shortAddress(agent.trim())} may act now, as far as ${policies.length === 1 ? 'the policy agrees' : 'all of these policies agree'}.`,
      );
    },
  };

  /** Limits of a key: nothing is deployed, so there is nothing to try and nothing to pay. */
  async function createLimits(
    wallet: ContractAddress,
    gateway: Gateway,
    definition: PolicyDefinition,
  ): Promise<void> {
    const policy = await working('Generating the policy', () => gateway.generate(definition));
    await noteRevoked(app, policy.id, false);
    refresh();
    const [now, later] = ['Attach', 'Attach Later'];
    const detail = describe(policy, 'Nothing is deployed.');
    const choice = await window.showInformationMessage(
      policy.summary.title,
      { modal: true, detail },
      now,
      later,
    );
    if (choice === now) await attach(wallet, await recordOf(gateway, wallet, policy.id), gateway);
  }

  /** All that must agree: verified recipients first, as it caps no amount and charges nothing. */
  async function choosePolicies(
    wallet: ContractAddress,
    row: Row | undefined,
    title: string,
  ): Promise<readonly ShownPolicy[] | undefined> {
    const given = row?.value as ShownPolicy | undefined;
    if (given !== undefined) return [given];
    // Limits of another key are no policy that could agree.
    const agrees = ({ stage, contractId }: ShownPolicy) =>
      stage === 'attached' && contractId !== undefined;
    const attached = (await readPolicies(app, wallet)).shown.filter(agrees);
    if (attached.length < 2) {
      const one = await choose(wallet, undefined, title, agrees);
      return one && [one];
    }
    const picked = await window.showQuickPick(attached.map(pickOf), {
      title,
      placeHolder: 'All that must agree to what the key does',
      canPickMany: true,
    });
    if (picked === undefined || picked.length === 0) return undefined;
    const chosen = picked.map(({ policy }) => policy);
    return [
      ...chosen.filter(({ ledger }) => ledger?.limit === undefined),
      ...chosen.filter(({ ledger }) => ledger?.limit !== undefined),
    ];
  }
}

/** The contracts on which the key acts: those that the limits count for, else a token that is asked for. */
async function contractsOf(
  policies: readonly ShownPolicy[],
  title: string,
): Promise<readonly string[] | undefined> {
  const counted = policies.flatMap(({ ledger }) => {
    const limit = ledger?.limit;
    if (limit === undefined) return [];
    return limit.upto === undefined ? [limit.token] : [limit.token, limit.upto];
  });
  if (counted.length > 0) return [...new Set(counted)];
  const token = await askToken(title);
  return token && [token.contract];
}

function nameOf({ ledger, limits, record, id }: ShownPolicy): string {
  if (limits !== undefined) return limitLabel(limits);
  if (ledger !== undefined) return policyLabel(ledger);
  return record?.policy.summary.title ?? shortAddress(id);
}

function pickOf(policy: ShownPolicy) {
  const { contractId, limits, id } = policy;
  const address = contractId ?? limits?.key ?? id;
  return { label: nameOf(policy), description: shortAddress(address), policy };
}

async function recordOf(gateway: Gateway, wallet: string, id: string) {
  return (await gateway.ofWallet(wallet)).find(({ policy }) => policy.id === id);
}

function working<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return window.withProgress({ location: ProgressLocation.Notification, title }, work);
}

/**
 * Lets the gateway deploy; where it asks for a proof of control, the passkey gives it.
 * @returns false when that was cancelled
 */
async function deploy(app: App, wallet: string, gateway: Gateway, id: string): Promise<boolean> {
  try {
    await working('Deploying the policy', () => gateway.deployInstance(id));
    return true;
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || error.code !== 'proof_required') throw error;
    const task = { kind: 'deploy', policyId: id, keyId: knownPasskey(app, wallet) } as const;
    return (await askPasskey(app, 'Deploy the spending policy', task)) !== undefined;
  }
}

function priceOf({ cost, alreadyDeployed, errors }: PolicySimulation): string {
  if (cost !== null) {
    return `Deployment: ${formatDecimalAmount(BigInt(cost.total))} XLM at most, paid by the gateway’s sponsor.`;
  }
  return alreadyDeployed
    ? 'It is deployed already.'
    : errors.map(({ message }) => message).join(' ');
}

/** The gateway's own words. @param price what the deployment takes */
function describe({ summary, enforcementLabel }: GeneratedPolicy, price: string) {
  const list = (title: string, items: readonly string[]) =>
    `${title}\n${items.map((item) => `• ${item}`).join('\n')}`;
  return [
    list('It prevents', summary.prevents),
    list('It does not prevent', summary.doesNotPrevent),
    list('Know this', summary.warnings),
    `Enforced by: ${enforcementLabel}`,
    price,
  ].join('\n\n');
}
