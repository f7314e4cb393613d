import { Uri, window, workspace } from 'vscode';
import { decodedBody, type Exchange, headerOf } from '../../http/index.ts';
import {
  buildRequest,
  type RequestForm,
  wholeText,
  withoutSecrets,
  writeRequest,
} from '../../request/index.ts';
import { t } from '../../words/index.ts';

/** Opens a whole body in an editor tab, formatted as the panel shows it. */
export async function openBody(exchange: Exchange | undefined): Promise<void> {
  const content = exchange && wholeText(exchange);
  if (exchange === undefined || content === undefined) {
    void window.showInformationMessage(t('There is no text to open. Send the request first.'));
    return;
  }
  const type = headerOf(exchange, 'content-type') ?? '';
  const language = /json/.test(type) || /^\s*[[{]/.test(content) ? 'json' : languageOf(type);
  const document = await workspace.openTextDocument({ content, language });
  await window.showTextDocument(document, { preview: false });
}

function languageOf(type: string): string {
  return (
    ['html', 'xml', 'css', 'javascript', 'markdown', 'yaml'].find((one) => type.includes(one)) ??
    'plaintext'
  );
}

/** Writes a body to a file, byte for byte, without the encoding in which it was sent. @param url names the file */
export async function saveBody(exchange: Exchange | undefined, url: string): Promise<void> {
  if (exchange === undefined) {
    void window.showInformationMessage(t('There is no response to save. Send the request first.'));
    return;
  }
  const disposition = headerOf(exchange, 'content-disposition') ?? '';
  const named = /filename="?([\w. -]+)"?/.exec(disposition)?.[1];
  const last =
    url
      .split(/[?#]/)[0]
      ?.split('/')
      .at(-1)
      ?.replace(/[^\w.-]/g, '') ?? '';
  const name = named ?? (last === '' ? 'response' : last);
  const type = headerOf(exchange, 'content-type') ?? '';
  const ending = /\.\w+$/.test(name) ? '' : endingOf(type);
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const target = await window.showSaveDialog(
    folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, `${name}${ending}`) },
  );
  if (target !== undefined) await workspace.fs.writeFile(target, decodedBody(exchange).body);
}

function endingOf(type: string): string {
  const name = /^[\w.-]+\/(?:[\w.-]+\+)?([\w-]+)/.exec(type)?.[1] ?? 'bin';
  const usual: Readonly<Record<string, string>> = {
    jpeg: 'jpg',
    plain: 'txt',
    'octet-stream': 'bin',
    mpeg: 'mp3',
    javascript: 'js',
  };
  return `.${usual[name] ?? name}`;
}

const FILE = 'requests.x402.http';

/** Appends a request to `requests.x402.http` in the folder of the endpoint's workspace, without headers that may hold secrets. */
export async function saveRequest(form: RequestForm, file: Uri | undefined): Promise<void> {
  const folder =
    (file && workspace.getWorkspaceFolder(file)?.uri) ?? workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) {
    void window.showInformationMessage(t('Open a folder to save requests in it.'));
    return;
  }
  const name = await window.showInputBox({
    title: t('Save the request in {0}', FILE),
    prompt: t('Name of the request. Headers that may hold secrets are left out.'),
    value: `${form.method} ${form.url.replace(/^[a-z]+:\/\/[^/]*/i, '')}`,
    ignoreFocusOut: true,
  });
  if (name === undefined) return;
  const built = buildRequest(form);
  const asked = built.ok ? { ...form, url: built.request.url, query: [] } : form;
  const target = Uri.joinPath(folder, FILE);
  const before = await workspace.fs.readFile(target).then(
    (bytes) => Buffer.from(bytes).toString('utf8'),
    () => '',
  );
  const separator = before === '' || before.endsWith('\n\n') ? '' : '\n';
  const text = `${before}${separator}${writeRequest(withoutSecrets(asked), name.trim() || form.url)}`;
  await workspace.fs.writeFile(target, Buffer.from(text, 'utf8'));
  await window.showTextDocument(await workspace.openTextDocument(target));
}
