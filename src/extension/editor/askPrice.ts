import { QuickInputButtons, ThemeIcon, window } from 'vscode';
import { whatIsWrongWithPrice } from '../settings/index.ts';

export interface PriceAnswer {
  readonly price: string;
  /** The change is to be shown before it is made. */
  readonly preview: boolean;
}

/**
 * Asks for a price in USDC, and validates it while it is typed. `undefined` when cancelled.
 * @param change what Enter does to a payment that is in the code already; it has no preview
 */
export function askPrice(
  route: string,
  proposed: string,
  change?: string,
): Promise<PriceAnswer | undefined> {
  const box = window.createInputBox();
  const preview = { iconPath: new ThemeIcon('diff'), tooltip: 'Preview the change first' };
  box.title = `Price of ${route}`;
  box.prompt =
    change === undefined
      ? 'USDC for one request. Press Enter to add the payment; the button shows the change first.'
      : `USDC for one request. Press Enter to ${change}.`;
  box.value = proposed;
  box.ignoreFocusOut = true;
  box.buttons = change === undefined ? [preview] : [];
  return new Promise((resolve) => {
    const judge = () => {
      const problem = whatIsWrongWithPrice(box.value);
      box.validationMessage = problem;
      return problem === undefined;
    };
    const finish = (answer: PriceAnswer | undefined) => {
      resolve(answer);
      box.dispose();
    };
    box.onDidChangeValue(judge);
    box.onDidAccept(() => {
      if (judge()) finish({ price: box.value.trim(), preview: false });
    });
    box.onDidTriggerButton((button) => {
      if (button === QuickInputButtons.Back) finish(undefined);
      else if (judge()) finish({ price: box.value.trim(), preview: true });
    });
    box.onDidHide(() => finish(undefined));
    box.show();
  });
}
