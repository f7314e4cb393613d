import { language } from './words/index.ts';

/** Parts of every webview page. */
export interface WebviewParts {
  /** Nonce of this page; only scripts with it run. */
  readonly nonce: string;
  /** Source from which the editor lets a webview load. */
  readonly source: string;
  readonly script: string;
  readonly style: string;
  /** Whether the page shows images and sounds, which are in its data and are loaded from nowhere. */
  readonly media?: boolean;
}

/**
 * Returns a page that loads one style sheet and one script, and nothing else.
 * @param main HTML of its content
 * @param words texts that the script shows, by name, in the editor's language
 */
export function webviewPage(
  { nonce, source, script, style, media = false }: WebviewParts,
  title: string,
  main: string,
  words: Readonly<Record<string, string>>,
): string {
  const inline = media ? ' img-src data:; media-src data:;' : '';
  const policy = `default-src 'none'; style-src ${source};${inline} script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${html(language())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main data-words="${html(JSON.stringify(words))}">
${main}
</main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}

/** Escapes text for HTML, in an element or between double quotes. */
export function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
