// What a screen reader gets: the accessibility tree of Chromium, of the workbench or of a page within it; and what axe finds.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Roles that a person acts on. */
const ACTIONABLE = new Set([
  ...['button', 'checkbox', 'combobox', 'DisclosureTriangle', 'link', 'menuitem', 'option'],
  ...['radio', 'searchbox', 'slider', 'spinbutton', 'switch', 'tab', 'textbox', 'treeitem'],
]);

/** Names that do not say what they hold. */
const EMPTY_NAME =
  /^(\W*|button|click here|copy|details|edit|here|link|more|ok|open|remove|show|\d+)$/i;

/**
 * Reads the accessibility tree.
 * @param {import('playwright-core').Page | import('playwright-core').Frame} where a window, or the document of a webview
 * @param {string} [within] selector of the part to read
 * @returns {Promise<{ role: string, name: string, description: string, focusable: boolean, disabled: boolean, text: string }[]>}
 * what a person can act on, in the order of the document; `text` is what is seen
 */
export async function actionables(where, within = 'body') {
  const page = 'page' in where && typeof where.page === 'function' ? where.page() : where;
  const frame = page === where ? page.mainFrame() : where;
  await markPart(frame, within);
  const sessions = await sessionsOf(page);
  try {
    for (const session of sessions) {
      await session.send('Accessibility.enable');
      const { frameTree } = await session.send('Page.getFrameTree');
      for (const frameId of frameIds(frameTree)) {
        const found = await readTree(session, frameId);
        if (found.length > 0) return found;
      }
    }
    return [];
  } finally {
    await markPart(frame, undefined);
    for (const session of sessions) await session.detach();
  }
}

/** What a person can act on in the marked part, as one frame has it. */
async function readTree(session, frameId) {
  const { nodes } = await session
    .send('Accessibility.getFullAXTree', { frameId })
    .catch(() => ({ nodes: [] }));
  const found = [];
  for (const node of inOrder(nodes)) {
    if (node.ignored) continue;
    const property = (name) => node.properties?.find((one) => one.name === name)?.value.value;
    const role = node.role?.value ?? '';
    const focusable = property('focusable') === true;
    const isDocument = role === 'RootWebArea' || role === 'Iframe' || role === 'document';
    if (isDocument || !(ACTIONABLE.has(role) || focusable)) continue;
    const text = await textOf(session, node.backendDOMNodeId);
    if (text === undefined) continue;
    const name = node.name?.value ?? '';
    const disabled = property('disabled') === true;
    // The separators in the menus of the oldest workbench are disabled checkboxes.
    if (role === 'checkbox' && disabled && !focusable && name + text === '') continue;
    const description = node.description?.value ?? '';
    found.push({ role, name, description, focusable, disabled, text });
  }
  return found;
}

/**
 * Returns what is wrong with the names of what a person can act on: none, one that does not say what it holds, one without
 * the words that are seen, or the same one for two things.
 * @param {{ unique: boolean }} options whether two names may not be alike: views of the workbench have the same tools
 */
export function problemsOf(found, { unique }) {
  const problems = [];
  const known = new Map();
  for (const { role, name, text } of found) {
    const shown = `${role} "${name}"`;
    if (name.trim() === '') problems.push(`${shown} has no name (seen: "${text}")`);
    else if (EMPTY_NAME.test(name.trim())) problems.push(`${shown} does not say what it holds`);
    const spoken = plain(name).toLowerCase();
    const missing = pieces(text).filter((piece) => !spoken.includes(piece.toLowerCase()));
    if (holdsText(role) && missing.length > 0) {
      problems.push(`${shown} leaves out what is seen: ${missing.join(' | ')}`);
    }
    if (unique && (role === 'button' || role === 'link')) {
      const key = `${role} ${name}`;
      if (known.has(key)) problems.push(`two are ${shown}`);
      known.set(key, true);
    }
  }
  return problems;
}

/** What is seen in these is their label; in a field it is the value. */
const holdsText = (role) => ['button', 'link', 'treeitem', 'tab', 'listitem'].includes(role);

/** Words between separators, without icons and white space. */
const pieces = (text) =>
  text
    .split(/[·\n\t]/)
    .map(plain)
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));

const plain = (text) =>
  text
    .replace(/[\u{e000}-\u{f8ff}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Connections to the window, and to those of its frames that have a process of their own. */
async function sessionsOf(page) {
  const context = page.context();
  const apart = page.frames().filter((frame) => frame !== page.mainFrame());
  const sessions = await Promise.all(
    [page, ...apart].map((target) => context.newCDPSession(target).catch(() => undefined)),
  );
  return sessions.filter((session) => session !== undefined);
}

function frameIds({ frame, childFrames = [] }) {
  return [frame.id, ...childFrames.flatMap(frameIds)];
}

/** Nodes come in no order: the children of each name it. */
function inOrder(nodes) {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const [root] = nodes.filter(({ parentId }) => parentId === undefined);
  const walk = (node) => [
    node,
    ...(node.childIds ?? []).flatMap((id) => (byId.has(id) ? walk(byId.get(id)) : [])),
  ];
  return root === undefined ? nodes : walk(root);
}

/** Marks the part to read, by which nodes of the tree are known again; no part without a selector. */
function markPart(frame, within) {
  return frame.evaluate((selector) => {
    for (const one of document.querySelectorAll('[data-read-part]'))
      one.removeAttribute('data-read-part');
    if (selector === undefined) return;
    for (const one of document.querySelectorAll(selector)) one.setAttribute('data-read-part', '');
  }, within);
}

/** What is seen of a node; undefined if it is outside of the part, or not seen at all. */
async function textOf(session, backendNodeId) {
  if (backendNodeId === undefined) return undefined;
  const resolved = await session.send('DOM.resolveNode', { backendNodeId }).catch(() => undefined);
  if (resolved === undefined) return undefined;
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: resolved.object.objectId,
    returnByValue: true,
    functionDeclaration: `function () {
      const element = this.nodeType === 1 ? this : this.parentElement;
      let part = element;
      // Menus are in a tree of their own below the part.
      while (part && !part.hasAttribute('data-read-part')) {
        part = part.parentElement ?? part.getRootNode().host;
      }
      if (!part) return null;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) return null;
      if (['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName)) return '';
      // Icons are letters of a font, and actions beside a label are nodes of their own.
      const labels = element.querySelectorAll('.label-name, .label-description');
      if (labels.length > 0) return [...labels].map((one) => one.textContent).join('\\n');
      return element.innerText ?? '';
    }`,
  });
  return result.value ?? undefined;
}

/** The element that has the focus, also within a page of the window. */
export async function focused(frame) {
  return frame.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return '';
    const labelled = element.labels?.[0]?.textContent ?? '';
    return (
      element.getAttribute('aria-label') ||
      labelled ||
      element.querySelector('[aria-label]')?.getAttribute('aria-label') ||
      element.textContent ||
      element.id ||
      element.tagName
    ).trim();
  });
}

/** Presses a key until something holds. */
export async function pressUntil(page, key, check, most = 60) {
  for (let left = most; left > 0; left -= 1) {
    if (await check()) return;
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
  }
  throw new Error(`${key} was pressed ${most} times in vain`);
}

/**
 * Returns what axe finds wrong with the document of a webview, with all its rules, one line for each element: contrast, names,
 * roles, order of headings.
 * @param {import('playwright-core').Frame} frame
 * @param {'editor' | 'sideBar'} place where the webview is: it is transparent, and axe sees nothing outside of it
 */
export async function axeFindings(frame, place) {
  // The policy of the page lets no script in, but the debugger's.
  await frame.evaluate(`${axe}; undefined`);
  return frame.evaluate(async (behind) => {
    document.documentElement.style.background = `var(--vscode-${behind}-background)`;
    const { violations, passes } = await globalThis.axe.run(document, {
      resultTypes: ['violations'],
      iframes: false,
    });
    if (passes.length < 5) return [`axe ran only ${passes.length} rules`];
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, any }) => `${id}: ${help}: ${target.join(' ')} ${any[0]?.message ?? ''}`,
      ),
    );
  }, place);
}

/** Ratio of luminances (WCAG 2.2, 1.4.3). @param one @param other colours as `rgb(r, g, b)` or `rgba(r, g, b, a)` */
export function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour) {
  const [red, green, blue] = colour
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map((part) => Number(part) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
