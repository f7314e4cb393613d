import { type Disposable, QuickInputButtons, type QuickPickItem, window } from 'vscode';

/** One step of a form, with the way back. */
export interface Step {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  /** Shown before anything is typed; `undefined`: nothing. */
  readonly problem: string | undefined;
}

/** The members that all boxes of a form share. */
interface Box extends Disposable {
  title: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  ignoreFocusOut: boolean;
  show(): void;
  onDidHide(listener: () => void): Disposable;
}

/** Shows a box until the user answers, goes back, or cancels. */
function shown<T>(
  box: Box,
  { title, step, totalSteps }: Step,
  listen: (finish: (answer: T | 'back' | undefined) => void) => void,
): Promise<T | 'back' | undefined> {
  Object.assign(box, { title, step, totalSteps, ignoreFocusOut: true });
  return new Promise((resolve) => {
    const finish = (answer: T | 'back' | undefined) => {
      resolve(answer);
      box.dispose();
    };
    box.onDidHide(() => finish(undefined));
    listen(finish);
    box.show();
  });
}

/**
 * Asks for a text and validates it while it is typed.
 * @returns `undefined` when the user cancelled
 */
export function askText(
  step: Step & { readonly prompt: string; readonly value: string },
  judge: (text: string) => string | undefined,
): Promise<{ readonly text: string } | 'back' | undefined> {
  const box = window.createInputBox();
  box.prompt = step.prompt;
  box.value = step.value;
  box.validationMessage = step.problem;
  box.buttons = [QuickInputButtons.Back];
  return shown(box, step, (finish) => {
    box.onDidChangeValue((text) => {
      box.validationMessage = judge(text);
    });
    box.onDidAccept(() => {
      box.validationMessage = judge(box.value);
      if (box.validationMessage === undefined) finish({ text: box.value });
    });
    box.onDidTriggerButton(() => finish('back'));
  });
}

/**
 * Lets the user pick one or more.
 * @param picked what is picked at first
 * @returns `undefined` when the user cancelled
 */
export function askSome<T extends QuickPickItem>(
  step: Step & { readonly placeHolder: string },
  items: readonly T[],
  picked: readonly T[],
): Promise<readonly T[] | 'back' | undefined> {
  const pick = window.createQuickPick<T>();
  pick.canSelectMany = true;
  pick.items = items;
  pick.selectedItems = picked;
  pick.placeholder = step.problem ?? step.placeHolder;
  pick.buttons = [QuickInputButtons.Back];
  return shown(pick, step, (finish) => {
    pick.onDidAccept(() => {
      if (pick.selectedItems.length > 0) finish(pick.selectedItems);
      else pick.placeholder = `Pick at least one. ${step.placeHolder}`;
    });
    pick.onDidTriggerButton(() => finish('back'));
  });
}
