import { type Disposable, MarkdownString, StatusBarAlignment, ThemeColor, window } from 'vscode';
import { serviceFace } from '../service/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

/** An item with network and state; a click shows actions. */
export interface StatusBar extends Disposable {
  /** Called when the item becomes useful. Until then, and while nothing is running, it takes no space. */
  reveal(): void;
}

export function createStatusBar(app: App): StatusBar {
  let revealed = false;
  const item = window.createStatusBarItem('svc-x402.service', StatusBarAlignment.Left, 10);
  item.name = 'Svc x402';
  item.command = 'svc-x402.showServiceStatus';

  function show(): void {
    revealed ||= app.service.kind !== 'stopped';
    if (!revealed) return;
    const { text, words, severity } = faceOf(app);
    item.text = text;
    item.tooltip = new MarkdownString(t('{0}\n\nClick for actions.', words));
    item.accessibilityInformation = { label: `Svc x402: ${words}`, role: 'button' };
    item.backgroundColor =
      severity === 'normal' ? undefined : new ThemeColor(`statusBarItem.${severity}Background`);
    item.show();
  }

  const listener = app.onChange(show);
  show();
  return {
    reveal() {
      revealed = true;
      show();
    },
    dispose() {
      listener.dispose();
      item.dispose();
    },
  };
}

function faceOf({ settings, service, addresses, trusted }: App) {
  if (settings.network === 'testnet') {
    const words = addresses.facilitatorUrl
      ? t('Testnet, facilitator {0}', addresses.facilitatorUrl)
      : t('Testnet; no facilitator is set');
    return { text: '$(globe) x402 testnet', words, severity: 'normal' as const };
  }
  if (!trusted) {
    return {
      text: '$(shield) x402',
      words: t('Restricted Mode: the local service is not started in an untrusted workspace.'),
      severity: 'normal' as const,
    };
  }
  const { icon, sentence, severity } = serviceFace(service);
  const port = service.kind === 'running' ? new URL(service.service.facilitatorUrl ?? '').port : '';
  return {
    text: port === '' ? `$(${icon}) x402 local` : `$(${icon}) x402 local :${port}`,
    words: sentence,
    severity,
  };
}
