// The workbench as people use it: commands, quick picks, views, notifications.

import { PATIENCE_MS } from './editorServer.mjs';

export class Workbench {
  constructor(page) {
    this.page = page;
  }

  async ready() {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: PATIENCE_MS });
    await this.page
      .locator('.explorer-folders-view, .pane-body')
      .first()
      .waitFor({ timeout: PATIENCE_MS });
  }

  get quick() {
    return this.page.locator('.quick-input-widget:not([style*="display: none"])');
  }

  get quickInput() {
    return this.quick.locator('.quick-input-box input');
  }

  quickRow(text) {
    return this.quick.locator('.quick-input-list .monaco-list-row').filter({ hasText: text });
  }

  /** @param path the end of its path, where several have the same name */
  async openFile(path, name = path) {
    const row = this.quickRow(name).first();
    // While a workspace loads, the list is empty and is not refreshed. If it stays empty, people
    // reload the window.
    for (let windows = 1; !(await this.choose('ControlOrMeta+P', path, row, 3)); windows += 1) {
      if (windows === 3) throw new Error(`${path} is not among the files of the workspace`);
      await this.page.reload();
      await this.ready();
    }
    await this.page.locator('.tab.active').filter({ hasText: name }).waitFor();
  }

  /** The cursor's position, by the status bar: lines and columns count from 1. */
  async position() {
    const words = await this.status(/^Ln \d+, Col \d+/)
      .first()
      .textContent();
    const [, line, column] = /Ln (\d+), Col (\d+)/.exec(words) ?? [];
    return { line: Number(line), column: Number(column) };
  }

  async command(title) {
    if (await this.choose('F1', `>${title}`, this.quickRow(title).first(), 6)) return;
    throw new Error(`the command "${title}" is not to be had`);
  }

  /**
   * Chooses from a list that a key opens. A document that opens meanwhile takes the focus: the key is
   * lost, or the list closes again, and people press the key once more.
   */
  async choose(key, words, row, tries) {
    const soon = { timeout: 5_000 };
    const attempt = async () => {
      await this.page.keyboard.press(key);
      await this.quickInput.waitFor(soon);
      await this.quickInput.fill(words, soon);
      await row.click(soon);
    };
    for (let left = tries; left > 0; left -= 1) {
      const chosen = await attempt().then(
        () => true,
        () => false,
      );
      if (chosen) return true;
      await this.page.keyboard.press('Escape');
      // Keys that go to a page within the page, such as a report, need not come back from it.
      await this.page.evaluate(() => document.activeElement?.blur());
    }
    return false;
  }

  /** Answers the question whether addresses count that the workspace's settings name. @returns what it showed */
  async reviewSettings(answer) {
    const dialog = this.page.locator('.monaco-dialog-box');
    await this.command('Svc: Review Workspace Settings');
    await dialog.filter({ hasText: 'Use the addresses set by this workspace?' }).waitFor();
    const shown = await dialog.textContent();
    await dialog.getByRole('button', { name: answer, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    return shown;
  }

  /**
   * Runs a command and chooses from the list that it shows. A document that opens meanwhile takes the focus and closes the
   * list, and people run the command once more.
   */
  async commandAndPick(title, text) {
    for (let left = 3; left > 0; left -= 1) {
      await this.command(title);
      const chosen = await this.quickRow(text)
        .first()
        .click({ timeout: 15_000 })
        .then(
          () => true,
          () => false,
        );
      if (chosen) return;
      await this.page.keyboard.press('Escape');
    }
    throw new Error(`"${title}" does not offer "${text}"`);
  }

  async pick(text) {
    await this.quickRow(text).first().click();
  }

  /** Waits for a question by its words: before it is shown, what is typed goes to the question before it. */
  async asked(words) {
    const question = this.quick.locator('.quick-input-message, .quick-input-title');
    await question.filter({ hasText: words }).first().waitFor();
  }

  /** Types into the input box that is open, and accepts it. Callers know that it is the one they mean. */
  async answer(text) {
    await this.quickInput.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Answers the last question of a payment: what a buyer gets. */
  async describe(text = '') {
    await this.asked('What a buyer gets');
    await this.answer(text);
  }

  /** A button in the title of the active editor. */
  titleButton(name) {
    return this.page.locator(`.editor-actions a.action-label[aria-label*="${name}"]`);
  }

  /** Opens a view container by its icon, which would close one that is open. */
  async openContainer(title) {
    const open = this.page
      .locator('.part.sidebar .composite.title')
      .filter({ hasText: new RegExp(title, 'i') });
    if (await open.isVisible()) return;
    await this.page
      .locator(`.activitybar .action-item a.action-label[aria-label^="${title}"]`)
      .click();
    await open.waitFor();
  }

  /**
   * Waits until the editor shows code of a payment. It scrolls to the first place to complete, which can be far from the first
   * added line.
   */
  async paymentAdded() {
    const added = this.page.locator('.view-line').filter({ hasText: /payment(Middleware|Server)/ });
    await added.first().waitFor();
  }

  /** The document of the panel that tests payments: webviews come in no order. */
  async requestPage() {
    for (let tries = 0; tries < 300; tries += 1) {
      for (const frame of this.page.frames()) {
        if (
          await frame
            .locator('form#request')
            .count()
            .catch(() => 0)
        )
          return frame;
      }
      await this.page.waitForTimeout(100);
    }
    throw new Error('the panel that tests payments is not open');
  }

  /** Tests an endpoint in the panel, as people do. @returns the panel */
  async testPayment(url) {
    await this.command('Svc: Test Payment by URL');
    const panel = await this.requestPage();
    await panel.locator('#url').fill(url);
    await panel.locator('#url').press('Tab');
    await panel.locator('#send').click();
    return panel;
  }

  /**
   * Waits until the payment in this panel has settled.
   * @throws Error with what the panel says if the payment failed
   */
  async settled(panel) {
    const ended = panel.locator('#headline.settled, #headline.failed');
    await ended.waitFor();
    if (!(await ended.getAttribute('class')).includes('settled')) {
      throw new Error(`the test payment failed: ${await panel.locator('body').textContent()}`);
    }
  }

  pane(title) {
    return this.page
      .locator('.pane')
      .filter({ has: this.page.locator(`.pane-header[aria-label^="${title}"]`) });
  }

  rows(title) {
    return this.pane(title).locator('.monaco-list-row');
  }

  async expand(title) {
    const header = this.pane(title).locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
  }

  async collapse(title) {
    const header = this.pane(title).locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  }

  /** The document of a webview: two frames deep. */
  webview(index = 0) {
    return this.page
      .frameLocator('iframe.webview.ready')
      .nth(index)
      .frameLocator('iframe#active-frame');
  }

  /** What an element says in each document that has it: webviews come in no order. */
  async framed(selector) {
    const texts = this.page.frames().map(async (frame) =>
      frame
        .locator(selector)
        .first()
        .textContent({ timeout: 500 })
        .catch(() => undefined),
    );
    return (await Promise.all(texts)).filter((text) => text !== undefined);
  }

  toast(text) {
    return this.page
      .locator('.notifications-toasts .notification-list-item')
      .filter({ hasText: text });
  }

  status(text) {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  async editorText() {
    const lines = await this.page
      .locator('.editor-instance .monaco-editor .view-lines')
      .first()
      .locator('.view-line')
      .evaluateAll((elements) =>
        elements
          .map((element) => [Number.parseFloat(element.style.top), element.textContent])
          .sort((a, b) => a[0] - b[0])
          .map(([, text]) => text.replace(/\u00a0/g, ' ')),
      );
    return lines.join('\n');
  }
}
