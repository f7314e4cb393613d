import { commands, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import { askPayment, type FilledPayment } from '../../paymentForm/paymentForm.ts';
import {
  originOf,
  type Sale,
  type SaleTerms,
  whatIsWrongWithTarget,
} from '../../portSale/index.ts';
import { type OpenPort, openPorts } from '../../server/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { askPaymentStep } from '../askPaymentStep.ts';
import { payToWarning, recipientOf } from '../recipient.ts';

/** Where a sale is offered: the server, if the code says where it listens. */
export interface PortOffer {
  /** A port or a URL. */
  readonly target?: unknown;
}

/**
 * Asks which server is sold, who is paid, and for how much.
 * @returns the sale of that server, if it is sold already; `undefined` if the user cancelled
 */
export async function askSale(
  app: App,
  sales: readonly Sale[],
  offer: PortOffer,
): Promise<SaleTerms | Sale | undefined> {
  const facilitatorUrl = await app.facilitatorForCode();
  if (facilitatorUrl === undefined) {
    await commands.executeCommand('svc-x402.startService');
    return undefined;
  }
  const upstream = await askUpstream(app, sales, offer);
  if (upstream === undefined) return undefined;
  const same = sales.find(({ terms }) => terms.upstream === upstream);
  if (same !== undefined) return same;
  const answers = await askTerms(app, upstream);
  if (answers === undefined) return undefined;
  const payTo = app.settings.payTo ?? (await recipientOf(app, answers));
  return { upstream, price: answers.price, payTo, facilitatorUrl };
}

interface PortItem extends QuickPickItem {
  /** `undefined`: it is typed. */
  readonly target: string | undefined;
}

/** Asks which server is sold: one that listens, or a typed one. */
async function askUpstream(
  app: App,
  sales: readonly Sale[],
  { target }: PortOffer,
): Promise<string | undefined> {
  const given = typeof target === 'number' ? String(target) : target;
  const title = t('Charge for a local port');
  const ours = [...app.ownPorts(), ...sales.map(({ url }) => Number(new URL(url).port))];
  const ports = (await openPorts(await rootsOfWindow())).filter(({ port }) => !ours.includes(port));
  const probable = typeof given === 'string' ? given : undefined;
  const items = portItems(ports, probable);
  const item = await window.showQuickPick(items, {
    title,
    placeHolder: t('Which server should be paid for? Start it first if it is not listed.'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (item === undefined) return undefined;
  const typed =
    item.target ??
    (await window.showInputBox({
      title,
      prompt: t('Port or URL of a server on this machine'),
      value: probable ?? '',
      placeHolder: '8000',
      ignoreFocusOut: true,
      validateInput: whatIsWrongWithTarget,
    }));
  return typed === undefined ? undefined : originOf(typed);
}

/** The ports in the order in which they are offered; the one that the code names is first. */
function portItems(ports: readonly OpenPort[], probable: string | undefined): readonly PortItem[] {
  const item = ({ port, program }: OpenPort): PortItem => ({
    label: `:${port}`,
    description: program,
    target: String(port),
  });
  const separator = (label: string): PortItem => ({
    label,
    kind: QuickPickItemKind.Separator,
    target: undefined,
  });
  const part = (label: string, items: readonly PortItem[]) =>
    items.length === 0 ? [] : [separator(label), ...items];
  const named = probable === undefined ? undefined : Number(/(?<!\d)(\d+)\/?$/.exec(probable)?.[1]);
  const own = ports.filter(({ isOwn, port }) => isOwn && port !== named);
  const others = ports.filter(({ isOwn, port }) => !isOwn && port !== named);
  const first =
    probable === undefined || named === undefined
      ? []
      : [
          {
            label: `:${named}`,
            description:
              ports.find(({ port }) => port === named)?.program ??
              t('not among the listening ports yet'),
            target: probable,
          },
        ];
  return [
    ...part(t('from the code'), first),
    ...part(t('started in this window'), own.map(item)),
    ...part(t('on this machine'), others.map(item)),
    separator(t('another one')),
    { label: t('$(edit) Enter a Port…'), alwaysShow: true, target: undefined },
  ];
}

/** Processes below which this window starts programs: terminals, and the extensions with their debuggers. */
async function rootsOfWindow(): Promise<readonly number[]> {
  const terminals = await Promise.all(window.terminals.map(({ processId }) => processId));
  return [process.pid, ...terminals.filter((pid) => pid !== undefined)];
}

function askTerms(app: App, upstream: string): Promise<FilledPayment | undefined> {
  const { payTo, defaultPrice, network } = app.settings;
  return askPayment(
    { payTo, local: network === 'local', price: defaultPrice, description: '' },
    (step) =>
      askPaymentStep(
        t('Charge for {0}', upstream),
        step,
        (address) => payToWarning(app, address),
        'proxy',
      ),
  );
}
