import { commands, type Disposable, type Event, EventEmitter, window } from 'vscode';
import type { Sale } from '../portSale/index.ts';
import { t } from '../words/index.ts';
import { type App, NotTrusted } from './app.ts';
import type { PortOffer } from './chargeForPort/index.ts';
import type { TestTarget } from './requestPanel/index.ts';

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

/**
 * Sells local ports with proxies that end with this window. The code is loaded when the first one is sold.
 * @param openTest shows the form of a test payment
 */
export function createPortSales(app: App, openTest: (target: TestTarget) => void): PortSales {
  const changes = new EventEmitter<void>();
  let sales: readonly Sale[] = [];
  const set = (next: readonly Sale[]) => {
    sales = next;
    changes.fire();
  };
  const load = () => import('./chargeForPort/index.ts');
  const openFor = (sale: Sale) => openTest({ url: `${sale.url}/` });

  async function charge(offer: PortOffer = {}): Promise<string | undefined> {
    if (!app.trusted) throw new NotTrusted();
    const { askSale, begin } = await load();
    const asked = await askSale(app, sales, offer);
    if (asked === undefined) return undefined;
    if ('url' in asked) {
      void tell(asked, false);
      return asked.url;
    }
    const sale = await begin(app, asked, (one, reason) => void ended(one, reason));
    set([...sales, sale]);
    app.milestones.mark('gate');
    void commands.executeCommand('svc-x402.endpoints.focus');
    void tell(sale, true);
    return sale.url;
  }

  async function tell(sale: Sale, isNew: boolean): Promise<void> {
    const { saveAs, tellSelling } = await load();
    const choice = await tellSelling(sale, isNew);
    if (choice === 'test') openFor(sale);
    if (choice === 'save') await saveAs(app, sale);
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
    save: withSale(async (sale) => (await load()).saveAs(app, sale)),
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
