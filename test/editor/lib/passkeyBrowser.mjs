// The person at the authenticator: answers the pages that the service opens, with one virtual authenticator of Chromium.

import { PATIENCE_MS } from './editorServer.mjs';

const options = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
};

export class PasskeyBrowser {
  #context;
  #credentials = [];

  constructor(context) {
    this.#context = context;
  }

  /** The page that an action of the editor opens, with the authenticator in it. */
  async opened(action) {
    const popup = this.#context.waitForEvent('page', {
      predicate: (page) => page.url() === 'about:blank' || /\/passkeys\/page\//.test(page.url()),
      timeout: PATIENCE_MS,
    });
    await action();
    const page = await popup;
    // The editor is at 127.0.0.1, and passkeys belong to the name: the page goes there by itself.
    await page.waitForURL(/^http:\/\/localhost:\d+\/.*passkeys\/page\//);
    const session = await this.#context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options });
    for (const credential of this.#credentials) {
      await session.send('WebAuthn.addCredential', { authenticatorId, credential });
    }
    await page.locator('#use').waitFor();
    return {
      page,
      text: () => page.locator('main').textContent(),
      /** Presses the button, and waits until the ledger has it. */
      accept: async () => {
        await page.locator('#use').click();
        await page.locator('#status.good, #status.bad').waitFor();
        const said = await page.locator('#status').textContent();
        const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
        this.#credentials = credentials;
        if (!said.startsWith('Done')) throw new Error(said);
        return said;
      },
      decline: () => page.locator('#cancel').click(),
      close: () => page.close(),
    };
  }
}
