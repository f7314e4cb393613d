import { ProgressLocation, Uri, window, workspace } from 'vscode';
import { type Sale, type SaleTerms, saleFile, startSale } from '../../portSale/index.ts';
import { leasesFolder } from '../../service/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';

/**
 * Starts the proxy of a sale.
 * @param onEnd called if it ends by itself
 */
export async function begin(
  app: App,
  terms: SaleTerms,
  onEnd: (sale: Sale, reason: string) => void,
): Promise<Sale> {
  const choice = await app.runtime();
  if (!choice.ok) throw new Error(choice.message);
  const title = t('Starting to charge for {0}', terms.upstream);
  return window.withProgress({ location: ProgressLocation.Window, title }, () => {
    const started = startSale({
      ...{ terms, runtime: choice.runtime, bundle: app.bundle('cli') },
      ...{ dataFolder: app.dataFolder(), leases: leasesFolder(app.sharedFolder) },
      isElsewhere: app.settings.network !== 'local',
      onOutput: (text) => app.log.debug(`${terms.upstream}: ${text.trimEnd()}`),
      onEnd: ({ reason }) => void started.then((sale) => onEnd(sale, reason)),
    });
    return started;
  });
}

/** Says where buyers pay, and asks what is next. @param isNew whether the sale has just begun */
export async function tellSelling(
  sale: Sale,
  isNew: boolean,
): Promise<'test' | 'save' | undefined> {
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
  return choice === test ? 'test' : choice === save ? 'save' : undefined;
}

/** "Save as x402.yaml…": what is sold, as a file that `svc-x402 proxy` reads. */
export async function saveAs(app: App, { terms }: Sale): Promise<void> {
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
