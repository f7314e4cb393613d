import {
  commands,
  type Disposable,
  type Event,
  EventEmitter,
  ProgressLocation,
  type QuickPickItem,
  QuickPickItemKind,
  Uri,
  window,
  workspace,
} from 'vscode';
import { askPayment, type FilledPayment } from '../paymentForm/index.ts';
import {
  originOf,
  type Sale,
  type SaleTerms,
  saleFile,
  startSale,
  whatIsWrongWithTarget,
} from '../portSale/index.ts';
import { type OpenPort, openPorts } from '../server/index.ts';
import { leasesFolder } from '../service/index.ts';
import { t } from '../words/index.ts';
import { type App, NotTrusted } from './app.ts';
import { askPaymentStep } from './askPaymentStep.ts';
import { payToWarning, recipientOf } from './recipient.ts';
import type { TestTarget } from './requestPanel/index.ts';

/** Where a sale is offered: the server, if the code says where it listens. */
export interface PortOffer {
  /** A port or a URL. */
  readonly target?: unknown;
}

/** What is sold from local ports in this window. */
export interface PortSales extends Disposable {
  readonly all: readonly Sale[];
  readonly onChange: Event<void>;
  /** "Svc: Charge for a Local Port…" @returns the address at which it is sold */
  charge(offer?: PortOffer): Promise<string | undefined>;
  stop(sale?: Sale): Promise<void>;
  /** Ends all sales: their service is gone. */
  stopAll(): Promise<void>;
  save(sale?: Sale): Promise<void>;
  test(sale?: Sale): Promise<void>;
}

/** Sells local ports with proxies that end with this window. @param openTest shows the form of a test payment */
export function createPortSales(app: App, openTest: (target: TestTarget) => void): PortSales {
  const changes = new EventEmitter<void>();
  let sales: readonly Sale[] = [];
  const set = (next: readonly Sale[]) => {
    sales = next;
    changes.fire();
  };
  const openFor = (sale: Sale) => openTest({ url: `${sale.url}/` });

  async function charge(offer: PortOffer = {}): Promise<string | undefined> {
    if (!app.trusted) throw new NotTrusted();
    const facilitatorUrl = await app.facilitatorForCode();
    if (facilitatorUrl === undefined) {
      await commands.executeCommand('svc-x402.startService');
      return undefined;
    }
    const upstream = await askUpstream(app, sales, offer);
    if (upstream === undefined) return undefined;
    const same = sales.find(({ terms }) => terms.upstream === upstream);
    if (same !== undefined) {
      void tellSelling(same, false);
      return same.url;
    }
    const answers = await askTerms(app, upstream);
    if (answers === undefined) return undefined;
    const { payTo: known, network } = app.settings;
    const payTo = known ?? (await recipientOf(app, answers));
    const sale = await begin({ upstream, price: answers.price, payTo, facilitatorUrl }, network);
    set([...sales, sale]);
    app.milestones.mark('gate');
    void commands.executeCommand('svc-x402.endpoints.focus');
    void tellSelling(sale, true);
    return sale.url;
  }

  async function begin(terms: SaleTerms, network: string): Promise<Sale> {
    const choice = await app.runtime();
    if (!choice.ok) throw new Error(choice.message);
    const title = t('Starting to charge for {0}', terms.upstream);
    return window.withProgress({ location: ProgressLocation.Window, title }, () => {
      const started = startSale({
        ...{ terms, runtime: choice.runtime, bundle: app.bundle('cli') },
        ...{ dataFolder: app.dataFolder(), leases: leasesFolder(app.sharedFolder) },
        isElsewhere: network !== 'local',
        onOutput: (text) => app.log.debug(`${terms.upstream}: ${text.trimEnd()}`),
        onEnd: ({ reason }) => void started.then((sale) => ended(sale, reason)),
      });
      return started;
    });
  }

  /** A proxy ended by itself: nothing is sold any more, and the server itself is not affected. */
  async function ended(sale: Sale, reason: string): Promise<void> {
    set(sales.filter((one) => one !== sale));
    const again = t('Start Again…');
    const { upstream } = sale.terms;
    const words = t('{0} is no longer sold: the proxy ended. {1}', upstream, reason).trim();
    app.log.warn(words);
    const choice = await window.showWarningMessage(words, again);
    if (choice === again) {
      await commands.executeCommand('svc-x402.chargeForPort', { target: upstream });
    }
  }

  async function tellSelling(sale: Sale, isNew: boolean): Promise<void> {
    const { upstream, price } = sale.terms;
    const [test, save] = [t('Test Payment'), t('Save as x402.yaml…')];
    const words = isNew
      ? t(
          'Buyers pay {0} USDC for each request to {1}, which serves {2}. Give them this address: requests to {2} itself stay free.',
          price,
          sale.url,
          upstream,
        )
      : t('{0} is already sold at {1}.', upstream, sale.url);
    const choice = await window.showInformationMessage(words, test, save);
    if (choice === test) openFor(sale);
    if (choice === save) await saveAs(app, sale);
  }

  /** The sale that a command of the palette is about. */
  async function choose(sale: Sale | undefined): Promise<Sale | undefined> {
    if (sale !== undefined || sales.length <= 1) return sale ?? sales[0] ?? nothingSold();
    const items = sales.map((one) => ({ label: one.url, description: wordsOf(one), one }));
    return (await window.showQuickPick(items, { placeHolder: t('Which one?') }))?.one;
  }

  const stop = async (sale: Sale) => {
    await sale.stop();
    set(sales.filter((one) => one !== sale));
  };
  const withSale = (act: (sale: Sale) => unknown) => async (given?: Sale) => {
    const sale = await choose(given);
    if (sale !== undefined) await act(sale);
  };
  return {
    get all() {
      return sales;
    },
    onChange: changes.event,
    charge,
    stop: withSale(stop),
    save: withSale((sale) => saveAs(app, sale)),
    test: withSale(openFor),
    async stopAll() {
      await Promise.all(sales.map(stop));
    },
    dispose() {
      for (const sale of sales) void sale.stop();
      changes.dispose();
    },
  };
}

/** What is sold, and for how much. */
export function wordsOf({ terms: { price, upstream } }: Sale): string {
  return t('{0} USDC · sells {1}', price, upstream.replace(/^http:\/\//, ''));
}

function nothingSold(): undefined {
  void window.showInformationMessage(
    t('No local port is sold in this window. Choose "Svc: Charge for a Local Port…" first.'),
  );
  return undefined;
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
  const named = probable === undefined ? undefined : Number(/:?(\d+)\/?$/.exec(probable)?.[1]);
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

/** "Save as x402.yaml…": what is sold, as a file that `svc-x402 proxy` reads. */
async function saveAs(app: App, { terms }: Sale): Promise<void> {
  const [folder] = workspace.workspaceFolders ?? [];
  const place = await window.showSaveDialog({
    title: t('Save what is sold'),
    ...(folder === undefined ? {} : { defaultUri: Uri.joinPath(folder.uri, 'x402.yaml') }),
    filters: { YAML: ['yaml', 'yml'] },
  });
  if (place === undefined) return;
  const text = saleFile(terms, app.settings.network === 'local');
  await workspace.fs.writeFile(place, Buffer.from(text, 'utf8'));
  await window.showTextDocument(place);
}
