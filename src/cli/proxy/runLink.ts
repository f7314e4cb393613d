import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { readAmount, readConfig } from '../../proxy/index.ts';
import { CliError } from '../cliError.ts';
import { checkedPayTo } from '../code/payTo.ts';
import type { LinkCommand } from '../commandOptions.ts';
import { columns } from '../report.ts';
import { inSession } from '../session.ts';
import { addressIn, facilitatorOf, sellWith } from './runProxy.ts';
import { mediaType, type SoldThing, serveSold } from './soldFiles.ts';

/** What a link leads to. */
type Linked = SoldThing | { readonly kind: 'url'; readonly url: URL };

/** `svc-x402 link`: sells a file, a folder, a text or a URL by the proxy, until Ctrl-C. */
export function runLink(what: string, options: LinkCommand): Promise<void> {
  return inSession(options, async (session) => {
    const { price, payTo: given, title, publicUrl, unchecked = false } = options;
    // Before the local service is started: a mistake should not leave one behind.
    if (readAmount(price) === undefined) {
      throw new CliError('usage', `${price} is not a price. Use an amount in USDC such as 0.01.`);
    }
    if (given.trim() !== 'new') addressIn(given.trim());
    const linked = await linkedBy(what, options);
    const facilitatorUrl = await facilitatorOf(session, options, undefined);
    const { report, folder } = session;
    const payTo = await checkedPayTo({ payTo: given, unchecked }, report, folder);
    const name = nameOf(linked);
    const path = pathOf(linked, name);
    const files = linked.kind === 'url' ? undefined : await serveSold(linked);
    if (files !== undefined) session.closers.add(files);
    const terms = {
      ...{ price, description: title ?? name },
      ...(linked.kind === 'folder' || linked.kind === 'url' ? {} : { mimeType: typeOf(linked) }),
    };
    const routes =
      linked.kind === 'folder' ? { 'GET /': 'free', 'GET /*': terms } : { [`GET ${path}`]: terms };
    // Read as a file of the proxy is, so that the same rules hold.
    const read = readConfig(
      JSON.stringify({
        ...{ upstream: files?.url.href ?? originOf(linked), payTo, routes },
        ...(publicUrl === undefined ? {} : { publicUrl }),
      }),
    );
    if (!read.ok) {
      throw new CliError('usage', read.problems.map(({ message }) => message).join(' '));
    }
    const { proxy } = await sellWith(session, options, read.config, {
      ...{ facilitatorUrl, name: folderName(linked) },
    });
    const { url: origin } = proxy;
    const query = linked.kind === 'url' ? linked.url.search : '';
    const link = `${read.config.publicOrigin ?? origin}${path}${query}`;
    const rows = columns([
      ['link', link],
      ['what', `${name} (${linked.kind})`],
      ['price', `${price} USDC${linked.kind === 'folder' ? ' a file; the list is free' : ''}`],
      ['paid to', payTo],
      ['facilitator', facilitatorUrl],
    ]);
    // The list of a folder is free, so that paying its link would buy nothing.
    const next =
      linked.kind === 'folder'
        ? 'open the link in a browser, and choose a file'
        : `open the link in a browser, or svc-x402 pay '${link}'`;
    report.say(
      `\nSelling until Ctrl-C\n\n${rows}\n\n${reachable(origin, options)}\n\nNext: ${next}`,
      'selling',
      { url: link, kind: linked.kind, payTo, facilitator: facilitatorUrl },
    );
    await session.stopped;
  });
}

/** Says what others must reach. */
function reachable(origin: string, { publicUrl, host }: LinkCommand): string {
  const alone =
    'The page asks its own origin alone: neither the facilitator nor the network must be reachable.';
  if (publicUrl !== undefined) return `Others need ${publicUrl} to lead to ${origin}. ${alone}`;
  const isLocal = /^(?:127\.|::1$)/.test(host);
  const who = isLocal ? 'Only this machine reaches the link.' : 'Browsers pay by HTTPS alone.';
  return `${who} For others, let a tunnel or a server with HTTPS lead to ${origin}, and name its address with --public-url. ${alone}`;
}

/** @throws CliError if nothing is there */
async function linkedBy(what: string, { text = false, title }: LinkCommand): Promise<Linked> {
  if (text) return { kind: 'text', text: what };
  if (/^https?:\/\//i.test(what)) {
    if (!URL.canParse(what)) throw new CliError('usage', `${what} is not a URL.`);
    const url = new URL(what);
    if (url.username !== '' || url.hash !== '') {
      throw new CliError('usage', 'Name a URL without a user and without #.');
    }
    return { kind: 'url', url };
  }
  const path = resolve(what);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return { kind: 'file', path };
  if (found?.isDirectory()) return { kind: 'folder', path, title: title ?? basename(path) };
  // One word is rather a mistyped name than something to sell.
  if (/\s/.test(what.trim())) return { kind: 'text', text: what };
  throw new CliError(
    'usage',
    `${what} is neither a file nor a folder. To sell the word itself, add --text.`,
  );
}

function nameOf(linked: Linked): string {
  switch (linked.kind) {
    case 'text':
      return 'A text';
    case 'url':
      return linked.url.href;
    case 'file':
    case 'folder':
      return basename(linked.path);
  }
}

/** The path of the link: plain letters, which every server reads alike. */
function pathOf(linked: Linked, name: string): string {
  switch (linked.kind) {
    case 'text':
      return '/text';
    case 'url':
      return linked.url.pathname;
    case 'folder':
      return '/';
    case 'file': {
      const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '');
      return `/${encodeURIComponent(plain === '' ? 'file' : plain)}`;
    }
  }
}

function typeOf(linked: SoldThing): string {
  return linked.kind === 'file' ? mediaType(linked.path) : 'text/plain; charset=utf-8';
}

function originOf(linked: Linked): string {
  return linked.kind === 'url' ? linked.url.origin : '';
}

/** One folder for each thing, so that a link that is started again finds its sales. */
function folderName(linked: Linked): string {
  const what =
    linked.kind === 'text' ? linked.text : linked.kind === 'url' ? linked.url.href : linked.path;
  const digest = createHash('sha256').update(`${linked.kind} ${what}`).digest('hex');
  return `link-${digest.slice(0, 16)}`;
}
