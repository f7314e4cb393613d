import type { Words } from './words.ts';

/** Longest text that is shown, in UTF-16 units. */
const MAX_SHOWN = 200_000;

/** Returns an element with a text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** Returns a link that saves bytes. They are never opened here: a page of a seller would run in this origin. */
export function saving(text: string, bytes: BlobPart, name: string): HTMLAnchorElement {
  const link = element('a', text);
  link.className = 'button';
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = name;
  return link;
}

/** The name under which a response is saved: that of the path's end, with an extension for some types. */
function fileName(target: string, type: string): string {
  const [path = ''] = target.split('?');
  const last = decodeURIComponent(path.replace(/\/+$/, '').split('/').at(-1) ?? '');
  const safe = last.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+/, '') || 'download';
  if (/\.\w+$/.test(safe)) return safe;
  const ends: Readonly<Record<string, string>> = {
    'text/html': '.html',
    'text/plain': '.txt',
    'application/json': '.json',
  };
  return `${safe}${ends[type] ?? ''}`;
}

/**
 * Shows what was bought: a page in a frame of an origin of its own, which cannot reach this one; an image, sound or film; JSON with
 * line breaks; text. Everything can be saved.
 */
export async function showBought(
  into: HTMLElement,
  response: Response,
  at: { readonly target: string; readonly base: string; readonly words: Words },
): Promise<void> {
  const { target, base, words } = at;
  const bytes = await response.arrayBuffer();
  const type =
    (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const url = (): string => URL.createObjectURL(new Blob([bytes], { type }));
  const text = (): string => new TextDecoder().decode(bytes);
  into.append(element('h2', words.content));
  if (type === 'text/html' || type === 'application/xhtml+xml') {
    into.append(framed(text(), base, words.content));
  } else if (type.startsWith('image/')) {
    const image = element('img');
    image.src = url();
    image.alt = words.content;
    into.append(image);
  } else if (type.startsWith('audio/') || type.startsWith('video/')) {
    const player = element(type.startsWith('audio/') ? 'audio' : 'video');
    player.controls = true;
    player.src = url();
    into.append(player);
  } else if (type.startsWith('text/') || /^application\/(?:.+\+)?(?:json|xml)$/.test(type)) {
    const whole = /json$/.test(type) ? formatted(text()) : text();
    const shown = element('pre', whole.slice(0, MAX_SHOWN));
    shown.tabIndex = 0;
    into.append(shown);
    if (whole.length > MAX_SHOWN) into.append(element('p', words.long));
  } else {
    into.append(element('p', words.binary));
  }
  into.append(saving(words.save, bytes, fileName(target, type)));
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** A page of the seller in a frame without an origin: its own policy permits scripts and no requests. */
function framed(page: string, base: string, title: string): HTMLIFrameElement {
  const frame = element('iframe');
  frame.title = title;
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.addEventListener('load', () => frame.contentWindow?.postMessage(page, '*'), { once: true });
  frame.src = `${base}/frame`;
  return frame;
}
